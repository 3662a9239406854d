import CommandKit
import History
import HistoryExport
import SophaxFiles
import SystemIO

/// The options that choose messages, the same for every command that shows, searches or exports some.
struct SelectionOptions: Sendable {
    static let specifications: [OptionSpecification] = [
        .value("since", "DATE", .date, "only messages from then on: 2026, 2026-05, 2026-05-01 or 2026-05-01T18:30"),
        .value("until", "DATE", .date, "only messages up to then, the named year, month, day or minute included"),
        .value(
            "from", "PEER", .text,
            "only messages of this peer id, its beginning, or a contact's name; \"me\" for your own"),
        .flag("sent", "only messages that were sent from here"),
        .flag("received", "only messages that were received"),
        .flag("has-attachment", "only messages with an attachment"),
        .flag("edited", "only messages whose text was changed after they were sent"),
        .flag("no-expiring", "leave out messages that were to disappear"),
        .value("grep", "TEXT", .text, "only messages whose text holds this, whatever the case"),
        .value("limit", "N", .number(1...Int.max), "at most the N newest messages of each conversation"),
        .flag("newest-first", "newest message first (default: oldest first)"),
    ]

    /// Conversations may be named where they are no operand.
    static let conversations = OptionSpecification.value(
        "with", "CONVERSATION", .text,
        "only this conversation: its id, the beginning of that, or a contact's name; may be given several times",
        isRepeatable: true)

    /// The person of `--from` is not a name here yet; see `named(_:)`.
    let selection: MessageSelection
    let direction: MessageFilter.Direction?
    let hasAttachment: Bool
    let isEdited: Bool
    let noExpiring: Bool
    let limit: Int?
    let newestFirst: Bool
    /// The words of `--with`.
    let conversations: [[UInt8]]
    private let from: [UInt8]?

    init(_ arguments: ParsedArguments, zone: LocalZone = LocalZone()) throws(UsageError) {
        from = arguments.value("from")
        let sender: MessageSelection.Sender? = from.map { name in
            name == Array("me".utf8) ? .me : .peer(ByteText(name))
        }
        var selection = MessageSelection(
            since: try arguments.date("since", zone: zone)?.start, until: try arguments.date("until", zone: zone)?.end,
            from: sender)
        if let since = selection.since, let until = selection.until, since >= until {
            throw .other("--since is later than --until")
        }
        func has(_ name: String) -> Bool { arguments.specification.options.contains { $0.name == name } }
        if has("grep"), let text = arguments.value("grep"), !selection.grep(text) {
            throw .other("--grep is not UTF-8")
        }
        self.selection = selection
        if arguments.flag("sent"), arguments.flag("received") { throw .conflict("sent", "received") }
        direction = arguments.flag("sent") ? .sent : arguments.flag("received") ? .received : nil
        hasAttachment = arguments.flag("has-attachment")
        isEdited = arguments.flag("edited")
        noExpiring = arguments.flag("no-expiring")
        limit = has("limit") ? arguments.number("limit") : nil
        newestFirst = has("newest-first") && arguments.flag("newest-first")
        conversations = has("with") ? arguments.values("with") : []
    }

    /// Whether an option chooses messages by what they are.
    var isChoosing: Bool {
        from != nil || direction != nil || hasAttachment || isEdited || noExpiring || !conversations.isEmpty
            || selection.since != nil || selection.until != nil || selection.needle != nil
    }

    /// What is chosen, of all conversations. `names` are of the people that `--from` may call by name.
    func filter(names: PeerNames = PeerNames()) throws(CommandError) -> MessageFilter {
        var messages = selection
        if let from, messages.from != .me, let person = try names.person(named: from) { messages.from = .peer(person) }
        return MessageFilter(
            messages, direction: direction, hasAttachment: hasAttachment, isEdited: isEdited, noExpiring: noExpiring)
    }

    /// `--from` may be a name.
    var namesSender: Bool { from != nil && selection.from != .me }

    /// The chosen messages in the wanted order.
    func choose(_ messages: [StoredMessage], in conversation: ConversationID) -> [StoredMessage] {
        let filter = MessageFilter(
            selection, direction: direction, hasAttachment: hasAttachment, isEdited: isEdited, noExpiring: noExpiring)
        var chosen = messages.filter { filter.takes($0, in: conversation) }
        if let limit, chosen.count > limit { chosen.removeFirst(chosen.count - limit) }
        return newestFirst ? chosen.reversed() : chosen
    }

    /// As `export.json` keeps it: the same words give the same text.
    func description(conversation: [UInt8]?) -> [UInt8] {
        func words(_ name: String, _ value: [UInt8]?) -> [[UInt8]] {
            value.map { [Array("--\(name) ".utf8) + $0] } ?? []
        }
        func number(_ name: String, _ value: Double?) -> [[UInt8]] {
            value.map { [Array("--\(name) \($0)".utf8)] } ?? []
        }
        var parts = words("with", conversation) + conversations.flatMap { words("with", $0) }
        parts += number("since", selection.since) + number("until", selection.until) + words("from", from)
        let flags = [
            ("sent", direction == .sent), ("received", direction == .received), ("has-attachment", hasAttachment),
            ("edited", isEdited), ("no-expiring", noExpiring), ("newest-first", newestFirst),
        ]
        parts += flags.filter(\.1).map { Array("--\($0.0)".utf8) }
        parts += words("grep", selection.needle) + (limit.map { [Array("--limit \($0)".utf8)] } ?? [])
        return Array(parts.joined(separator: [0x20]))
    }
}
