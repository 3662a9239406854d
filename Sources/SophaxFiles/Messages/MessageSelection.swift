import CryptoPrimitives

/// Which messages a command shows or exports.
package struct MessageSelection: Sendable {
    /// Seconds since 1970; messages without a date that a double holds are left out when either is set.
    package var since: Double?
    /// Not included.
    package var until: Double?
    /// `me`, or a peer id, of which the beginning is enough.
    package var from: Sender?
    /// Case-folded UTF-8 that the body holds somewhere, as `UnicodeText.searchForm` makes it.
    package private(set) var needle: [UInt8]?

    /// Who wrote a message.
    package enum Sender: Equatable, Sendable {
        case me
        /// A peer id in any of its lengths, or its beginning.
        case peer(ByteText)

        /// Whether a peer id is this one: one of both is the beginning of the other, and an id has 16 digits at least.
        package func isPeer(_ id: [UInt8]) -> Bool {
            guard case .peer(let peer) = self else { return false }
            return id.starts(with: peer.bytes) || (id.count >= 16 && peer.bytes.starts(with: id))
        }
    }

    package init(since: Double? = nil, until: Double? = nil, from: Sender? = nil) {
        self.since = since
        self.until = until
        self.from = from
    }

    package var takesAll: Bool { since == nil && until == nil && from == nil && needle == nil }

    /// Looks for `text` in bodies whatever the case and the Unicode normal form; nil when it is not UTF-8.
    package mutating func grep(_ text: [UInt8]) -> Bool {
        guard let folded = UnicodeText.searchForm(text) else { return false }
        needle = folded
        return true
    }

    /// Text as names and bodies are compared: case-folded and composed; nil for bytes that are not UTF-8.
    package static func folded(_ text: [UInt8]) -> [UInt8]? { UnicodeText.searchForm(text) }

    package func takes(_ message: StoredMessage, in conversation: ConversationID) -> Bool {
        if since != nil || until != nil {
            guard let time = message.time?.unixSeconds, time.isFinite else { return false }
            if let since, time < since { return false }
            if let until, time >= until { return false }
        }
        switch from {
        case .me: if !message.isSent { return false }
        case .some(let peer):
            if message.isSent { return false }
            if !peer.isPeer(message.text(.senderID)?.bytes ?? conversation.text.bytes) { return false }
        case nil: break
        }
        return needle.map { holds($0, message) } ?? true
    }

    private func holds(_ needle: [UInt8], _ message: StoredMessage) -> Bool {
        if message.isPlain(.body) {
            // Most bodies are ASCII: no copy is made of them.
            let found = message.withSource(.body) { UnicodeText.findASCII(needle, in: $0) }
            if let found { return found }
        }
        guard let body = message.body, let folded = UnicodeText.searchForm(body.bytes) else { return false }
        return UnicodeText.findASCII(needle, in: folded.span, lowercasing: false) ?? false
    }
}

/// Text as a search compares it.
enum UnicodeText {
    /// Whether `text` holds `needle`, which is case-folded. With `lowercasing`, upper-case ASCII letters count as lower-case
    /// ones, and nil says that there is more than ASCII in the text.
    static func findASCII(_ needle: [UInt8], in text: Span<UInt8>, lowercasing: Bool = true) -> Bool? {
        func folded(_ byte: UInt8) -> UInt8 {
            lowercasing && byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
        }
        if lowercasing {
            for index in text.indices where text[index] >= 0x80 { return nil }
        }
        guard let first = needle.first else { return true }
        guard text.count >= needle.count else { return false }
        for start in 0...text.count - needle.count where folded(text[start]) == first {
            var index = 1
            while index < needle.count, folded(text[start + index]) == needle[index] { index += 1 }
            if index == needle.count { return true }
        }
        return false
    }

    /// Case-folded and composed; nil for bytes that are not UTF-8.
    static func searchForm(_ text: [UInt8]) -> [UInt8]? {
        if text.allSatisfy({ $0 < 0x80 }) {
            return text.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
        }
        return try? UnicodeForm.caseFolded.normalized(text.span)
    }
}
