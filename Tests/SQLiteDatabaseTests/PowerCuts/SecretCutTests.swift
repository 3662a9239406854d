import CryptoPrimitives
import DatabaseWorkload
import SQLiteDatabase
import SystemIO
import TestSupport
import Testing

/// Secrets are changed, removed and added while the power goes, or the process is killed.
@Suite("an interrupted change of secrets")
struct SecretCutTests {
    /// Secrets of the probe that open the file, whatever the mode.
    private func opening(_ folder: String) throws -> Set<Int> {
        var found: Set<Int> = []
        for number in 1...12 {
            do {
                _ = try SealedCutTests.open(folder, UInt8(number), .readOnly)
                found.insert(number)
            } catch SealedError.wrongSecret {
                continue
            }
        }
        return found
    }

    /// Sets of secrets that may open the file, by the marks: that before, and while a change is under way that after it.
    private func allowed(_ marks: [String]) -> [Set<Int>] {
        func last(_ word: String) -> Set<Int>? {
            marks.last { $0.hasPrefix("\(word) secrets ") }.map { mark in
                Set(mark.split(separator: " ")[2].split(separator: ",").compactMap { Int($0) })
            }
        }
        let done = last("done") ?? [1, 2]
        guard let mark = marks.last, mark.hasPrefix("begin"), let begun = last("begin") else { return [done] }
        return [done, begun]
    }

    /// What must hold after any interruption.
    private func check(_ folder: String, _ marks: [String]) throws {
        let before = try opening(folder)
        let allowed = allowed(marks)
        guard allowed.contains(before) else { throw Failure(text: "opens with \(before), allowed \(allowed)") }
        guard let secret = before.min() else { throw Failure(text: "nothing opens it") }
        // Opening for writing finishes the change, one way or the other.
        let sealed = try SealedCutTests.open(folder, UInt8(secret))
        let findings = try sealed.verify(depth: .full)
        let state = try Workload.state(of: sealed.database)
        guard findings.isEmpty, state == 2 else { throw Failure(text: "\(findings), state \(state)") }
        let header = try sealed.header()
        guard header.copies == [.whole, .whole], header.slots.count == before.count else {
            throw Failure(text: "\(header)")
        }
        // Each copy of the header, with the other one taken away, opens with the same secrets and no others.
        let bytes = fileBytes(folder + "/a.db") ?? []
        for copy in 0...1 {
            let single = TemporaryFolder()
            var file = bytes
            file.replaceSubrange((1 - copy) * 4096..<(2 - copy) * 4096, with: repeatElement(0, count: 4096))
            single.write(file, to: "a.db")
            let found = try opening(single.path)
            guard found == before else { throw Failure(text: "copy \(copy) opens with \(found), not \(before)") }
        }
    }

    @Test("by the power: the secrets are those before it or those after it, and no copy of the header has others")
    func powerCut() throws {
        let folder = try SealedCutTests.made(transactions: 2)
        let campaign = try CutCampaign(["secrets", "count=9"], in: folder.path)
        let outcome = try campaign.cut(LongTests.areWanted ? 1000 : 30, check: check)
        #expect(outcome.failures == [])
        report("power cuts of changes of secrets: \(outcome.summary)")
    }

    @Test("with a sync that does nothing a removed secret still opens the file, or nothing does")
    func withoutSyncs() throws {
        let folder = try SealedCutTests.made(transactions: 2)
        let campaign = try CutCampaign(["secrets", "count=9"], in: folder.path)
        let outcome = try campaign.cut(20, ignoring: [.sync], check: check)
        #expect(outcome.failures.count > 2, "only \(outcome.failures.count) of \(outcome.cuts) cuts did harm")
    }

    @Test("by a kill, instead of each change of the disk: the same")
    func kill() throws {
        let folder = try SealedCutTests.made(transactions: 2)
        let start = try #require(fileBytes(folder.file("a.db")))
        let whole = DatabaseProbe.run(["secrets", folder.path, "count=6"])
        let total = try #require(whole.lastNumber("operations"))
        let step = LongTests.areWanted ? 1 : max(1, total / 10)
        var kills = 0
        for operation in stride(from: 1, through: total, by: step) {
            let folder = TemporaryFolder()
            folder.write(start, to: "a.db")
            let run = DatabaseProbe.run(["secrets", folder.path, "count=6", "die=\(operation)"])
            #expect(run.status == 137)
            kills += 1
            let marks = run.outputText.split(separator: "\n").map { String($0) }
            // The probe says what is done; what it had begun follows from it.
            let sets = ["1,2", "3,2", "3", "3,5", "6,5", "6", "6,8"]
            let done = marks.last { $0.hasPrefix("done secrets ") }.map {
                String($0.dropFirst("done secrets ".utf8.count))
            }
            let index = done.flatMap { sets.firstIndex(of: $0) } ?? 0
            let begun = index + 1 < sets.count ? ["begin secrets \(sets[index + 1])"] : []
            do {
                try check(folder.path, marks + begun)
            } catch {
                Issue.record("killed at operation \(operation): \(error)")
            }
        }
        report("kills at each operation of changes of secrets: \(kills) of \(total)")
    }
}
