import CommandKit
import SophaxCore
import SophaxFiles
import SystemIO

/// Messages as people read them.
struct WireText {
    private let question: WireQuestion
    private let context: Context

    init(_ question: WireQuestion, _ context: Context) {
        self.question = question
        self.context = context
    }

    // MARK: - Messages

    func write(_ shown: ShownMessage, _ place: CapturedItem.Place, _ looker: WireLooker, to stream: TextStream) {
        write(shown, place.text, indent: "  ", looker, to: stream)
    }

    func write(
        _ held: StoreAndForwardPayload, _ inner: InnerMessage?, _ place: CapturedItem.Place, _ looker: WireLooker,
        to stream: TextStream
    ) {
        let label: TerminalText = question == .verify ? SenderProof(nil).strength.label : ""
        stream.line(
            "  \(label)\(place.text)\(trusted: "held", .bold)  for \(name(of: held.targetPeerID, looker)), until \(when(held.expiresAt))"
        )
        stream.line("      id  \(held.messageID)")
        if let inner { write(inner, indent: "      ", looker, to: stream) }
    }

    private func write(
        _ shown: ShownMessage, _ place: TerminalText, indent: TerminalText, _ looker: WireLooker, to stream: TextStream
    ) {
        let message = shown.message
        let age = context.now - message.time.unixSeconds
        stream.line(
            "\(indent)\(label(of: shown))\(place)\(message.type, .bold)  from \(name(of: message.senderID, looker))  "
                + "\(when(message.time)), \(trusted: ClockDifference(seconds: age).text)  \(size: shown.size)")
        let deeper = indent + "    "
        if question == .verify || !shown.proof.isVouchedFor { stream.line(deeper + shown.proof.text) }
        for finding in shown.findings {
            stream.line("\(deeper)\(trusted: "NOT AS THE APPS DO", .red)  \(trusted: finding.sentence)")
        }
        switch shown.payload {
        case .failure(let error):
            stream.line("\(deeper)\(trusted: "unreadable", .red)  its payload: \(error.sentence)")
        case .success(let payload):
            if question != .verify {
                WirePayloadText(payload, hidesEncrypted: question == .open).write(indent: deeper, to: stream)
            }
        }
        switch shown.outcome {
        case .clear, .nested: break
        case .notOpened(let failure):
            stream.line("\(deeper)\(trusted: "not opened", .yellow)  \(trusted: failure.sentence)")
        case .opened(let plaintext): WirePlaintextText(plaintext).write(indent: deeper, to: stream)
        }
        for inner in shown.inner { write(inner, indent: deeper, looker, to: stream) }
    }

    private func write(_ inner: InnerMessage, indent: TerminalText, _ looker: WireLooker, to stream: TextStream) {
        switch inner.content {
        case .success(let message):
            write(message, "\(trusted: inner.wrapping.title, .dim)  ", indent: indent, looker, to: stream)
        case .failure(let failure):
            stream.line(
                "\(indent)\(trusted: inner.wrapping.title, .dim)  \(trusted: "not opened", .yellow)  \(trusted: failure.sentence)"
            )
        }
    }

    private func label(of shown: ShownMessage) -> TerminalText {
        guard question == .verify else { return "" }
        return shown.hasUnreadablePayload
            ? SenderProof.Strength.label("unreadable", .red) : shown.proof.strength.label
    }

    // MARK: - People and times

    private func name(of id: PeerID, _ looker: WireLooker) -> TerminalText {
        let short: TerminalText = id.form == .other ? "\(id.bytes)" : "\(Array(id.bytes.prefix(16)))"
        guard let name = looker.name(of: id) else { return short }
        return "\(name, .bold) (\(short))"
    }

    private func when(_ time: WireDate) -> TerminalText {
        guard let local = context.zone.time(at: time.unixSeconds) else { return "at no date of the calendar" }
        return "\(trusted: local.date.dayText) \(trusted: local.date.secondText) \(trusted: local.offsetText)"
    }
}

extension SenderKey.Owner {
    /// UTF-8; nil for keys that a message brought.
    var name: [UInt8]? {
        switch self {
        case .own(let name), .contact(let name, _, _): name
        case .message: nil
        }
    }
}

extension SignatureVerdict {
    var text: TerminalText {
        switch self {
        case .good(let key, _): "signed by \(key.text)"
        case .possession: "signed by the keys that it brings itself: the sender has them, and may be anybody"
        case .learned:
            "signed by the keys that an earlier message of this file brought: the same sender, who may be anybody"
        case .bad(.notBySender, let key):
            "\(trusted: "NOT signed", .red) by \(key.name): it was changed, or somebody else made it"
        case .bad(.notByOwnKey, _): "\(trusted: "NOT signed", .red) by the keys that it brings"
        case .bad(.otherSender, _): "the sender's id is \(trusted: "NOT that of the keys", .red) that it brings"
        case .unknownSender: "no key of this sender is known"
        }
    }
}

extension SenderKey {
    /// Whose keys they are.
    fileprivate var name: TerminalText {
        switch owner {
        case .own(let name): "your identity \(quoted: name)"
        case .contact(let name, _, _): "\(quoted: name)"
        case .message: "the keys that an earlier message of this file brought"
        }
    }

    /// The same, and how sure that is.
    fileprivate var text: TerminalText {
        switch owner {
        case .own: name
        case .message: name
        case .contact(let name, let isVerified, let isReplaced):
            if isReplaced {
                "an earlier key of \(quoted: name), which was replaced"
            } else if isVerified {
                "\(quoted: name), verified"
            } else {
                "\(quoted: name), whose safety number was not compared"
            }
        }
    }
}

extension WireFinding {
    var sentence: String {
        switch self {
        case .foreignBundle: "the bundle in it is another person's"
        case .bundleSignature: "the prekey of its bundle is not signed by the bundle's own key"
        case .otherPayloadSender: "its payload names another sender than its envelope"
        }
    }
}

extension InnerMessage.Wrapping {
    /// Before the message that was inside.
    var title: String {
        switch self {
        case .relayed: "relayed:"
        case .sealed: "sealed:"
        case .held: "held:"
        case .delivered: "delivered:"
        case .leftBehind: "left behind:"
        }
    }
}
