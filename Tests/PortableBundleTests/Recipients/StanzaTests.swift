import CryptoPrimitives
import TestSupport
import Testing

@testable import PortableBundle

@Suite("The file key, wrapped for a recipient")
struct StanzaTests {
    private let context = Random.bytes(32)

    /// The object of a recipient with one of its values replaced.
    private func changed(_ stanza: Stanza, _ key: String, to value: HeaderValue) throws -> Stanza {
        guard case .object(let members) = stanza.value else { return stanza }
        return try Stanza(
            parsing: .object(members.map { $0.key.elementsEqual(key.utf8) ? HeaderValue.Member($0.key, value) : $0 }),
            number: 0)
    }

    private func base64(_ bytes: [UInt8]) -> HeaderValue { .text(Array(Base64.encode(bytes.span).utf8)) }

    private func opens(_ stanza: Stanza, _ secret: SXBSecret, _ context: [UInt8]? = nil) throws -> Bool {
        let key = try stanza.unwrap(with: secret, context: context ?? self.context)
        return key != nil
    }

    @Test("opens with the key that it was made for, in its own bundle, and not otherwise")
    func publicKey() throws {
        let key = try SampleBundle.key()
        let stanza = try Stanza.wrapping(FileKey(), publicKey: key.publicKey, index: 0, context: context)
        #expect(try opens(stanza, key))
        #expect(try !opens(stanza, SampleBundle.key()))
        #expect(try !opens(stanza, SampleBundle.passphrase()))
        #expect(try !opens(stanza, key, Random.bytes(32)))
    }

    @Test("shares no secret with a point of small order", arguments: [0, 1])
    func smallOrder(_ first: UInt8) throws {
        let key = try SampleBundle.key()
        let stanza = try Stanza.wrapping(FileKey(), publicKey: key.publicKey, index: 0, context: context)
        var point = [UInt8](repeating: 0, count: 32)
        point[0] = first
        #expect(try !opens(changed(stanza, "ephemeral", to: base64(point)), key))
    }

    @Test("opens no more when a value of it is changed")
    func changes() throws {
        let key = try SampleBundle.key()
        let forKey = try Stanza.wrapping(FileKey(), publicKey: key.publicKey, index: 0, context: context)
        #expect(try !opens(changed(forKey, "wrapped", to: base64(Random.bytes(48))), key))
        #expect(try !opens(changed(forKey, "ephemeral", to: base64(SampleBundle.key().publicKey)), key))
        let secret = try SampleBundle.passphrase()
        let stanza = try Stanza.wrapping(
            FileKey(), passphrase: secret, cost: SampleBundle.cheap, context: context)
        #expect(try opens(stanza, secret))
        #expect(try !opens(stanza, key))
        #expect(try !opens(stanza, secret, Random.bytes(32)))
        for (name, value) in [
            ("memory", .number(19_464)), ("passes", .number(2)), ("lanes", .number(2)),
            ("salt", base64(Random.bytes(32))), ("wrapped", base64(Random.bytes(48))),
        ] as [(String, HeaderValue)] {
            #expect(try !opens(changed(stanza, name, to: value), secret), "\(name)")
        }
    }

    private struct OtherMethod: Error {}

    private func encapsulated(of stanza: Stanza) throws -> [UInt8] {
        guard case .xWing(let encapsulated) = stanza.method else { throw OtherMethod() }
        return encapsulated
    }

