import SophaxFiles

/// What a verb wants of the lists that it writes.
package struct RebuildRules: Sendable {
    /// Every message as the newest iOS app reads it. False: only what is not strict JSON is rewritten.
    package var forNewestApp: Bool
    /// All peer ids in one length; nil leaves them.
    package var peerIDs: PeerIDForm?

    package init(forNewestApp: Bool, peerIDs: PeerIDForm? = nil) {
        self.forNewestApp = forNewestApp
        self.peerIDs = peerIDs
    }

    var rewriter: MessageRewriter { MessageRewriter(for: .ios, peerIDs: peerIDs) }
}

/// What was done to the messages of some files. `read` = `written` + `copies` + `superseded` + those in `aside` that are not
/// in the list as well.
package struct RebuildCounts: Equatable, Sendable {
    package var read = 0
    package var written = 0
    /// Messages that stood twice with the same content.
    package var copies = 0
    /// Older states of messages that are there in a newer one.
    package var superseded = 0
    /// Messages that are in no list any more, but aside.
    package var refused = 0
    /// Pieces of text that were no message.
    package var fragments = 0
    /// Messages that were changed, by what was changed.
    package var changes: [MessageChange.Kind: Int] = [:]
    /// Messages that are not as they stood before.
    package var changed = 0

    package init() {}

    /// Nothing was changed, and nothing left out.
    var saysAllAsBefore: Bool { changed == 0 && read == written && fragments == 0 }

    package var addsUp: Bool { read == written + copies + superseded + refused }

    package mutating func add(_ other: RebuildCounts) {
        read += other.read
        written += other.written
        copies += other.copies
        superseded += other.superseded
        refused += other.refused
        fragments += other.fragments
        changed += other.changed
        changes.merge(other.changes, uniquingKeysWith: +)
    }
}

/// Two messages with one id in one conversation.
enum MessagePair {
    /// They say the same.
    case same
    /// One is a later state of the other: the first, or the second.
    case laterFirst, laterSecond
    /// Neither is a state of the other.
    case conflicting

    /// Design section 8: *changed* differs only in status, receipts, reactions, edit, expiry or missing fields.
    init(_ first: StoredMessage, _ second: StoredMessage, peerIDs: PeerIDForm?) {
        if CanonicalMessage(first, peerIDs: peerIDs) == CanonicalMessage(second, peerIDs: peerIDs) {
            self = .same
            return
        }
        let edits = (first.number(.editedAt), second.number(.editedAt))
        let isEdit = edits.0 != edits.1
        for field in StoredMessage.Field.allCases where !Self.mayDiffer.contains(field) {
            guard first.has(field), second.has(field), !(field == .body && isEdit) else { continue }
            // Peer ids may be in two lengths.
            if [.peerID, .senderID].contains(field), peerIDs != nil { continue }
            guard Self.value(first, field) == Self.value(second, field) else {
                self = .conflicting
                return
            }
        }
        if isEdit {
            self = (edits.0 ?? -.infinity) > (edits.1 ?? -.infinity) ? .laterFirst : .laterSecond
        } else {
            self = Self.progress(first) > Self.progress(second) ? .laterFirst : .laterSecond
        }
    }

    private static let mayDiffer: Set<StoredMessage.Field> = [
        .status, .deliveredBy, .readBy, .reactions, .isEdited, .editedAt, .expiresAt, .receivedAt, .hopCount,
    ]

    private static func value(_ message: StoredMessage, _ field: StoredMessage.Field) -> [UInt8] {
        if let number = message.number(field) { return Array("\(number)".utf8) }
        return message.text(field)?.bytes ?? message.source(field)
    }

    /// How far a message has come: what the app only ever adds to.
    private static func progress(_ message: StoredMessage) -> Int {
        let states = ["sending", "failed", "delivered", "read"]
        let status = message.status.flatMap { states.firstIndex(of: $0.string) } ?? 0
        return status * 1_000_000 + message.list(.readBy).count * 1_000 + message.list(.deliveredBy).count * 10
            + message.reactions.count
    }
}
