import CommandKit
import History
import HistoryExport
import SophaxFiles
import SystemIO

/// A conversation as people read it.
struct Transcript {
    let conversation: ConversationID
    let zone: LocalZone
    let names: ContactNames
    /// A file is read elsewhere and by programs that turn right-to-left text: times have their offset, and text from others
    /// is isolated where its direction is another.
    private let isFile: Bool
    /// What replies refer to.
    private let bodies: [ByteText: [UInt8]]

    /// Of some messages of a conversation, for a file.
    init(_ part: ExportPart, zone: LocalZone) {
        conversation = part.conversation
        self.zone = zone
        names = part.names
        isFile = true
        var bodies: [ByteText: [UInt8]] = [:]
        for entry in part.messages {
            guard let reply = entry.message.text(.replyToID)?.byteText, let replied = entry.replied else { continue }
            bodies[reply] = replied.body?.bytes ?? []
        }
        self.bodies = bodies
    }

    init(
        _ conversation: ConversationID, all messages: [StoredMessage], zone: LocalZone,
        names: ContactNames = ContactNames()
    ) {
        self.conversation = conversation
        self.zone = zone
        self.names = names
        isFile = false
        let replied = Set(messages.compactMap { $0.text(.replyToID)?.byteText })
        var bodies: [ByteText: [UInt8]] = [:]
        for message in messages {
            guard let id = message.id?.byteText, replied.contains(id) else { continue }
            bodies[id] = message.body?.bytes ?? []
        }
        self.bodies = bodies
    }

    /// One line about the conversation.
    func writeHeading(messages: Int, of total: Int, to stream: TextStream) {
        let count =
            messages == total
            ? Quantity.count(total, "message") : "\(Quantity.count(messages)) of \(Quantity.count(total, "message"))"
        let name = isolated(names.title(of: conversation)).plain
        stream.line("\(trusted: name, .bold)   \(trusted: conversation.kind.rawValue), \(trusted: count)")
    }

    /// `file`: where the attachment is. `earlier`: what the message was before it was changed.
    func write(
        _ message: StoredMessage, file: FilePath? = nil, earlier: [StoredMessage] = [], to stream: TextStream
    ) {
        let who = sender(message)
        let prefix: TerminalText = "\(when(message.time), .dim)  \(who)  "
        let indent = TerminalText(trusted: String(repeating: " ", count: prefix.columns))
        let reply = message.text(.replyToID)
        if let reply { stream.line("\(prefix)\(trusted: "↳ ", .dim)\(quote(reply.byteText))") }
        let first = reply == nil ? prefix : indent
        let lines = body(message)
        for (index, line) in lines.enumerated() { stream.line((index == 0 ? first : indent) + line) }
        for before in earlier {
            let text: TerminalText = "\(Array((before.body?.bytes ?? []).map { $0 == 0x0A ? 0x20 : $0 }))"
            stream.line(indent + "\(trusted: "before: ", .dim)" + isolated(text))
        }
        let extras = extras(message, file)
        if !extras.isEmpty { stream.line(indent + extras.joined("  ")) }
    }

    private func when(_ time: AppTime?) -> String {
        guard let time, let local = zone.time(at: time.unixSeconds) else {
            return "(no date)       " + (isFile ? "       " : "")
        }
        return local.date.dayAndMinuteText + (isFile ? " " + local.offsetText : "")
    }

    /// Text of somebody between marks that keep its direction to itself (Unicode UAX #9, FSI and PDI). It has none of its
    /// own: these are shown as escapes.
    private func isolated(_ text: TerminalText) -> TerminalText {
        guard isFile, text.plain.unicodeScalars.contains(where: Self.isRightToLeft) else { return text }
        return "\(trusted: "\u{2068}")" + text + "\(trusted: "\u{2069}")"
    }

