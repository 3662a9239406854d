import CryptoPrimitives
import History
import SophaxFiles

/// A hash of every message of an export, by which an update proves that each of them is still there (sxkey-formats(5)).
///
/// Eight bytes a message: of a million messages a foreign one passes for a lost one once in 18 million million cases.
struct MessageHashes: Sendable {
    private static let length = 8

    private var byConversation: [ConversationID: [UInt64]] = [:]

    mutating func add(_ message: StoredMessage, in conversation: ConversationID) {
        byConversation[conversation, default: []].append(Self.hash(of: message))
    }

    /// Of the id; of the source JSON where a message has none.
    private static func hash(of message: StoredMessage) -> UInt64 {
        let text = message.id?.bytes ?? message.sourceJSON
        return SHA256.hash(text.span).prefix(length).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The hashes of a conversation in ascending order, each with its highest byte first, in Base64.
    func text(of conversation: ConversationID) -> String {
        var bytes: [UInt8] = []
        for hash in byConversation[conversation, default: []].sorted() {
            for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: hash >> shift)) }
        }
        return Base64.encode(bytes.span)
    }

    /// Adds what `text(of:)` gave; false for anything else, and for another number of messages.
    mutating func add(text: [UInt8], messages: Int, of conversation: ConversationID) -> Bool {
        guard let bytes = Base64.decode(text.span), bytes.count % Self.length == 0,
            bytes.count / Self.length == messages
        else { return false }
        var last: UInt64 = 0
        for start in stride(from: 0, to: bytes.count, by: Self.length) {
            let hash = bytes[start..<start + Self.length].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            guard hash >= last else { return false }
            byConversation[conversation, default: []].append(hash)
            last = hash
        }
        return true
    }

    /// How many messages of `earlier` are not here, and the first conversation that has one of them; nil for none.
    func lost(since earlier: MessageHashes) -> (messages: Int, first: ConversationID)? {
        var lost: (messages: Int, first: ConversationID)?
        for (conversation, then) in earlier.byConversation.sorted(by: { $0.key < $1.key }) {
            let count = Self.missing(then.sorted(), in: byConversation[conversation, default: []].sorted())
            if count > 0 { lost = ((lost?.messages ?? 0) + count, lost?.first ?? conversation) }
        }
        return lost
    }

    /// How many of `some` are not in `all`, each as often as it stands there; both ascending.
    private static func missing(_ some: [UInt64], in all: [UInt64]) -> Int {
        var (missing, place) = (0, 0)
        for hash in some {
            while place < all.count, all[place] < hash { place += 1 }
            if place < all.count, all[place] == hash { place += 1 } else { missing += 1 }
        }
        return missing
    }
}

/// Hands everything on to a writer, and hashes the messages on their way.
final class HashingWriter: HistoryWriter {
    private(set) var hashes = MessageHashes()
    private let writer: any HistoryWriter

    init(_ writer: any HistoryWriter) {
        self.writer = writer
    }

    var needs: ExportNeeds { writer.needs }

    func begin(_ overview: ExportOverview) throws(ExportError) { try writer.begin(overview) }
    func take(_ people: PeerNames) throws(ExportError) { try writer.take(people) }
    func take(_ removed: [RemovedMessage]) throws(ExportError) { try writer.take(removed) }
    func begin(conversation: ConversationID) throws(ExportError) { try writer.begin(conversation: conversation) }

    func write(_ part: ExportPart) throws(ExportError) {
        for entry in part.messages { hashes.add(entry.message, in: part.conversation) }
        try writer.write(part)
    }

    func end(conversation: ConversationID) throws(ExportError) { try writer.end(conversation: conversation) }
    func finish(_ totals: ExportTotals) throws(ExportError) { try writer.finish(totals) }
}
