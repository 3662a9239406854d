import History
import SophaxFiles
import SystemIO

/// `markdown`: for reading, in CommonMark. Nothing that somebody wrote is markup.
package struct MarkdownFormat: MessageFormat {
    private let zone: LocalZone
    private let escape: @Sendable ([UInt8]) -> String

    /// - Parameter escape: makes text from elsewhere visible: control and bidi characters, and bytes that are not UTF-8, as
    ///   escapes; line feeds and tabs stay.
    package init(zone: LocalZone, escape: @escaping @Sendable ([UInt8]) -> String) {
        self.zone = zone
        self.escape = escape
    }

    package var needs: ExportNeeds { [.replied] }

    package func opening(_ overview: ExportOverview) -> [UInt8] { Array("# Messages\n".utf8) }

    package func closing(_ totals: ExportTotals) -> [UInt8] { [] }

    package func append(_ part: ExportPart, to output: inout [UInt8]) {
        if part.beginsConversation { appendHeading(part, to: &output) }
        for message in part.messages { append(message, part, to: &output) }
    }

    private func appendHeading(_ part: ExportPart, to output: inout [UInt8]) {
        let id = part.conversation.text.bytes
        let title: String
        switch (part.conversation.kind, part.title) {
        case (.notes, _): title = "Notes to self"
        case (_, let name?): title = inline(name) + " (" + inline(Array(id.prefix(16))) + ")"
        case (_, nil): title = inline(id)
        }
        let count = part.whole.map { whole in
            whole.read == whole.chosen ? ", \(whole.read) messages" : ", \(whole.chosen) of \(whole.read) messages"
        }
        output += Array("\n## \(title)\n\n*\(part.conversation.kind.rawValue)\(count ?? "")*\n".utf8)
    }

    private func append(_ entry: ExportMessage, _ part: ExportPart, to output: inout [UInt8]) {
        let message = entry.message
        let sender = part.sender(of: message)
        let name = sender.map { inline(part.displayName(of: $0)) } ?? "me"
        output += Array("\n**\(name)** · \(when(message.time))\n".utf8)
        if let reply = message.text(.replyToID) { appendQuote(entry.replied, reply.byteText, to: &output) }
        if let body = message.body?.bytes, !body.isEmpty {
            output += Array(("\n" + block(body) + "\n").utf8)
        } else if !message.has(.attachmentID) {
            output += Array("\n*no text*\n".utf8)
        }
        let notes = notes(entry, part)
        if !notes.isEmpty { output += Array(("\n" + notes.joined(separator: "\\\n") + "\n").utf8) }
    }

    private func appendQuote(_ replied: StoredMessage?, _ id: ByteText, to output: inout [UInt8]) {
        guard let replied else {
            output += Array("\n> *in reply to a message that is not here*\n".utf8)
            return
        }
        let body = replied.body?.bytes ?? []
        guard !body.isEmpty else {
            output += Array("\n> *in reply to a message without text*\n".utf8)
            return
        }
        let text = String(String.UnicodeScalarView(escape(body).unicodeScalars.prefix(Self.quoteLength)))
        let cut = text.unicodeScalars.count < escape(body).unicodeScalars.count ? "…" : ""
        let lines = (Self.markup(text) + cut).split(separator: "\n", omittingEmptySubsequences: false)
        output += Array("\n".utf8)
        for line in lines { output += Array("> \(line)\n".utf8) }
    }

    private static let quoteLength = 200

    /// What is said of a message beside its text, a line each.
    private func notes(_ entry: ExportMessage, _ part: ExportPart) -> [String] {
        let message = entry.message
        var notes: [String] = []
        if let id = message.text(.attachmentID) { notes.append(attachment(id.byteText, message, part)) }
        for reaction in message.reactions {
            notes.append("\(inline(reaction.emoji.bytes)) \(inline(part.displayName(of: reaction.sender.bytes)))")
        }
        if message.isEdited {
            notes.append("*edited\(message.time(.editedAt).map { " " + when($0) } ?? "")*")
        }
        for earlier in entry.earlier {
            let text = block(earlier.body?.bytes ?? []).replacingLineBreaks()
            notes.append("*before:* \(text)")
        }
        if message.isSent, let status = message.status?.bytes, !status.isEmpty { notes.append("*\(inline(status))*") }
        if let expires = message.time(.expiresAt) { notes.append("*disappears \(when(expires))*") }
        if entry.isConflicting { notes.append("*another message has the same id*") }
        return notes
    }

    private func attachment(_ id: ByteText, _ message: StoredMessage, _ part: ExportPart) -> String {
        let name = inline(message.text(.attachmentFilename)?.bytes ?? id.bytes)
        switch part.attachments.outcome(of: id) {
        case .notWritten: return "attachment: \(name)"
        case .missing: return "attachment, which is missing: \(name)"
        case .damaged: return "attachment, which is damaged: \(name)"
        case .file(let file):
            let target = Self.percentEncoded(file.path.bytes)
            let shown = inline(file.path.lastComponent.bytes)
            // A page or a program is named, not linked: a click must not run it.
            if !file.isInert { return "attachment: \(shown)" }
            return file.kind.group == .image ? "![\(shown)](<\(target)>)" : "attachment: [\(shown)](<\(target)>)"
        }
    }

    /// Local time with its offset; the number of the source where that is no date.
    private func when(_ time: AppTime?) -> String {
        guard let time else { return "no date" }
        guard let local = zone.time(at: time.unixSeconds) else { return "no date (\(inline(Array(time.source.utf8))))" }
        return "\(local.date.dayAndMinuteText) \(local.offsetText)"
    }

    // MARK: Text that is no markup

    /// Within a line.
    private func inline(_ text: [UInt8]) -> String {
        Self.markup(escape(text).replacingLineBreaks())
    }

    /// Lines of its own.
    private func block(_ text: [UInt8]) -> String {
        Self.markup(escape(text))
    }

    /// Text as CommonMark that is shown as this text: every character that could be markup has a backslash before it, every
    /// line break is a hard one, and white space at the ends of lines is written as what it is (CommonMark 0.31, 2.4, 6.7).
    static func markup(_ text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count + text.utf8.count / 8)
        var lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        // A backslash at the end of a paragraph would be shown: a line break there is written as a character.
        let endsWithBreak = lines.count > 1 && lines.last?.isEmpty == true
        if endsWithBreak { lines.removeLast() }
        for (number, line) in lines.enumerated() {
            if number > 0 { result += "\\\n" }
            append(line, to: &result)
        }
        return endsWithBreak ? result + "&#10;" : result
    }

    private static func append(_ line: String.UnicodeScalarView.SubSequence, to result: inout String) {
        let scalars = Array(line)
        let start = scalars.firstIndex { $0 != " " && $0 != "\t" } ?? scalars.count
        let end = (scalars.lastIndex { $0 != " " && $0 != "\t" } ?? -1) + 1
        // Only digits so far: a full stop behind them would begin a list.
        var isNumber = true
        for (place, scalar) in scalars.enumerated() {
            let isEscaped: Bool
            switch scalar {
            case "\\", "`", "*", "_", "{", "}", "[", "]", "<", ">", "(", ")", "#", "!", "|", "~", "&", "$", "^", "@":
                isEscaped = true
            case "+", "-", "=", ":": isEscaped = place == start
            case ".": isEscaped = isNumber && place > start
            default: isEscaped = false
            }
            if scalar == "\t" {
                result += "&#9;"
            } else if scalar == " ", place < start || place >= end {
                result += "&#32;"
            } else {
                if isEscaped { result += "\\" }
                result.unicodeScalars.append(scalar)
            }
            if place >= start, !("0"..."9").contains(scalar) { isNumber = false }
        }
    }

    /// A relative path in a link: everything but letters, digits and `-._/` as `%XX`.
    private static func percentEncoded(_ path: [UInt8]) -> String {
        let hex = Array("0123456789ABCDEF".unicodeScalars)
        var result = String.UnicodeScalarView()
        for byte in path {
            let scalar = Unicode.Scalar(byte)
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "/": result.append(scalar)
            default: result.append(contentsOf: ["%", hex[Int(byte >> 4)], hex[Int(byte & 15)]])
            }
        }
        return String(result)
    }
}

extension String {
    /// On one line.
    fileprivate func replacingLineBreaks() -> String {
        guard utf8.contains(0x0A) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { $0 == "\n" ? " " : $0 }))
    }
}