    /// Letters of Hebrew, Arabic, Syriac, Thaana, N'Ko and their like, and the forms of presentation.
    private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x590...0x8ff, 0xfb1d...0xfdff, 0xfe70...0xfeff, 0x10800...0x10fff, 0x1e800...0x1efff: true
        default: false
        }
    }

    private func sender(_ message: StoredMessage) -> TerminalText {
        if message.isSent { return "\(trusted: "me      ", .bold)" }
        if RelatedNames.isRelated(conversation.text.bytes) { return relatedSender(message) }
        guard conversation.kind == .group, let sender = message.text(.senderID) else {
            return conversation.kind == .group ? "?       " : "them    "
        }
        if let name = names.name(of: sender.bytes) { return isolated("\(name)") }
        let short = Array(sender.bytes.prefix(8))
        return "\(short)\(trusted: String(repeating: " ", count: 8 - short.count))"
    }

    /// Nothing proves it. Names of contacts are of another app's people.
    private func relatedSender(_ message: StoredMessage) -> TerminalText {
        guard let sender = message.text(.senderID)?.bytes else { return "?       " }
        if message.has(.direction), sender == conversation.text.bytes { return "them    " }
        let short = Array(RelatedNames.bare(sender).prefix(8))
        return "\(short)\(trusted: String(repeating: " ", count: max(0, 8 - short.count)))"
    }

    private func quote(_ id: ByteText) -> TerminalText {
        guard let body = bodies[id] else { return "\(trusted: "(a message that is not here)", .dim)" }
        let text: TerminalText = "\(body, .dim)"
        return text.isEmpty ? "\(trusted: "(a message without text)", .dim)" : isolated(text.truncated(to: 60))
    }

    /// The text, a line each.
    private func body(_ message: StoredMessage) -> [TerminalText] {
        let bytes = message.body?.bytes ?? []
        if bytes.isEmpty {
            return ["\(trusted: message.has(.attachmentID) ? "(attachment)" : "(no text)", .dim)"]
        }
        return bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { isolated("\(Array($0))") }
    }

    private func extras(_ message: StoredMessage, _ file: FilePath?) -> [TerminalText] {
        var extras: [TerminalText] = []
        if let id = message.text(.attachmentID) {
            let name = message.text(.attachmentFilename).map { " \($0.bytes)" as TerminalText } ?? ""
            let type = message.text(.attachmentMimeType).map { " \($0.bytes)" as TerminalText } ?? ""
            let place = file.map { ": \($0)" as TerminalText } ?? ""
            extras.append(isolated("[attachment\(type)\(name) \(id.bytes)\(place)]"))
        }
        for reaction in message.reactions {
            extras.append("\(reaction.emoji.bytes) \(Array(reaction.sender.bytes.prefix(8)), .dim)")
        }
        if message.isEdited {
            let at = message.time(.editedAt).map { " " + when($0) } ?? ""
            extras.append("\(trusted: "(edited\(at))", .dim)")
        }
        if message.isSent, let status = message.status, status.bytes != Array("read".utf8),
            status.bytes != Array("delivered".utf8)
        {
            extras.append("(\(status.bytes))")
        }
        if let app = RelatedNames.app(conversation.text.bytes) { extras.append("[\(app)]") }
        if let expires = message.time(.expiresAt) { extras.append("\(trusted: "(disappears \(when(expires)))", .dim)") }
        return extras
    }
}

/// Shows conversations one after the other: transcripts, or JSON lines.
final class TranscriptPresenter {
    private let options: SelectionOptions
    private let showsEmpty: Bool
    private let names: ContactNames
    private let context: Context
    private var isFirst = true

    /// `showsEmpty`: a conversation without a chosen message is named all the same.
    init(options: SelectionOptions, showsEmpty: Bool, names: ContactNames = ContactNames(), context: Context) {
        self.options = options
        self.showsEmpty = showsEmpty
        self.names = names
        self.context = context
    }

    /// `follows`: something else was shown before the first conversation.
    func present(_ all: [StoredMessage], in conversation: ConversationID, isStrict: Bool, follows: Bool = false) {
        let chosen = options.choose(all, in: conversation)
        let output = context.console.output
        if context.console.options.json {
            var lines = MessageLines()
            for message in chosen {
                lines.append(message, in: conversation, isStrict: isStrict)
                output.write(json: lines.takeOutput())
            }
            return
        }
        guard !chosen.isEmpty || showsEmpty else { return }
        if !isFirst || follows { output.line() }
        isFirst = false
        let transcript = Transcript(conversation, all: all, zone: context.zone, names: names)
        transcript.writeHeading(messages: chosen.count, of: all.count, to: output)
        for message in chosen { transcript.write(message, to: output) }
    }
}
