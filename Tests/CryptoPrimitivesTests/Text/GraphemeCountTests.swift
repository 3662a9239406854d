import Testing

@testable import CryptoPrimitives

@Suite("Counting characters")
struct GraphemeCountTests {
    private static let texts = [
        "", "a", "correct horse battery staple", "caf\u{e9}", "cafe\u{301}",
        "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}",
        "\u{1F1E9}\u{1F1EA}\u{1F1EB}\u{1F1F7}", "\r\n\n", "\u{1100}\u{1161}\u{11A8}", "a\u{300}\u{301}\u{302}b",
        "\u{1F44D}\u{1F3FD}", "\u{301}a",
    ]

    @Test("is what Swift's own String counts", arguments: texts)
    func asString(text: String) {
        let bytes = Array(text.utf8)
        #expect(GraphemeCount.count(in: bytes.span) == text.count)
    }

    @Test("bytes that are no UTF-8 count one by one")
    func notUTF8() {
        let bytes: [UInt8] = [0x61, 0xff, 0xfe, 0x62, 0xc3]
        #expect(GraphemeCount.count(in: bytes.span) == 5)
    }
}
