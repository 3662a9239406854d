import JSONCoding
@testable import SophaxFiles

/// Messages read from texts, as a store's file or an export would give them.
enum MessageSources {
    /// The messages of a list, and whether it is strict JSON.
    static func read(
        _ list: [UInt8], platform: MessagePlatform = .ios
    ) throws -> (messages: [StoredMessage], isStrict: Bool) {
        let buffer = try PlaintextBuffer(copying: list)
        var scanner = try MessageScanner()
        var sink = MessageList(buffer, at: 0, platform: platform)
        let outcome = try scanner.scan(buffer, 0..<buffer.count, into: &sink)
        return (sink.messages, outcome == .strict)
    }

    static func read(_ list: String, platform: MessagePlatform = .ios) throws -> [StoredMessage] {
        try read(Array(list.utf8), platform: platform).messages
    }

    static func canonical(_ json: String, platform: MessagePlatform = .ios, peerIDs: PeerIDForm? = nil) -> String {
        let form = CanonicalMessage(source: Array(json.utf8), platform: platform, peerIDs: peerIDs)
        return String(decoding: form.bytes, as: UTF8.self)
    }

    /// What the rewriter makes of a message.
    static func rewrite(
        _ json: [UInt8], platform: MessagePlatform = .ios, peerIDs: PeerIDForm? = nil,
        in conversation: ConversationID? = nil
    ) throws -> RewrittenMessage {
        let list = try read([UInt8(ascii: "[")] + json + [UInt8(ascii: "]")], platform: platform)
        guard let message = list.messages.first else { return .refused(.unreadable) }
        return MessageRewriter(for: platform, peerIDs: peerIDs)
            .rewrite(message, isStrict: list.isStrict, in: conversation)
    }

    static func rewrite(
        _ json: String, platform: MessagePlatform = .ios, peerIDs: PeerIDForm? = nil,
        in conversation: ConversationID? = nil
    ) throws -> RewrittenMessage {
        try rewrite(Array(json.utf8), platform: platform, peerIDs: peerIDs, in: conversation)
    }

    /// A message with the keys of the first apps and more behind them.
    static func json(
        _ id: String = "A", peer: String = "b", body: String = "hi", time: String = "795000001",
        status: String = "read", direction: String = "received", extra: String = #","isEdited":false"#
    ) -> String {
        #"{"id":"\#(id)","peerID":"\#(peer)","direction":"\#(direction)","body":"\#(body)","timestamp":\#(time)"#
            + #","status":"\#(status)"\#(extra)}"#
    }
}

extension RewrittenMessage {
    /// The text of a message that was changed.
    var text: String? {
        if case .changed(let json, _) = self { return String(decoding: json, as: UTF8.self) }
        return nil
    }

    var changes: Set<String> {
        if case .changed(_, let changes) = self {
            return Set(changes.map { "\($0.kind.rawValue) \($0.field.string)" })
        }
        return []
    }

    var refusal: MessageRefusal? {
        if case .refused(let refusal) = self { return refusal }
        return nil
    }

    var isUnchanged: Bool {
        if case .unchanged = self { return true }
        return false
    }
}
