import CryptoPrimitives

/// Which messages a command shows or exports.
package struct MessageSelection: Sendable {
    /// Seconds since 1970; messages without a date that a double holds are left out when either is set.
    package var since: Double?
    /// Not included.
    package var until: Double?
    /// `me`, or a peer id, of which the beginning is enough.
    package var from: Sender?
    /// Case-folded UTF-8 that the body holds somewhere.
    private var needle: [UInt8]?

    /// Who wrote a message.
    package enum Sender: Equatable, Sendable {
        case me
        case peer(ByteText)
    }

    package init(since: Double? = nil, until: Double? = nil, from: Sender? = nil) {
        self.since = since
        self.until = until
        self.from = from
    }

    /// Looks for `text` in bodies whatever the case and the Unicode normal form; nil when it is not UTF-8.
    package mutating func grep(_ text: [UInt8]) -> Bool {
        guard let folded = UnicodeText.searchForm(text) else { return false }
        needle = folded
        return true
    }

    package func takes(_ message: StoredMessage, in conversation: ConversationID) -> Bool {
        if since != nil || until != nil {
            guard let time = message.time?.unixSeconds, time.isFinite else { return false }
            if let since, time < since { return false }
            if let until, time >= until { return false }
        }
        switch from {
        case .me: if !message.isSent { return false }
        case .peer(let peer):
            if message.isSent { return false }
            let sender = message.text(.senderID)?.bytes ?? conversation.text.bytes
            if !sender.starts(with: peer.bytes) { return false }
        case nil: break
        }
        if let needle {
            guard let body = message.body, let folded = UnicodeText.searchForm(body.bytes) else { return false }
            return folded.contains(needle)
        }
        return true
    }
}

/// Text as a search compares it.
enum UnicodeText {
    /// Case-folded and composed; nil for bytes that are not UTF-8.
    static func searchForm(_ text: [UInt8]) -> [UInt8]? {
        if text.allSatisfy({ $0 < 0x80 }) {
            return text.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
        }
        return try? UnicodeForm.caseFolded.normalized(text.span)
    }
}
