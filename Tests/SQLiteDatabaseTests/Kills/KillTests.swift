import DatabaseWorkload
import SQLiteDatabase
import SystemIO
import TestSupport
import Testing

/// A process that writes is killed, as by `kill -9`.
@Suite("a killed writer")
struct KillTests {
    private func acknowledged(_ run: ChildProcess) -> Int? {
        run.outputText.split(separator: "\n").last { $0.hasPrefix("done ") }.flatMap { Int($0.dropFirst(5)) }
    }

    @Test("at any moment: what was acknowledged is there, and at most the transaction after it")
    func atRandom() throws {
        let folder = try SealedCutTests.made()
        var random = SeededNumbers(7)
        var state = 0
        var kills = 0
        for round in 0..<(LongTests.areWanted ? 300 : 12) {
            let delay = Int.random(in: 0..<60_000, using: &random)
            let run = DatabaseProbe.run([
                "commits", folder.path, "first=\(state + 1)", "count=100000", "cache=\(round % 2 == 0 ? 10 : 2000)",
                "after=\(delay)",
            ])
            #expect(run.status == 137, "\(run.outputText)")
            kills += 1
            let last = acknowledged(run) ?? state
            let found = try Workload.state(of: SealedCutTests.open(folder.path).database)
            #expect(found == last || found == last + 1, "round \(round): acknowledged \(last), found \(found)")
            state = found
            // A journal that was never synced has nothing to undo, and SQLite leaves it until the next change.
            #expect(Set(FolderListing(folder.path).names).isSubset(of: ["a.db", "a.db-journal"]))
        }
        #expect(state > kills / 4, "the writer hardly wrote")
        report("kills at random: \(kills) rounds, \(state) transactions")
    }

    @Test("instead of each single change of the disk: the same")
    func atEachOperation() throws {
        let folder = try SealedCutTests.made(transactions: 8)
        let start = try #require(fileBytes(folder.file("a.db")))
        // Transaction 10 does not fit into the small cache.
        let arguments = ["commits", folder.path, "first=9", "count=2", "cache=10"]
        let whole = DatabaseProbe.run(arguments)
        let total = try #require(Int(whole.outputText.split(separator: " ").last?.dropLast() ?? ""))
        let step = LongTests.areWanted ? 1 : max(1, total / 15)
        var kills = 0
        for operation in stride(from: 1, through: total, by: step) {
            let folder = TemporaryFolder()
            folder.write(start, to: "a.db")
            let run = DatabaseProbe.run(["commits", folder.path] + arguments.dropFirst(2) + ["die=\(operation)"])
            #expect(run.status == 137)
            kills += 1
            let last = acknowledged(run) ?? 8
            let found = try Workload.state(of: SealedCutTests.open(folder.path).database)
            #expect(
                found == last || found == last + 1, "at operation \(operation): acknowledged \(last), found \(found)")
        }
        report("kills at each operation of a commit: \(kills) of \(total)")
    }
}
