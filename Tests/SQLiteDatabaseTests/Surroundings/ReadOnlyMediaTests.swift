import SQLiteDatabase
import TestSupport
import Testing

@Suite("media that cannot be written", .enabled(if: PrivateMount.isPossible))
struct ReadOnlyMediaTests {
    private func run(_ folder: TemporaryFolder, _ script: String) -> ChildProcess {
        PrivateMount.run(source: folder.path, size: 8 << 20, "mount -o remount,ro \"$MOUNT\"\n" + script)
    }

    @Test("a file is read there, and a change is refused as such")
    func reading() throws {
        let folder = try SealedCutTests.made(transactions: 5)
        let read = run(folder, "\"$PROBE\" state \"$MOUNT\" mode=read")
        #expect(read.outputText == "state 5\noperations 0\n", "\(read.outputText)\(read.errorText)")
        let written = run(folder, "\"$PROBE\" commits \"$MOUNT\" first=6 count=1")
        #expect(written.outputText.hasPrefix("failed "), "\(written.outputText)")
        #expect(written.outputText.contains("readOnly"), "\(written.outputText)")
    }

    @Test("a change that was interrupted must be undone first, and that is what is said; elsewhere it is undone")
    func hotJournal() throws {
        // The process dies at one operation after the other, until the journal is one that must be rolled back.
        let start = try SealedCutTests.made(transactions: 9)
        var hot = 0
        for operation in stride(from: 20, through: 170, by: 10) {
            let folder = TemporaryFolder()
            folder.write(try #require(fileBytes(start.file("a.db"))), to: "a.db")
            let killed = DatabaseProbe.run([
                "commits", folder.path, "first=10", "count=1", "cache=10", "die=\(operation)",
            ])
            guard killed.status == 137 else { break }
            let before = FolderListing(folder.path)
            guard fileBytes(folder.file("a.db-journal"))?.first == 0xD9 else { continue }
            hot += 1
            let read = run(folder, "\"$PROBE\" state \"$MOUNT\" mode=read")
            #expect(
                read.outputText == "failed database(SQLiteDatabase.DatabaseError.unfinishedChange)\n",
                "\(read.outputText)")
            #expect(FolderListing(folder.path) == before)
            #expect(DatabaseProbe.run(["state", folder.path]).lastNumber("state") == 9)
            if !LongTests.areWanted { break }
        }
        #expect(hot > 0)
        report("hot journals on read-only media: \(hot)")
    }
}
