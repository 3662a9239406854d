import CryptoPrimitives
import JSONCoding
import SophaxCore
import SophaxFiles

/// One line of sxkey's JSON lines (sxkey-formats(5), "Messages as JSON lines"), taken apart as far as a reader needs it.
enum HistoryLine {
    /// Where the bytes of an attachment are.
    struct AttachmentFile {
        let id: ByteText
        /// From the folder that the lines are in.
        let file: [UInt8]
        let size: Int?
        let sha256: [UInt8]?
    }

    struct Message {
        let conversation: ConversationID
        let source: SourceScanner.Source
        let others: [SourceScanner.Source]
        let isConflicting: Bool
        let attachment: AttachmentFile?
    }

    case header(version: Int)
    case message(Message)
    case removed(RemovedMessage)
    case person(Fingerprint, name: [UInt8])
    /// What somebody else, or a later version, writes there, or what a store kept aside.
    case unknown
    /// A line of a known kind that lacks something, or no JSON object at all; why.
    case bad(String)

    init(_ text: [UInt8]) throws(OutOfMemory) {
        let object = try LineObject(text)
        guard let object, let type = object.text("type") else {
            self = .bad("no line of sxkey-messages")
            return
        }
        switch String(decoding: type, as: UTF8.self) {
        case "header":
            guard object.text("format") == Array(MessageLines.format.utf8), let version = object.integer("version")
            else {
                self = .bad("the format is not \(MessageLines.format)")
                return
            }
            self = .header(version: Int(version))
        case "message": self = Self.message(object)
        case "removed": self = Self.removed(object)
        case "person":
            guard let hex = object.text("fingerprint"), let bytes = Hex.decode(hex.span),
                let fingerprint = try? Fingerprint(bytes: bytes), let name = object.text("name")
            else {
                self = .bad("a person without fingerprint or name")
                return
            }
            self = .person(fingerprint, name: name)
        default: self = .unknown
        }
    }

    private static func message(_ object: LineObject) -> HistoryLine {
        guard let conversation = object.text("conversation") else { return .bad("a message without conversation") }
        let isAndroid = object.text("timestampUnit") == Array(AppTime.Unit.millisecondsSince1970.rawValue.utf8)
        guard let source = source(object, isAndroid: isAndroid) else { return .bad("a message without source") }
        var others: [SourceScanner.Source] = []
        for other in object.elements("otherSources") {
            guard let other, let other = Self.source(other, isAndroid: false) else {
                return .bad("a further source is none")
            }
            others.append(other)
        }
        var attachment: AttachmentFile?
        if let given = object.object("attachment"), let id = given.text("id"), let file = given.text("file") {
            attachment = AttachmentFile(
                id: ByteText(id), file: file, size: given.integer("size").flatMap { Int(exactly: $0) },
                // What is no hash fits no content.
                sha256: given.text("sha256").map { Hex.decode($0.span) ?? [] })
        }
        return .message(
            Message(
                conversation: ConversationID(ByteText(conversation)), source: source, others: others,
                isConflicting: object.isTrue("conflicting"), attachment: attachment))
    }

    private static func source(_ object: LineObject, isAndroid: Bool) -> SourceScanner.Source? {
        let platform: MessagePlatform =
            isAndroid || object.text("platform") == Array("android".utf8) ? .android : .ios
        if let json = object.raw("source") {
            return SourceScanner.Source(
                json: json, platform: platform, isStrict: object.isStrict || StrictJSON.isObject(json))
        }
        guard let base64 = object.text("sourceBase64"), let json = Base64.decode(base64.span) else { return nil }
        return SourceScanner.Source(json: json, platform: platform, isStrict: StrictJSON.isObject(json))
    }

    private static func removed(_ object: LineObject) -> HistoryLine {
        guard let conversation = object.text("conversation"), let removedAt = object.integer("removedAtMs") else {
            return .bad("a removed message without conversation or time")
        }
        let key: RemovedMessage.Key
        if let id = object.text("id"), !id.isEmpty {
            key = .id(ByteText(id))
        } else if let hex = object.text("digest"), let digest = Hex.decode(hex.span), digest.count == 32 {
            key = .nameless(digest)
        } else {
            return .bad("a removed message without id")
        }
        let direction: MessageDirection =
            switch object.text("direction").map({ String(decoding: $0, as: UTF8.self) }) {
            case "sent": .sent
            case "received": .received
            default: .unknown
            }
        return .removed(
            RemovedMessage(
                conversation: ConversationID(ByteText(conversation)), key: key, direction: direction,
                time: object.integer("timestampMs"), removedAt: removedAt))
    }
}

/// The members of one object of a line.
struct LineObject {
    private let buffer: PlaintextBuffer
    private let members: JSONMembers

    /// Every value in it was checked.
    var isStrict: Bool { members.isStrict }

    /// Nil for a text that is no JSON object.
    init?(_ text: [UInt8]) throws(OutOfMemory) {
        let buffer = try PlaintextBuffer(copying: text)
        guard let members = Self.members(buffer, 0..<buffer.count) else { return nil }
        self.buffer = buffer
        self.members = members
    }

    private init?(_ buffer: PlaintextBuffer, _ range: Range<Int>) {
        guard let members = Self.members(buffer, range) else { return nil }
        self.buffer = buffer
        self.members = members
    }

    /// A number that no double holds is a fault of its value alone; nothing may be cut off or left over.
    private static func members(_ buffer: PlaintextBuffer, _ range: Range<Int>) -> JSONMembers? {
        guard let members = try? JSONMembers(object: buffer, range),
            !members.problems.contains(where: \.losesMessage)
        else { return nil }
        return members
    }

    func text(_ key: StaticString) -> [UInt8]? {
        guard let member = members.last(key), member.kind == .string else { return nil }
        let raw = buffer.bytes(in: member.value)
        return member.escaped ? JSONText.unescape(raw.span).bytes : raw
    }

    func integer(_ key: StaticString) -> Int64? {
        guard let member = members.last(key), member.kind == .number else { return nil }
        return Int64(String(decoding: buffer.bytes(in: member.value), as: UTF8.self))
    }

    func isTrue(_ key: StaticString) -> Bool {
        guard let member = members.last(key), member.kind == .bool else { return false }
        return member.value.count == 4
    }

    /// An object, byte for byte.
    func raw(_ key: StaticString) -> [UInt8]? {
        guard let member = members.last(key), member.kind == .object else { return nil }
        return buffer.bytes(in: member.value)
    }

    func object(_ key: StaticString) -> LineObject? {
        guard let member = members.last(key), member.kind == .object else { return nil }
        return LineObject(buffer, member.value)
    }

    /// The elements of an array; nil for those that are no objects.
    func elements(_ key: StaticString) -> [LineObject?] {
        guard let member = members.last(key), member.kind == .array,
            let elements = try? JSONMembers(array: buffer, member.value)
        else { return [] }
        return elements.members.map { $0.kind == .object ? LineObject(buffer, $0.value) : nil }
    }
}
