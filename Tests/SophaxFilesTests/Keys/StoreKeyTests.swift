import CryptoPrimitives
import SystemIO
import TestSupport
import Testing

@testable import SophaxFiles

@Suite("A key file")
struct StoreKeyTests {
    /// 32 bytes whose base64 has both `+` and `/`.
    static let key: [UInt8] = (0..<32).map { UInt8($0) &* 41 ^ 0xFB }
    static let hex = Hex.encode(key.span)
    static let base64 = Base64.encode(key.span)

    static func read(_ bytes: [UInt8]) throws -> [UInt8] {
        let key = try StoreKey.read(SecretBytes(copying: bytes.span))
        return key.withSpan { span in (0..<span.count).map { span[$0] } }
    }

    static func read(_ text: String) throws -> [UInt8] {
        try read(Array(text.utf8))
    }

    @Test("holds the key as raw bytes, hex or base64")
    func forms() throws {
        #expect(Self.base64.contains("+") && Self.base64.contains("/"))
        #expect(try Self.read(Self.key) == Self.key)
        #expect(try Self.read(Self.hex) == Self.key)
        #expect(try Self.read(Self.hex.uppercased()) == Self.key)
        #expect(try Self.read(Self.base64) == Self.key)
    }

    @Test("of text may end in one line ending, and in no more")
    func lineEndings() throws {
        for text in [Self.hex, Self.base64] {
            for ending in ["\n", "\r\n"] {
                #expect(try Self.read(text + ending) == Self.key)
            }
            for ending in ["\r", "\n\n", "\r\n\r\n", "\n\r", " ", " \n", "\0"] {
                let length = text.utf8.count + ending.utf8.count
                // A lone carriage return, or a space before the line ending, is part of the text, which is too long then.
                #expect(throws: StoreKeyError.wrongLength(found: length)) { try Self.read(text + ending) }
            }
        }
    }

    @Test("of 32 bytes is raw whatever it looks like")
    func rawText() throws {
        for text in [
            String(Self.hex.prefix(32)), String(repeating: "\n", count: 32), #"{"storage.master":"AAAAAAAAAAAA"}"#,
        ] {
            let bytes = Array(text.utf8.prefix(32))
            #expect(try Self.read(bytes) == bytes)
        }
    }

    @Test("of any other length holds no key", arguments: [1, 31, 33, 34, 43, 45, 63, 65, 67, 100, 5000])
    func lengths(_ length: Int) {
        let bytes = [UInt8](repeating: UInt8(ascii: "a"), count: length)
        #expect(throws: StoreKeyError.wrongLength(found: length)) { try Self.read(bytes) }
    }

    @Test("that is empty or enormous is refused")
    func extremes() {
        #expect(throws: StoreKeyError.empty) { try Self.read([]) }
        let large = [UInt8](repeating: UInt8(ascii: "{"), count: StoreKey.fileSizeCeiling + 1)
        #expect(throws: StoreKeyError.tooLarge(found: large.count, ceiling: StoreKey.fileSizeCeiling)) {
            try Self.read(large)
        }
    }

    @Test("of 64 characters that are not all digits is no hex, at any place")
    func notHex() {
        for place in [0, 1, 31, 62, 63] {
            for wrong in ["g", "G", " ", "-", "\u{7F}"] {
                var text = Array(Self.hex.utf8)
                text[place] = wrong.utf8.first ?? 0
                #expect(throws: StoreKeyError.notHexadecimal) { try Self.read(text) }
            }
        }
    }

    @Test("of 44 characters that are not strict base64 is none")
    func notBase64() {
        for text in [
            Self.base64.replacing("/", with: "_").replacing("+", with: "-"), String(Self.base64.dropLast()) + " ",
            " " + Self.base64.dropFirst(), String(Self.base64.prefix(42)) + "=A",
            // Bits behind the last byte that are not zero.
            String(repeating: "A", count: 42) + "B=",
        ] {
            #expect(throws: StoreKeyError.notBase64) { try Self.read(text) }
        }
        #expect(throws: StoreKeyError.wrongKeyLength(found: 33)) { try Self.read(String(repeating: "A", count: 44)) }
        #expect(throws: StoreKeyError.wrongKeyLength(found: 31)) {
            try Self.read(String(repeating: "A", count: 42) + "==")
        }
    }
}

@Suite("A key file with keychain items")
struct KeychainItemsTests {
    static let item = #""storage.master":"\#(StoreKeyTests.base64)""#

