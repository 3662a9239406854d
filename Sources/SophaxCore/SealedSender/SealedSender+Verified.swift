import JSONCoding

extension SealedSender {
    /// A sealed message whose sender has proven who he is.
    public struct Verified: Sendable {
        /// The inner message: its `senderID` is that of the keys, and its signature is theirs.
        public let message: WireMessage
        public let sender: IdentityPublicKeys
        /// The form that fitted.
        public let form: Form
    }

    /// Why a sealed message has no sender that can be named.
    public enum VerificationError: Error, Equatable, Sendable {
        /// It does not open.
        case sealed(SealedSenderError)
        /// What is in it is no wire message.
        case format(FormatError)
        /// No keys are known for who says to have sent it. Where it begins a session, its own bundle has keys: see
        /// `WireMessage.isSent(by:)`.
        case unknownSender(WireMessage)
        /// Not signed by the one who says to have sent it: somebody else made it, or it was changed before it was sealed.
        case notBySender(WireMessage)
    }

    /// Opens a message for `identity` and proves who sent it.
    ///
    /// Anybody can seal anything for anybody, and write any name on the envelope outside, so the keys are asked for by the
    /// sender of the inner message, and by nothing else.
    /// - Parameter keysOf: the keys of a person, by a peer id of any length; nil for somebody who is not known.
    public static func openAndVerify(
        _ message: SealedMessage, for identity: borrowing Identity, keysOf: (PeerID) -> IdentityPublicKeys?
    ) throws(VerificationError) -> Verified {
        let opened: Opened
        do throws(SealedSenderError) {
            opened = try open(message, for: identity)
        } catch {
            throw .sealed(error)
        }
        let inner: WireMessage
        do throws(FormatError) {
            inner = try WireMessage(json: opened.inner)
        } catch {
            throw .format(error)
        }
        guard let keys = keysOf(inner.senderID) else { throw .unknownSender(inner) }
        guard inner.isSent(by: keys) else { throw .notBySender(inner) }
        return Verified(message: inner, sender: keys, form: opened.form)
    }
}
