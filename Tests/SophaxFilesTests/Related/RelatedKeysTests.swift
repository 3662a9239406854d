import CryptoPrimitives
import JSONCoding
import TestSupport
import Testing

@testable import SophaxFiles

@Suite("key files of the related apps")
struct RelatedKeysTests {
    private typealias Vectors = RelatedVectors

    private func refusal(_ text: String) throws -> RelatedKeyError? {
        do throws(RelatedKeyError) {
            var keys = RelatedKeys()
            let file = try? RelatedSupport.secret(text: text)
            guard let file else { throw .memory }
            try keys.add(file: file)
            return nil
        } catch {
            return error
        }
    }

    private func secret(_ keys: RelatedKeys) -> [UInt8]? {
        keys.keys.first.map { RelatedSupport.exposed($0.secret.bytes) }
    }

    @Test("32 bytes may be raw, hexadecimal or base64, and are for anything")
    func plain() throws {
        let bytes = RelatedSupport.bytes(Vectors.streamKey)
        var raw = RelatedKeys()
        try raw.add(file: SecretBytes(copying: bytes.span))
        #expect(secret(raw) == bytes)
        for text in [Vectors.streamKey + "\n", Hex.encode(bytes.span)] {
            let keys = try RelatedSupport.keys(text)
            #expect(secret(keys) == bytes)
            #expect(keys.keys.map(\.kind) == [.any])
        }
    }

    @Test("a private key of P-256 is the same from PEM, DER, a JWK and raw bytes")
    func privateKeys() throws {
        let number = RelatedSupport.bytes(Vectors.raw)
        let escaped = Vectors.pem.replacing("\n", with: "\\n").replacing("/", with: "\\/")
        for text in [
            Vectors.pem, "\r\n" + Vectors.pem.replacing("\n", with: "\r\n") + "\r\n", Vectors.jwk,
            #"{"privateKeyPKCS8PEM":"\#(escaped)"}"#,
            #"{"privateKeyPKCS8PEM":"\#(escaped)","privateKeyRaw":"\#(Vectors.raw)","publicKeyX963":"\#(Vectors.publicKey)"}"#,
        ] {
            let keys = try RelatedSupport.keys(text)
            #expect(secret(keys) == number, "\(text)")
            #expect(keys.keys.map(\.kind) == [.privateKey])
        }
        let key = try SecretBytes(copying: number.span)
        let der = try P256.pkcs8(of: key)
        var keys = RelatedKeys()
        try keys.add(file: der)
        #expect(secret(keys) == number)
    }

