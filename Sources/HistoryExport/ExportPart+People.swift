import History
import SophaxFiles

extension ExportPart {
    /// The peer id of whoever wrote a message; nil for a message that was sent from here.
    package func sender(of message: StoredMessage) -> [UInt8]? {
        if message.isSent { return nil }
        return message.text(.senderID)?.bytes ?? (conversation.kind == .direct ? conversation.text.bytes : [])
    }

    /// How people call them: the name that somebody gave, else the first digits of the id. Text from elsewhere.
    package func displayName(of peerID: [UInt8]) -> [UInt8] {
        if let name = names.name(of: peerID) { return name }
        return peerID.isEmpty ? Array("?".utf8) : Array(peerID.prefix(16))
    }
}

/// Names of senders, each looked up once.
struct SenderNames {
    private let names: PeerNames
    private var known: [[UInt8]: [UInt8]?] = [:]

    init(_ names: PeerNames) {
        self.names = names
    }

    mutating func name(of peerID: [UInt8]) -> [UInt8]? {
        if names.isEmpty { return nil }
        if let found = known[peerID] { return found }
        let found = names.name(of: peerID)
        known.updateValue(found, forKey: peerID)
        return found
    }
}
