import Testing

@testable import StoreChanges

@Suite("The journal of a change")
struct ChangeJournalTests {
    private static let beginning = ChangeJournal.Beginning(
        verb: .rekey, mark: "5f0c2a9be1d47730", exchanges: true, keeps: false, date: "2026-11-30")

    private static let first = ChangeJournal.text(beginning)
    private static let second = first + ChangeJournal.text(.ready, after: first)

    @Test("is the text that sxkey-formats(5) shows; its sum is that of sha256sum")
    func text() {
        // printf 'sxkey-change 1\nstate building\n…date 2026-11-30\n' | sha256sum
        let expected = """
            sxkey-change 1
            state building
            verb rekey
            mark 5f0c2a9be1d47730
            target folder
            keep no
            date 2026-11-30
            sum SUM

            """
        let text = String(decoding: Self.first, as: UTF8.self)
        let sum = text.split(separator: "\n").last?.dropFirst(4) ?? ""
        #expect(text == expected.replacing("SUM", with: sum))
        #expect(sum == Self.knownSum)
    }

    private static let knownSum = "29494646250f1f4f34ffd90d717ecef775c8a51d5ed71b99916433690637be3b"

    @Test("reads back with the last whole record")
    func reading() throws {
        var journal = try ChangeJournal(Self.first)
        #expect(journal.beginning == Self.beginning)
        #expect(journal.state == .building)
        #expect(journal.length == Self.first.count)
        journal = try ChangeJournal(Self.second)
        #expect(journal.state == .ready)
        let third = Self.second + ChangeJournal.text(.undoing, after: Self.second)
        #expect(try ChangeJournal(third).state == .undoing)
    }

    @Test("cut off anywhere, it says what was said by the records that are whole")
    func truncated() throws {
        for count in 0..<Self.second.count {
            let bytes = Array(Self.second.prefix(count))
            guard count >= Self.first.count else {
                #expect(throws: ChangeJournal.Problem.empty) { try ChangeJournal(bytes) }
                continue
            }
            let journal = try ChangeJournal(bytes)
            #expect(journal.state == .building)
            #expect(journal.length == Self.first.count)
        }
    }

    @Test("with any bit changed, it never says anything else")
    func flipped() throws {
        for index in Self.second.indices {
            for bit in 0..<8 {
                var bytes = Self.second
                bytes[index] ^= 1 << bit
                let journal: ChangeJournal
                do throws(ChangeJournal.Problem) {
                    journal = try ChangeJournal(bytes)
                } catch {
                    // The digit of the version may become a greater one.
                    #expect(error == .empty || index < 15, "\(index) \(bit)")
                    continue
                }
                #expect(index >= Self.first.count && journal.state == .building, "\(index) \(bit)")
                #expect(journal.beginning == Self.beginning)
            }
        }
    }

    @Test("a newer version is told, and zeros or other text are nothing")
    func others() {
        let newer = Array(String(decoding: Self.first, as: UTF8.self).replacing("change 1", with: "change 2").utf8)
        #expect(throws: ChangeJournal.Problem.newerVersion) { try ChangeJournal(newer) }
        for bytes in [[], [UInt8](repeating: 0, count: 300), Array("{}\n".utf8), Array("sum \n".utf8)] {
            #expect(throws: ChangeJournal.Problem.empty) { try ChangeJournal(bytes) }
        }
        // A record that comes without the first.
        #expect(throws: ChangeJournal.Problem.empty) { try ChangeJournal(ChangeJournal.text(.ready, after: [])) }
    }
}
