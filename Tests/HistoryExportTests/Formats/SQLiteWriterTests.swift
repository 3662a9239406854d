import History
import SophaxFiles
import SystemIO
import TestSupport
import Testing

@testable import HistoryExport

/// Checked with the sqlite3 program, which knows nothing of sxkey.
@Suite("Export as a database", .enabled(if: ChildProcess.has("sqlite3"), "needs sqlite3"))
struct SQLiteWriterTests {
    private let folder = TemporaryFolder()

    private func export(_ history: MadeHistory) throws -> ExportOutcome {
        let writer = try SQLiteWriter(at: FilePath(folder.file("out.sqlite")))
        return try HistoryExportRun(history).run(into: writer)
    }

    private func sql(_ statement: String) -> String {
        let run = ChildProcess.run(["sqlite3", "out.sqlite", statement], in: folder.path)
        #expect(run.status == 0, "\(run.errorText)")
        return String(run.outputText.dropLast(run.outputText.utf8.last == 0x0A ? 1 : 0))
    }

    @Test("another program reads it, finds words, and finds it sound")
    func reading() throws {
        let history = MadeHistory(
            MadeHistory.bob,
            [
                MadeHistory.message("A", "A red Bicyclé"),
                MadeHistory.message(
                    "B", "no", direction: "sent",
                    ",\"reactions\":{\"aa\":\"👍\"},\"deliveredBy\":[\"x\"],\"readBy\":[\"y\",\"z\"],\"replyToID\":\"A\""
                ),
                MadeHistory.message("C", "=1", time: "1e400", MadeHistory.attachment("AB", name: "bicycle.jpg")),
            ])
        history.add("group.1", [Array(MadeHistory.message("A", "red", peer: "group.1").utf8)])
        let outcome = try export(history)
        #expect(outcome.totals.written == 4)
        #expect(sql("PRAGMA integrity_check; PRAGMA foreign_key_check; PRAGMA journal_mode") == "ok\ndelete")
        #expect(sql("INSERT INTO message_text (message_text) VALUES ('integrity-check'); SELECT 1") == "1")
        #expect(sql("SELECT rowid FROM message_text WHERE message_text MATCH 'bicycle' ORDER BY rowid") == "1\n3")
        #expect(
            sql(
                "SELECT c.kind, m.message_id, m.sender, m.time, m.timestamp, m.body FROM message m JOIN conversation c ON c.id = m.conversation"
            )
                == "direct|A|\(MadeHistory.bob)|2026-03-12T09:20:01Z|795000001|A red Bicyclé\n"
                + "direct|B||2026-03-12T09:20:01Z|795000001|no\n" + "direct|C|\(MadeHistory.bob)||1e400|=1\n"
                + "group|A||2026-03-12T09:20:01Z|795000001|red")
        #expect(sql("SELECT * FROM reaction") == "2|1|aa|👍")
        #expect(sql("SELECT * FROM receipt") == "2|delivered|1|x\n2|read|1|y\n2|read|2|z")
        #expect(sql("SELECT * FROM export") == "sxkey-sqlite|1|store")
        #expect(sql("SELECT source FROM message WHERE id = 1") == MadeHistory.message("A", "A red Bicyclé"))
    }

    @Test("hostile texts in every field come back, NUL bytes and invalid UTF-8 in the source included")
    func hostile() throws {
        let history = Hostile.history()
        let outcome = try export(history)
        #expect(outcome.totals.written == history.conversations[0].messages.count)
        let sources = sql("SELECT hex(source) FROM message ORDER BY id").split(separator: "\n").map(String.init)
        #expect(sources == history.conversations[0].messages.map { $0.hexDigits.uppercased() })
        let bodies = sql("SELECT hex(body) FROM message WHERE id <= \(Hostile.texts.count) ORDER BY id").components(
            "\n")
        #expect(bodies == Hostile.texts.map { Array($0.utf8).hexDigits.uppercased() })
        #expect(
            sql("SELECT typeof(source), count(*) FROM message GROUP BY 1")
                == "blob|\(Hostile.invalid.count)\ntext|\(sources.count - Hostile.invalid.count)")
        #expect(sql("PRAGMA integrity_check") == "ok")
    }

    @Test("a message of an archive has its other sources")
    func others() throws {
        let shown = MadeHistory.message("A", "after")
        let history = MadeHistory(MadeHistory.bob, [shown])
        history.others[shown] = [Array(MadeHistory.message("A", "before").utf8)]
        _ = try export(history)
        #expect(sql("SELECT message, number, body FROM other_source") == "1|1|before")
        #expect(sql("SELECT conflicting FROM message") == "1")
    }
}
