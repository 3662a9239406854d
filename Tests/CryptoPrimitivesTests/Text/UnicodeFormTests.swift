import Testing

@testable import CryptoPrimitives

/// A text as its code points, so that no editor can change it.
private func utf8(_ codePoints: [UInt32]) -> [UInt8] {
    codePoints.flatMap { Array(String(UnicodeScalar($0) ?? "?").utf8) }
}

@Suite("UnicodeForm")
struct UnicodeFormTests {
    struct Example: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: [UInt32]
        let nfd: [UInt32]
        let nfc: [UInt32]
    }

    /// UAX #15, figures 3 to 6 and section 1.2 (Hangul), and one composition exclusion (section 5.1).
    static let examples = [
        Example(testDescription: "angstrom sign, a singleton", text: [0x212B], nfd: [0x41, 0x30A], nfc: [0xC5]),
        Example(testDescription: "ohm sign, a singleton", text: [0x2126], nfd: [0x3A9], nfc: [0x3A9]),
        Example(testDescription: "A with ring", text: [0xC5], nfd: [0x41, 0x30A], nfc: [0xC5]),
        Example(testDescription: "o with circumflex", text: [0xF4], nfd: [0x6F, 0x302], nfc: [0xF4]),
        Example(
            testDescription: "s with two dots", text: [0x1E69], nfd: [0x73, 0x323, 0x307], nfc: [0x1E69]),
        Example(
            testDescription: "d with dot above, and dot below", text: [0x1E0B, 0x323], nfd: [0x64, 0x323, 0x307],
            nfc: [0x1E0D, 0x307]),
        Example(
            testDescription: "q with both dots in the other order", text: [0x71, 0x307, 0x323],
            nfd: [0x71, 0x323, 0x307], nfc: [0x71, 0x323, 0x307]),
        Example(testDescription: "fi ligature, only compatible", text: [0xFB01], nfd: [0xFB01], nfc: [0xFB01]),
        Example(
            testDescription: "2 to the 5, only compatible", text: [0x32, 0x2075], nfd: [0x32, 0x2075],
            nfc: [0x32, 0x2075]),
        Example(
            testDescription: "long s with two dots", text: [0x1E9B, 0x323], nfd: [0x17F, 0x323, 0x307],
            nfc: [0x1E9B, 0x323]),
        Example(
            testDescription: "Hangul syllable", text: [0xD4DB], nfd: [0x1111, 0x1171, 0x11B6], nfc: [0xD4DB]),
        Example(
            testDescription: "Hangul letters", text: [0x1112, 0x1161, 0x11AB], nfd: [0x1112, 0x1161, 0x11AB],
            nfc: [0xD55C]),
        Example(testDescription: "Devanagari qa, excluded", text: [0x958], nfd: [0x915, 0x93C], nfc: [0x915, 0x93C]),
        Example(
            testDescription: "musical symbol beyond U+FFFF", text: [0x1D15E], nfd: [0x1D157, 0x1D165],
            nfc: [0x1D157, 0x1D165]),
        Example(
            testDescription: "ASCII", text: [0x61, 0x20, 0x7E], nfd: [0x61, 0x20, 0x7E], nfc: [0x61, 0x20, 0x7E]),
        Example(testDescription: "nothing", text: [], nfd: [], nfc: []),
        Example(
            testDescription: "NUL and U+FEFF are kept", text: [0xFEFF, 0x65, 0x301, 0, 0xE9, 0],
            nfd: [0xFEFF, 0x65, 0x301, 0, 0x65, 0x301, 0], nfc: [0xFEFF, 0xE9, 0, 0xE9, 0]),
    ]

    @Test("examples of UAX #15, plain and secret", arguments: examples)
    func annexExamples(example: Example) throws {
        let text = utf8(example.text)
        let asSecret = try SecretBytes(copying: text.span)
        for (form, expected) in [(UnicodeForm.nfc, utf8(example.nfc)), (.nfd, utf8(example.nfd))] {
            #expect(try form.normalized(text.span) == expected)
            #expect(try form.normalized(asSecret).exposed == expected)
            #expect(try form.normalized(expected.span) == expected, "a form is its own form")
        }
        #expect(asSecret.exposed == text)
    }

    @Test(
        "case folding is the full one of CaseFolding.txt",
        arguments: [
            ([0x48, 0x65, 0x4C], [0x68, 0x65, 0x6C]),
            ([0xDF], [0x73, 0x73]),
            ([0x1E9E], [0x73, 0x73]),
            ([0x3A3, 0x3C2], [0x3C3, 0x3C3]),
            ([0x130], [0x69, 0x307]),
            ([0xFB03], [0x66, 0x66, 0x69]),
            ([0x45, 0x301], [0xE9]),
            ([0x13A0], [0x13A0]),
            ([0xAB70], [0x13A0]),
            ([0x10400], [0x10428]),
            ([], []),
        ] as [([UInt32], [UInt32])])
    func caseFolding(text: [UInt32], folded: [UInt32]) throws {
        let text = utf8(text)
        #expect(try UnicodeForm.caseFolded.normalized(text.span) == utf8(folded))
    }

    @Test(
        "bytes that are not UTF-8 are refused, wherever they stand",
        arguments: [
            "80", "bf", "c0 80", "c1 bf", "c3", "c3 28", "e0 80 80", "e0 9f bf", "e2 82", "ed a0 80", "ed bf bf",
            "f0 80 80 80", "f0 9f 98", "f4 90 80 80", "f5 80 80 80", "f8 88 80 80 80", "fe", "ff",
        ])
    func invalid(text: String) throws {
        for bad in [bytes(text), bytes("61" + text), bytes(text + "61"), bytes("c3a9" + text + "00")] {
            for form in [UnicodeForm.nfc, .nfd, .caseFolded] {
                #expect(throws: UnicodeError.notUTF8) { _ = try form.normalized(bad.span) }
                let asSecret = try SecretBytes(copying: bad.span)
                #expect(throws: UnicodeError.notUTF8) { _ = try form.normalized(asSecret) }
            }
        }
    }

    @Test("a run of marks at the limit is sorted, one longer is refused, and letters end a run")
    func marks() throws {
        let maximum = UnicodeForm.maximumMarks
        // U+0301 (class 230) before U+0323 (class 220): every pair has to be exchanged.
        let pairs = (0..<(maximum / 2)).flatMap { _ -> [UInt32] in [0x301, 0x323] }
        let run = utf8([0x71] + pairs)
        let sorted = try UnicodeForm.nfd.normalized(run.span)
        let below = [UInt32](repeating: 0x323, count: maximum / 2)
        let above = [UInt32](repeating: 0x301, count: maximum / 2)
        let isSorted = sorted == utf8([0x71] + below + above)
        #expect(isSorted)
        let tooLong = utf8([0x71] + pairs + [0x301])
        #expect(throws: UnicodeError.tooManyMarks(maximum: maximum)) {
            _ = try UnicodeForm.nfc.normalized(tooLong.span)
        }
        let twoRuns = utf8([0x71] + pairs + [0x71] + pairs + [0xE9] + pairs)
        let both = try UnicodeForm.nfd.normalized(twoRuns.span)
        #expect(both.count == twoRuns.count + 1)
    }

    @Test("a text at the length limit is normalized, one byte more is refused")
    func lengths() throws {
        let maximum = UnicodeForm.maximumLength
        var text = [UInt8](repeating: UInt8(ascii: "a"), count: maximum)
        let isSame = try UnicodeForm.nfc.normalized(text.span) == text
        #expect(isSame)
        text.append(UInt8(ascii: "a"))
        #expect(throws: UnicodeError.tooLong(maximum: maximum, found: maximum + 1)) {
            _ = try UnicodeForm.nfc.normalized(text.span)
        }
    }
}
