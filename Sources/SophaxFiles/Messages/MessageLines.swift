import CryptoPrimitives
import SystemIO

/// Messages as JSON lines, sxkey's canonical and complete export (`sxkey-formats(5)`, sxkey-messages version 1).
///
/// One JSON object a line, keys in a fixed order, times in UTC beside the number of the source, and the source JSON of
/// every message byte for byte, so that nothing that an app wrote is lost.
package struct MessageLines {
    package static let format = "sxkey-messages"
    package static let version = 1

    /// Finished lines that nobody took yet.
    package var output: [UInt8] = []

    package init() {}

    /// The first line of an export.
    package mutating func appendHeader(source kind: String) {
        var line = Line()
        line.string("type", "header")
        line.string("format", Self.format)
        line.raw("version", Array(String(Self.version).utf8))
        line.string("source", kind)
        line.end(into: &output)
    }

    /// One message; `conversation` is where it was found, for messages that do not say so themselves. `isStrict`: the scan
    /// of its document was strict.
    package mutating func append(_ message: StoredMessage, in conversation: ConversationID, isStrict: Bool) {
        var line = Line()
        line.string("type", "message")
        line.bytes("conversation", (message.conversation ?? conversation).text.bytes)
        line.text("id", message.id)
        line.text("direction", message.text(.direction))
        line.text("sender", message.text(.senderID))
        appendTimes(message, to: &line)
        line.text("body", message.body)
        if let body = message.body, body.problem != nil {
            line.string("bodyBase64", Base64.encode(message.source(.body).span))
        }
        line.text("status", message.status)
        line.text("replyTo", message.text(.replyToID))
        line.raw("edited", Array((message.isEdited ? "true" : "false").utf8))
        line.time("editedTime", message.time(.editedAt))
        line.time("receivedTime", message.time(.receivedAt))
        line.time("expiresTime", message.time(.expiresAt))
        appendAttachment(message, to: &line)
        appendPeople(message, to: &line)
        if message.number(.hopCount) != nil { line.raw("hopCount", message.source(.hopCount)) }
        appendSource(message.sourceJSON, isStrict: isStrict, to: &line)
        line.end(into: &output)
    }

    private func appendTimes(_ message: StoredMessage, to line: inout Line) {
        guard let time = message.time else { return }
        line.time("time", time, orNull: true)
        if JSONNumber.isNumber(Array(time.source.utf8)) {
            line.raw("timestamp", Array(time.source.utf8))
        } else {
            line.string("timestamp", time.source)
        }
        line.string("timestampUnit", time.unit.rawValue)
    }

    private func appendAttachment(_ message: StoredMessage, to line: inout Line) {
        let fields: [StoredMessage.Field] = [.attachmentID, .attachmentMimeType, .attachmentFilename, .audioDuration]
        guard fields.contains(where: message.has) else { return }
        var inner = Line()
        inner.text("id", message.text(.attachmentID))
        inner.text("mimeType", message.text(.attachmentMimeType))
        inner.text("fileName", message.text(.attachmentFilename))
        if message.number(.audioDuration)?.isFinite == true { inner.raw("duration", message.source(.audioDuration)) }
        line.raw("attachment", inner.object)
    }

    private func appendPeople(_ message: StoredMessage, to line: inout Line) {
        let reactions = message.reactions
        if !reactions.isEmpty {
            line.array(
                "reactions",
                reactions.map { reaction in
                    var inner = Line()
                    inner.bytes("sender", reaction.sender.bytes)
                    inner.bytes("emoji", reaction.emoji.bytes)
                    return inner.object
                })
        }
        for (name, field) in [("deliveredBy", StoredMessage.Field.deliveredBy), ("readBy", .readBy)]
        where message.has(field) {
            line.array(
                name,
                message.list(field).map { peer in
                    var quoted: [UInt8] = []
                    JSONText.appendQuoted(peer.bytes, to: &quoted)
                    return quoted
                })
        }
    }

    /// Verbatim where it fits in a line of UTF-8; white space between tokens may be a line break.
    private func appendSource(_ source: [UInt8], isStrict: Bool, to line: inout Line) {
        let isOneLine = !source.contains(0x0A) && !source.contains(0x0D)
        if isOneLine, isStrict || StrictJSON.isObject(source) {
            line.raw("source", source)
        } else {
            line.string("sourceBase64", Base64.encode(source.span))
        }
    }
}

/// Builds one object, keys in the order they are given.
private struct Line {
    private var content: [UInt8] = []

    var object: [UInt8] { [UInt8(ascii: "{")] + content + [UInt8(ascii: "}")] }

    mutating func raw(_ key: String, _ value: [UInt8]) {
        if !content.isEmpty { content.append(UInt8(ascii: ",")) }
        content.append(UInt8(ascii: "\""))
        content += key.utf8
        content += [UInt8(ascii: "\""), UInt8(ascii: ":")]
        content += value
    }

    mutating func bytes(_ key: String, _ text: [UInt8]) {
        var quoted: [UInt8] = []
        quoted.reserveCapacity(text.count + 2)
        JSONText.appendQuoted(text, to: &quoted)
        raw(key, quoted)
    }

    mutating func string(_ key: String, _ text: String) { bytes(key, Array(text.utf8)) }

    mutating func text(_ key: String, _ text: StoredMessage.Text?) {
        if let text { bytes(key, text.bytes) }
    }

    mutating func time(_ key: String, _ time: AppTime?, orNull: Bool = false) {
        guard let time else { return }
        if let text = RFC3339.format(unixSeconds: time.unixSeconds) {
            string(key, text)
        } else if orNull {
            raw(key, Array("null".utf8))
        }
    }

    mutating func array(_ key: String, _ values: [[UInt8]]) {
        raw(key, [UInt8(ascii: "[")] + Array(values.joined(separator: [UInt8(ascii: ",")])) + [UInt8(ascii: "]")])
    }

    func end(into output: inout [UInt8]) {
        output.append(UInt8(ascii: "{"))
        output += content
        output += [UInt8(ascii: "}"), 0x0A]
    }
}
