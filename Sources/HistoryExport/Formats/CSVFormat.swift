import CryptoPrimitives
import History
import JSONCoding
import SophaxFiles
import SystemIO

/// `csv`: RFC 4180, one message a row, columns that stay (sxkey-formats(5), "Messages as CSV").
///
/// A cell that a spreadsheet would take for a formula gets an apostrophe in front, as does one that begins with an
/// apostrophe; so a reader takes one apostrophe off and has the text again.
package struct CSVFormat: MessageFormat {
    static let columns = [
        "conversation", "conversation_name", "message_id", "direction", "sender", "sender_name", "time", "timestamp",
        "timestamp_unit", "body", "body_base64", "status", "reply_to", "edited", "edited_time", "received_time",
        "expires_time", "attachment_id", "attachment_type", "attachment_name", "attachment_file", "reactions",
        "delivered_by", "read_by",
    ]

    private let guardsFormulas: Bool

    package init(guardsFormulas: Bool = true) {
        self.guardsFormulas = guardsFormulas
    }

    package var needs: ExportNeeds { [] }

    package func opening(_ overview: ExportOverview) -> [UInt8] {
        Array((Self.columns.joined(separator: ",") + "\r\n").utf8)
    }

    package func closing(_ totals: ExportTotals) -> [UInt8] { [] }

    package func append(_ part: ExportPart, to output: inout [UInt8]) {
        var row = CSVRow(guardsFormulas: guardsFormulas)
        swap(&row.output, &output)
        // The same in every row.
        let conversation = part.conversation.text.bytes
        let title = part.title ?? []
        var people = SenderNames(part.names)
        for message in part.messages { append(message.message, part, conversation, title, &people, to: &row) }
        swap(&row.output, &output)
    }

    private func append(
        _ message: StoredMessage, _ part: ExportPart, _ conversation: [UInt8], _ title: [UInt8],
        _ people: inout SenderNames, to row: inout CSVRow
    ) {
        row.text(conversation)
        row.text(title)
        row.field(.id, of: message)
        row.field(.direction, of: message)
        let sender = part.sender(of: message)
        row.text(sender ?? Self.me)
        row.text(sender.flatMap { people.name(of: $0) } ?? [])
        appendTime(message, to: &row)
        let isFaulty = row.body(of: message)
        row.text(isFaulty ? Array(Base64.encode(message.source(.body).span).utf8) : [])
        row.text(message.status?.bytes ?? [])
        row.field(.replyToID, of: message)
        row.plain(message.isEdited ? Self.yes : Self.no)
        row.time(message.time(.editedAt))
        row.time(message.time(.receivedAt))
        row.time(message.time(.expiresAt))
        row.field(.attachmentID, of: message)
        row.field(.attachmentMimeType, of: message)
        row.field(.attachmentFilename, of: message)
        row.text(file(of: message, part))
        row.text(Self.list(message.reactions.map { $0.emoji.bytes + [0x20] + $0.sender.bytes }))
        row.text(Self.list(message.list(.deliveredBy).map(\.bytes)))
        row.text(Self.list(message.list(.readBy).map(\.bytes)))
        row.end()
    }

    private static let me = Array("me".utf8)
    private static let yes = Array("true".utf8)
    private static let no = Array("false".utf8)

    private func appendTime(_ message: StoredMessage, to row: inout CSVRow) {
        guard let time = message.time else {
            for _ in 0..<3 { row.plain([]) }
            return
        }
        row.time(time)
        let source = Array(time.source.utf8)
        // A negative number is no formula.
        if JSONNumber.isNumber(source) { row.plain(source) } else { row.text(source) }
        row.plain(Array(time.unit.rawValue.utf8))
    }

    private func file(of message: StoredMessage, _ part: ExportPart) -> [UInt8] {
        guard part.attachments.areWritten, let id = message.text(.attachmentID) else { return [] }
        return part.attachments.file(of: id.byteText)?.path.bytes ?? []
    }

    private static func list(_ items: [[UInt8]]) -> [UInt8] {
        items.isEmpty ? [] : Array(items.joined(separator: Array("; ".utf8)))
    }
}