    @Test("for an X-Wing key opens with its seed, in its own bundle, and no more when a value of it is changed")
    func xWing() throws {
        func secret() throws -> SXBSecret { try .xWing(SecretBytes(randomCount: 32)) }
        let key = try secret()
        let stanza = try Stanza.wrapping(FileKey(), xWingKey: key.publicKey, index: 0, context: context)
        #expect(stanza.form == .xWing && stanza.kind == .publicKey)
        #expect(try opens(stanza, key))
        #expect(try !opens(stanza, secret()))
        #expect(try !opens(stanza, SampleBundle.key()))
        #expect(try !opens(stanza, SampleBundle.passphrase()))
        #expect(try !opens(stanza, key, Random.bytes(32)))
        #expect(try !opens(changed(stanza, "wrapped", to: base64(Random.bytes(48))), key))
        let encapsulated = try self.encapsulated(of: stanza)
        for place in [0, 1_087, 1_088, 1_119] {
            var other = encapsulated
            other[place] ^= 1
            #expect(try !opens(changed(stanza, "encapsulated", to: base64(other)), key), "\(place)")
        }
        for length in [1_119, 1_121] {
            #expect(throws: SXBError.headerMalformed(.key("encapsulated"))) {
                try changed(stanza, "encapsulated", to: base64([UInt8](repeating: 1, count: length)))
            }
        }
        #expect(throws: SXBError.unusablePublicKey(index: 3)) {
            _ = try Stanza.wrapping(FileKey(), xWingKey: [1], index: 3, context: context)
        }
    }

    @Test("an X-Wing stanza is what the manual page says, computed step by step")
    func xWingBytes() throws {
        let seed = [UInt8](repeating: 7, count: 32)
        let key = try SXBSecret.xWing(SecretBytes(copying: seed.span))
        let fileKey = [UInt8](repeating: 9, count: 32)
        let stanza = try Stanza.wrapping(
            FileKey(SecretBytes(copying: fileKey.span)), xWingKey: key.publicKey, index: 0, context: context)
        let encapsulated = try self.encapsulated(of: stanza)
        let shared = try XWing.decapsulate(encapsulated.span, seed: SecretBytes(copying: seed.span))
        let salt = encapsulated + key.publicKey
        let info = Array("sxb2/xwing".utf8)
        let wrapping = try HKDF.derive(
            inputKey: shared, salt: salt.span, info: info.span, length: 32, using: .sha256)
        let text = "{\"encapsulated\":\"\(Base64.encode(encapsulated.span))\",\"type\":\"xwing\"}"
        let data = context + Array(text.utf8)
        let box = [UInt8](repeating: 0, count: 12) + stanza.wrapped
        var cipher = try AESGCM(key: wrapping)
        let opened = try cipher.openCombined(box.span, authenticating: data.span)
        let isRight = opened.isEqual(to: fileKey.span)
        #expect(isRight)
    }

    /// Made with Python's `kyber-py` and `cryptography`: X-Wing of the seed 07×32 (randomness 00…3F), HKDF, AES-256-GCM.
    private static let encapsulated = """
        42TqiSmx6cvwD7Z21SKSfWcHeKXyhYcSwGU0TpWHuAjaQT09HZYT0veMoRWgrpR28BblwlE/D70dMsPWDTywEp01mRjqDYdF\
        PfjQuPzIhR177OqP6sXrRyseo/MHJ3SCMKjgDrz3yyYxP2OZQXoH6qVF8ScnAR54HLHjgdKhqYGTEQ2DFqc+CzPEjJ8ADrLr\
        i5WE1NTborRN+M4XGUXqWFY6OWSMslrBoYHXnA/Vs0q3lEKDobFSuC0qJB5Nz+YjKCGDY424QyOTapTNrsYjDjE8BbL+VuvO\
        ZopNPlo2x8ZQ/CDkAlmm5pgaCoU3fD2fmMOpfpVw0HjTBJ9LEPKW2PSoHDfMnKIXevs1JR1A8cTloplbiCxvoF53RfP8X9v/\
        2vHfevT1C/ssKgd5AO3L++wowzAAvyoMfDAz9w/yqu2cZmK0+zQ3/DHfk6KmCY6VbPYmhx/9Gxp4+A3RVCJAg2RsfT1NKYjP\
        066B0NKYT2NrIxQvbiZNLzN6PrP7RAad3rreynDrKsFEcRBoa5de5o92DWA46vvtWfSRlUil5zpGuyFa5JUQfDRGyK5DfPk+\
        9Fg72XxGHfxd3uICk8u/53tmm/bMupifV0iqM7qjJeH2kaMGMV88UHKX7DOWYlw3PxXwsD8OkTlEluatAY9SJfru6tm3tzQ3\
        FW/+TqOu+/hhsdc/ol6N9OO9n2e/h2nQX91sMRUAHMqNurBpVj2z6+irSOscQIsCOWwWVl9Ja/NI7+yD7WCH8thQ700cP3y2\
        6du3ctuwMOD48MCE0TQCohPIq5j3K0b9fwPtTy7mRMROJ0PP+9zaUuhd52Xbu8QMD5cbyS5dZjQH4hsyzP+tzmGYvG7GRF7X\
        tz7tE/CoVBcaUQxOwnMhpun5mNgIbLb2Msz0xZPxZ6JH6lFdZRHoXbYGP5jhbwnLSLogMC6fOoh3Er/KfiG4z8Yti9FlAjYK\
        VBKKnTq2V7/60JaWHxHtxrxHCY0/2+ov6snZ0JeHKowB2hF/GovLJzj8zrRbu38gvJqZISOn/7ToFi9NK43LJQT8ZB6pJ+NX\
        kux71ZYjRppRIuvZ47XesYS1RoSuhOv/KGxCnloY5RfGm9DzMfIhYQPSwhJZz+gfm97Su+QPn4eSPuuhLjZk8uqYIRgGh519\
        JKErNtpNnTBiNm4O5aaxmjgyGF7Xmj0HHW8E5rX2E+/twRVb+5sQaGNShIsKJOGHUA+fB3tg07juQ3aNIusGtRYVU5RSoPqF\
        9ze0FwZEo6g+vfe3RzgMpOUFURieu4rtoFQ20o4JJxjxtyq9IfQCfgDRqiqhIOuQv3p5eGIV947cv5jKTBMsQ1RGw0qR8gu8\
        thutI6D4kW5aqF4IhbE2vryVKYy7x3KjaB2R8mQ3I/PkStnQZ2zK7Kj10s7Vg7Y15+Mg9gqNW/gLtZjUpGPgnpseiYoT70Nc\
        Uq/Zy9Iv8jI1gHLWNliA0a7qMprfkSE4OFHtIaKOO3XpZdDSzRZiVA==
        """
    private static let wrapped = "8rFx1YVdbDb37xCGdOmc7xYckrzf7xYkKqWyRSgI6WizmAj+lFRygnKzKXTnZUGv"

    @Test("an X-Wing stanza that another implementation made by the manual page opens")
    func otherXWing() throws {
        let value = HeaderValue.object([
            "type": .text(Array("xwing".utf8)), "encapsulated": .text(Array(Self.encapsulated.utf8)),
            "wrapped": .text(Array(Self.wrapped.utf8)),
        ])
        let seed = [UInt8](repeating: 7, count: 32)
        let secret = try SXBSecret.xWing(SecretBytes(copying: seed.span))
        let found = try Stanza(parsing: value, number: 0).unwrap(with: secret, context: Array(0x80...0x9F))
        let isRight = try found?.withSpan { bytes in bytes.indices.allSatisfy { bytes[$0] == 9 } && bytes.count == 32 }
        #expect(isRight == true)
    }

    @Test("forty X-Wing recipients fit into a header, one more is refused before anything is written")
    func manyXWing() throws {
        let keys = try (0..<41).map { _ in try SXBSecret.xWing(SecretBytes(randomCount: 32)).publicKey }
        let list = try RecipientList(keys.prefix(40).map { .xWing($0) })
        let header = try list.header(bundleID: Random.bytes(32), fileKey: FileKey())
        #expect(header.text.count <= SXBFormat.headerCeiling)
        let names = keys.prefix(40).map { SHA256.hash($0.span) }.sorted { $0.lexicographicallyPrecedes($1) }
        #expect(list.sortedKeys == names)
        let more = try RecipientList(keys.map { .xWing($0) })
        #expect {
            _ = try more.header(bundleID: Random.bytes(32), fileKey: FileKey())
        } throws: { error in
            guard case .recipients(.headerLength(limit: 65_536, found: let found)) = error as? SXBError else {
                return false
            }
            return found > 65_536
        }
        #expect(throws: SXBError.recipients(.repeated(1))) {
            _ = try RecipientList([.xWing(keys[0]), .xWing(keys[0])])
        }
        #expect(throws: SXBError.unusablePublicKey(index: 0)) {
            _ = try RecipientList([.xWing([UInt8](repeating: 0xFF, count: 1_216))])
        }
    }

    @Test("of an unknown type is nobody's, and stays as it is")
    func unknownType() throws {
        let value = HeaderValue.object(["type": .text(Array("later".utf8)), "more": .list([.number(1)])])
        let stanza = try Stanza(parsing: value, number: 0)
        #expect(stanza.form == .unknown(type: "later"))
        #expect(stanza.kind == nil)
        #expect(try !opens(stanza, SampleBundle.key()))
        #expect(stanza.value == value)
    }
}
