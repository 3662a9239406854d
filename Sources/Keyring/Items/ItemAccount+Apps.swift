import SophaxCore

/// The other accounts that the apps use. Format: SophaxChat 5.1.
///
/// Those that end in an id are nil when the id makes no name: it is too long, or not UTF-8.
extension ItemAccount {
    // MARK: - Identity

    /// JPEG.
    package static let avatar = ItemAccount(known: "identity.avatar")
    /// ML-KEM-768 private key, in CryptoKit's integrity-checked form.
    package static let mlKEM = ItemAccount(known: "identity.pq")
    /// ML-DSA-65 private key; sxkey makes it in CryptoKit's integrity-checked form.
    package static let mlDSA = ItemAccount(known: "identity.mldsa")
    /// ML-DSA-65 public key of 1,952 bytes, sxkey's own: a bundle of the identity proved that `mlDSA` belongs to it, in a
    /// layout that proves nothing by itself.
    package static let mlDSAPublic = ItemAccount(known: "identity.mldsa.public")
    /// X-Wing seed of 32 bytes ‖ SHA3-256 of its public key: sxkey's own, for bundles that are encrypted for this identity.
    package static let xWing = ItemAccount(known: "identity.xwing")

    // MARK: - Prekeys

    /// ML-KEM-768 private key: a prekey that rotates with the signed one.
    package static func postQuantumPreKey(_ id: UInt32) -> ItemAccount { ItemAccount(known: "pqspk.\(id)") }
    /// 4 bytes, little-endian.
    package static let postQuantumPreKeyID = ItemAccount(known: "pqspk.current_id")
    /// Whether it is called like an ML-KEM prekey, or like the number of the current one.
    var isPostQuantumPreKey: Bool { text.hasPrefix("pqspk.") }

    // MARK: - Sessions

    /// What the account of a session begins with that came out of a bundle: it is behind the other side's.
    package static let staleMark = "stale."

    /// The state of a ratchet: JSON, or HMAC (32) ‖ JSON. Format: SophaxChat 5.3.
    package static func session(_ peerID: PeerID) -> ItemAccount? { ItemAccount("session.", peerID.bytes) }
    /// A session that came out of a bundle.
    package static func staleSession(_ peerID: PeerID) -> ItemAccount? {
        ItemAccount(staleMark + "session.", peerID.bytes)
    }
    /// 32 raw bytes: the key of the HMAC before a session.
    package static let sessionMACKey = ItemAccount(known: "session.mac_key")
    /// The same for sessions that came out of a bundle.
    package static let staleSessionMACKey = ItemAccount(known: staleMark + "session.mac_key")

    // MARK: - Groups

    /// 32 raw bytes: the shared key of a group of the first version.
    package static func groupKey(_ groupID: [UInt8]) -> ItemAccount? { ItemAccount("group.key.", groupID) }
    /// JSON object, peer id → state of the sender key.
    package static func peerSenderKeys(_ groupID: [UInt8]) -> ItemAccount? { ItemAccount("skd.peers.", groupID) }
    /// JSON, the state of one's own sender key.
    package static func ownSenderKey(_ groupID: [UInt8]) -> ItemAccount? { ItemAccount("skd.mine.", groupID) }
    /// JSON, the skipped message keys of all groups.
    package static let skippedGroupKeys = ItemAccount(known: "skd.skipped.all")
    /// In a file of own sender keys only: the 32 bytes of the fingerprint of their owner. No app knows it.
    package static let groupKeysOwner = ItemAccount(known: "sxkey.groups.owner")
    /// A state of mls-rs.
    package static func mlsState(_ groupID: [UInt8]) -> ItemAccount? { ItemAccount("mls.state.", groupID) }

    // MARK: - People

    /// JSON object, peer id → safety number when it was verified.
    package static let verifiedPeers = ItemAccount(known: "verified.peers")
    /// JSON object, conversation id → message id.
    package static let pinnedMessages = ItemAccount(known: "pinned.messages")
    /// JSON object, peer id → name.
    package static let peerAliases = ItemAccount(known: "peer.aliases")
    /// JSON in two forms. Format: SophaxChat 5.4.
    package static let blockedPeers = ItemAccount(known: "blocked.peers")
    /// JSON array of peer ids.
    package static let linkedDevices = ItemAccount(known: "linked.devices")
    /// JSON array of peer ids: those who may wipe this device.
    package static let trustedWipePeers = ItemAccount(known: "trustedWipePeers")
    /// JSON array of ids and times of wipe requests.
    package static let seenWipes = ItemAccount(known: "wipe.seen_ids")

    // MARK: - Shares of secrets

    /// JSON array of shares that are held for others.
    package static let heldShares = ItemAccount(known: "sss.shares")
    /// JSON: who holds the shares of one's own secret.
    package static let shareManifest = ItemAccount(known: "sss.manifest")

    // MARK: - Settings

