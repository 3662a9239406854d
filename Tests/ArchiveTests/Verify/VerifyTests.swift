import History
import SQLiteDatabase
import SophaxFiles
import SystemIO
import Testing

@testable import Archive

@Suite("Verifying an archive")
struct VerifyTests {
    private func made() throws -> MadeArchive {
        let made = try MadeArchive()
        var history = GivenHistory([
            ios("a", "one", more: ",\"attachmentID\":\"f\",\"isEdited\":false"), ios("b", "two"), ios("c", "three"),
        ])
        history.attachments = [.init(id: "f", bytes: [UInt8](repeating: 3, count: 300_000))]
        try made.add(history)
        return made
    }

    @Test("a sound archive is said to be, at each depth", arguments: [ArchiveDepth.quick, .standard, .full])
    func sound(depth: ArchiveDepth) throws {
        let verdict = try made().archive.verify(depth)
        #expect(verdict.isSound)
        #expect(verdict.findings.isEmpty)
        #expect(verdict.messages == 3)
        #expect(verdict.sources == (depth == .full ? 3 : 0))
        #expect(verdict.attachments == (depth == .full ? 1 : 0))
    }

    @Test(
        "each fault is found at the depth that looks for it",
        arguments: [
            ("UPDATE source SET json = CAST(replace(json, 'one', 'two') AS BLOB) WHERE id = 1", ArchiveDepth.full),
            ("UPDATE message SET status = 'read' WHERE app_id = CAST('b' AS BLOB)", .full),
            ("UPDATE message SET time = time + 1 WHERE app_id = CAST('c' AS BLOB)", .full),
            ("UPDATE message SET body = 'four' WHERE app_id = CAST('c' AS BLOB)", .standard),
            ("DELETE FROM source WHERE id = 2", .standard),
            ("DELETE FROM attachment_chunk WHERE id = (SELECT max(id) FROM attachment_chunk)", .full),
            ("UPDATE attachment_chunk SET bytes = zeroblob(length(bytes))", .full),
            ("UPDATE attachment_chunk SET id = id + 1099511627776", .standard),
        ])
    func faults(sql: String, depth: ArchiveDepth) throws {
        let made = try made()
        try made.archive.database.execute(sql)
        #expect(made.archive.database.changes > 0)
        #expect(try !made.archive.verify(depth).isSound)
        if depth == .full { #expect(try made.archive.verify(.standard).isSound) }
    }

    @Test("an index that does not fit is found, and made anew")
    func index() throws {
        let made = try made()
        try made.archive.database.execute(
            "INSERT INTO message_text (message_text, rowid, body, attachment_name) "
                + "SELECT 'delete', id, body, attachment_name FROM message WHERE app_id = CAST('b' AS BLOB)")
        #expect(try made.archive.verify(.standard).findings == [.index])
        try made.archive.rebuildIndex()
        #expect(try made.archive.verify(.standard).findings.isEmpty)
    }

    @Test("an archive of a newer version is refused with its own error, and one of this version opens for reading")
    func versions() throws {
        let made = try made()
        let path = made.folder.file("archive")
        let read = try Archive(Database(opening: FilePath(path), .readOnly), isReadOnly: true)
        #expect(try read.verify(.standard).findings == [.indexNotCompared])
        let known = ArchiveSchema.migrator.newestVersion
        try made.archive.database.execute("PRAGMA user_version = \(known + 1)")
        for mode in [Database.OpenMode.readOnly, .readWrite] {
            do {
                _ = try Archive(Database(opening: FilePath(path), mode), isReadOnly: mode == .readOnly)
                Issue.record("it was opened")
            } catch let error as ArchiveError {
                guard case .database(.newerSchema(let found, known)) = error else {
                    Issue.record("\(error)")
                    continue
                }
                #expect(found == known + 1)
            }
        }
    }
}
