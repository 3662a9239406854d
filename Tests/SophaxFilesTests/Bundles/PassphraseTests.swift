import CryptoPrimitives
import Testing

@testable import SophaxFiles

@Suite("Trimming a passphrase as the app does")
struct PassphraseTrimmingTests {
    /// Foundation's `.whitespacesAndNewlines`: category Zs, tab, U+000A–D, U+0085, U+2028/9.
    static let spaces: [UInt32] =
        [0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x20, 0x85, 0xA0, 0x1680] + Array(0x2000...0x200A)
        + [0x2028, 0x2029, 0x202F, 0x205F, 0x3000]

    static func trimmed(_ bytes: [UInt8]) -> [UInt8] {
        Array(bytes[PassphraseTrimming.kept(of: bytes.span)])
    }

    static func trimmed(_ text: String) -> String {
        String(decoding: trimmed(Array(text.utf8)), as: UTF8.self)
    }

    @Test("drops each space of the set at both ends, alone and in any number")
    func drops() throws {
        for value in Self.spaces {
            let space = String(try #require(UnicodeScalar(value)))
            #expect(Self.trimmed(space + "pass word" + space) == "pass word")
            #expect(Self.trimmed(space + " \t" + space + "p" + "\n" + space) == "p")
            #expect(Self.trimmed(space) == "")
        }
    }

    @Test("drops no other scalar of the basic plane")
    func keeps() throws {
        for value in (0...0xFFFF as ClosedRange<UInt32>) where !Self.spaces.contains(value) {
            guard let scalar = UnicodeScalar(value) else { continue }
            let bytes = Array(String(scalar).utf8)
            #expect(Self.trimmed(bytes) == bytes)
        }
    }

    @Test("keeps the inside, and text without spaces as it is")
    func inside() {
        #expect(Self.trimmed("a b\u{3000}c\nd") == "a b\u{3000}c\nd")
        #expect(Self.trimmed("") == "")
        #expect(Self.trimmed("x") == "x")
        #expect(Self.trimmed("\u{200B}x\u{FEFF}") == "\u{200B}x\u{FEFF}")
    }

    @Test("takes no bytes that are not UTF-8 for a space")
    func notUTF8() {
        for bytes: [UInt8] in [
            [0xC2], [0x85], [0xA0], [0xE2, 0x80], [0x80, 0x8A], [0xE3, 0x80], [0xFF, 0x20, 0xFF],
        ] {
            #expect(Self.trimmed(bytes) == bytes)
        }
        #expect(Self.trimmed([0x20, 0xE2, 0x80, 0x20]) == [0xE2, 0x80])
        // A cut-off lead byte must not be completed by what is left of another space.
        #expect(Self.trimmed([0xC2, 0xC2, 0xA0]) == [0xC2])
    }
}

@Suite("The forms of a passphrase that are tried")
struct PassphraseFormTests {
    static func forms(_ bytes: [UInt8]) throws -> [(kind: PassphraseForm.Kind, bytes: [UInt8])] {
        try PassphraseForm.forms(of: BundleMaker.secret(bytes)).map { form in
            (form.kind, form.bytes.withSpan { span in (0..<span.count).map { span[$0] } })
        }
    }

    static func forms(_ text: String) throws -> [(kind: PassphraseForm.Kind, bytes: [UInt8])] {
        try forms(Array(text.utf8))
    }

    @Test("plain text has one form")
    func plain() throws {
        #expect(try Self.forms("correct horse").map(\.kind) == [.typed])
    }

    @Test("spaces at an end add the trimmed form")
    func spaces() throws {
        let forms = try Self.forms(" correct horse\n")
        #expect(forms.map(\.kind) == [.typed, .trimmed])
        #expect(forms[1].bytes == Array("correct horse".utf8))
    }

    @Test("an accent adds the other normal form, whichever was typed")
    func accents() throws {
        let composed = Array("caf\u{E9}".utf8)
        let decomposed = Array("cafe\u{301}".utf8)
        let first = try Self.forms(composed)
        #expect(first.map(\.kind) == [.typed, .decomposed])
        #expect(first.map(\.bytes) == [composed, decomposed])
        let second = try Self.forms(decomposed)
        #expect(second.map(\.kind) == [.typed, .composed])
        #expect(second.map(\.bytes) == [decomposed, composed])
    }

    @Test("spaces and accents together give all that differ, in the order of the design")
    func together() throws {
        // Typed half in one form and half in the other.
        let forms = try Self.forms("\u{E9}e\u{301} ")
        #expect(
            forms.map(\.kind) == [
                .typed, .trimmed, .composed, .decomposed, .trimmedComposed, .trimmedDecomposed,
            ])
        #expect(forms[4].bytes == Array("\u{E9}\u{E9}".utf8))
        #expect(forms[5].bytes == Array("e\u{301}e\u{301}".utf8))
    }

    @Test("the check string of BIP38 has its published composed form")
    func bip38() throws {
        // From BIP38: U+03D2 U+0301 U+0000 U+010400 U+01F4A9 becomes CF 93 00 F0 90 90 80 F0 9F 92 A9.
        let typed = "\u{3D2}\u{301}\u{0}\u{10400}\u{1F4A9}"
        let composed: [UInt8] = [0xCF, 0x93, 0x00, 0xF0, 0x90, 0x90, 0x80, 0xF0, 0x9F, 0x92, 0xA9]
        #expect(try Self.forms(typed).contains { $0.kind == .composed && $0.bytes == composed })
    }

    @Test("bytes that are not UTF-8 are tried as they are, and trimmed")
    func notUTF8() throws {
        #expect(try Self.forms([0xFF, 0x20]).map(\.kind) == [.typed, .trimmed])
        #expect(try Self.forms([0xFF]).map(\.kind) == [.typed])
    }

    @Test("nothing is an error, and only spaces are one form")
    func empty() throws {
        #expect(throws: BundleError.emptyPassphrase) { try Self.forms("") }
        #expect(try Self.forms(" \u{3000}").map(\.kind) == [.typed])
    }
}