/// Cells of one row after the other.
struct CSVRow {
    var output: [UInt8] = []
    private let guardsFormulas: Bool
    private var isFirst = true

    init(guardsFormulas: Bool) {
        self.guardsFormulas = guardsFormulas
    }

    mutating func end() {
        output.append(0x0D)
        output.append(0x0A)
        isFirst = true
    }

    private mutating func separate() {
        if !isFirst { output.append(UInt8(ascii: ",")) }
        isFirst = false
    }

    /// The program's own text, which has nothing to quote.
    mutating func plain(_ text: [UInt8]) {
        separate()
        output += text
    }

    mutating func time(_ time: AppTime?) {
        separate()
        if let time { RFC3339.append(unixSeconds: time.unixSeconds, to: &output) }
    }

    /// Text from elsewhere. What is not UTF-8, and NUL, becomes U+FFFD.
    mutating func text(_ text: [UInt8]) {
        if text.isEmpty { separate() } else { _ = cell(text.span) }
    }

    mutating func field(_ field: StoredMessage.Field, of message: StoredMessage) {
        if message.isPlain(field) {
            message.withSource(field) { _ = cell($0) }
        } else {
            text(message.text(field)?.bytes ?? [])
        }
    }

    /// The text of a message; true where the cell does not say all of it.
    mutating func body(of message: StoredMessage) -> Bool {
        if message.isPlain(.body) { return message.withSource(.body) { cell($0) } }
        guard let body = message.body else {
            separate()
            return false
        }
        let isFaulty = cell(body.bytes.span)
        return isFaulty || body.problem != nil
    }

    /// True where a byte had to be replaced.
    private mutating func cell(_ text: Span<UInt8>) -> Bool {
        separate()
        var needsQuotes = false
        var isASCII = true
        var hasNUL = false
        var quotes = false
        for index in text.indices {
            switch text[index] {
            case UInt8(ascii: "\""): (needsQuotes, quotes) = (true, true)
            case UInt8(ascii: ","), 0x0D, 0x0A: needsQuotes = true
            case 0: hasNUL = true
            case 0x80...: isASCII = false
            default: break
            }
        }
        if hasNUL || (!isASCII && JSONText.firstInvalidUTF8(text) != nil) {
            var bytes: [UInt8] = []
            for index in text.indices { bytes += text[index] == 0 ? [0xEF, 0xBF, 0xBD] : [text[index]] }
            isFirst = true
            let repaired = Array(String(decoding: bytes, as: UTF8.self).utf8)
            _ = cell(repaired.span)
            return true
        }
        if needsQuotes { output.append(UInt8(ascii: "\"")) }
        if guardsFormulas, Self.looksLikeFormula(text) { output.append(UInt8(ascii: "'")) }
        if quotes {
            for index in text.indices {
                if text[index] == UInt8(ascii: "\"") { output.append(UInt8(ascii: "\"")) }
                output.append(text[index])
            }
        } else {
            unsafe text.withUnsafeBufferPointer { unsafe output.append(contentsOf: $0) }
        }
        if needsQuotes { output.append(UInt8(ascii: "\"")) }
        return false
    }

    /// What spreadsheets take for a formula, or skip before one: `=`, `+`, `-`, `@` and their wide forms, TAB, LF, CR; and the
    /// apostrophe, so that one that was put there can be told.
    private static func looksLikeFormula(_ text: Span<UInt8>) -> Bool {
        guard text.count > 0 else { return false }
        switch text[0] {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), UInt8(ascii: "'"), 0x09, 0x0A,
            0x0D:
            return true
        case 0xEF:
            // U+FF1D, U+FF0B, U+FF0D, U+FF20.
            guard text.count >= 3, text[1] == 0xBC else { return false }
            return [0x9D, 0x8B, 0x8D, 0xA0].contains(text[2])
        default: return false
        }
    }
}