    @Test("holds the key under storage.master, with slashes escaped or not, in any white space")
    func key() throws {
        let escaped = Self.item.replacing("/", with: #"\/"#)
        for text in [
            "{\(Self.item)}", "{\(escaped)}", "\n {  \(Self.item)  } \r\n\n",
            #"{"a":"AA==","b":null,\#(Self.item),"c":[1,{}]}"#,
            #"{"identity.dh":"\#(StoreKeyTests.base64)",\#(escaped)}"#,
        ] {
            #expect(try StoreKeyTests.read(text) == StoreKeyTests.key)
        }
    }

    @Test("without that item names the accounts that it has")
    func missing() {
        let text = #"{"identity.dh":"AA==","Storage.Master":"AA==","caf\u00e9":"AA==","storage":{"master":"AA=="}}"#
        let accounts = ["identity.dh", "Storage.Master", "caf\u{E9}", "storage"].map { ByteText($0) }
        #expect(throws: StoreKeyError.noStorageMaster(accounts: accounts)) { try StoreKeyTests.read(text) }
        #expect(throws: StoreKeyError.noStorageMaster(accounts: [])) { try StoreKeyTests.read("{}") }
    }

    @Test("with another value there says what is wrong")
    func wrongItem() {
        #expect(throws: StoreKeyError.itemWrongLength(found: 1)) {
            try StoreKeyTests.read(#"{"storage.master":"AA=="}"#)
        }
        #expect(throws: StoreKeyError.itemWrongLength(found: 0)) { try StoreKeyTests.read(#"{"storage.master":""}"#) }
        for value in [#""A""#, #""no base64!""#, "1", "null", "{}", #"["AA=="]"#, "\"\(StoreKeyTests.hex)x\""] {
            #expect(throws: StoreKeyError.itemNotBase64(ByteText("storage.master"))) {
                try StoreKeyTests.read(#"{"storage.master":\#(value)}"#)
            }
        }
        #expect(throws: StoreKeyError.repeatedItem(ByteText("storage.master"))) {
            try StoreKeyTests.read("{\(Self.item),\(Self.item)}")
        }
        // An account that is written with escapes is the same account.
        let other = #""storage\u002emaster":"AA==""#
        #expect(throws: StoreKeyError.repeatedItem(ByteText("storage.master"))) {
            try StoreKeyTests.read("{\(Self.item),\(other)}")
        }
    }

    @Test("that is no JSON is refused, also when the item could be seen")
    func notJSON() {
        for text in ["{", "{\(Self.item)", "{\(Self.item)} x", "{\(Self.item),}", #"{"a":tru,\#(Self.item)}"#] {
            #expect {
                try StoreKeyTests.read(text)
            } throws: { error in
                if case StoreKeyError.notJSON = error { true } else { false }
            }
        }
        #expect(throws: StoreKeyError.wrongLength(found: 3)) { try StoreKeyTests.read("[1]") }
    }
}

@Suite("Reading a key file from the disk")
struct StoreKeyFileTests {
    let folder = TemporaryFolder()

    private func read(_ path: String) throws -> SecretBytes {
        var input = try InputFile(opening: FilePath(path))
        return try StoreKey.read(SecretInput.keyFile(&input))
    }

    @Test("finds the key in a large keychain")
    func large() throws {
        let filler = (0..<4000).map { #""otpk.\#($0)":"\#(StoreKeyTests.base64)""# }.joined(separator: ",")
        let path = folder.write("{\(filler),\(KeychainItemsTests.item)}", to: "keychain.json")
        let isRight = try read(path).isEqual(to: StoreKeyTests.key.span)
        #expect(isRight)
    }

    @Test("refuses a file without bytes")
    func empty() throws {
        let path = folder.write([UInt8](), to: "empty")
        #expect(throws: StoreKeyError.empty) { _ = try read(path) }
    }

    @Test(
        "finds the key of the fixtures' keychain",
        .enabled(if: SharedFolder.isThere, "../shared is not here"))
    func fixture() throws {
        // The value is in fixtures/march/expected.json as bob.storageKey.
        let text = Array("BcK6XsVottfJxViS9NH8MjhkmpPl1IwElnb1I+1C2bE=".utf8)
        let expected = Base64.decode(text.span) ?? []
        let isRight = try read(SharedFolder.file("fixtures/march/keychain-bob.json")).isEqual(to: expected.span)
        #expect(isRight)
    }
}
