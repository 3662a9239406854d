import History
import SophaxFiles

/// What an export format has to know before it can write its first message; each costs a pass over the source.
package struct ExportNeeds: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// The names of people, and how many messages each conversation has: `ExportOverview.conversations`.
    package static let overview = ExportNeeds(rawValue: 1)
    /// Where the messages are that others reply to: `ExportOverview.places`.
    package static let places = ExportNeeds(rawValue: 2)
    /// The message that each one replies to, `ExportMessage.replied`; costs no pass.
    package static let replied = ExportNeeds(rawValue: 4)
    /// The format writes a list of people: where messages are chosen, it gets those that occur in them, and behind them; for
    /// whoever gets a part of a history need not learn who else is in it. Costs no pass.
    package static let listsPeople = ExportNeeds(rawValue: 8)
}

/// Writes messages in one format. `HistoryExportRun` reads the source and calls it, always in this order and on one thread:
/// `begin`, then for every conversation that has a chosen message `begin(conversation:)`, `write` once or more, and
/// `end(conversation:)`; at last `finish`.
///
/// A store may have one conversation in two files, so the same conversation may begin a second time. A writer of one file
/// implements `MessageFormat` instead, and is run on a thread of its own.
package protocol HistoryWriter: AnyObject {
    var needs: ExportNeeds { get }

    /// All that is known before the first message. Attachments are files in the export's folder by now.
    func begin(_ overview: ExportOverview) throws(ExportError)
    /// Names of people, as the source has them; once, where it has any: before the first conversation, or before `finish`
    /// (see `ExportNeeds.listsPeople`).
    func take(_ people: PeerNames) throws(ExportError)
    func begin(conversation: ConversationID) throws(ExportError)
    /// Some chosen messages of the conversation that was begun, at most about 2,000 of an archive; all of a conversation's
    /// messages come in one piece from a store or a bundle.
    func write(_ part: ExportPart) throws(ExportError)
    func end(conversation: ConversationID) throws(ExportError)
    /// What an archive remembers of messages that were removed from it, between conversations. No format for people shows it.
    func take(_ removed: [RemovedMessage]) throws(ExportError)
    /// Everything was written. The folder, if there is one, gets its name after this.
    func finish(_ totals: ExportTotals) throws(ExportError)
}

extension HistoryWriter {
    package func take(_ people: PeerNames) throws(ExportError) {}
    package func take(_ removed: [RemovedMessage]) throws(ExportError) {}
}

/// What is known of an export before its first message.
package struct ExportOverview: Sendable {
    /// Kind, owner and path of the source.
    package let origin: HistoryOrigin
    /// Complete only with `ExportNeeds.overview`; otherwise `ExportPart.names` has them.
    package let names: PeerNames
    /// Conversations with at least one chosen message, in the order in which they come; empty without `ExportNeeds.overview`.
    package let conversations: [ConversationSummary]
    /// Files that were written for attachments, and what became of the others.
    package let attachments: ExportedAttachments
    /// Empty without `ExportNeeds.places`.
    package let places: ReplyPlaces
}

/// A conversation of an export as it is known beforehand.
package struct ConversationSummary: Hashable, Sendable {
    package let id: ConversationID
    /// Chosen messages.
    package internal(set) var messages: Int
    /// Unix seconds of the first and the last chosen message with a plausible date.
    package internal(set) var times: ClosedRange<Double>?
}

/// What was written.
package struct ExportTotals: Hashable, Sendable {
    package internal(set) var conversations = 0
    /// Messages that came from the source.
    package internal(set) var read = 0
    /// Messages that the selection took.
    package internal(set) var written = 0
    /// Tombstones: what is no message.
    package internal(set) var otherLines = 0
}

/// Some chosen messages of one conversation.
package struct ExportPart: Sendable {
    /// Messages of a conversation that is here as a whole: those of the source, and the chosen ones.
    package struct Whole: Hashable, Sendable {
        package let read: Int
        package let chosen: Int
    }

    package let conversation: ConversationID
    /// In the order in which they are to be written.
    package let messages: [ExportMessage]
    /// How many chosen messages of the conversation came before these.
    package let start: Int
    /// Nothing came before.
    package let beginsExport: Bool
    /// Nothing of the conversation came since it was begun.
    package let beginsConversation: Bool
    /// Each of them is strict JSON in its source.
    package let isStrict: Bool
    /// Nil where an archive gives the conversation in several parts.
    package let whole: Whole?
    /// Names of people, by peer id.
    package let names: PeerNames
    package let attachments: ExportedAttachments

    func slice(_ range: Range<Int>) -> ExportPart {
        if range == messages.indices { return self }
        return ExportPart(
            conversation: conversation, messages: Array(messages[range]), start: start + range.lowerBound,
            beginsExport: beginsExport && range.lowerBound == 0,
            beginsConversation: beginsConversation && range.lowerBound == 0, isStrict: isStrict, whole: whole,
            names: names, attachments: attachments)
    }

    /// The name of the other side: of a person whom somebody has named, else nil.
    package var title: [UInt8]? {
        conversation.kind == .direct ? names.name(of: conversation.text.bytes) : nil
    }
}

/// A chosen message, and what belongs to it.
package struct ExportMessage: Sendable {
    /// The view on its own JSON, exactly as an app wrote it. All text in it is the sender's and may be hostile.
    package let message: StoredMessage
    /// The message that it replies to, where the source has it and the writer asked for it (`ExportNeeds.replied`). It need
    /// not be chosen itself.
    package var replied: StoredMessage?
    /// What it was before, oldest first: only an archive knows.
    package var earlier: [StoredMessage] = []
    /// All its further sources, those in `earlier` too, in the order in which they came: only an archive knows.
    package var others: [StoredMessage] = []
    /// Another message of the conversation has the same id: only an archive knows.
    package var isConflicting = false

    package init(_ message: StoredMessage) {
        self.message = message
    }
}

/// Where in its conversation a message that others reply to is written.
///
/// Ids are kept as 64-bit hashes, so that it is small for millions of messages.
package struct ReplyPlaces: Sendable {
    /// Hash of conversation and id → how many chosen messages of the conversation come before it.
    var places: [Int: Int32] = [:]

    package init() {}

    /// How many chosen messages of the conversation come before the one with this id; nil when nothing chosen has it, or
    /// nothing replies to it. Of several with one id it is the first.
    package func place(of id: ByteText, in conversation: ConversationID) -> Int? {
        places[Self.key(id, conversation)].map { Int($0) }
    }

    static func key(_ id: ByteText, _ conversation: ConversationID) -> Int {
        var hasher = Hasher()
        hasher.combine(conversation)
        hasher.combine(id)
        return hasher.finalize()
    }
}
