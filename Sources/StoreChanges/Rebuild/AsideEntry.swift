import CryptoPrimitives
import JSONCoding
import SophaxFiles

/// Something that an app's list cannot hold and that is kept beside it, in `refused_messages.enc`: a message that the apps
/// refuse, the source of one that could not be kept whole, or a piece of text that is no message.
///
/// Format: "Messages kept aside" in sxkey-formats(5).
package struct AsideEntry: Hashable, Sendable {
    /// Why it is there; the raw value is the `reason` in the file.
    package enum Reason: Hashable, Sendable {
        /// The newest app refuses it, and making it readable would be inventing.
        case refused(MessageRefusal)
        /// Its list has another message with its id and other content.
        case conflictingID
        /// The list has it without something that the app refuses: this is its source.
        case lossy(MessageChange.Kind)
        /// No message: what could not be understood between or behind messages.
        case fragment
        /// From an earlier change, with a reason that is not known here.
        case other(String)

        package var code: String {
            switch self {
            case .refused(.unusable(let field)): "unusable-\(field.name)"
            case .refused(.brokenID(let field)): "broken-\(field.name)"
            case .refused(.unreadable): "unreadable"
            case .conflictingID: "conflicting-id"
            case .lossy(let kind): kind.rawValue
            case .fragment: "fragment"
            case .other(let code): code
            }
        }
    }

    /// The name, without `.enc`, of the file that it was in.
    package let file: ByteText
    package let conversation: ConversationID
    package let reason: Reason
    /// Its bytes as the app wrote them.
    package let source: [UInt8]

    package init(file: ByteText, conversation: ConversationID, reason: Reason, source: [UInt8]) {
        self.file = file
        self.conversation = conversation
        self.reason = reason
        self.source = source
    }
}

/// The text of `refused_messages.enc`: a JSON array of entries.
package enum AsideList {
    package static func text(_ entries: [AsideEntry]) -> [UInt8] {
        var text: [UInt8] = [UInt8(ascii: "[")]
        for (number, entry) in entries.enumerated() {
            if number > 0 { text.append(UInt8(ascii: ",")) }
            append(entry, to: &text)
        }
        text.append(UInt8(ascii: "]"))
        return text
    }

    private static func append(_ entry: AsideEntry, to text: inout [UInt8]) {
        text.append(contentsOf: "{\"file\":".utf8)
        JSONText.appendQuoted(entry.file.bytes, to: &text)
        text.append(contentsOf: ",\"conversation\":".utf8)
        JSONText.appendQuoted(entry.conversation.text.bytes, to: &text)
        text.append(contentsOf: ",\"reason\":\"\(entry.reason.code)\",".utf8)
        if StrictJSON.isObject(entry.source), entry.source.first == UInt8(ascii: "{") {
            text.append(contentsOf: "\"source\":".utf8)
            text.append(contentsOf: entry.source)
        } else {
            text.append(contentsOf: "\"sourceBase64\":\"\(Base64.encode(entry.source.span))\"".utf8)
        }
        text.append(UInt8(ascii: "}"))
    }

    /// Reads a text that `text` made; nil when it is none. What an entry has besides is lost, so that is none either.
    package static func entries(_ text: [UInt8]) -> [AsideEntry]? {
        guard let buffer = try? PlaintextBuffer(copying: text),
            let array = try? JSONMembers(array: buffer, 0..<buffer.count), array.isStrict
        else { return nil }
        var entries: [AsideEntry] = []
        for element in array.members {
            guard element.kind == .object, let object = try? JSONMembers(object: buffer, element.value),
                object.members.count == 4, let file = string(object.last("file"), buffer),
                let conversation = string(object.last("conversation"), buffer),
                let reason = string(object.last("reason"), buffer), let source = source(object, buffer)
            else { return nil }
            let code = String(decoding: reason, as: UTF8.self)
            entries.append(
                AsideEntry(
                    file: ByteText(file), conversation: ConversationID(ByteText(conversation)), reason: known(code),
                    source: source))
        }
        return entries
    }

    /// Reasons that read as what they were; all others keep their code.
    private static func known(_ code: String) -> AsideEntry.Reason {
        switch code {
        case AsideEntry.Reason.conflictingID.code: .conflictingID
        case AsideEntry.Reason.fragment.code: .fragment
        default: .other(code)
        }
    }

    private static func source(_ object: JSONMembers, _ buffer: PlaintextBuffer) -> [UInt8]? {
        if let member = object.last("source"), member.kind == .object { return buffer.bytes(in: member.value) }
        guard let text = string(object.last("sourceBase64"), buffer) else { return nil }
        return Base64.decode(text.span)
    }

    private static func string(_ member: JSONMember?, _ buffer: PlaintextBuffer) -> [UInt8]? {
        guard let member, member.kind == .string else { return nil }
        let raw = buffer.bytes(in: member.value)
        return member.escaped ? JSONText.unescape(raw.span).bytes : raw
    }
}

extension [AsideEntry] {
    /// The entries of both, each once: a second run finds what the first one kept.
    package func joined(with more: [AsideEntry]) -> [AsideEntry] {
        var seen: Set<Key> = []
        return (self + more).filter { seen.insert(Key(conversation: $0.conversation, source: $0.source)).inserted }
    }

    private struct Key: Hashable {
        let conversation: ConversationID
        let source: [UInt8]
    }
}
