import CryptoPrimitives

/// Why a message could not be signed.
public enum WireSigningError: Error, Equatable, Sendable {
    /// The time is outside the years 1…9999.
    case timeOutOfRange
    /// The guarded memory for the key could not be had.
    case memory(SecretMemoryError)
    /// The crypto library failed although its arguments were right.
    case libraryFailure
}

extension WireMessage {
    /// How the time under a signature ends.
    public enum TimeSuffix: String, Hashable, Sendable, CaseIterable {
        case ios = "Z"
        case android = "+0000"
    }

    /// What fitted a signature.
    public struct SignedForm: Hashable, Sendable {
        public let suffix: TimeSuffix
        /// Seconds from the message's time to the one that is signed: 0, or 1 either way from the first iOS version.
        public let secondsLater: Int
    }

    /// Signs a payload with `identity`, for the app that writes times as `time` is written.
    ///
    /// `senderID` is how the recipient knows the identity, in 16 or 32 digits; whether it belongs to the identity is not
    /// checked.
    /// - Throws: `.timeOutOfRange`, `.memory`, `.libraryFailure`.
    public static func sign(
        _ payload: WirePayload, from senderID: PeerID, at time: WireDate, by identity: borrowing Identity
    ) throws(WireSigningError) -> WireMessage {
        let unsigned = WireMessage(
            type: payload.type, payload: payload.json, senderID: senderID, time: time, signature: [])
        let suffix: TimeSuffix = time.platform == .android ? .android : .ios
        guard let signed = unsigned.signedBytes(suffix) else { throw .timeOutOfRange }
        let signature: [UInt8]
        do throws(SigningError) {
            signature = try Ed25519.sign(signed.span, seed: identity.signingSeed)
        } catch {
            if case .memory(let memory) = error { throw .memory(memory) }
            throw .libraryFailure
        }
        return WireMessage(
            type: unsigned.type, payload: unsigned.payload, senderID: senderID, time: time, signature: signature)
    }

    /// What the signature is over: type ‖ payload ‖ sender ‖ time as `yyyy-MM-ddTHH:mm:ss` and the suffix, without lengths
    /// between. Nil when the time is outside the years 1…9999.
    public func signedBytes(_ suffix: TimeSuffix, secondsLater: Int = 0) -> [UInt8]? {
        guard let time = WireTime.text(secondsSince2001: timestamp, later: secondsLater) else { return nil }
        return type + payload + senderID.bytes + time + Array(suffix.rawValue.utf8)
    }

    /// The form in which the owner of `signingKey` (32 bytes) signed the message; nil when he did not.
    ///
    /// The fraction of the time and members that are not known are under no signature.
    /// - Parameter neighbouringSeconds: takes a signature over the second before or after the timestamp too. The first iOS
    ///   version signed another reading of its clock than it sent: for reading what it left, not for a daemon, which no such
    ///   app talks to any more.
    public func signedForm(by signingKey: [UInt8], neighbouringSeconds: Bool = false) -> SignedForm? {
        guard signature.count == Ed25519.signatureLength else { return nil }
        for suffix in TimeSuffix.allCases {
            for secondsLater in neighbouringSeconds ? [0, -1, 1] : [0] {
                guard let message = signedBytes(suffix, secondsLater: secondsLater) else { continue }
                if Ed25519.isValid(signature: signature.span, for: message.span, publicKey: signingKey.span) {
                    return SignedForm(suffix: suffix, secondsLater: secondsLater)
                }
            }
        }
        return nil
    }

    /// Whether the person with these keys sent the message: the signature is theirs, and `senderID` is their fingerprint at
    /// one of its lengths. A good signature alone does not say whose name stands on the envelope.
    public func isSent(by keys: IdentityPublicKeys) -> Bool {
        senderID.matches(keys.fingerprint) && isSigned(by: keys.signing)
    }

    /// Whether the owner of `signingKey` (32 bytes) signed the message, for either platform; see `signedForm`.
    public func isSigned(by signingKey: [UInt8], neighbouringSeconds: Bool = false) -> Bool {
        signedForm(by: signingKey, neighbouringSeconds: neighbouringSeconds) != nil
    }
}
