import DatabaseWorkload
import SQLiteDatabase
import SystemIO
import TestSupport
import Testing

/// The simulated power cuts themselves: plain SQLite survives them, and they find what is lost when syncs do nothing.
@Suite("simulated power cuts")
struct HarnessTests {
    private func campaign(_ folder: TemporaryFolder) throws -> CutCampaign {
        #expect(DatabaseProbe.run(["plain-make", folder.path]).status == 0)
        return try CutCampaign(["plain-commits", "cache=10", "count=20"], in: folder.path)
    }

    private func check(_ folder: String, _ marks: [String]) throws {
        let database = try Database(opening: FilePath(folder + "/a.db"), .readWrite)
        let state = try Workload.state(of: database)
        let allowed = CutCampaign.allowedStates(marks)
        guard allowed.contains(state) else { throw Failure(text: "state \(state), allowed \(allowed)") }
    }

    @Test("nothing that an unencrypted database acknowledged is lost")
    func plain() throws {
        let folder = TemporaryFolder()
        let outcome = try campaign(folder).cut(LongTests.areWanted ? 1000 : 50, check: check)
        #expect(outcome.failures == [])
        #expect(outcome.cutsAtRisk * 2 > outcome.cuts)
    }

    @Test(
        "with syncs that do nothing, of files, of the folder, or of both, commits are lost",
        arguments: [[DiskLog.Kind.sync], [.syncFolder], [.sync, .syncFolder]])
    func withoutSyncs(ignored: [DiskLog.Kind]) throws {
        let folder = TemporaryFolder()
        let outcome = try campaign(folder).cut(20, ignoring: Set(ignored), check: check)
        #expect(outcome.failures.count > 2, "only \(outcome.failures.count) of \(outcome.cuts) cuts did harm")
    }

    @Test("what is not exactly the state after a transaction is found")
    func workload() throws {
        let folder = TemporaryFolder()
        let database = try Database(opening: FilePath(folder.file("a.db")), .create)
        try Workload.makeSchema(database)
        #expect(try Workload.state(of: database) == 0)
        for n in 1...23 {
            try Workload.commit(n, to: database)
            #expect(try Workload.state(of: database) == n)
        }
        for harm in [
            "UPDATE counter SET n = 22", "DELETE FROM row WHERE id = 23000",
            "UPDATE row SET changed = 1 WHERE id = 20000",
            "INSERT INTO row VALUES(5, 5, '')", "UPDATE row SET body = body || '.' WHERE id = 20007",
            "DELETE FROM words WHERE rowid = 20",
        ] {
            try database.execute("BEGIN")
            try database.execute(harm)
            #expect(throws: Workload.Mismatch.self, "\(harm)") { try Workload.state(of: database) }
            try database.execute("ROLLBACK")
        }
        #expect(try Workload.state(of: database) == 23)
    }
}
