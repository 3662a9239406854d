import Testing

@testable import Keyring

@Suite("names")
struct IdentityNameTests {
    @Test("white space at both ends is removed, inside it is kept")
    func trimming() {
        let name = IdentityName(trimming: " \t\u{A0}\u{2028}Ana  B\u{3000}\r\n")
        #expect(name?.bytes == Array("Ana  B".utf8))
    }

    @Test("a name has 1 to 64 characters", arguments: [(0, false), (1, true), (64, true), (65, false)])
    func length(count: Int, isName: Bool) {
        #expect((IdentityName(trimming: String(repeating: "👨‍👩‍👧", count: count)) != nil) == isName)
    }

    @Test("a name that is typed has no control characters and is UTF-8")
    func typed() {
        #expect(IdentityName(typed: Array(" Ana ".utf8))?.bytes == Array("Ana".utf8))
        for name in ["A\u{1B}[2J", "A\nB", "A\u{9B}", "\u{0}"] { #expect(IdentityName(typed: Array(name.utf8)) == nil) }
        #expect(IdentityName(typed: [0x41, 0xFF]) == nil)
    }

    @Test("names that only look equal are not")
    func bytes() {
        #expect(IdentityName(trimming: "caf\u{E9}") != IdentityName(trimming: "cafe\u{301}"))
    }

    @Test(
        "a name is found in other capitals and another Unicode form",
        arguments: ["caf\u{E9} gross", "CAFE\u{301} GROSS"])
    func similar(word: String) {
        #expect(IdentityName(trimming: "Caf\u{E9} Gro\u{DF}")?.isSimilar(to: Array(word.utf8)) == true)
        #expect(IdentityName(trimming: "Cafe Gro\u{DF}")?.isSimilar(to: Array(word.utf8)) == false)
    }
}
