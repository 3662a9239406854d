import CryptoPrimitives

/// Why a message was not sealed or not opened. The session is as it was before.
public enum RatchetError: Error, Equatable, Sendable {
    /// A responder who has not received anything yet has nothing to send with.
    case noSendingChain

    /// The session is of the first app versions (v0), which is read here and never written to.
    case readOnlyVersion

    /// The message has its header in clear and the session encrypts headers, or the other way round.
    case otherVersion

    /// Header or body is too short for a sealed box, or longer than any app makes it.
    case malformedMessage

    /// No header key of the session opens the header: the message belongs to another session, is from a chain whose last
    /// key is gone, or was changed.
    case noHeaderKeyFits

    /// The header was sealed by the peer but is not the JSON of a header.
    case malformedHeader

    /// The message, or one with its number, was opened before, or its key was given up.
    case alreadyReceived(messageNumber: UInt32)

    /// More messages would be skipped at once than a session may have keys put aside.
    case tooManySkippedKeys(limit: Int)

    /// A counter of the chain has no next value.
    case counterExhausted

    /// The body's tag fits none of the given associated data: another pair of peers, or changed.
    case notAuthentic

    /// The peer's ratchet key is of small order, so that everybody would know the secret.
    case weakKey

    /// The agreement was made with another signed prekey.
    case otherSignedPreKey(used: UInt32)

    /// The session lacks a key that this step needs, which no complete session does.
    case incompleteSession

    /// The guarded memory could not be had.
    case memory(SecretMemoryError)

    /// The crypto library failed although its arguments were right.
    case libraryFailure
}

extension RatchetError {
    init(_ error: KeyAgreementError) {
        switch error {
        case .allZero: self = .weakKey
        case .memory(let memory): self = .memory(memory)
        case .keyLength, .libraryFailure: self = .libraryFailure
        }
    }
}
