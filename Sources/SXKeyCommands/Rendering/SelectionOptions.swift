import CommandKit
import SophaxFiles
import SystemIO

/// The options that choose messages, the same for every command that shows or exports some.
struct SelectionOptions: Sendable {
    static let specifications: [OptionSpecification] = [
        .value("since", "DATE", .date, "only messages from then on: 2026, 2026-05, 2026-05-01 or 2026-05-01T18:30"),
        .value("until", "DATE", .date, "only messages up to then, the named year, month, day or minute included"),
        .value("from", "PEER", .text, "only messages of this peer id, or its beginning; \"me\" for your own"),
        .value("grep", "TEXT", .text, "only messages whose text holds this, whatever the case"),
        .value("limit", "N", .number(1...Int.max), "at most the N newest messages of each conversation"),
        .flag("newest-first", "newest message first (default: oldest first)"),
    ]

    let selection: MessageSelection
    let limit: Int?
    let newestFirst: Bool

    init(_ arguments: ParsedArguments, zone: LocalZone = LocalZone()) throws(UsageError) {
        let from: MessageSelection.Sender? = arguments.value("from").map { name in
            name == Array("me".utf8) ? .me : .peer(ByteText(name))
        }
        var selection = MessageSelection(
            since: try arguments.date("since", zone: zone)?.start, until: try arguments.date("until", zone: zone)?.end,
            from: from)
        if let since = selection.since, let until = selection.until, since >= until {
            throw .other("--since is later than --until")
        }
        if let text = arguments.value("grep"), !selection.grep(text) {
            throw .other("--grep is not UTF-8")
        }
        self.selection = selection
        limit = arguments.number("limit")
        newestFirst = arguments.flag("newest-first")
    }

    /// The chosen messages in the wanted order.
    func choose(_ messages: [StoredMessage], in conversation: ConversationID) -> [StoredMessage] {
        var chosen = messages.filter { selection.takes($0, in: conversation) }
        if let limit, chosen.count > limit { chosen.removeFirst(chosen.count - limit) }
        return newestFirst ? chosen.reversed() : chosen
    }
}
