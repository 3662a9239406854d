import SophaxCore

/// A pair of identity keys that messages may be signed by, and whose they are.
package struct SenderKey: Hashable, Sendable {
    package enum Owner: Hashable, Sendable {
        /// One of the user's own identities; its name, UTF-8.
        case own([UInt8])
        /// A contact; its name, UTF-8, whether the user compared the safety number of these keys, and whether others took
        /// their place.
        case contact([UInt8], isVerified: Bool, isReplaced: Bool)
        /// Nobody whom the user knows: a message brought the keys itself.
        case message
    }

    package let keys: IdentityPublicKeys
    package let owner: Owner

    package init(_ keys: IdentityPublicKeys, _ owner: Owner) {
        self.keys = keys
        self.owner = owner
    }
}

/// What can be said of the signature of a message.
package enum SignatureVerdict: Hashable, Sendable {
    /// Why a message is not what it says.
    package enum Forgery: String, Hashable, Sendable, CaseIterable {
        /// The sender is known, and did not sign it: it was changed, or somebody else made it.
        case notBySender = "not-by-sender"
        /// The keys that it brings did not sign it.
        case notByOwnKey = "not-by-own-key"
        /// The sender id is not that of the keys that it brings.
        case otherSender = "other-sender"
    }

    /// Signed by keys that are known from elsewhere: the user's own, or a contact's.
    case good(SenderKey, WireMessage.SignedForm)
    /// Signed by the keys that it brings itself: the sender has the private key, and may be anybody.
    case possession(SenderKey, WireMessage.SignedForm)
    /// Signed by keys that an earlier message of the same file brought: the same sender, who may be anybody.
    case learned(SenderKey, WireMessage.SignedForm)
    case bad(Forgery, SenderKey)
    /// No key is known for this sender.
    case unknownSender
}

/// The keys that senders are known by: those given, and those that messages brought. Format: SophaxChat 7.1 and 8.8.
package struct SenderBook: Sendable {
    private var byDigits: [[UInt8]: [SenderKey]] = [:]
    private static let digits = 16
    /// Keys that messages brought, at most: a file may have any number of hellos.
    package static let maximumLearned = 10_000
    private var learned = 0

    package init(_ keys: [SenderKey] = []) {
        for key in keys { add(key) }
    }

    private mutating func add(_ key: SenderKey) {
        byDigits[Array(key.keys.fingerprint.hexBytes.prefix(Self.digits)), default: []].append(key)
    }

    /// The keys that a peer id of any length belongs to, those from elsewhere first.
    package func keys(of id: PeerID) -> [SenderKey] {
        let found = (byDigits[Array(id.bytes.prefix(Self.digits))] ?? []).filter { id.matches($0.keys.fingerprint) }
        return found.filter { $0.owner != .message } + found.filter { $0.owner == .message }
    }

    /// Judges a message, and remembers keys that it brings and that signed it.
    ///
    /// Keys that messages brought count where none is known from elsewhere, and never make a message good.
    /// - Parameter payload: what the message carries; nil when that cannot be read.
    package mutating func judge(_ message: WireMessage, _ payload: WirePayload?) -> SignatureVerdict {
        let all = keys(of: message.senderID)
        let vouched = all.filter { $0.owner != .message }
        let known = vouched.isEmpty ? all : vouched
        for key in known {
            guard let form = Self.form(of: message, by: key.keys) else { continue }
            guard key.owner == .message else { return .good(key, form) }
            return payload?.senderBundle?.identityKeys == key.keys ? .possession(key, form) : .learned(key, form)
        }
        if let key = known.first { return .bad(.notBySender, key) }
        guard let bundle = payload?.senderBundle else { return .unknownSender }
        let key = SenderKey(bundle.identityKeys, .message)
        guard bundle.fits(message.senderID) else { return .bad(.otherSender, key) }
        guard let form = Self.form(of: message, by: bundle.identityKeys) else { return .bad(.notByOwnKey, key) }
        if learned < Self.maximumLearned {
            add(key)
            learned += 1
        }
        return .possession(key, form)
    }

    /// What was captured may be of the first version.
    private static func form(of message: WireMessage, by keys: IdentityPublicKeys) -> WireMessage.SignedForm? {
        message.signedForm(by: keys.signing, neighbouringSeconds: true)
    }
}

extension WirePayload {
    /// The bundle of the one who sent the message; others bring bundles of third persons.
    package var senderBundle: PreKeyBundle? {
        switch self {
        case .hello(let payload): payload.bundle.bundle
        case .initiateSession(let payload): payload.senderBundle.bundle
        case .deviceLinkRequest(let payload): payload.bundle.bundle
        default: nil
        }
    }
}
