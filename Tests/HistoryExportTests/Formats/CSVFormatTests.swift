import History
import SophaxFiles
import SystemIO
import TestSupport
import Testing

@testable import HistoryExport

/// Checked with the csv module of Python, which reads RFC 4180 strictly.
@Suite("Export as CSV", .enabled(if: ChildProcess.has("python3"), "needs python3"))
struct CSVFormatTests {
    /// Runs Python with `rows`, dictionaries by column, and `lines`, the objects of the JSON lines.
    private func check(_ history: MadeHistory, guarded: Bool = true, _ code: String) throws {
        let folder = TemporaryFolder()
        folder.write(try exported(CSVFormat(guardsFormulas: guarded), history, isThreaded: true).text, to: "csv")
        folder.write(try exported(JSONLinesFormat(), history).text, to: "lines")
        let run = ChildProcess.run(
            [
                "python3", "-c",
                """
                import base64, csv, json
                csv.field_size_limit(1 << 24)
                text = open("csv", "rb").read()
                assert text.count(b"\\r\\n") >= 1
                rows = list(csv.DictReader(open("csv", encoding="utf-8", newline=""), strict=True))
                lines = [json.loads(line) for line in open("lines", encoding="utf-8", newline="\\n")][1:]
                assert len(rows) == len(lines), (len(rows), len(lines))
                def plain(cell): return cell[1:] if cell[:1] == "'" else cell
                def text_of(line, key): return line.get(key, "").replace("\\0", "\\ufffd")
                \(code)
                """,
            ], in: folder.path)
        #expect(run.status == 0, "\(run.errorText)")
    }

    @Test("every text comes back from its cell, and no cell looks like a formula")
    func guarded() throws {
        try check(
            Hostile.history(),
            """
            for row, line in zip(rows, lines):
                for column, key in [("message_id", "id"), ("body", "body"), ("status", "status"), ("reply_to", "replyTo")]:
                    assert plain(row[column]) == text_of(line, key), (row[column], line.get(key))
                attachment = line.get("attachment", {})
                for column, key in [("attachment_id", "id"), ("attachment_type", "mimeType"), ("attachment_name", "fileName")]:
                    assert plain(row[column]) == text_of(attachment, key), row[column]
                if "bodyBase64" in line: assert row["body_base64"] == line["bodyBase64"]
                elif "\\0" in line.get("body", ""): assert row["body_base64"]
                else: assert row["body_base64"] == "", row
                for column, cell in row.items():
                    if column == "timestamp" and cell: float(cell); continue
                    assert cell[:1] not in list("=+-@\\t\\r\\n\\uff1d\\uff0b\\uff0d\\uff20") or cell == "", (column, cell)
            """)
    }

    @Test("without the guard cells are the texts themselves")
    func unguarded() throws {
        try check(
            Hostile.history(), guarded: false,
            """
            for row, line in zip(rows, lines):
                assert row["body"] == text_of(line, "body") and row["message_id"] == text_of(line, "id")
            """)
    }

    @Test("a telephone number keeps its plus sign")
    func telephone() throws {
        let text = try exported(CSVFormat(), MadeHistory("b", [MadeHistory.message("A", "+49 151 1234567")])).text
        #expect(String(decoding: text, as: UTF8.self).contains(",'+49 151 1234567,"))
        let bare = try exported(
            CSVFormat(guardsFormulas: false), MadeHistory("b", [MadeHistory.message("A", "+49 151 1234567")])
        ).text
        #expect(String(decoding: bare, as: UTF8.self).contains(",+49 151 1234567,"))
    }

    @Test("columns stay as they are documented, and times are in UTC beside the number of the source")
    func columns() throws {
        let history = MadeHistory(
            MadeHistory.bob,
            [
                MadeHistory.message("A", "x", time: "795000001.25"),
                MadeHistory.message("B", "y", time: "1e400", direction: "sent", ",\"expiresAt\":795000200"),
                MadeHistory.message("C", "z", time: "-62135596800000"),
            ])
        let rows = String(decoding: try exported(CSVFormat(), history).text, as: UTF8.self).components("\r\n")
        #expect(
            rows[0] == "conversation,conversation_name,message_id,direction,sender,sender_name,time,timestamp,"
                + "timestamp_unit,body,body_base64,status,reply_to,edited,edited_time,received_time,expires_time,"
                + "attachment_id,attachment_type,attachment_name,attachment_file,reactions,delivered_by,read_by")
        let bob = MadeHistory.bob
        #expect(
            rows[1]
                == "\(bob),,A,received,\(bob),,2026-03-12T09:20:01.25Z,795000001.25,seconds-since-2001,x,,read,,false,"
                + ",,,,,,,,,")
        #expect(
            rows[2] == "\(bob),,B,sent,me,,,1e400,seconds-since-2001,y,,read,,false,,,2026-03-12T09:23:20Z,,,,,,,")
        #expect(rows[3].contains(",,-62135596800000,seconds-since-2001,z,"))
        #expect(rows[4].isEmpty && rows.count == 5)
    }
}

extension String {
    /// Between separators, which Swift would not find inside of a grapheme.
    func components(_ separator: String) -> [String] {
        var parts: [[UInt8]] = [[]]
        var rest = Array(utf8)[...]
        let wanted = Array(separator.utf8)
        while let byte = rest.first {
            if rest.starts(with: wanted) {
                parts.append([])
                rest = rest.dropFirst(wanted.count)
            } else {
                parts[parts.count - 1].append(byte)
                rest = rest.dropFirst()
            }
        }
        return parts.map { String(decoding: $0, as: UTF8.self) }
    }
}
