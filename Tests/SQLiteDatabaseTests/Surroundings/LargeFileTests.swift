import DatabaseWorkload
import Glibc
import SQLiteDatabase
import TestSupport
import Testing

/// SQLite keeps its locks on bytes at 1 GiB and never writes the page that holds them, number 262,145.
@Suite("a file above 1 GiB", .enabled(if: LongTests.areWanted, "takes a minute: make check-long"))
struct LargeFileTests {
    private static let blobs = 1100
    private static let blobLength = 1 << 20

    @Test(
        "it is written, read, proven, locked and recovered like a small one, and the page of the locks is never written"
    )
    func above() throws {
        let folder = try SealedCutTests.made(transactions: 3)
        do {
            let database = try SealedCutTests.open(folder.path).database
            try database.execute("CREATE TABLE large(id INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT")
            for start in stride(from: 0, to: Self.blobs, by: 100) {
                try database.transaction(.write) { () throws(DatabaseError) in
                    for id in start..<(start + 100) {
                        let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: id % 251), count: Self.blobLength)
                        try database.run("INSERT INTO large VALUES(?, ?)", .integer(id), lending: bytes.span)
                    }
                }
            }
        }
        var status = stat()
        #expect(stat(folder.file("a.db"), &status) == 0 && status.st_size > (1 << 30) + Self.blobLength)
        let lockPage = try bytes(of: folder.file("a.db"), at: 8192 + 262_144 * 4096, count: 4096)
        #expect(lockPage == [UInt8](repeating: 0, count: 4096))
        for neighbour in [262_143, 262_145] {
            let page = try bytes(of: folder.file("a.db"), at: 8192 + neighbour * 4096, count: 4096)
            #expect(page.count { $0 == 0 } < 200)
        }

        // Small transactions at the end of it; the writer dies in one of them.
        #expect(DatabaseProbe.run(["commits", folder.path, "first=4", "count=2"]).lastNumber("done") == 5)
        #expect(DatabaseProbe.run(["commits", folder.path, "first=6", "count=1", "die=40", "cache=10"]).status == 137)
        let sealed = try SealedCutTests.open(folder.path)
        #expect(try Workload.state(of: sealed.database) == 5)
        let differing = try sealed.database.rows("SELECT id, data FROM large ORDER BY id") { row in
            let byte = UInt8(truncatingIfNeeded: (row.integer(0) ?? -1) % 251)
            return row.withBlob(1) { data in
                data.count == Self.blobLength && data[0] == byte && data[Self.blobLength - 1] == byte
            } ?? false
        }
        #expect(differing == [Bool](repeating: true, count: Self.blobs))
        try locks(folder, sealed)
        report("file above 1 GiB: \(status.st_size) bytes")
    }

    private func locks(_ folder: TemporaryFolder, _ sealed: SealedDatabase) throws {
        let commit = ["commits", folder.path, "first=6", "count=1", "patience=50"]
        try sealed.database.transaction(.exclusive) { () throws(DatabaseError) in
            let run = DatabaseProbe.run(commit)
            #expect(run.outputText.hasSuffix("DatabaseError.locked)\n"), "\(run.outputText)")
        }
        #expect(DatabaseProbe.run(commit).lastNumber("done") == 6)
        #expect(try sealed.database.first("SELECT n FROM counter") { $0.integer(0) } == 6)
    }

    private func bytes(of path: String, at place: Int, count: Int) throws -> [UInt8] {
        let file = open(path, O_RDONLY)
        defer { close(file) }
        var bytes = [UInt8](repeating: 1, count: count)
        guard pread(file, &bytes, count, off_t(place)) == count else { throw Failure(text: "cannot read") }
        return bytes
    }
}
