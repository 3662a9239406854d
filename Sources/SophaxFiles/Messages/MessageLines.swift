import CryptoPrimitives
import JSONCoding
import SystemIO

/// Messages as JSON lines, sxkey's canonical and complete export (`sxkey-formats(5)`, sxkey-messages version 1).
///
/// One JSON object a line, keys in a fixed order, times in UTC beside the number of the source, and the source JSON of
/// every message byte for byte, so that nothing that an app wrote is lost.
package struct MessageLines {
    package static let format = "sxkey-messages"
    package static let version = 1

    /// Finished lines that nobody took yet.
    package var output: [UInt8] {
        get { writer.output }
        set { writer.output = newValue }
    }
    private var writer = LineWriter()

    package init() {}

    /// Bytes of finished lines.
    package var outputCount: Int { writer.output.count }

    /// Gives the finished lines and forgets them.
    package mutating func takeOutput() -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &writer.output)
        return taken
    }

    /// What is known of a message beside what its source says.
    package struct Knowledge {
        /// The file that the export has for the attachment.
        package var file: File?
        /// Another message has the same id, and is another one.
        package var isConflicting = false
        /// Further sources of the same message, each strict JSON or not.
        package var others: [StoredMessage] = []

        package struct File {
            /// From the folder that the lines are in.
            package let path: [UInt8]
            package let bytes: Int
            /// Lower-case hex digits.
            package let sha256: String

            package init(path: [UInt8], bytes: Int, sha256: String) {
                self.path = path
                self.bytes = bytes
                self.sha256 = sha256
            }
        }

        package init() {}
    }

    /// The first line of an export.
    package mutating func appendHeader(source kind: String) {
        writer.begin()
        writer.text("type", Array("header".utf8))
        writer.text("format", Array(Self.format.utf8))
        writer.raw("version", Array(String(Self.version).utf8))
        writer.text("source", Array(kind.utf8))
        writer.endLine()
    }

    /// The name of a person. `fingerprint`: all 64 lower-case hex digits.
    package mutating func appendPerson(name: [UInt8], fingerprint: String) {
        writer.begin()
        writer.text("type", Array("person".utf8))
        writer.text("fingerprint", Array(fingerprint.utf8))
        writer.text("name", name)
        writer.endLine()
    }

    /// A message that was removed from an archive. Times are milliseconds since 1970; `digest` tells a message without an id.
    package mutating func appendRemoved(
        in conversation: ConversationID, id: [UInt8]?, digest: String?, direction: String?, time: Int64?,
        removedAt: Int64
    ) {
        writer.begin()
        writer.text("type", Array("removed".utf8))
        writer.text("conversation", conversation.text.bytes)
        if let id { writer.text("id", id) }
        if let digest { writer.text("digest", Array(digest.utf8)) }
        if let direction { writer.text("direction", Array(direction.utf8)) }
        if let time { writer.raw("timestampMs", Array(String(time).utf8)) }
        writer.raw("removedAtMs", Array(String(removedAt).utf8))
        writer.endLine()
    }

    /// One message; `conversation` is where it was found, for messages that do not say so themselves. `isStrict`: the scan
    /// of its document was strict.
    package mutating func append(
        _ message: StoredMessage, in conversation: ConversationID, isStrict: Bool, knowing known: Knowledge? = nil
    ) {
        writer.begin()
        writer.raw("type", Self.messageType)
        if message.text(.peerID) != nil {
            writer.field("conversation", .peerID, of: message)
        } else {
            writer.text("conversation", conversation.text.bytes)
        }
        writer.field("id", .id, of: message)
        writer.field("direction", .direction, of: message)
        writer.field("sender", .senderID, of: message)
        appendTime(message)
        writer.field("body", .body, of: message)
        if message.isBroken || !isStrict, let body = message.body, body.problem != nil {
            writer.text("bodyBase64", Array(Base64.encode(message.source(.body).span).utf8))
        }
        if message.has(.status) {
            writer.field("status", .status, of: message)
        } else if let status = message.status {
            writer.text("status", status.bytes)
        }
        writer.field("replyTo", .replyToID, of: message)
        writer.raw("edited", message.isEdited ? Self.yes : Self.no)
        writer.time("editedTime", message.time(.editedAt))
        writer.time("receivedTime", message.time(.receivedAt))
        writer.time("expiresTime", message.time(.expiresAt))
        appendAttachment(message, known?.file)
        appendPeople(message)
        if message.number(.hopCount) != nil { writer.raw("hopCount", message.source(.hopCount)) }
        if known?.isConflicting == true { writer.raw("conflicting", Self.yes) }
        appendPlatform(message)
        appendSource(message, isStrict: isStrict)
        if let others = known?.others, !others.isEmpty {
            writer.beginMember("otherSources", UInt8(ascii: "["))
            for other in others {
                writer.beginElement(UInt8(ascii: "{"))
                appendPlatform(other)
                appendSource(other, isStrict: false)
                writer.end(UInt8(ascii: "}"))
            }
            writer.end(UInt8(ascii: "]"))
        }
        writer.endLine()
    }

    private static let messageType = Array("\"message\"".utf8)
    private static let yes = Array("true".utf8)
    private static let no = Array("false".utf8)

    private mutating func appendTime(_ message: StoredMessage) {
        guard let time = message.time else { return }
        if let text = RFC3339.format(unixSeconds: time.unixSeconds) {
            writer.text("time", Array(text.utf8))
        } else {
            writer.raw("time", Array("null".utf8))
        }
        let source = Array(time.source.utf8)
        if JSONNumber.isNumber(source) { writer.raw("timestamp", source) } else { writer.text("timestamp", source) }
        writer.text("timestampUnit", Array(time.unit.rawValue.utf8))
    }

    /// Only where no date says it.
    private mutating func appendPlatform(_ message: StoredMessage) {
        if message.isAndroid, message.time == nil { writer.text("platform", Array("android".utf8)) }
    }

    private mutating func appendAttachment(_ message: StoredMessage, _ file: Knowledge.File?) {
        let fields: [StoredMessage.Field] = [.attachmentID, .attachmentMimeType, .attachmentFilename, .audioDuration]
        guard fields.contains(where: message.has) else { return }
        writer.beginMember("attachment", UInt8(ascii: "{"))
        writer.field("id", .attachmentID, of: message)
        writer.field("mimeType", .attachmentMimeType, of: message)
        writer.field("fileName", .attachmentFilename, of: message)
        if message.number(.audioDuration)?.isFinite == true { writer.raw("duration", message.source(.audioDuration)) }
        if let file {
            writer.text("file", file.path)
            writer.raw("size", Array(String(file.bytes).utf8))
            writer.text("sha256", Array(file.sha256.utf8))
        }
        writer.end(UInt8(ascii: "}"))
    }

    private mutating func appendPeople(_ message: StoredMessage) {
        let reactions = message.reactions
        if !reactions.isEmpty {
            writer.beginMember("reactions", UInt8(ascii: "["))
            for reaction in reactions {
                writer.beginElement(UInt8(ascii: "{"))
                writer.text("sender", reaction.sender.bytes)
                writer.text("emoji", reaction.emoji.bytes)
                writer.end(UInt8(ascii: "}"))
            }
            writer.end(UInt8(ascii: "]"))
        }
        appendPeers("deliveredBy", .deliveredBy, of: message)
        appendPeers("readBy", .readBy, of: message)
    }

    private mutating func appendPeers(_ key: StaticString, _ field: StoredMessage.Field, of message: StoredMessage) {
        guard message.has(field) else { return }
        writer.beginMember(key, UInt8(ascii: "["))
        for peer in message.list(field) { writer.element(peer.bytes) }
        writer.end(UInt8(ascii: "]"))
    }

    /// Verbatim where it fits in a line of strict JSON; white space between tokens may be a line break.
    private mutating func appendSource(_ message: StoredMessage, isStrict: Bool) {
        let isOneLine = message.withSourceJSON { source in
            for index in source.indices where source[index] == 0x0A || source[index] == 0x0D { return false }
            return true
        }
        if isOneLine, isStrict || StrictJSON.isObject(message.sourceJSON) {
            writer.key("source")
            message.withSourceJSON { writer.append($0) }
        } else {
            writer.text("sourceBase64", Array(Base64.encode(message.sourceJSON.span).utf8))
        }
    }
}