    @Test("other structures and keys that contradict each other are refused with the reason")
    func refusals() throws {
        #expect(try refusal("") == .empty)
        #expect(try refusal("hello") == .unknownForm)
        #expect(try refusal("{}") == .noKeys)
        let list = "<?xml version=\"1.0\"?>\n<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"\">\n<plist/>"
        #expect(try refusal("bplist00\u{1}\u{2}") == .propertyList)
        #expect(try refusal(list) == .propertyList)
        #expect(try refusal("<?xml version=\"1.0\"?><svg/>") == .unknownForm)
        let long = String(repeating: "g", count: RelatedLimits.idBytes)
        for id in ["", long + "g"] {
            #expect(try refusal(#"{"btmessage.groupKeys":{"\#(id)":"\#(Vectors.groupKey)"}}"#) != nil)
        }
        #expect(
            try RelatedSupport.keys(#"{"btmessage.groupKeys":{"\#(long)":"\#(Vectors.groupKey)"}}"#).keys.count == 1)
        let bare = Vectors.sec1.split(separator: "\n").dropFirst().dropLast().joined()
        let der = RelatedSupport.bytes(bare)
        #expect(throws: P256Error.notPKCS8) { _ = try P256.privateKey(pkcs8: SecretBytes(copying: der.span)) }
        #expect(try refusal(Vectors.sec1) == .otherPEM)
        #expect(try refusal(Vectors.encpem) == .encryptedPEM)
        #expect(try refusal(Vectors.pem + "\nmore") == .notPKCS8)
        #expect(try refusal(Vectors.pem + "\n" + Vectors.pem) == .notPKCS8)
        #expect(try refusal(String(Vectors.pem.dropLast(30))) == .notPKCS8)
        #expect(try refusal(String(repeating: " ", count: 9_000) + Vectors.pem) == .tooLarge(limit: 8_192))
        #expect(try refusal(Vectors.jwk.replacing("P-256", with: "P-384")) == .otherCurve)
        #expect(try refusal(Vectors.jwk.replacing("\"EC\"", with: "\"OKP\"")) == .format(.field("kty", .unknownWord)))
        #expect(try refusal(#"{"kty":"EC","crv":"P-256"}"#) == .format(.field("d", .missing)))
        let zero = String(repeating: "A", count: 43)
        #expect(
            try refusal(#"{"kty":"EC","crv":"P-256","d":"\#(zero)","x":"\#(zero)","y":"\#(zero)"}"#) == .notAPrivateKey)
        let other = #"{"privateKeyRaw":"\#(Vectors.streamKey)","publicKeyX963":"\#(Vectors.publicKey)"}"#
        #expect(try refusal(other) == .publicKeyDiffers)
        #expect(
            try refusal(#"{"streamKey":"AAAA"}"#) == .format(.field("streamKey", .wrongLength(expected: 32, found: 3))))
        #expect(
            try refusal(#"{"streamKey":"\#(Vectors.streamKey)","streamKey":""}"#)
                == .format(.field("", .repeated)))
        // Base64url with padding, or with letters of the other alphabet, has another spelling.
        let padded = Vectors.jwk.replacing("\"}", with: "=\"}")
        #expect(try refusal(padded) == .format(.field("y", .notBase64)))
    }

    @Test("an identity needs a good peer id, and a hash that is that of the public key")
    func identities() throws {
        let identity = try #require(try RelatedSupport.keys(Vectors.items).identities.first)
        #expect(identity.peerID?.string == Vectors.ownID)
        #expect(identity.xwing != nil && identity.x25519 == nil)
        let file = try identity.itemsText()
        let text = RelatedSupport.exposed(file)
        #expect(String(decoding: text, as: UTF8.self) == Vectors.items)
        var stored = RelatedSupport.xwingBytes(Vectors.items)
        stored[63] ^= 1
        let damaged = Base64.encode(stored.span)
        #expect(try refusal(#"{"btmessage.identity.xwing":"\#(damaged)"}"#) == .hashDiffers)
        stored[63] ^= 1
        stored[0] ^= 1
        let other = Base64.encode(stored.span)
        #expect(try refusal(#"{"btmessage.identity.xwing":"\#(other)"}"#) == .hashDiffers)
        #expect(
            try refusal(#"{"btmessage.identity.xwing":"\#(Vectors.streamKey)"}"#)
                == .keyLength(.xwing, expected: 64, found: 32))
        for id in [
            Vectors.ownID.lowercased(), Vectors.ownID + "0", String(Vectors.ownID.dropLast()), "A",
            Vectors.ownID.replacing("-4B0E-", with: "-1B0E-"), Vectors.ownID.replacing("-9C41-", with: "-CC41-"),
            Vectors.ownID.replacing("-", with: "0"),
        ] {
            let base64 = Base64.encode(Array(id.utf8).span)
            #expect(try refusal(#"{"btmessage.identity.peerID":"\#(base64)"}"#) == .notAPeerID, "\(id)")
        }
    }

    @Test("preferences give keys by group and the groups, as objects and as data in base64")
    func preferences() throws {
        let groups =
            #"{"g":{"id":"g","name":"Spaziergang","memberIDs":["a","b"],"creatorID":"a"}}"#
        let keyText = #"{"g":"\#(Vectors.groupKey)"}"#
        func data(_ text: String) -> String { "\"" + Base64.encode(Array(text.utf8).span) + "\"" }
        for text in [
            #"{"btmessage.groupKeys":\#(keyText),"btmessage.groups":\#(groups)}"#,
            #"{"btmessage.groupKeys":\#(data(keyText)),"btmessage.groups":\#(data(groups))}"#,
        ] {
            let keys = try RelatedSupport.keys(text)
            #expect(keys.keys.map(\.group?.string) == ["g"])
            #expect(secret(keys) == RelatedSupport.bytes(Vectors.groupKey))
            let expected = BTMessageGroup(
                id: Array("g".utf8), name: Array("Spaziergang".utf8), members: [[97], [98]], creator: [97])
            #expect(keys.groups == [expected])
        }
        let wrong = groups.replacing("\"id\":\"g\"", with: "\"id\":\"h\"")
        #expect(try refusal(#"{"btmessage.groups":\#(wrong)}"#) == .format(.field("btmessage.groups", .unknownWord)))
        #expect(
            try refusal(#"{"btmessage.groupKeys":{"g":"AAAA"}}"#)
                == .format(.field("btmessage.groupKeys.g", .wrongLength(expected: 32, found: 3))))
    }

    @Test("items that sxkey writes are read again, whatever keys they are of")
    func items() throws {
        let groups = #"{"g":{"id":"g","name":"n","memberIDs":["a"]}}"#
        let preferences = #"{"btmessage.groupKeys":{"g":"\#(Vectors.groupKey)"},"btmessage.groups":\#(groups)}"#
        var keys = try RelatedSupport.keys(
            Vectors.items, preferences, Vectors.pem, #"{"threadKey":"\#(Vectors.threadKey)"}"#,
            #"{"streamKey":"\#(Vectors.streamKey)"}"#, Vectors.x25519)
        #expect(try keys.items().leftOut == 1)
        try keys.take(anyAs: .x25519)
        let written = try keys.items()
        #expect(written.leftOut == 0)
        let accounts = written.items.map(\.account.string)
        #expect(accounts.count == 8 && Set(accounts).count == 8)
        #expect(accounts.allSatisfy { RelatedKeys.isAccount(Array($0.utf8)) })
        var again = RelatedKeys()
        try again.add(items: written.items)
        #expect(try again.items().items.map(\.account.string).sorted() == accounts.sorted())
        #expect(again.groups == keys.groups)
        #expect(Set(again.keys.map(\.secret.id)) == Set(keys.keys.map(\.secret.id)))
        let ids = Set(again.keys.map(\.kind))
        #expect(ids == [.groupKey, .privateKey, .threadKey, .streamKey])
    }

    @Test("more keys than one run may have are refused")
    func limits() throws {
        var list = ""
        for number in 0...RelatedLimits.keys {
            let key = (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } + [UInt8](repeating: 1, count: 28)
            list += (number == 0 ? "" : ",") + #""\#(number)":"\#(Base64.encode(key.span))""#
        }
        #expect(
            try refusal(#"{"btmessage.groupKeys":{\#(list)}}"#)
                == .format(.field("btmessage.groupKeys.", .tooMany(limit: RelatedLimits.keys))))
    }
}
