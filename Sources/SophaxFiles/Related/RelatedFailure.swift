import CryptoPrimitives
import JSONCoding

/// The keys that the related apps have. The raw values are the words in JSON.
package enum RelatedKeyKind: String, CaseIterable, Hashable, Sendable {
    case xwing = "btmessage-xwing"
    case x25519 = "btmessage-x25519"
    case groupKey = "btmessage-group-key"
    case privateKey = "lchat-private-key"
    case threadKey = "lchat-thread-key"
    case streamKey = "conet-stream-key"
    /// 32 bytes that do not say what they are for: they are tried for everything that takes so many.
    case any
}

/// Why something of a related app does not open.
package enum RelatedFailure: Error, Equatable, Sendable {
    /// No key of these kinds is at hand.
    case noKey([RelatedKeyKind])
    /// Keys are at hand and none fits: wrong ones, or the message is damaged. AES-GCM does not tell these apart.
    case notAuthentic
    /// The ephemeral public key is no point of the curve, or of small order: with it no secret can be agreed.
    case badPublicKey
    /// A decrypted key has another length than 32 bytes.
    case keyLength(found: Int)
    /// Shorter than nonce and tag, or longer than anything of the app.
    case boxLength(found: Int)
    /// What was opened is not what its format says.
    case format(FormatError)
    case openPGP(OpenPGPError)
    /// A history fragment of CoNET: how its key is derived from a signature is not public.
    case historyFragment
    /// A file with nothing in it that somebody wrote.
    case noMessages
    /// More attempts than `RelatedLimits.attempts`.
    case tooManyAttempts
    case memory
    /// A C library failed although its arguments were right.
    case libraryFailure

    /// Nothing says that the keys are the right ones.
    package var isNotAuthentic: Bool { self == .notAuthentic || self == .openPGP(.notDecrypted) }
}

extension RelatedFailure {
    init(_ error: AEADError) {
        switch error {
        case .notAuthentic: self = .notAuthentic
        case .tooShort(_, let found), .tooLong(_, let found): self = .boxLength(found: found)
        case .keyLength(_, let found): self = .keyLength(found: found)
        case .memory: self = .memory
        case .nonceLength, .tagLength, .libraryFailure: self = .libraryFailure
        }
    }

    init(_ error: KeyAgreementError) {
        switch error {
        case .keyLength, .allZero: self = .badPublicKey
        case .memory: self = .memory
        case .libraryFailure: self = .libraryFailure
        }
    }

    init(_ error: P256Error) {
        switch error {
        case .notAPoint: self = .badPublicKey
        // 32 bytes that were meant for something else.
        case .notAPrivateKey: self = .notAuthentic
        case .memory: self = .memory
        default: self = .libraryFailure
        }
    }

    init(_ error: KeyDerivationError) {
        if case .memory = error { self = .memory } else { self = .libraryFailure }
    }
}
