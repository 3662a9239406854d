import JSONCoding
import SophaxCore
import SophaxFiles

/// A message and what was found out about it, with the messages inside it.
struct ShownMessage {
    /// What became of what is encrypted in it.
    enum Outcome {
        /// Nothing of it is encrypted, or nobody asked.
        case clear
        case opened(WirePlaintext)
        case notOpened(WireOpenFailure)
        /// What counts is inside.
        case nested
    }

    let message: WireMessage
    /// Bytes of its JSON.
    let size: Int
    let payload: Result<WirePayload, FormatError>
    /// How strongly it is proven who sent it.
    let proof: SenderProof
    let findings: [WireFinding]
    var outcome: Outcome = .clear
    var inner: [InnerMessage] = []
}

/// What was inside a message.
struct InnerMessage {
    /// Words for how it was inside, such as `relayed`.
    let wrapping: Wrapping
    /// The id that it has there.
    var id: [UInt8]?
    let content: Result<ShownMessage, WireOpenFailure>

    enum Wrapping: String, CaseIterable {
        case relayed, sealed, held, delivered
        case leftBehind = "left-behind"
    }
}

/// Something about an authentic message that is not as the apps make it.
enum WireFinding: String, CaseIterable {
    /// The sender signed a bundle of another person.
    case foreignBundle = "foreign-bundle"
    /// The prekey of the bundle is not signed by the bundle's own key.
    case bundleSignature = "bundle-signature"
    /// The payload names another sender than the envelope.
    case otherPayloadSender = "other-payload-sender"

    /// See `ShownMessage.mayHandOn`.
    static func mayHandOn(_ proof: SenderProof, _ findings: [WireFinding]) -> Bool {
        proof.strength != .bad && !findings.contains { $0 == .foreignBundle || $0 == .otherPayloadSender }
    }

    init?(bundleOf message: WireMessage, _ payload: WirePayload) {
        guard let bundle = payload.senderBundle else { return nil }
        if !bundle.fits(message.senderID) {
            self = .foreignBundle
        } else if bundle.signatureForm == nil {
            self = .bundleSignature
        } else {
            return nil
        }
    }

    init?(senderOf message: WireMessage, _ payload: WirePayload) {
        let claimed: PeerID? =
            switch payload {
            case .groupMessage(let payload): payload.senderPeerID
            case .mlsMessage(let payload): payload.senderPeerID
            case .mlsReaction(let payload): payload.senderPeerID
            case .groupMemberLeft(let payload): payload.leavingPeerID
            case .groupDeleted(let payload): payload.deletedByPeerID
            case .sssShareDelivery(let payload): payload.senderPeerID
            default: nil
            }
        guard let claimed, !claimed.isSamePerson(as: message.senderID) else { return nil }
        self = .otherPayloadSender
    }

    static func all(in message: WireMessage, _ payload: WirePayload) -> [WireFinding] {
        [WireFinding(bundleOf: message, payload), WireFinding(senderOf: message, payload)].compactMap { $0 }
    }
}

extension ShownMessage {
    /// The message and all those in it, the outer first.
    var allMessages: [ShownMessage] {
        [self] + inner.flatMap { inner in (try? inner.content.get()).map(\.allMessages) ?? [] }
    }

    /// Why something in it was not opened, the first of all.
    var failure: WireOpenFailure? {
        if case .notOpened(let failure) = outcome { return failure }
        for inner in inner {
            switch inner.content {
            case .failure(let failure): return failure
            case .success(let message): if let failure = message.failure { return failure }
            }
        }
        return nil
    }

    /// Whether something encrypted in it was opened.
    var hasOpened: Bool {
        if case .opened = outcome { return true }
        return inner.contains { inner in
            guard let message = try? inner.content.get() else { return false }
            return inner.wrapping != .relayed || message.hasOpened
        }
    }

    /// A payload in it cannot be read.
    var isUnreadable: Bool { allMessages.contains(where: \.hasUnreadablePayload) }

    var hasUnreadablePayload: Bool {
        if case .failure = payload { return true }
        return false
    }

    /// It, or a message in it, is of a type that this version does not know: nothing says what of it is encrypted.
    var isOfUnknownType: Bool {
        allMessages.contains { message in
            if case .success(.unknown) = message.payload { return true }
            return false
        }
    }

    /// Whether later messages of the run may be opened with what this one hands out, and keys be used up by it: not when it
    /// is not by whom it says, or brings what another person's is.
    var mayHandOn: Bool { WireFinding.mayHandOn(proof, findings) }
}
