import CryptoPrimitives

/// Which form the state of a session has. Format: SophaxChat 4.6.
public enum RatchetVersion: Int, Hashable, Sendable {
    /// Headers in clear: the first app versions. Such a session is read, and opens what it can; it seals nothing.
    case plainHeaders = 0
    /// Encrypted headers.
    case encryptedHeaders = 1
}

/// One end of a Double Ratchet session with encrypted headers: seals messages, opens them in any order, and is written and
/// read as the app's state.
///
/// All keys lie in one guarded block, which a message does not add to; only many skipped keys make it grow. A call that
/// throws leaves the session as it was: a step works beside the keys in use and takes their place when it has succeeded.
/// A session belongs to one owner, who keeps `state()` before a sealed message leaves, and before a received one is
/// confirmed: a state that was used before gives its keys away when it is used again. Format: SophaxChat 4.6, 8.3.
public struct RatchetSession: ~Copyable, Sendable {
    /// The form of the state that the session was read from, or that it will be written in.
    public let version: RatchetVersion

    /// What the header of the peer's newest chain was bound to; nil before the first. Not part of the state: keep it beside
    /// the state and set it again after reading, else the next message has the newest form, which a peer with an older app
    /// cannot open.
    public var lastSeenHeaderForm: RatchetHeaderForm?

    /// Which of the associated data given to `decrypt` fitted last; nil before the first message. Not part of the state.
    public internal(set) var fittedAssociatedData: Int?

    var keys: KeySlots
    /// The bank of `keys` that is in use, 0 or 1.
    var bank = 0
    var numbers: RatchetNumbers
    var skipped: SkippedKeys
    /// Members of the state that this version does not know, as text with a comma before each.
    let unknown: SecretBytes?
    /// Which part of `unknown` belongs where.
    var unknownParts: [UnknownPlace: Range<Int>]

    /// Takes a session apart from its keys: a block with the keys of bank 0 and of the skipped messages.
    init(
        version: RatchetVersion, keys: consuming KeySlots, numbers: RatchetNumbers, skipped: SkippedKeys,
        unknown: consuming SecretBytes? = nil, unknownParts: [UnknownPlace: Range<Int>] = [:]
    ) {
        self.version = version
        self.keys = keys
        self.numbers = numbers
        self.skipped = skipped
        self.unknown = unknown
        self.unknownParts = unknownParts
    }

    /// An object of the state that may have members which this version does not know.
    enum UnknownPlace: Hashable, Sendable {
        case state
        case key(RatchetKey)
        case skipped(slot: Int)
    }

    /// A block for a session without skipped keys.
    static func makeKeys() throws(RatchetError) -> KeySlots {
        do throws(SecretMemoryError) { return try KeySlots(count: KeySlots.onePage) } catch { throw .memory(error) }
    }

    /// The slot of a key in use.
    func slot(_ key: RatchetKey) -> Int { RatchetSlots.slot(key, bank: bank) }

    /// The slot of a key that a step makes.
    func stagedSlot(_ key: RatchetKey) -> Int { RatchetSlots.slot(key, bank: 1 - bank) }
}

// MARK: - Beginning

extension RatchetSession {
    /// Begins the session of who sent the first message. The agreement's secret is wiped, so take the `request` before.
    /// - Throws: `.weakKey` when the peer's signed prekey is of small order, `.memory`, `.libraryFailure`.
    public init(initiator session: consuming InitiatedSession) throws(RatchetError) {
        try self.init(initiator: session, random: nil)
    }

    /// The same with a source of the ratchet key that a test has chosen; nil is the system's.
    package init(initiator session: consuming InitiatedSession, random: RandomSource?) throws(RatchetError) {
        try self.init(
            initiatorSecret: session.sharedSecret, signedPreKey: session.signedPreKey, random: random)
    }

    /// Begins with the 32-byte secret of an agreement and the peer's signed prekey.
    package init(
        initiatorSecret secret: borrowing SecretBytes, signedPreKey: [UInt8], random: RandomSource?
    ) throws(RatchetError) {
        var keys = try Self.makeKeys()
        try Self.setFirstHeaderKeys(&keys, secret, initiatorKey: .sendingHeader, responderKey: .nextReceivingHeader)
        try Self.setPrivateKey(&keys, RatchetKey.ratchetPrivate.rawValue, random)
        try Self.step(&keys, signedPreKey, bank: 0, chain: .sendingChain, nextHeader: .nextSendingHeader)
        let ownKey = try Self.publicKey(keys, RatchetKey.ratchetPrivate.rawValue)
        keys.wipe(RatchetSlots.scratch)
        let numbers = RatchetNumbers(
            ownKey: ownKey, remoteKey: signedPreKey,
            keys: RatchetKeySet([
                .root, .ratchetPrivate, .sendingChain, .sendingHeader, .nextSendingHeader, .nextReceivingHeader,
            ]))
        let skipped = SkippedKeys(slotCount: keys.count)
        self.init(version: .encryptedHeaders, keys: keys, numbers: numbers, skipped: skipped)
    }

