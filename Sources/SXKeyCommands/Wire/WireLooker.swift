import JSONCoding
import SophaxCore
import SophaxFiles

/// Looks at messages and what is inside them: who signed them, and, with keys, what is encrypted in them.
final class WireLooker {
    private var book: SenderBook
    /// What the apps call people; nil where no keys are.
    private let names: OpenedKeys?
    private let opener: WireOpener?
    /// Whether encrypted messages are to be opened; without keys the answer is why not.
    private let opens: Bool
    /// Only what is wrapped round messages is opened, and no message itself.
    private let unwrapsOnly: Bool

    /// Messages inside one another; a real one has three.
    static let deepest = 16

    init(_ book: SenderBook, names: OpenedKeys?, opener: WireOpener?, opens: Bool, unwrapsOnly: Bool = false) {
        self.book = book
        self.names = names
        self.opener = opener
        self.opens = opens
        self.unwrapsOnly = unwrapsOnly
    }

    /// The name that somebody is known by, UTF-8: that of his keys, else what the user or his apps call him. Nil for
    /// somebody who is not known; what a message says of its sender is no name.
    func name(of id: PeerID) -> [UInt8]? { book.keys(of: id).first?.owner.name ?? names?.name(of: id) }

    func look(at message: WireMessage, size: Int, depth: Int = 0) -> ShownMessage {
        let payload = Result { () throws(FormatError) in try message.readPayload() }
        let read = try? payload.get()
        var shown = ShownMessage(
            message: message, size: size, payload: payload, proof: SenderProof(book.judge(message, read)),
            findings: read.map { WireFinding.all(in: message, $0) } ?? [])
        if let read { unwrap(read, in: &shown, depth: depth) }
        return shown
    }

    /// What is held for somebody: a sealed message without an envelope.
    func look(atHeld held: StoreAndForwardPayload) -> InnerMessage? {
        opens ? sealed(held.sealed, .held, id: held.messageID, depth: 0) : nil
    }

    private func unwrap(_ payload: WirePayload, in shown: inout ShownMessage, depth: Int) {
        switch payload {
        case .relay(let relay):
            let inner = relay.message
            shown.outcome = .nested
            shown.inner = [
                InnerMessage(
                    wrapping: .relayed, id: relay.id,
                    content: depth < Self.deepest
                        ? .success(look(at: inner, size: inner.json.count, depth: depth + 1)) : .failure(.tooDeep))
            ]
        case .sealed(let message): nest([sealed(message, .sealed, id: nil, depth: depth)], in: &shown)
        case .storeAndForward(let held):
            nest([sealed(held.sealed, .held, id: held.messageID, depth: depth)], in: &shown)
        case .deadDrop(let drop): nest([sealed(drop.sealed, .leftBehind, id: drop.id, depth: depth)], in: &shown)
        case .storeAndForwardDelivery(let delivery):
            nest(
                delivery.items.map { sealed($0.sealed, .delivered, id: $0.messageID, depth: depth) }, in: &shown)
        default:
            guard opens, !unwrapsOnly, payload.isEncrypted else { return }
            guard let opener else {
                shown.outcome = .notOpened(.noKeys)
                return
            }
            shown.outcome = opener.open(payload, of: shown, senders: book.keys(of: shown.message.senderID))
        }
    }

    private func nest(_ inner: [InnerMessage], in shown: inout ShownMessage) {
        guard opens else { return }
        shown.outcome = .nested
        shown.inner = inner
    }

    private func sealed(
        _ message: SealedMessage, _ wrapping: InnerMessage.Wrapping, id: [UInt8]?, depth: Int
    ) -> InnerMessage {
        let content = Result { () throws(WireOpenFailure) in
            guard opens, let opener else { throw .noKeys }
            guard depth < Self.deepest else { throw .tooDeep }
            let inner = try opener.unseal(message)
            do throws(FormatError) {
                return look(at: try WireMessage(json: inner), size: inner.count, depth: depth + 1)
            } catch {
                throw .content(error)
            }
        }
        return InnerMessage(wrapping: wrapping, id: id, content: content)
    }
}

extension WirePayload {
    /// Something in it is encrypted, apart from messages that are sealed in it.
    var isEncrypted: Bool {
        switch self {
        case .editMessage(.clear): false
        case .initiateSession, .message, .editMessage, .groupMessage, .mlsMessage, .mlsReaction, .mlsGroupEditMessage,
            .mlsWelcome, .sssShareDelivery, .sssShareResponse:
            true
        default: false
        }
    }
}
