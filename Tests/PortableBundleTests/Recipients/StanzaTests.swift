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

    @Test("of an unknown type is nobody's, and stays as it is")
    func unknownType() throws {
        let value = HeaderValue.object(["type": .text(Array("xwing".utf8)), "more": .list([.number(1)])])
        let stanza = try Stanza(parsing: value, number: 0)
        #expect(stanza.form == .unknown(type: "xwing"))
        #expect(stanza.kind == nil)
        #expect(try !opens(stanza, SampleBundle.key()))
        #expect(stanza.value == value)
    }
}
