import CryptoPrimitives
import DatabaseWorkload
import SQLiteDatabase
import SystemIO
import TestSupport
import Testing

/// A rekey, a compact or a backup while the power goes, the process is killed, or the disk is full.
@Suite("an interrupted rekey, compact or backup")
struct RekeyCutTests {
    private func fingerprint(_ sealed: SealedDatabase) throws -> String {
        let key = try sealed.deriveKey(label: "probe")
        return key.withSpan { SHA256.hash($0) }.prefix(8).map { String($0, radix: 16) }.joined(separator: "-")
    }

    /// The file is whole, has the transactions it must have, and the key before or, while a rekey is under way, the next.
    private func check(_ folder: String, _ marks: [String], before: Int = 8) throws {
        let sealed = try SealedCutTests.open(folder)
        let findings = try sealed.verify(depth: .full)
        guard findings.isEmpty else { throw Failure(text: "\(findings)") }
        let state = try Workload.state(of: sealed.database)
        let allowed = CutCampaign.allowedStates(marks, before: before)
        guard allowed.contains(state) else { throw Failure(text: "state \(state), allowed \(allowed)") }
        // While a rekey is under way either key will do, but the new one is not known yet.
        let key = marks.last { $0.hasPrefix("key ") }?.dropFirst(4)
        if let key, marks.last != "rekeying", try fingerprint(sealed) != key { throw Failure(text: "another key") }
        guard try sealed.header().slots.count == 2 else { throw Failure(text: "slots") }
        _ = try SealedCutTests.open(folder, 2)
        let names = FolderListing(folder).names
        guard Set(names).isSubset(of: ["a.db", "a.db-journal"]) else { throw Failure(text: "\(names) are left") }
    }

    @Test("by the power: the file is the old one or the new one, whole", arguments: ["rekey", "compact"])
    func powerCut(verb: String) throws {
        let folder = try SealedCutTests.made(transactions: 8)
        let campaign = try CutCampaign([verb, "first=9", "count=3"], in: folder.path)
        let outcome = try campaign.cut(LongTests.areWanted ? 1000 : 30) { try check($0, $1) }
        #expect(outcome.failures == [])
        report("power cuts of \(verb): \(outcome.summary)")
    }

    @Test("with syncs that do nothing it loses the file, or the new key", arguments: [DiskLog.Kind.sync, .syncFolder])
    func rekeyWithoutSyncs(ignored: DiskLog.Kind) throws {
        let folder = try SealedCutTests.made(transactions: 8)
        let campaign = try CutCampaign(["rekey", "first=9", "count=3"], in: folder.path)
        let outcome = try campaign.cut(25, ignoring: [ignored]) { try check($0, $1) }
        #expect(outcome.failures.count > 2, "only \(outcome.failures.count) of \(outcome.cuts) cuts did harm")
    }

    @Test("by a kill, instead of each change of the disk: the same", arguments: ["rekey", "compact"])
    func kill(verb: String) throws {
        try eachOperation([verb, "first=9", "count=1"], step: 14, option: { "die=\($0)" }) { run, folder in
            #expect(run.status == 137)
            // Until the new key is told, either may be there (a compact has the old one); afterwards the transaction may.
            let isRekeyed = run.marks.count { $0.hasPrefix("key ") } > 1
            try check(
                folder,
                run.marks
                    + (run.lastNumber("done") != nil
                        ? [] : [isRekeyed ? "begin 9" : verb == "rekey" ? "rekeying" : "compacting"]))
        }
    }

    @Test("by a full disk: the old file stays, and nothing else", arguments: ["rekey", "compact"])
    func fullDisk(verb: String) throws {
        var failures = 0
        try eachOperation([verb, "first=9", "count=1"], step: 14, option: { "fail=\($0):28" }) { run, folder in
            if run.status == 0 { return }
            failures += 1
            #expect(run.outputText.contains("full") || run.outputText.contains("noSpace"), "\(run.outputText)")
            #expect(Set(FolderListing(folder).names).isSubset(of: ["a.db", "a.db-journal"]))
            try check(folder, run.marks + ["rekeying"])
        }
        #expect(failures > 2)
    }

    @Test("a backup is there complete, or not at all, and the file itself stays as it is")
    func backup() throws {
        let folder = try SealedCutTests.made(transactions: 8)
        let before = try #require(fileBytes(folder.file("a.db")))
        let campaign = try CutCampaign(["backup"], in: folder.path)
        let outcome = try campaign.cut(LongTests.areWanted ? 500 : 20) { folder, marks in
            guard fileBytes(folder + "/a.db") == before else { throw Failure(text: "the file has changed") }
            let names = FolderListing(folder).names
            guard names.contains("b.db") else {
                if marks.last == "done backup" { throw Failure(text: "the backup is lost") }
                return
            }
            let key = try UnlockSecret.key(SecretBytes(copying: [UInt8](repeating: 9, count: 32).span))
            let copy = try SealedDatabase(
                opening: FilePath(folder + "/b.db"), kind: .keyring, mode: .readOnly, unlocking: key, patience: 0)
            let state = try Workload.state(of: copy.database)
            guard state == 8 else { throw Failure(text: "state \(state)") }
        }
        #expect(outcome.failures == [])
        report("power cuts of backup: \(outcome.summary)")
    }

    /// Runs the scenario from the same file each time, with something happening at one operation after the other.
    private func eachOperation(
        _ scenario: [String], step: Int, option: (Int) -> String, _ look: (ChildProcess, String) throws -> Void
    ) throws {
        let made = try SealedCutTests.made(transactions: 8)
        let start = try #require(fileBytes(made.file("a.db")))
        let whole = DatabaseProbe.run([scenario[0], made.path] + scenario.dropFirst())
        let total = try #require(whole.lastNumber("operations"), "\(whole.outputText)")
        let step = LongTests.areWanted ? 1 : max(1, total / step)
        var times = 0
        for operation in stride(from: 1, through: total, by: step) {
            let folder = TemporaryFolder()
            folder.write(start, to: "a.db")
            let run = DatabaseProbe.run([scenario[0], folder.path] + scenario.dropFirst() + [option(operation)])
            times += 1
            do {
                try look(run, folder.path)
            } catch {
                Issue.record("\(option(operation)): \(error)")
            }
        }
        report("\(scenario[0]) \(option(0)): \(times) of \(total) operations")
    }
}

extension ChildProcess {
    /// What the probe said, line by line.
    var marks: [String] { outputText.split(separator: "\n").map { String($0) } }
}