    /// 32 raw bytes: the key of the HMAC over the log of keys.
    package static let keyLogMAC = ItemAccount(known: "keylog.mac")
    /// 1 byte, 0 or 1.
    package static let appLock = ItemAccount(known: "settings.applock")
    /// 12 bytes. Format: SophaxChat 5.2.
    package static let unlockAttempts = ItemAccount(known: "settings.unlock_attempts")
}

extension ItemAccount {
    /// What kind of item it is; nil for one that no app is known to have.
    package var kind: ItemKind? { parts?.kind }

    /// What the name says besides the kind: an id of a prekey in decimal, a peer id, a group id, a date; empty for a name
    /// that is all there is of its kind.
    package var subject: [UInt8] { parts?.subject ?? [] }

    /// Items that only mean something together, since they are of one owner.
    package enum Unit: Hashable, Sendable {
        /// Peer id and private keys of an identity of btmessage.
        case btmessageIdentity
    }

    /// Nil for an item that stands for itself.
    package var unit: Unit? {
        switch kind {
        case .btmessagePeerID, .btmessageKey, .btmessageEarlierKey: .btmessageIdentity
        default: nil
        }
    }

    /// The item is a session that came out of a bundle, or the key for its HMAC.
    package var isStale: Bool { bytes.starts(with: Self.staleMark.utf8) }

    private var parts: (kind: ItemKind, subject: [UInt8])? {
        if let kind = Self.kinds[bytes] { return (kind, []) }
        for (prefix, kind) in Self.prefixes where bytes.starts(with: prefix.utf8) {
            let subject = Array(bytes.dropFirst(prefix.utf8.count))
            guard !subject.isEmpty else { return nil }
            return kind.hasNumber ? Self.isNumber(subject) ? (kind, subject) : nil : (kind, subject)
        }
        return nil
    }

    /// An id as the apps write it: decimal, without zeros before it.
    private static func isNumber(_ text: [UInt8]) -> Bool {
        guard let number = UInt32(String(decoding: text, as: UTF8.self)) else { return false }
        return Array(String(number).utf8) == text
    }

    private static let kinds: [[UInt8]: ItemKind] = [
        signing.bytes: .signingKey, dh.bytes: .dhKey, username.bytes: .username, avatar.bytes: .avatar,
        mlKEM.bytes: .mlKEMKey, mlDSA.bytes: .mlDSAKey, mlDSAPublic.bytes: .mlDSAPublicKey, xWing.bytes: .recipientKey,
        signedPreKeyID.bytes: .signedPreKeyID,
        signedPreKeyDate.bytes: .signedPreKeyDate, postQuantumPreKeyID.bytes: .postQuantumPreKeyID,
        sessionMACKey.bytes: .sessionMACKey, staleSessionMACKey.bytes: .sessionMACKey,
        storageMaster.bytes: .storageKey, storageMasterNext.bytes: .storageKey,
        skippedGroupKeys.bytes: .skippedGroupKeys, verifiedPeers.bytes: .verifiedPeers,
        pinnedMessages.bytes: .pinnedMessages, peerAliases.bytes: .peerAliases, blockedPeers.bytes: .blockedPeers,
        linkedDevices.bytes: .linkedDevices, trustedWipePeers.bytes: .trustedWipePeers, seenWipes.bytes: .seenWipes,
        heldShares.bytes: .heldShares, shareManifest.bytes: .shareManifest, keyLogMAC.bytes: .keyLogMAC,
        appLock.bytes: .appLock, unlockAttempts.bytes: .unlockAttempts,
        Array("btmessage.identity.peerID".utf8): .btmessagePeerID,
        Array("btmessage.identity.xwing".utf8): .btmessageKey,
        Array("btmessage.identity.x25519".utf8): .btmessageEarlierKey,
        Array("btmessage.groups".utf8): .btmessageGroups,
        Array("settings.lock_pin".utf8): .pinHash, Array("settings.lock_pin_v2".utf8): .pinHash,
        Array("settings.security_alt".utf8): .pinHash, Array("settings.security_alt_v2".utf8): .pinHash,
        Array("settings.lock_pin_s".utf8): .firstPINSalt, Array("settings.lock_pin_s_v2".utf8): .pinSalt,
        Array("settings.security_alt_s".utf8): .firstPINSalt, Array("settings.security_alt_s_v2".utf8): .pinSalt,
    ]

    /// Names that end in an id; none begins another.
    private static let prefixes: [(String, ItemKind)] = [
        ("spk.", .signedPreKey), ("otpk.", .oneTimePreKey), ("pqspk.", .postQuantumPreKey),
        ("stale.session.", .staleSession), ("session.", .session), ("group.key.", .groupKey),
        ("skd.peers.", .peerSenderKeys), ("skd.mine.", .ownSenderKey), ("mls.state.", .mlsState),
        ("storage.master.before-", .storageKey), ("identity.xwing.before-", .recipientKey),
        ("identity.xwing.damaged-", .damagedKey), ("identity.pq.damaged-", .damagedKey),
        ("btmessage.groupKey.", .btmessageGroupKey),
        ("lchat.privateKey.", .lchatPrivateKey), ("lchat.threadKey.", .lchatThreadKey),
        ("conet.streamKey.", .conetStreamKey),
    ]
}
