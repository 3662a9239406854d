import SQLiteDatabase
import TestSupport
import Testing

@Suite("two processes")
struct TwoProcessTests {
    /// Runs the probe with `first` until `script` is through, once it is ready; gives the output of both.
    private func run(_ folder: TemporaryFolder, _ first: String, _ script: String) -> (
        first: String, second: ChildProcess
    ) {
        let other = TemporaryFolder()
        let second = ChildProcess.run(
            [
                "sh", "-c",
                """
                "$PROBE" \(first) until="$OTHER/until" > "$OTHER/first" 2>&1 &
                tries=0
                until grep -q ready "$OTHER/first" || [ $tries -gt 1000 ]; do sleep 0.01; tries=$((tries + 1)); done
                \(script)
                touch "$OTHER/until"
                wait
                """,
            ], environment: ["PROBE": DatabaseProbe.path, "FOLDER": folder.path, "OTHER": other.path])
        return (String(decoding: fileBytes(other.file("first")) ?? [], as: UTF8.self), second)
    }

    private static let locked = "failed database(SQLiteDatabase.DatabaseError.locked)\n"

    @Test(
        "who stands in the way of a lock is told as locked, and nothing is changed",
        arguments: [("read", true, false), ("write", true, false), ("exclusive", false, false)])
    func locks(lock: String, canRead: Bool, canWrite: Bool) throws {
        let folder = try SealedCutTests.made(transactions: 3)
        let both = run(
            folder, "hold \"$FOLDER\" lock=\(lock)",
            """
            "$PROBE" state "$FOLDER" mode=read patience=50
            echo then
            "$PROBE" commits "$FOLDER" first=4 count=1 patience=50
            """)
        let parts = both.second.outputText.components(before: "then\n")
        #expect(parts.0 == (canRead ? "state 3\noperations 0\n" : Self.locked), "\(both.second.outputText)")
        #expect(parts.1.hasSuffix("failed locked\n") || parts.1 == Self.locked, "\(both.second.outputText)")
        #expect(both.first.hasSuffix("state 3\noperations 0\n"), "\(both.first)")
        #expect(DatabaseProbe.run(["commits", folder.path, "first=4", "count=1"]).status == 0)
    }

    @Test("a reader sees whole states while a writer writes")
    func readerAndWriter() throws {
        let folder = try SealedCutTests.made()
        let count = LongTests.areWanted ? 400 : 25
        let both = run(
            folder, "watch \"$FOLDER\" patience=20000",
            "\"$PROBE\" commits \"$FOLDER\" count=\(count) cache=10 patience=20000")
        #expect(both.second.lastNumber("done") == count, "\(both.second.outputText)")
        #expect(both.first.contains("\nreads ") && both.first.contains("\nstate "), "\(both.first)")
        #expect(DatabaseProbe.run(["state", folder.path]).lastNumber("state") == count)
        report(
            "reader beside a writer of \(count) transactions: \(both.first.split(separator: "\n").joined(separator: ", "))"
        )
    }

    @Test("a process that has the file open, with its pages in memory, sees what another one wrote")
    func freshPages() throws {
        let folder = try SealedCutTests.made(transactions: 3)
        let both = run(folder, "hold \"$FOLDER\" commit=7", "\"$PROBE\" commits \"$FOLDER\" first=4 count=3")
        #expect(both.second.lastNumber("done") == 6)
        #expect(both.first.contains("state 6\ndone 7\n"), "\(both.first)")
        #expect(DatabaseProbe.run(["state", folder.path]).lastNumber("state") == 7)
    }

    @Test("a process that has the file open over a rekey finds out with its next lock, and loses no commit")
    func rekeyBeside() throws {
        let folder = try SealedCutTests.made(transactions: 3)
        let both = run(folder, "hold \"$FOLDER\" commit=5", "\"$PROBE\" rekey \"$FOLDER\" first=4 count=1")
        #expect(both.second.lastNumber("done") == 4, "\(both.second.outputText)")
        #expect(both.first.contains("failed replaced\n") && !both.first.contains("done"), "\(both.first)")
        #expect(DatabaseProbe.run(["commits", folder.path, "first=5", "count=1"]).lastNumber("done") == 5)
        #expect(DatabaseProbe.run(["state", folder.path]).lastNumber("state") == 5)
        #expect(FolderListing(folder.path).names == ["a.db"])
    }

    @Test("a rekey does not begin while another process has a lock", arguments: ["read", "write", "exclusive"])
    func rekeyLocked(lock: String) throws {
        let folder = try SealedCutTests.made(transactions: 3)
        let both = run(
            folder, "hold \"$FOLDER\" lock=\(lock)", "\"$PROBE\" rekey \"$FOLDER\" first=4 count=1 patience=50")
        #expect(both.second.outputText.hasSuffix(Self.locked), "\(both.second.outputText)")
        #expect(both.first.contains("state 3\n"), "\(both.first)")
        #expect(FolderListing(folder.path).names == ["a.db"])
    }
}

extension String {
    /// The text before `mark`, and the text after it.
    func components(before mark: String) -> (String, String) {
        guard let range = firstRange(of: mark) else { return (self, "") }
        return (String(self[..<range.lowerBound]), String(self[range.upperBound...]))
    }
}
