import CryptoPrimitives

/// Everything of a session that is no secret: counters, public keys, and which of the secret keys there are.
///
/// A value, so that a step works on a copy and takes its place only when the step has succeeded.
struct RatchetNumbers: Equatable, Sendable {
    /// Counters end here: the apps take a state with this value for damaged.
    static let counterEnd = UInt32.max

    /// Messages sent in the sending chain, so the number of the next one.
    var sending: UInt32 = 0
    /// The number of the next message of the receiving chain.
    var receiving: UInt32 = 0
    /// Messages sent in the chain before.
    private(set) var previousSending: UInt32 = 0
    /// Public key of the own ratchet pair, 32 bytes.
    private(set) var ownKey: [UInt8]
    /// The peer's ratchet key, 32 bytes; nil in a responder who has received nothing.
    private(set) var remoteKey: [UInt8]?
    /// The keys that there are; the others' slots are zero.
    var keys: RatchetKeySet
    /// The JSON of the headers of the sending chain, up to the number of the message.
    private(set) var headerBeginning: [UInt8]

    init(
        ownKey: [UInt8], remoteKey: [UInt8]?, keys: RatchetKeySet, sending: UInt32 = 0, receiving: UInt32 = 0,
        previousSending: UInt32 = 0
    ) {
        self.ownKey = ownKey
        self.remoteKey = remoteKey
        self.keys = keys
        self.sending = sending
        self.receiving = receiving
        self.previousSending = previousSending
        headerBeginning = RatchetHeader.beginning(ratchetKey: ownKey, previousChainLength: previousSending)
    }

    /// Begins new chains with a new ratchet pair of the peer.
    mutating func beginChains(remoteKey: [UInt8]) {
        previousSending = sending
        sending = 0
        receiving = 0
        self.remoteKey = remoteKey
    }

    /// Takes a new ratchet pair of one's own.
    mutating func setOwnKey(_ key: [UInt8]) {
        ownKey = key
        headerBeginning = RatchetHeader.beginning(ratchetKey: ownKey, previousChainLength: previousSending)
    }
}

/// The keys of a session, in the order of their slots.
enum RatchetKey: Int, CaseIterable, Sendable {
    case root
    case ratchetPrivate
    case sendingChain
    case receivingChain
    case sendingHeader
    case receivingHeader
    case nextSendingHeader
    case nextReceivingHeader
}

/// Some of the keys of a session.
struct RatchetKeySet: Equatable, Sendable {
    private var bits: UInt8 = 0

    init(_ keys: [RatchetKey]) {
        for key in keys { insert(key) }
    }

    func contains(_ key: RatchetKey) -> Bool { bits & 1 << UInt8(key.rawValue) != 0 }

    mutating func insert(_ key: RatchetKey) { bits |= 1 << UInt8(key.rawValue) }

    static let all = RatchetKeySet(RatchetKey.allCases)
}

/// Where the keys of a session lie in its block: two banks, of which a step fills the one that is not in use, then what a
/// step needs between, then skipped keys and the header keys that they are filed under.
enum RatchetSlots {
    static let bankSize = RatchetKey.allCases.count
    static let messageKey = 2 * bankSize
    /// Root, chain and next header key as they come out of one derivation.
    static let derived = messageKey + 1..<messageKey + 4
    static let agreed = messageKey + 4
    /// All that a step leaves behind.
    static let scratch = messageKey..<messageKey + 5
    static let firstPooled = messageKey + 5

    /// The place of a key in one of the banks.
    static func slot(_ key: RatchetKey, bank: Int) -> Int { bank * bankSize + key.rawValue }

    /// All keys of a bank.
    static func bank(_ bank: Int) -> Range<Int> { bank * bankSize..<(bank + 1) * bankSize }
}
