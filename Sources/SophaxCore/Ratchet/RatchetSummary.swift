/// What can be shown of a session: counters, public keys and which keys there are, and nothing secret.
public struct RatchetSummary: Hashable, Sendable {
    /// The skipped keys of one chain of the peer.
    public struct SkippedChain: Hashable, Sendable {
        /// The numbers of the messages that have not come, ascending.
        public let messageNumbers: [UInt32]
        /// Whether it is the receiving chain in use; keys of an earlier one are for messages that may never come.
        public let isCurrent: Bool
    }

    public let version: RatchetVersion
    /// Messages sent in the sending chain.
    public let sendMessageCount: UInt32
    /// The number of the next message of the receiving chain.
    public let receiveMessageCount: UInt32
    /// Messages sent in the chain before.
    public let previousSendingChainLength: UInt32
    /// X25519 public key of the own ratchet pair, 32 bytes.
    public let sendingRatchetPublicKey: [UInt8]
    /// The peer's ratchet key, 32 bytes; nil in a responder who has received nothing.
    public let receivingRatchetPublicKey: [UInt8]?
    /// Whether the session can send.
    public let hasSendingChain: Bool
    /// Whether anything was received.
    public let hasReceivingChain: Bool
    /// Whether there are header keys: sending, receiving, the next sending, the next receiving.
    public let hasHeaderKeys: HeaderKeys
    /// One element for each chain with skipped keys, in the order of the state.
    public let skipped: [SkippedChain]

    /// Which of the four header keys there are; none in v0.
    public struct HeaderKeys: Hashable, Sendable {
        public let sending: Bool
        public let receiving: Bool
        public let nextSending: Bool
        public let nextReceiving: Bool
    }

    /// Skipped keys of all chains.
    public var skippedKeyCount: Int { skipped.reduce(0) { $0 + $1.messageNumbers.count } }

    /// The most skipped keys of a session where keys are added, and that later apps read; an earlier app may have kept more.
    public static let maximumSkippedKeys = SkippedKeys.maximumKeys
    /// The most chains with skipped keys, in the same way; v0 has no such limit.
    public static let maximumSkippedChains = SkippedKeys.maximumBundles
}

extension RatchetSession {
    /// What can be shown of the session.
    public var summary: RatchetSummary {
        let current = bundleOfReceivingChain()
        return RatchetSummary(
            version: version, sendMessageCount: numbers.sending, receiveMessageCount: numbers.receiving,
            previousSendingChainLength: numbers.previousSending, sendingRatchetPublicKey: numbers.ownKey,
            receivingRatchetPublicKey: numbers.remoteKey, hasSendingChain: numbers.keys.contains(.sendingChain),
            hasReceivingChain: numbers.keys.contains(.receivingChain),
            hasHeaderKeys: .init(
                sending: numbers.keys.contains(.sendingHeader),
                receiving: numbers.keys.contains(.receivingHeader),
                nextSending: numbers.keys.contains(.nextSendingHeader),
                nextReceiving: numbers.keys.contains(.nextReceivingHeader)),
            skipped: skipped.bundles.enumerated().map { index, bundle in
                .init(messageNumbers: bundle.entries.map(\.number), isCurrent: index == current)
            })
    }
}
