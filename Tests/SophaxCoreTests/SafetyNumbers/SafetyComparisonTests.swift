import Testing

@testable import SophaxCore

@Suite("Comparing a safety number")
struct SafetyComparisonTests {
    private let pair: SafetyNumberPair

    init() throws {
        pair = SafetyNumberPair(
            mine: try CheckIdentity.second.publicKeys(), theirs: try CheckIdentity.first.publicKeys())
    }

    private func compare(_ text: String, others: [IdentityPublicKeys] = []) throws -> SafetyComparison {
        SafetyComparison(try TypedSafetyNumber(cleaning: [Array(text.utf8)]), with: pair, others: others)
    }

    @Test(
        "says which number of the contact it is",
        arguments: [
            ("12559 02102 68762 54115 93340 48812", .iosStored),
            ("23732 18731 48516 33635 18375 82783", .iosOwn),
            ("42836 14907 03608 53619 56421 17823 54037 16174 34439 54449 16814 13095", .androidMine),
            ("58204 15662 47453 29381 07259 05115 27403 03511 02387 62697 10020 21308", .androidTheirs),
            ("08229 10272 49088 09229 50726 37168 22171 45996 36974 01722 60729 27928", .androidOwn),
        ] as [(String, SafetyNumberPair.Proof)])
    func same(number: String, proof: SafetyNumberPair.Proof) throws {
        #expect(pair.number(proof).text == number)
        #expect(try compare(number) == .same(proof))
        #expect(try compare(number.replacing(" ", with: "")) == .same(proof))
        #expect(try compare(number.replacing(" ", with: "-")) == .same(proof))
        #expect(try compare(number.replacing(" ", with: "\r\n")) == .same(proof))
        // Swapped halves, one group off, and one digit too few or too many, of every number.
        let half = number.utf8.count / 2
        let swapped = String(number.dropFirst(half)) + String(number.prefix(half))
        #expect(try compare(swapped) == .different(.halvesSwapped(proof)))
        var groups = number.split(separator: " ").map(String.init)
        let last = groups[groups.count - 1]
        groups[groups.count - 1] = String(last.dropLast()) + (last.hasSuffix("1") ? "2" : "1")
        let group = SafetyComparison.Group(
            index: groups.count - 1, expected: last, found: groups[groups.count - 1])
        #expect(try compare(groups.joined()) == .different(.groups([group], of: proof)))
        let short = String(number.dropLast())
        let expected = groups.count * 5
        #expect(
            try compare(short)
                == .different(
                    .count(
                        found: expected - 1, expected: expected,
                        near: .init(group: groups.count - 1, proof: proof))))
        #expect(
            try compare(number + "7")
                == .different(
                    .count(
                        found: expected + 1, expected: expected,
                        near: .init(group: groups.count - 1, proof: proof))))
    }

    @Test("says that it is one's own number, or another contact's")
    func others() throws {
        #expect(try compare(CheckIdentity.second.iosV0) == .own(.iosStored))
        #expect(try compare(CheckIdentity.second.iosV1) == .own(.iosOwn))
        #expect(try compare(CheckIdentity.second.androidOwn) == .own(.androidOwn))
        let third = try IdentityPublicKeys(signing: pair.mine.dh, dh: pair.mine.signing)
        let number = SafetyNumber.iosV1(of: third).text
        #expect(try compare(number) == .different(.everything))
        #expect(try compare(number, others: [pair.mine, third]) == .otherContact(1, .iosOwn))
    }

    @Test("names the groups that differ, as long as they are less than half")
    func groups() throws {
        let two = try compare("12559 02103 68762 54115 93340 48821")
        let groups: [SafetyComparison.Group] = [
            .init(index: 1, expected: "02102", found: "02103"), .init(index: 5, expected: "48812", found: "48821"),
        ]
        #expect(two == .different(.groups(groups, of: .iosStored)))
        #expect(try compare("12559 02103 68762 54115 93341 48821") == .different(.everything))
        #expect(try compare("00000 00000 00000 00000 00000 00000") == .different(.everything))
    }

    @Test(
        "says how many digits there should be", arguments: [(1, 30), (29, 30), (31, 30), (44, 30), (46, 60), (61, 60)])
    func counts(found: Int, expected: Int) throws {
        let zeros = String(repeating: "0", count: found)
        #expect(try compare(zeros) == .different(.count(found: found, expected: expected, near: nil)))
    }

    @Test("names the group in which a digit is missing or too many")
    func miscounts() throws {
        func near(_ text: String) throws -> SafetyComparison.Miscount? {
            guard case .different(.count(_, _, let near)) = try compare(text) else { return nil }
            return near
        }
        #expect(try near("2559 02102 68762 54115 93340 48812")?.group == 0)
        #expect(try near("12559 0202 68762 54115 93340 48812")?.group == 1)
        #expect(try near("12559 02102 687662 54115 93340 48812")?.group == 2)
        #expect(try near("12559 02102 68762 54115 93340 488129")?.group == 5)
        #expect(try near("12559 02102 68762 54115 93340 4882") == .init(group: 5, proof: .iosStored))
        #expect(try near("12559 0202 68762 54115 93340 48813") == nil)
    }
}

