import CryptoPrimitives
import TestSupport
import Testing

@testable import SophaxFiles

@Suite("Keychain items as a file")
struct KeychainFileTests {
    private static func items(_ text: String) throws -> [(String, [UInt8])] {
        let bytes = Array(text.utf8)
        return try KeychainFile.items(of: SecretBytes(copying: bytes.span)).map { item in
            (
                String(decoding: item.account.bytes, as: UTF8.self),
                item.value.withSpan { span in span.indices.map { span[$0] } }
            )
        }
    }

    private static func made(_ items: [(String, [UInt8])]) throws -> String {
        let items = try items.map { KeychainItem(ByteText($0.0), try SecretBytes(copying: $0.1.span)) }
        return try KeychainFile.text(of: items).withSpan { span in
            String(decoding: span.indices.map { span[$0] }, as: UTF8.self)
        }
    }

    @Test("what is written is read again, whatever the names and values")
    func roundTrip() throws {
        let all: [(String, [UInt8])] = [
            ("identity.signing", Array(0..<32)), ("empty", []), ("a \"quoted\\ \u{1} name\u{e9}", [0xff, 0xfe]),
            ("long", (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }),
        ]
        let found = try Self.items(Self.made(all))
        #expect(found.map(\.0) == all.map(\.0))
        #expect(found.map(\.1) == all.map(\.1))
        #expect(try Self.items(Self.made([])).isEmpty)
    }

    @Test("slashes may be escaped in values of any length, as the app writes them", arguments: [1, 3, 48, 300, 10_000])
    func escapedSlashes(count: Int) throws {
        // 0xff gives nothing but slashes in base64, and others stand between them.
        let value = (0..<count).map { $0 % 5 == 4 ? UInt8(truncatingIfNeeded: $0) : 0xff }
        let text = try Self.made([("a", value)])
        let escaped = text.replacing("/", with: "\\/")
        #expect(escaped != text)
        #expect(try Self.items(escaped).map(\.1) == [value])
    }

    @Test("an item that stands twice or is no base64 is named")
    func malformed() {
        #expect(throws: StoreKeyError.repeatedItem(ByteText("a"))) { try Self.items(#"{"a":"AA==","a":"AA=="}"#) }
        #expect(throws: StoreKeyError.itemNotBase64(ByteText("b"))) { try Self.items(#"{"a":"AA==","b":"A"}"#) }
        #expect(throws: StoreKeyError.itemNotBase64(ByteText("b"))) { try Self.items(#"{"b":null}"#) }
        #expect(throws: StoreKeyError.empty) { try Self.items("") }
    }

    @Test(
        "a file is told by its beginning",
        arguments: [
            ("SXID\u{2}", 200, IdentityFileKind.bundle(.identity)), ("SXBK", 200, .bundle(.backup)),
            ("SXFE", 200, .bundle(.fullExport)), (" \n{\"a\"", 200, .keychain), ("PK", 200, .unknown),
            ("", 0, .unknown),
        ])
    func kinds(beginning: String, size: Int, kind: IdentityFileKind) {
        #expect(IdentityFileKind(beginning: Array(beginning.utf8), size: size) == kind)
    }

    @Test("a key of Tor is told from its public half, also where the app wrote the header of the secret one")
    func torKeys() {
        func half(_ header: String, _ size: Int) -> TorKeyFile.Half? {
            guard case .torKey(let key) = IdentityFileKind(beginning: Array(header.utf8), size: size) else {
                return nil
            }
            return key.half
        }
        #expect(half("== ed25519v1-secret: type0 ==\0\0\0", 96) == .secret)
        #expect(half("== ed25519v1-secret: type0 ==\0\0\0", 64) == .public)
        #expect(half("== ed25519v1-public: type0 ==\0\0\0", 64) == .public)
    }
}