/// Writes one JSON object after the other, members in the order they are given.
private struct LineWriter {
    var output: [UInt8] = []
    private var needsComma = false

    mutating func begin() {
        output.append(UInt8(ascii: "{"))
        needsComma = false
    }

    mutating func endLine() {
        output.append(UInt8(ascii: "}"))
        output.append(0x0A)
    }

    mutating func end(_ bracket: UInt8) {
        output.append(bracket)
        needsComma = true
    }

    mutating func key(_ name: StaticString) {
        if needsComma { output.append(UInt8(ascii: ",")) }
        needsComma = true
        output.append(UInt8(ascii: "\""))
        name.withUTF8Buffer { unsafe output.append(contentsOf: $0) }
        output.append(UInt8(ascii: "\""))
        output.append(UInt8(ascii: ":"))
    }

    mutating func beginMember(_ name: StaticString, _ bracket: UInt8) {
        key(name)
        output.append(bracket)
        needsComma = false
    }

    mutating func beginElement(_ bracket: UInt8) {
        if needsComma { output.append(UInt8(ascii: ",")) }
        output.append(bracket)
        needsComma = false
    }

    mutating func element(_ text: [UInt8]) {
        if needsComma { output.append(UInt8(ascii: ",")) }
        needsComma = true
        JSONText.appendQuoted(text, to: &output)
    }

    mutating func raw(_ name: StaticString, _ value: [UInt8]) {
        key(name)
        output.append(contentsOf: value)
    }

    mutating func text(_ name: StaticString, _ text: [UInt8]) {
        key(name)
        JSONText.appendQuoted(text, to: &output)
    }

    /// A string field, if it is there. Text without escapes stands in the source as it is to stand here.
    mutating func field(_ name: StaticString, _ field: StoredMessage.Field, of message: StoredMessage) {
        guard !message.isPlain(field) else {
            key(name)
            output.append(UInt8(ascii: "\""))
            message.withSource(field) { append($0) }
            output.append(UInt8(ascii: "\""))
            return
        }
        if let text = message.text(field) { self.text(name, text.bytes) }
    }

    mutating func time(_ name: StaticString, _ time: AppTime?) {
        if let time, let text = RFC3339.format(unixSeconds: time.unixSeconds) { self.text(name, Array(text.utf8)) }
    }

    mutating func append(_ text: Span<UInt8>) {
        unsafe text.withUnsafeBufferPointer { unsafe output.append(contentsOf: $0) }
    }
}
