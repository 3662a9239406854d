import CryptoPrimitives
import JSONCoding
import TestSupport
import Testing

@testable import SophaxFiles

@Suite("the fixtures of the related apps", .enabled(if: SharedFolder.isThere, "needs ../shared"))
struct RelatedFixtureTests {
    private func keys(_ names: String...) throws -> RelatedKeys {
        var keys = RelatedKeys()
        for name in names {
            let file = try RelatedSupport.fixture(name)
            try keys.add(file: SecretBytes(copying: file.span))
        }
        return keys
    }

    private func words(_ name: String, _ opener: RelatedOpener) throws -> [String] {
        let document = try #require(try RelatedDocument.read(RelatedSupport.fixture(name)), "\(name)")
        return RelatedSupport.words(document, opener)
    }

    @Test("btmessage: both pairwise forms, the key of the group and its message open exactly")
    func btmessage() throws {
        let opener = RelatedOpener(try keys("btmessage/identity.json", "btmessage/expected.json"))
        let expected = String(
            decoding: try RelatedSupport.member("plaintext", of: "btmessage/expected.json"), as: UTF8.self)
        let group = String(
            decoding: try RelatedSupport.member("groupPlaintext", of: "btmessage/expected.json"), as: UTF8.self)
        #expect(try words("btmessage/chat-xwing.json", opener) == [expected])
        #expect(try words("btmessage/chat-x25519-v1.json", opener) == [expected])
        #expect(try words("btmessage/group-key.json", opener).allSatisfy { $0.hasPrefix("group key") })
        #expect(try words("btmessage/group-chat.json", opener) == [group])
        let learned = try #require(opener.keys.keys.last { $0.group != nil }?.secret)
        let stated = try RelatedSupport.member("groupKey", of: "btmessage/expected.json")
        let groupKey = Base64.decode(stated.span)
        #expect(RelatedSupport.exposed(learned.bytes) == groupKey)
    }

    @Test("btmessage: the public key of the identity is the one that is stated, and the items are written the same")
    func identity() throws {
        let keys = try keys("btmessage/identity.json")
        let identity = try #require(keys.identities.first)
        let stated = try RelatedSupport.member("publicKey", of: "btmessage/identity.json")
        let publicKey = Base64.decode(stated.span)
        #expect(identity.xwingPublic == publicKey)
        #expect(identity.peerID?.string == "89316C2B-6FC1-4416-888E-F0BD9960D62F")
        let item = try #require(try identity.xwingItem())
        let stored = try RelatedSupport.member("btmessage.identity.xwing", of: "btmessage/identity.json")
        let value = Base64.decode(stored.span)
        #expect(RelatedSupport.exposed(item.bytes) == value)
    }

    @Test("lchat: every thread opens exactly, with each form of the private key alone")
    func lchat() throws {
        let object = try JSONObject(RelatedSupport.fixture("lchat/vectors.json"), ceiling: 1 << 20)
        let threads = try #require(try object.objects("threads", limit: 100))
        var expected: [String] = []
        for thread in threads {
            let text = try thread.required("plaintext", try thread.text("plaintext"))
            expected += ["thread key", String(decoding: text, as: UTF8.self)]
        }
        for name in ["privateKeyPKCS8PEM", "privateKeyRaw"] as [StaticString] {
            let key = String(decoding: try object.required(name, try object.text(name)), as: UTF8.self)
            let opener = RelatedOpener(try RelatedSupport.keys(key))
            #expect(try words("lchat/vectors.json", opener) == expected)
            // What was unwrapped is what the file says.
            for thread in threads {
                let stated = try thread.required("threadKey", try thread.data("threadKey"))
                let known = opener.keys.keys.filter { $0.kind == .threadKey }.map {
                    RelatedSupport.exposed($0.secret.bytes)
                }
                #expect(known.contains(stated))
            }
        }
    }

    @Test("CoNET: every frame opens exactly, the first is that of a mailbox")
    func conet() throws {
        let opener = RelatedOpener(try keys("conet/sealed-frames.json"))
        let object = try JSONObject(RelatedSupport.fixture("conet/sealed-frames.json"), ceiling: 1 << 20)
        let frames = try #require(try object.objects("frames", limit: 100))
        var expected: [String] = []
        for frame in frames {
            expected.append(
                String(decoding: try frame.required("plaintext", try frame.text("plaintext")), as: UTF8.self))
        }
        #expect(try words("conet/sealed-frames.json", opener) == expected)
    }
}
