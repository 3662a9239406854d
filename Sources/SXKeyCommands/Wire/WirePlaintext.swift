import CryptoPrimitives
import JSONCoding
import Keyring
import SophaxCore

/// What was encrypted in a message.
enum WirePlaintext {
    /// Of a session; `session` says which.
    case content(MessageContent, session: Session)
    case group(OpenedGroupMessage)
    /// The same message was opened before in this run, and its key is gone.
    case repeated

    /// Where the key came from.
    enum Session: String {
        /// One that is kept; what is kept has not changed.
        case kept
        /// The same, out of a bundle: it may be behind.
        case stale
        /// Agreed from the message and the prekeys.
        case agreed
        /// The same, though the ML-DSA signature in the sender's bundle does not fit: not all app versions look at it.
        case agreedWithoutSignature = "agreed-ml-dsa-invalid"
    }
}

/// A group key or invitation in a content, without the keys that are in it.
struct SharedGroupKey {
    let groupID: [UInt8]
    let groupName: [UInt8]?
    let memberCount: Int?
    /// Nil for the key that all members share.
    let iteration: UInt32?

    init?(_ content: MessageContent) {
        if let key = content.senderKeyData, let distribution = try? SenderKeyDistribution(json: key.json) {
            groupID = distribution.groupID.bytes
            groupName = nil
            memberCount = nil
            iteration = distribution.iteration
        } else if let key = content.groupInviteData, let invite = try? GroupInvite(json: key.json) {
            groupID = invite.groupID.bytes
            groupName = invite.name
            memberCount = invite.memberIDs.count
            switch invite.sender {
            case .some(let sender): iteration = sender.position.iteration
            case .none: iteration = nil
            }
        } else {
            return nil
        }
    }
}

/// Why something encrypted was not opened.
enum WireOpenFailure: Error {
    case noKeys
    /// A dump without the two private keys of the identity.
    case noIdentity
    /// One's own message: only the recipient has the key.
    case sentByOneself
    case noSession
    /// A key that is kept and damaged.
    case keyUnusable(ItemAccount)
    /// A session is kept, and its state cannot be used.
    case sessionUnusable(String)
    case ratchet(RatchetError)
    case agreement(X3DHError)
    case group(GroupKeyError)
    case sealed(SealedSenderError)
    /// Decrypted, and not what the format says.
    case content(FormatError)
    case tooDeep
    /// A share of an identity for who is to hold it, or back to its owner: another command opens it.
    case sealedShare(isAnswer: Bool)
    /// Sealed, and not for these keys to open: MLS.
    case notSupported(String)

    /// The word in JSON.
    var code: String {
        switch self {
        case .noKeys: "no-keys"
        case .noIdentity: "no-identity"
        case .sentByOneself: "sent-by-oneself"
        case .noSession: "no-session"
        case .sessionUnusable: "session-unusable"
        case .keyUnusable: "key-unusable"
        case .ratchet(.alreadyReceived), .group(.keyGone), .group(.chainExhausted): "already-used"
        case .ratchet(.tooManySkippedKeys), .group(.tooFarAhead): "too-far"
        case .ratchet(.noHeaderKeyFits), .ratchet(.notAuthentic), .group(.notAuthentic), .sealed(.notAuthentic):
            "not-authentic"
        case .ratchet: "not-openable"
        case .agreement(.signedPreKeyMissing), .agreement(.oneTimePreKeyMissing), .agreement(.postQuantumKeyMissing):
            "no-prekey"
        case .agreement: "no-agreement"
        case .group(.noKey): "no-key"
        case .group, .sealed: "not-openable"
        case .content: "bad-content"
        case .tooDeep: "too-deep"
        case .sealedShare: "sealed-share"
        case .notSupported: "not-supported"
        }
    }

    /// The key may be the wrong one, or bytes were changed; the format cannot tell them apart.
    var isNotAuthentic: Bool { code == "not-authentic" }

    /// Why, behind "not opened: "; lower case, no full stop. Never text from elsewhere.
    var sentence: String {
        switch self {
        case .noKeys: "no keys were given"
        case .noIdentity: "the dump has not the two private keys of the identity, identity.signing and identity.dh"
        case .sentByOneself: "this identity sent it, and only who it is for can open it"
        case .noSession: "no session with the sender is kept"
        case .keyUnusable(let account):
            "the key \(account.text) that it was made for is kept, and damaged: sxkey keyring verify says more"
        case .sessionUnusable(let reason): "the session that is kept cannot be used: \(reason)"
        case .ratchet(let error): error.sentence
        case .agreement(let error): error.sentence
        case .group(let error): error.openingSentence
        case .sealed(let error): error.openingSentence
        case .content(let error): "it was decrypted, and is not what the format says: \(error.sentence)"
        case .tooDeep: "too many messages inside one another"
        case .sealedShare(let isAnswer):
            isAnswer
                ? "it is a friend's share of an identity, sealed for its owner; sxkey identity share FILE reads it"
                : "it is a share of the sender's identity, sealed for its holder; sxkey identity share FILE reads it"
        case .notSupported(let what): "\(what) are not opened by this version"
        }
    }
}

