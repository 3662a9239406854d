import DatabaseWorkload
import SQLiteDatabase
import SystemIO
import TestSupport
import Testing

/// A disk that takes no more: said as such, and what was acknowledged stays.
@Suite("a full disk")
struct FullDiskTests {
    /// Starts the probe's commits from the same file each time, with `arguments`, and looks at what is left.
    private func commit(_ start: [UInt8], _ arguments: [String]) throws -> (run: ChildProcess, acknowledged: Int) {
        let folder = TemporaryFolder()
        folder.write(start, to: "a.db")
        let run = DatabaseProbe.run(["commits", folder.path, "first=9", "count=2", "cache=10"] + arguments)
        let last = run.lastNumber("done") ?? 8
        let found = try Workload.state(of: SealedCutTests.open(folder.path).database)
        #expect(found == last, "\(arguments): acknowledged \(last), found \(found): \(run.outputText)")
        return (run, last)
    }

    @Test("at any write, the first of them torn: the transaction is undone, and the error is a full disk")
    func atEachWrite() throws {
        let folder = try SealedCutTests.made(transactions: 8)
        let start = try #require(fileBytes(folder.file("a.db")))
        let whole = try commit(start, [])
        let total = try #require(whole.run.lastNumber("operations"))
        var failures = 0
        for operation in stride(from: 1, through: total, by: LongTests.areWanted ? 1 : max(1, total / 12)) {
            let (run, _) = try commit(start, ["fail=\(operation):28"])
            // Nothing is written after the last commit's journal is gone.
            if run.status == 0 { continue }
            #expect(run.outputText.contains("failed full\n"), "at \(operation): \(run.outputText)")
            failures += 1
        }
        #expect(failures > 5)
        report("disk full at each write: \(failures) of \(total) operations")
    }

    @Test("a limit for the size of files is told like a full disk")
    func sizeLimit() throws {
        let folder = try SealedCutTests.made(transactions: 8)
        let start = try #require(fileBytes(folder.file("a.db")))
        let step = LongTests.areWanted ? 4096 : 40_960
        var failures = 0
        for limit in stride(from: 512, to: start.count + 200_000, by: step) {
            let (run, _) = try commit(start, ["limit=\(limit)"])
            if run.status == 0 { continue }
            #expect(run.outputText.contains("failed full\n"), "at \(limit): \(run.outputText)")
            failures += 1
        }
        #expect(failures > 2)
        report("limit for the size of files: \(failures) failures")
    }

    @Test("a small file system that fills up", .enabled(if: PrivateMount.isPossible))
    func smallFileSystem() throws {
        let folder = try SealedCutTests.made(transactions: 8)
        let size = try #require(fileBytes(folder.file("a.db"))).count
        let step = LongTests.areWanted ? 4096 : 32_768
        var failures = 0
        for room in stride(from: 8192, through: 240_000, by: step) {
            let run = PrivateMount.run(
                source: folder.path, size: size + room,
                """
                "$PROBE" commits "$MOUNT" first=9 count=2 cache=10
                "$PROBE" state "$MOUNT"
                """)
            let last = run.lastNumber("done") ?? 8
            #expect(run.lastNumber("state") == last, "\(run.outputText)\(run.errorText)")
            if last < 10 {
                #expect(run.outputText.contains("failed full\n"), "\(run.outputText)")
                failures += 1
            }
        }
        #expect(failures > 2)
        report("small file system: \(failures) times full")
    }
}

extension ChildProcess {
    /// The number after the last `word` that begins a line.
    func lastNumber(_ word: String) -> Int? {
        outputText.split(separator: "\n").last { $0.hasPrefix(word + " ") }.flatMap {
            Int($0.dropFirst(word.utf8.count + 1))
        }
    }
}

/// A file system in memory that only the commands of one shell see, and that goes with them.
enum PrivateMount {
    private static let inOwnSpace = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"]

    static let isPossible = ChildProcess.run(inOwnSpace + ["mount -t tmpfs none /mnt"]).status == 0

    /// Runs `script` with the files of `source` in the file system `$MOUNT` of `size` bytes, and the probe in `$PROBE`.
    static func run(source: String, size: Int, _ script: String) -> ChildProcess {
        let folder = TemporaryFolder()
        let mount = folder.makeFolder("mount")
        return ChildProcess.run(
            inOwnSpace + [
                "mount -t tmpfs -o size=\(size) none \"$MOUNT\" && cp \"$SOURCE\"/* \"$MOUNT\" && { \(script)\n}"
            ],
            environment: ["MOUNT": mount, "SOURCE": source, "PROBE": DatabaseProbe.path])
    }
}