    /// Begins the session of who received the first message; it is opened with `decrypt` next. The agreement's secret is
    /// wiped.
    /// - Parameter signedPreKey: the pair that the initiator used.
    /// - Throws: `.otherSignedPreKey`, `.memory`, `.libraryFailure`.
    public init(
        responder session: consuming AcceptedSession, signedPreKey: borrowing PreKeyPair
    ) throws(RatchetError) {
        guard signedPreKey.id == session.usedSignedPreKeyID else {
            throw .otherSignedPreKey(used: session.usedSignedPreKeyID)
        }
        try self.init(responderSecret: session.sharedSecret, signedPreKey: signedPreKey)
    }

    /// Begins with the 32-byte secret of an agreement and the own signed prekey.
    package init(
        responderSecret secret: borrowing SecretBytes, signedPreKey: borrowing PreKeyPair
    ) throws(RatchetError) {
        var keys = try Self.makeKeys()
        try Self.setFirstHeaderKeys(
            &keys, secret, initiatorKey: .nextReceivingHeader, responderKey: .nextSendingHeader)
        keys.set(RatchetKey.ratchetPrivate.rawValue, to: signedPreKey.privateKey)
        let numbers = RatchetNumbers(
            ownKey: signedPreKey.publicPreKey.key, remoteKey: nil,
            keys: RatchetKeySet([.root, .ratchetPrivate, .nextSendingHeader, .nextReceivingHeader]))
        let skipped = SkippedKeys(slotCount: keys.count)
        self.init(version: .encryptedHeaders, keys: keys, numbers: numbers, skipped: skipped)
    }

    /// Root key and the two header keys that come from the secret itself.
    private static func setFirstHeaderKeys(
        _ keys: inout KeySlots, _ secret: borrowing SecretBytes, initiatorKey: RatchetKey, responderKey: RatchetKey
    ) throws(RatchetError) {
        guard secret.count == KeySlots.keyLength else { throw .incompleteSession }
        let root = RatchetKey.root.rawValue
        keys.set(root, to: secret)
        for (key, info) in [(initiatorKey, RatchetInfo.initiatorHeader), (responderKey, RatchetInfo.responderHeader)] {
            let slot = key.rawValue
            keys.derive(slot..<slot + 1, inputKey: root..<root + 1, salt: nil, info: info.span)
        }
    }
}

/// What the derivations of a session are separated by. Format: SophaxChat 8.3.
enum RatchetInfo {
    static let root = Array("SophaxChat_RootKey_v1".utf8)
    static let initiatorHeader = Array("SophaxChat_HKAlice_v1".utf8)
    static let responderHeader = Array("SophaxChat_NHKBob_v1".utf8)
    /// The one byte that gives the key of a message from its chain's key, and the one that gives the next chain key.
    static let message: UInt8 = 1
    static let chain: UInt8 = 2
}

// MARK: - Steps on the block

extension RatchetSession {
    /// Puts a new private key into `slot`.
    static func setPrivateKey(_ keys: inout KeySlots, _ slot: Int, _ random: RandomSource?) throws(RatchetError) {
        guard let random else {
            keys.setRandom(slot)
            return
        }
        let key: SecretBytes
        do throws(SecretMemoryError) { key = try random.secret(KeySlots.keyLength) } catch { throw .memory(error) }
        guard key.count == KeySlots.keyLength else { throw .libraryFailure }
        keys.set(slot, to: key)
    }

    static func publicKey(_ keys: borrowing KeySlots, _ slot: Int) throws(RatchetError) -> [UInt8] {
        do throws(KeyAgreementError) {
            return try keys.publicKey(of: slot)
        } catch {
            throw RatchetError(error)
        }
    }

    /// KDF_RK: the next root key, a chain key and a header key from the private key and root key in `bank` and the
    /// peer's public key. Without `nextHeader` there is no header key (v0); the first 64 bytes agree.
    static func step(
        _ keys: inout KeySlots, _ remoteKey: [UInt8], bank: Int, chain: RatchetKey, nextHeader: RatchetKey?
    ) throws(RatchetError) {
        func slot(_ key: RatchetKey) -> Int { RatchetSlots.slot(key, bank: bank) }
        let (agreed, derived) = (RatchetSlots.agreed, RatchetSlots.derived)
        do throws(KeyAgreementError) {
            try keys.setSharedSecret(agreed, privateKey: slot(.ratchetPrivate), publicKey: remoteKey.span)
        } catch {
            throw RatchetError(error)
        }
        keys.derive(
            derived.lowerBound..<derived.lowerBound + (nextHeader == nil ? 2 : 3), inputKey: agreed..<agreed + 1,
            salt: slot(.root), info: RatchetInfo.root.span)
        for (offset, key) in [.root, chain, nextHeader].enumerated() {
            guard let key else { continue }
            keys.copy(derived.lowerBound + offset..<derived.lowerBound + offset + 1, to: slot(key))
        }
    }

    /// KDF_CK: the key of the next message into `message`, and the chain moves on.
    static func advance(_ keys: inout KeySlots, chain: Int, message: Int) {
        keys.setCode(message, of: RatchetInfo.message, key: chain)
        keys.setCode(chain, of: RatchetInfo.chain, key: chain)
    }
}
