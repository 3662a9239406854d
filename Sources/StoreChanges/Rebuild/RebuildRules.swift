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

/// What was done to the messages of some files. `read` = `written` + `copies` + `united` + those in `aside` that are not
/// in the list as well.
package struct RebuildCounts: Equatable, Sendable {
    package var read = 0
    package var written = 0
    /// Messages that stood twice with the same content.
    package var copies = 0
    /// Messages that stood twice, at two times of their life: what both know is in one.
    package var united = 0
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

    package var addsUp: Bool { read == written + copies + united + refused }

    package mutating func add(_ other: RebuildCounts) {
        read += other.read
        written += other.written
        copies += other.copies
        united += other.united
        refused += other.refused
        fragments += other.fragments
        changed += other.changed
        changes.merge(other.changes, uniquingKeysWith: +)
    }
}
