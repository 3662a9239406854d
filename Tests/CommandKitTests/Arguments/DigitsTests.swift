import CommandKit
import Testing

@Suite("Digits")
struct DigitsTests {
    @Test(
        "decimal digits of every script become ASCII, everything else stays",
        arguments: [
            ("12559 02102", "12559 02102"), ("۱۲۳۴۵", "12345"), ("٠١٢٣-٩", "0123-9"), ("１２３", "123"), ("९७", "97"),
            ("caf\u{e9} ۳", "caf\u{e9} 3"), ("Ⅷ ½ ²", "Ⅷ ½ ²"), ("\u{1d7d8}\u{1d7e1}", "09"),
            ("e\u{301}٣", "e\u{301}3"),
        ])
    func mapping(typed: String, ascii: String) {
        #expect(asciiDigits(Array(typed.utf8)) == Array(ascii.utf8))
    }

    @Test("bytes that are not UTF-8 stay as they are")
    func invalid() {
        #expect(asciiDigits([0x31, 0xff, 0xdb, 0xb1]) == [0x31, 0xff, 0xdb, 0xb1])
    }
}