extension RatchetError {
    fileprivate var sentence: String {
        switch self {
        case .alreadyReceived(let number): "message \(number) of its chain was opened before, and its key is gone"
        case .noHeaderKeyFits: "no key of the session fits: it is of another session, of an earlier chain, or changed"
        case .notAuthentic: "it is not authentic: changed, between other people, or the session went on elsewhere"
        case .otherVersion: "the session is of another version than the message"
        case .malformedMessage, .malformedHeader: "it is no message of a session"
        case .tooManySkippedKeys(let limit): "more than \(limit) messages before it are missing"
        case .weakKey: "its ratchet key is weak: everybody would know the secret"
        case .counterExhausted: "its chain is at its end"
        case .noSendingChain, .readOnlyVersion, .incompleteSession, .otherSignedPreKey: "the session is not complete"
        case .memory: "there is no locked memory for it"
        case .libraryFailure: "a function of the crypto library failed"
        }
    }
}

extension X3DHError {
    fileprivate var sentence: String {
        switch self {
        case .signedPreKeyMissing(let id): "the signed prekey \(id) that it was made with is not kept"
        case .oneTimePreKeyMissing(let id):
            "the one-time prekey \(id) that it was made with is not kept: it was used, or is another's"
        case .badSignature, .signatureFormRefused: "the prekey of the sender's bundle is not signed by the sender"
        case .postQuantumKeyMissing(let id):
            (id.map { "the ML-KEM prekey \($0)" } ?? "the identity's own ML-KEM key")
                + " that it was made with is not kept"
        case .badPostQuantumSignature: "the ML-DSA signature of the sender's bundle does not fit"
        case .otherIdentity: "the sender's keys are not those of the person that was expected"
        case .halfPostQuantumSignature: "the sender's bundle has only half of a post-quantum signature"
        case .postQuantumCiphertextLength: "its ML-KEM ciphertext is missing, or of another length"
        case .weakKey(let key): "its \(key.rawValue) is weak: everybody would know the secret"
        case .keyLength(let key, _): "its \(key.rawValue) has another length than a key"
        case .bundleAge, .preKeyIDTooLarge, .postQuantumSecretLength, .postQuantumNotOffered, .badPostQuantumKey,
            .postQuantumSignatureMissing:
            "no session can begin with it"
        case .memory: "there is no locked memory for it"
        case .libraryFailure: "a function of the crypto library failed"
        }
    }
}

extension GroupKeyError {
    fileprivate var openingSentence: String {
        switch self {
        case .noKey: "no key of the sender for this group is kept"
        case .keyGone(let iteration, let next):
            "it is number \(iteration) of its chain, which is at \(next), and its key is gone"
        case .tooFarAhead(let skipped, let limit): "\(skipped) messages before it are missing, more than \(limit)"
        case .notAuthentic: "it is not authentic: another key, or changed"
        case .tooShort, .tooLarge: "it is no encrypted message"
        case .format(let error): "the keys that are kept cannot be read: \(error.kindSentence)"
        case .chainExhausted: "its chain is at its end"
        case .backwards, .ownKeyExists, .keyLength, .tooMany: "the keys that are kept cannot be used"
        case .memory: "there is no locked memory for it"
        case .libraryFailure: "a function of the crypto library failed"
        }
    }
}

extension FormatError {
    /// Without the name of a field, which may be text from elsewhere.
    fileprivate var kindSentence: String {
        if case .field(_, let reason) = self { return "a value \(reason.sentence)" }
        return sentence
    }
}

extension SealedSenderError {
    fileprivate var openingSentence: String {
        switch self {
        case .notAuthentic: "it is sealed for somebody else, or was changed"
        case .smallOrder: "its ephemeral key is weak: everybody would know the secret"
        case .tooShort, .tooLarge, .wrongLength: "it is no sealed message"
        case .memory: "there is no locked memory for it"
        case .libraryFailure: "a function of the crypto library failed"
        }
    }
}
