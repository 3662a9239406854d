import CommandKit
import JSONCoding
import SophaxCore

/// What a payload says in clear: its members, and of a bundle whose it is.
struct WirePayloadText {
    private let payload: WirePayload
    /// Columns of a value; longer ones are cut, and their length is told.
    private static let widest = 60
    /// Members that are shown.
    private static let most = 24

    /// Leaves out what is shown opened, or of which is said why it is not.
    private let hidesEncrypted: Bool
    private static let encrypted: Set<[UInt8]> = Set(
        [
            "ephemeralPublicKey", "encryptedPayload", "ratchetMessage", "initialMessage", "ciphertext",
            "attachmentCiphertext", "encryptedShare",
        ].map { Array($0.utf8) })

    init(_ payload: WirePayload, hidesEncrypted: Bool) {
        self.payload = payload
        self.hidesEncrypted = hidesEncrypted
    }

    func write(indent: TerminalText, to stream: TextStream) {
        if let bundle { write(bundle, indent, stream) }
        guard let object = try? JSONObject(payload.json, ceiling: WireLimits.messageBytes),
            let members = try? object.entries(limit: WireLimits.members)
        else {
            return stream.line("\(indent)\(count: payload.json.count, "byte") that are no JSON object")
        }
        for member in members.prefix(Self.most) {
            guard !hidesEncrypted || !Self.encrypted.contains(member.key), let value = value(member, object) else {
                continue
            }
            stream.line("\(indent)\(member.key)  \(value)")
        }
        if !hidesEncrypted, let next = payload.nextStep { stream.line("\(indent)\(trusted: next)") }
        if members.count > Self.most { stream.line("\(indent)and \(count: members.count - Self.most, "more member")") }
    }

    /// The bundle that the payload brings, of whomever.
    private var bundle: PreKeyBundle? {
        switch payload {
        case .dhtStore(let payload): payload.bundle.bundle
        case .dhtFindValueResp(let payload): payload.bundle?.bundle
        default: payload.senderBundle
        }
    }

    private func write(_ bundle: PreKeyBundle, _ indent: TerminalText, _ stream: TextStream) {
        stream.line("\(indent)name  \(bundle.username)   \(trusted: "(anybody may call himself so)", .dim)")
        stream.line("\(indent)fingerprint  \(trusted: bundle.fingerprint.hex)")
        if let address = bundle.extras.tcpAddress { stream.line("\(indent)address  \(address)") }
    }

    private func value(_ member: JSONMember, _ object: JSONObject) -> TerminalText? {
        switch member.kind {
        case .string: return cut(object.text(member))
        case .number, .bool: return cut(object.source(of: member))
        case .null, .invalid: return nil
        case .object:
            // What a bundle says was shown, and what is relayed or sealed follows.
            let name = String(decoding: member.key, as: UTF8.self)
            guard !["bundle", "senderBundle", "message", "sealed"].contains(name) else { return nil }
            return "\(trusted: "{…}", .dim) \(size: member.value.count)"
        case .array: return "\(trusted: "[…]", .dim) \(size: member.value.count)"
        }
    }

    private func cut(_ text: [UInt8]) -> TerminalText {
        // A text of megabytes need not be laid out to be cut.
        let beginning: TerminalText = "\(Array(text.prefix(4 * Self.widest)))"
        let shown = beginning.truncated(to: Self.widest)
        return shown == beginning && text.count <= 4 * Self.widest ? shown : "\(shown) (\(size: text.count))"
    }
}

extension WirePayload {
    /// What it is and the command that opens it, where that is another one.
    fileprivate var nextStep: String? {
        switch self {
        case .sssShareDelivery: WireOpenFailure.sealedShare(isAnswer: false).sentence
        case .sssShareResponse: WireOpenFailure.sealedShare(isAnswer: true).sentence
        default: nil
        }
    }
}

/// What was encrypted, for people.
struct WirePlaintextText {
    private let plaintext: WirePlaintext

    init(_ plaintext: WirePlaintext) {
        self.plaintext = plaintext
    }

    func write(indent: TerminalText, to stream: TextStream) {
        switch plaintext {
        case .repeated: stream.line("\(indent)\(trusted: "opened", .green)  before: it is the same message once more")
        case .content(let content, let session): write(content, session, indent, stream)
        case .group(let message):
            stream.line("\(indent)\(trusted: "opened", .green)  \(trusted: message.form.title)")
            write(message.body, indent, stream)
            if let attachment = message.attachment { stream.line("\(indent)attachment  \(size: attachment.count)") }
        }
    }

    private func write(
        _ content: MessageContent, _ session: WirePlaintext.Session, _ indent: TerminalText, _ stream: TextStream
    ) {
        stream.line("\(indent)\(trusted: "opened", .green)  \(content.kind.word), \(trusted: session.title)")
        if !content.body.isEmpty { write(content.body, indent, stream) }
        if let edit = content.editPayload {
            stream.line("\(indent)new text of \(edit.messageID)")
            write(edit.newBody, indent, stream)
        }
        if let reply = content.replyToID { stream.line("\(indent)reply to  \(reply)") }
        if let data = content.attachmentData {
            let name: TerminalText = content.attachmentFilename.map { " \($0)" } ?? ""
            let type: TerminalText = content.attachmentMimeType.map { " \($0)" } ?? ""
            stream.line("\(indent)attachment  \(size: data.count)\(type)\(name)")
        }
        if let shared = SharedGroupKey(content) {
            let name: TerminalText = shared.groupName.map { " \(quoted: $0)" } ?? ""
            let members: TerminalText = shared.memberCount.map { ", \(count: $0, "member")" } ?? ""
            let number: TerminalText = shared.iteration.map { ", from message \(Int($0)) on" } ?? ""
            stream.line("\(indent)a key for group \(shared.groupID)\(name)\(members)\(number); it is not shown")
        }
    }

    private func write(_ body: [UInt8], _ indent: TerminalText, _ stream: TextStream) {
        for line in body.split(separator: 0x0A, omittingEmptySubsequences: false) {
            stream.line("\(indent)\(trusted: "│ ", .dim)\(Array(line))")
        }
    }
}

extension GroupMessageForm {
    var title: String {
        switch self {
        case .bound: "with the sender's key, bound to its place"
        case .plain: "with the sender's key, bound to nothing: as earlier versions do"
        case .sharedKey: "with the key that all members share: a group of the first version"
        }
    }

    /// The word in JSON.
    var name: String {
        switch self {
        case .bound: "bound"
        case .plain: "plain"
        case .sharedKey: "shared-key"
        }
    }
}

extension WirePlaintext.Session {
    var title: String {
        switch self {
        case .kept: "with the session that is kept, which stays as it is"
        case .stale: "with a session out of a bundle, which stays as it is"
        case .agreed: "with a session agreed from the prekeys"
        case .agreedWithoutSignature:
            "with a session agreed from the prekeys; the ML-DSA signature in the sender's bundle does not fit, which only apps on iOS 19 and later look at"
        }
    }
}
