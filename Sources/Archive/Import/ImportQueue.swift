import History
import SophaxFiles
import Synchronization
import SystemIO

/// Something that the thread that reads hands to the one that writes.
enum ImportItem: Sendable {
    case people(PeerNames)
    case batch(ImportBatch)
    case removed([RemovedMessage])
    case beginAttachment(ByteText, size: Int)
    case attachment([UInt8])
    /// SHA-256 of all its bytes.
    case endAttachment([UInt8])
    case loss(HistoryLoss)
    case end(HistoryError?)
}

/// Some messages of one conversation with what is derived from them.
struct ImportBatch: Sendable {
    struct Row: Sendable {
        let message: StoredMessage
        let columns: MessageColumns
        /// SHA-256 of the source JSON.
        let sha256: [UInt8]
        let isStrict: Bool
        /// A message of the source, and not only a further version of one.
        let isCounted: Bool
    }

    let conversation: ConversationID
    let rows: [Row]
    let item: ByteText
    let fileDigest: [UInt8]?
    /// No further messages of this conversation follow.
    let endsConversation: Bool
}

/// Items in flight between two threads, a few at a time.
final class ImportQueue: Sendable {
    private static let capacity = 32

    private let ring = PieceRing(pieces: capacity)
    private let items = Mutex([ImportItem?](repeating: nil, count: capacity))

    /// Waits for room; false when the other side wants no more.
    func put(_ item: consuming ImportItem) -> Bool {
        guard let place = ring.takeEmpty() else { return false }
        let item = item
        items.withLock { $0[place] = item }
        ring.give(full: place, count: 0)
        return true
    }

    /// Waits for the next item; nil after `stop`.
    func take() -> ImportItem? {
        guard let piece = ring.takeFull() else { return nil }
        let item = items.withLock { items in
            let item = items[piece.number]
            items[piece.number] = nil
            return item
        }
        ring.give(empty: piece.number)
        return item
    }

    func stop() { ring.stop() }
}