@Suite("A typed safety number")
struct TypedSafetyNumberTests {
    private func clean(_ words: String...) throws -> String {
        String(decoding: try TypedSafetyNumber(cleaning: words.map { Array($0.utf8) }).digits, as: UTF8.self)
    }

    @Test("may be written with the digits of any script")
    func scripts() throws {
        #expect(try clean("۱۲۳۴۵ ۶۷۸۹۰") == "1234567890")
        #expect(try clean("١٢٣٤٥", "٦٧٨٩٠") == "1234567890")
        #expect(try clean("１２３４５６７８９０") == "1234567890")
        #expect(try clean("०१२३४५६७८९ ๐๑๒๓๔๕๖๗๘๙ 𝟘𝟙𝟚𝟛𝟜 𞥐𞥑") == "0123456789012345678901234" + "01")
    }

    @Test("may have anything between its digits that nobody means")
    func separators() throws {
        let all =
            "1 2-3\n4\r\n5\t6\u{a0}7\u{2009}8\u{2010}9\u{2011}0\u{2012}1\u{2013}2\u{2014}3\u{2212}4\u{200b}5\u{feff}6"
        #expect(
            try clean(all + "\u{2066}7\u{2069}8\u{ad}9\u{3000}0\u{2028}1\u{fe63}2\u{ff0d}3\u{200d}4")
                == "123456789012345678901234")
    }

    @Test("is no number with letters, other signs, or nothing in it")
    func refused() {
        #expect(throws: TypedSafetyNumber.Problem.empty) { try clean("") }
        #expect(throws: TypedSafetyNumber.Problem.empty) { try clean(" - \u{200b}") }
        #expect(throws: TypedSafetyNumber.Problem.foreign("O")) { try clean("1255O") }
        #expect(throws: TypedSafetyNumber.Problem.foreign("a")) { try clean("12a") }
        #expect(throws: TypedSafetyNumber.Problem.foreign("½")) { try clean("½") }
        #expect(throws: TypedSafetyNumber.Problem.foreign("五")) { try clean("五") }
        #expect(throws: TypedSafetyNumber.Problem.foreign("²")) { try clean("²") }
        #expect(throws: TypedSafetyNumber.Problem.foreign("\u{0}")) { try clean("1\u{0}") }
        #expect(throws: TypedSafetyNumber.Problem.notUTF8) { try TypedSafetyNumber(cleaning: [[0x31, 0xff]]) }
        let many = [UInt8](repeating: 0x31, count: TypedSafetyNumber.longestText)
        #expect((try? TypedSafetyNumber(cleaning: [many]))?.digits.count == 4096)
        #expect(throws: TypedSafetyNumber.Problem.tooLong(limit: 4096)) {
            try TypedSafetyNumber(cleaning: [many + [0x31]])
        }
    }

    @Test("is not a peer id, in which case that is said")
    func peerIDs() {
        let id = PeerID("3619e750a2dd52ba")
        #expect(throws: TypedSafetyNumber.Problem.peerID(id)) { try clean("3619E750 A2DD52BA") }
    }
}
