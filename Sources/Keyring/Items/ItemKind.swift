import SophaxCore

/// The kinds of private items that the apps have, and sxkey's own. Format: SophaxChat 5.1.
///
/// The raw values are the words in JSON.
package enum ItemKind: String, CaseIterable, Hashable, Sendable {
    case signingKey = "signing-key"
    case dhKey = "dh-key"
    case username
    case avatar
    case mlKEMKey = "ml-kem-key"
    case mlDSAKey = "ml-dsa-key"
    /// The public half, sxkey's own, where the private one does not prove itself.
    case mlDSAPublicKey = "ml-dsa-public-key"
    /// X-Wing, sxkey's own: bundles are encrypted for it.
    case recipientKey = "recipient-key"
    /// What stood in the place of an ML-KEM or X-Wing key and was none.
    case damagedKey = "damaged-key"
    case signedPreKey = "signed-prekey"
    case signedPreKeyID = "signed-prekey-id"
    case signedPreKeyDate = "signed-prekey-date"
    case oneTimePreKey = "one-time-prekey"
    case postQuantumPreKey = "post-quantum-prekey"
    case postQuantumPreKeyID = "post-quantum-prekey-id"
    case session
    /// A session that came out of a bundle, and is behind the other side's.
    case staleSession = "stale-session"
    case sessionMACKey = "session-mac-key"
    /// The key of the message store, the one that follows it, and those that it had before.
    case storageKey = "storage-key"
    case groupKey = "group-key"
    case peerSenderKeys = "peer-sender-keys"
    case ownSenderKey = "own-sender-key"
    case skippedGroupKeys = "skipped-group-keys"
    case mlsState = "mls-state"
    case verifiedPeers = "verified-peers"
    case pinnedMessages = "pinned-messages"
    case peerAliases = "peer-aliases"
    case blockedPeers = "blocked-peers"
    case linkedDevices = "linked-devices"
    case trustedWipePeers = "trusted-wipe-peers"
    case seenWipes = "seen-wipes"
    case heldShares = "held-shares"
    case shareManifest = "share-manifest"
    case keyLogMAC = "key-log-mac-key"
    case appLock = "app-lock"
    case unlockAttempts = "unlock-attempts"
    /// The hash of the lock PIN or of the one under duress, of both versions.
    case pinHash = "pin-hash"
    /// 16 bytes, of the first version.
    case firstPINSalt = "first-pin-salt"
    case pinSalt = "pin-salt"
    // Of the related apps.
    case btmessagePeerID = "btmessage-peer-id"
    /// Seed of X-Wing ‖ SHA3-256 of its public key.
    case btmessageKey = "btmessage-key"
    /// X25519, of the first versions.
    case btmessageEarlierKey = "btmessage-earlier-key"
    case btmessageGroupKey = "btmessage-group-key"
    case btmessageGroups = "btmessage-groups"
    /// P-256.
    case lchatPrivateKey = "lchat-private-key"
    case lchatThreadKey = "lchat-thread-key"
    case conetStreamKey = "conet-stream-key"

    /// What a value of the kind looks like.
    package enum Shape: Hashable, Sendable {
        /// So many bytes, a key or a hash.
        case raw(Int)
        /// A seed and the SHA3-256 of its public key.
        case checkedSeed(CheckedSeed.Form)
        /// ML-DSA-65: a seed of 32 bytes and the SHA3-256 of its public key, or another layout of a known public key.
        case signingSeed
        /// At least one byte, in a form of its own.
        case bytes
        case utf8
        case jpeg
        /// 4 bytes, little-endian.
        case uint32
        /// 8 bytes, little-endian, finite.
        case double
        /// 1 byte, 0 or 1.
        case flag
        /// 12 bytes: a count and a time. Format: SophaxChat 5.2.
        case attempts
        case json
        /// JSON, or HMAC ‖ JSON. Format: SophaxChat 5.3.
        case session
    }

    package var shape: Shape {
        switch self {
        case .signingKey, .dhKey, .signedPreKey, .oneTimePreKey, .sessionMACKey, .storageKey, .groupKey, .keyLogMAC,
            .pinHash, .pinSalt, .btmessageEarlierKey, .btmessageGroupKey, .lchatPrivateKey, .lchatThreadKey,
            .conetStreamKey:
            .raw(32)
        case .btmessageKey: .raw(64)
        case .mlDSAPublicKey: .raw(PostQuantumSigningKey.publicKeyLength)
        case .firstPINSalt: .raw(16)
        case .username, .btmessagePeerID: .utf8
        case .avatar: .jpeg
        case .mlKEMKey, .postQuantumPreKey: .checkedSeed(.mlkem768)
        case .recipientKey: .checkedSeed(.xwing)
        case .mlDSAKey: .signingSeed
        case .mlsState, .damagedKey: .bytes
        case .signedPreKeyID, .postQuantumPreKeyID: .uint32
        case .signedPreKeyDate: .double
        case .session, .staleSession: .session
        case .peerSenderKeys, .ownSenderKey, .skippedGroupKeys, .verifiedPeers, .pinnedMessages, .peerAliases,
            .blockedPeers, .linkedDevices, .trustedWipePeers, .seenWipes, .heldShares, .shareManifest, .btmessageGroups:
            .json
        case .appLock: .flag
        case .unlockAttempts: .attempts
        }
    }

    /// Whether a problem makes a key of this kind useless: another length, or a seed beside another hash.
    package func isUnfit(_ problem: ItemProblem) -> Bool {
        switch (shape, problem) {
        case (_, .outOfMemory): false
        case (.checkedSeed, _), (.raw, .length): true
        default: false
        }
    }

    /// The account ends in a number.
    var hasNumber: Bool {
        switch self {
        case .signedPreKey, .oneTimePreKey, .postQuantumPreKey: true
        default: false
        }
    }
}
