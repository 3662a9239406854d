import Archive
import CommandKit
import History
import SophaxFiles
import SystemIO

/// `sxkey archive show`
struct ArchiveShow: Command {
    static let specification = CommandSpecification(
        noun: "archive", verb: "show",
        summary: "show messages of the archive as a readable transcript",
        discussion: [
            "Shows one conversation, or all of them one after the other, in the order of time, with replies, reactions, edits and "
                + "attachments. Times are local. A conversation is named by its id or the beginning of it, by the name of the person, or "
                + "as \"notes\".",
            "--id shows one message. With --source that is each version of it as it stood in a source, byte for byte, and which file "
                + "of which import gave it.",
        ],
        operands: [
            OperandSpecification(
                "CONVERSATION", .text, .optional, "the id of a conversation, its beginning, or the name of a person")
        ],
        options: [
            .value("id", "ID", .text, "the message with this id"),
            .flag("source", "with --id: the exact source JSON of every version, and where it came from"),
        ] + SelectionOptions.specifications + ArchiveOptions.specifications,
        examples: [
            Example("sxkey archive show Bob --archive-key-file archive.key", "read a conversation"),
            Example(
                "sxkey archive show --since 2026-03 --from me --limit 5 --newest-first --archive-key-file archive.key",
                "the last you wrote in each conversation"),
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.someDamaged, "some messages could not be read; the rest is shown"),
            StatusNote(.unreadable), StatusNote(.wrongSecret), StatusNote(.newerVersion), StatusNote(.locked),
            StatusNote(.notFound, "no archive, or no such conversation or message"),
        ]
    )

    private let options: ArchiveOptions
    private let word: [UInt8]?
    private let id: [UInt8]?
    private let showsSource: Bool
    private let selection: SelectionOptions

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ArchiveOptions(arguments)
        word = arguments.operand("CONVERSATION")
        id = arguments.value("id")
        showsSource = arguments.flag("source")
        selection = try SelectionOptions(arguments)
        if showsSource, id == nil { throw .other("--source needs --id: it shows where one message came from") }
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let opened = try context.openArchive(options, .readOnly)
        let wanted = try word.map { (word) throws(CommandError) in try opened.conversation(named: word) }
        if let id { return try show(id, in: wanted, opened, context) }
        let sink = TranscriptSink(selection, showsEmpty: wanted != nil, context)
        let request = HistoryRequest(conversations: { wanted == nil || $0 == wanted?.id })
        let history = try opened.history()
        do throws(HistoryError) {
            try history.send(request, to: sink)
        } catch {
            throw .history(error, opened.path)
        }
        guard sink.lost > 0 else { return .success }
        context.console.note(
            "sxkey: \(count: sink.lost, "message") could not be read; \"sxkey archive verify --full\" looks at everything"
        )
        return .someDamaged
    }

    private func show(
        _ id: [UInt8], in conversation: ArchivedConversation?, _ opened: OpenedArchive, _ context: Context
    ) throws(CommandError) -> ExitStatus {
        let all = try opened.doing { (archive) throws(ArchiveError) in try archive.messages(withID: ByteText(id)) }
        let found = all.filter { conversation == nil || $0.conversation == conversation?.id }
        guard !found.isEmpty else { throw .noMessage(id) }
        if showsSource {
            context.console.present(MessageSources(messages: found, zone: context.zone))
            return .success
        }
        let names = ContactNames(known: try opened.names().known)
        for message in found {
            guard let shown = message.message else { continue }
            let presenter = TranscriptPresenter(
                options: selection, showsEmpty: true, names: names, context: context)
            presenter.present([shown], in: message.conversation, isStrict: message.sources[0].isStrict)
        }
        return found.allSatisfy { $0.message != nil } ? .success : .someDamaged
    }
}

extension OpenedArchive {
    /// The names that the archive has for people.
    func names() throws(CommandError) -> PeerNames {
        try doing { (archive) throws(ArchiveError) in try archive.directory().names }
    }
}

/// Shows each conversation when it is whole: which messages are the newest is only known then.
private final class TranscriptSink: HistorySink {
    private let selection: SelectionOptions
    private let showsEmpty: Bool
    private let context: Context
    private var presenter: TranscriptPresenter
    private var messages: [StoredMessage] = []
    private var isStrict = true
    private(set) var lost = 0

    init(_ selection: SelectionOptions, showsEmpty: Bool, _ context: Context) {
        self.selection = selection
        self.showsEmpty = showsEmpty
        self.context = context
        presenter = TranscriptPresenter(options: selection, showsEmpty: showsEmpty, context: context)
    }

    func take(_ people: PeerNames) throws(HistoryError) {
        presenter = TranscriptPresenter(
            options: selection, showsEmpty: showsEmpty, names: ContactNames(known: people.known), context: context)
    }

    func take(_ part: HistoryPart) throws(HistoryError) {
        messages += part.messages
        isStrict = isStrict && part.isStrict
        guard part.isLast else { return }
        presenter.present(messages, in: part.conversation, isStrict: isStrict)
        messages.removeAll()
        isStrict = true
    }

    func take(_ removed: [RemovedMessage]) throws(HistoryError) {}
    func begin(attachment id: ByteText, size: Int) throws(HistoryError) -> Bool { false }
    func take(attachment bytes: Span<UInt8>) throws(HistoryError) {}
    func endAttachment() throws(HistoryError) {}

    func take(_ loss: HistoryLoss) throws(HistoryError) {
        if case .messages(let number) = loss.reason { lost += number }
    }
}

/// Every version of a message, and where each came from.
private struct MessageSources: Report {
    let messages: [ArchivedMessage]
    let zone: LocalZone

    func writeText(to stream: TextStream) {
        for (place, message) in messages.enumerated() {
            if place > 0 { stream.line() }
            let conflict: TerminalText = message.isConflicting ? "   another message has the same id" : ""
            stream.line("\(message.conversation.text.bytes)\(conflict)")
            for (number, source) in message.sources.enumerated() {
                let record = source.importRecord
                let item: TerminalText = source.item.bytes.isEmpty ? "" : " · \(source.item.bytes)"
                let shown = number == 0 ? "shown" : "kept "
                stream.line(
                    "  \(trusted: shown, .bold)  \(trusted: record.kind) \(record.path)\(item), imported \(trusted: zone.minute(milliseconds: record.begunAt))"
                )
                if let digest = source.itemSHA256 ?? record.sha256 {
                    stream.line("         SHA-256 of the file \(trusted: LowercaseHex.text(digest))")
                }
                stream.line("         \(source.json)")
            }
        }
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("messages") { json in
                json.array(messages) { json, message in
                    json.object { json in
                        json.member("conversation", message.conversation.text.bytes)
                        json.member("conflicting", message.isConflicting)
                        json.member("sources") { json in
                            json.array(message.sources) { json, source in source.writeJSON(to: &json) }
                        }
                    }
                }
            }
        }
    }
}

extension ArchivedSource {
    fileprivate func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("json", self.json)
            json.member("strict", isStrict)
            json.member("platform", platform == .android ? "android" : "ios")
            json.member("sha256", LowercaseHex.text(sha256))
            json.member("item", item.bytes)
            json.member("itemSHA256", itemSHA256.map(LowercaseHex.text))
            json.member("import") { json in importRecord.writeJSON(to: &json) }
        }
    }
}
