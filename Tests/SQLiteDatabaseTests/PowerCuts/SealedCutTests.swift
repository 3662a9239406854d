import CryptoPrimitives
import DatabaseWorkload
import SQLiteDatabase
import SystemIO
import TestSupport
import Testing

/// Power cuts of a sealed database. The recorder stands below the encrypting VFS and below SystemIO alike.
@Suite("power cuts of a sealed database")
struct SealedCutTests {
    static func open(
        _ folder: String, _ secret: UInt8 = 1, _ mode: SealedDatabase.AccessMode = .readWrite
    ) throws -> SealedDatabase {
        let key = try UnlockSecret.key(SecretBytes(copying: [UInt8](repeating: secret, count: 32).span))
        return try SealedDatabase(
            opening: FilePath(folder + "/a.db"), kind: .keyring, mode: mode, unlocking: key, patience: 0)
    }

    /// A folder with a sealed database that has had `transactions`.
    static func made(transactions: Int = 0) throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        let run = DatabaseProbe.run(["make", folder.path, "first=\(transactions + 1)"])
        guard run.status == 0 else { throw Failure(text: run.outputText) }
        return folder
    }

    private func checkCommits(_ folder: String, _ marks: [String]) throws {
        let state = try Workload.state(of: Self.open(folder).database)
        let allowed = CutCampaign.allowedStates(marks)
        guard allowed.contains(state) else { throw Failure(text: "state \(state), allowed \(allowed)") }
    }

    @Test("nothing that was acknowledged is lost, and nothing else is there", arguments: [10, 2000])
    func commits(cache: Int) throws {
        let folder = try Self.made()
        let campaign = try CutCampaign(["commits", "cache=\(cache)", "count=20"], in: folder.path)
        let outcome = try campaign.cut(LongTests.areWanted ? 1000 : 40, check: checkCommits)
        #expect(outcome.failures == [])
        #expect(outcome.cutsAtRisk * 2 > outcome.cuts)
        report("power cuts of commits, cache \(cache): \(outcome.summary)")
        // No text in anything that was ever written.
        let marker = Array(Workload.marker.utf8)
        for operation in campaign.log.operations where operation.kind == .write {
            #expect(!operation.bytes.contains(marker))
        }
    }

    @Test("a second power cut, while the first one is recovered from, does no more harm")
    func twice() throws {
        let folder = try Self.made()
        let campaign = try CutCampaign(["commits", "cache=10", "count=12"], in: folder.path)
        var recovered = CutCampaign.Outcome()
        let outcome = try campaign.cut(LongTests.areWanted ? 150 : 12, seed: 3) { folder, marks in
            // Only where there is something to roll back.
            guard fileBytes(folder + "/a.db-journal")?.first == 0xD9 else { return }
            let recovery = try CutCampaign(["open"], in: folder)
            let second = try recovery.cut(LongTests.areWanted ? 10 : 3) { folder, _ in try checkCommits(folder, marks) }
            recovered.cuts += second.cuts
            recovered.cutsAtRisk += second.cutsAtRisk
            recovered.failures += second.failures
        }
        #expect(outcome.failures + recovered.failures == [])
        #expect(recovered.cutsAtRisk > 0)
        report("power cuts of recovery: \(recovered.summary)")
    }

    @Test("with syncs that do nothing commits are lost", arguments: [DiskLog.Kind.sync, .syncFolder])
    func withoutSyncs(ignored: DiskLog.Kind) throws {
        let folder = try Self.made()
        let campaign = try CutCampaign(["commits", "cache=10", "count=20"], in: folder.path)
        let outcome = try campaign.cut(20, ignoring: [ignored], check: checkCommits)
        #expect(outcome.failures.count > 2, "only \(outcome.failures.count) of \(outcome.cuts) cuts did harm")
    }

    @Test("a file that is being made is there complete, or not at all")
    func making() throws {
        let folder = TemporaryFolder()
        let campaign = try CutCampaign(["record-make"], in: folder.path)
        let outcome = try campaign.cut(LongTests.areWanted ? 500 : 20) { folder, marks in
            let names = FolderListing(folder).names
            if marks.last != "done make", !names.contains("a.db") {
                guard names.allSatisfy({ $0.hasPrefix("a.db.new-") }) else { throw Failure(text: "\(names) are left") }
                return
            }
            let state = try Workload.state(of: Self.open(folder).database)
            guard state == 0 else { throw Failure(text: "state \(state)") }
            guard FolderListing(folder).names == ["a.db"] else { throw Failure(text: "leftovers") }
        }
        #expect(outcome.failures == [])
        report("power cuts of making: \(outcome.summary)")
    }
}
