import History
import JSONCoding
import PortableBundle
import SophaxCore
import SophaxFiles
import SystemIO

/// History that a test spells out.
struct ListSource: HistorySource {
    struct Conversation {
        let id: ConversationID
        /// Source JSON of each message.
        var messages: [[UInt8]]
        var platform = MessagePlatform.ios
        /// By place: what a message was before.
        var earlier: [Int: [[UInt8]]] = [:]
        var conflicting: Set<Int> = []
    }

    var origin = HistoryOrigin(.store, path: "list", ownerName: ByteText("Ana Silva"), bytes: 0)
    var people = PeerNames()
    var conversations: [Conversation] = []
    var attachments: [(id: String, bytes: [UInt8])] = []
    /// Messages of a part, as an archive gives them; nil gives conversations whole.
    var partLength: Int?

    func send(_ request: HistoryRequest, to sink: any HistorySink) throws(HistoryError) {
        try sink.take(people)
        for conversation in conversations where request.conversations(conversation.id) {
            let messages = Self.messages(conversation.messages, conversation.platform)
            let length = max(1, partLength ?? messages.count)
            for start in stride(from: 0, to: messages.count, by: length) {
                let end = min(messages.count, start + length)
                var part = HistoryPart(conversation.id, Array(messages[start..<end]), isStrict: true, bytes: 0)
                part.isFirst = start == 0
                part.isLast = end == messages.count
                for place in start..<end {
                    if let earlier = conversation.earlier[place] {
                        part.earlier[place - start] = Self.messages(earlier, conversation.platform)
                    }
                    if conversation.conflicting.contains(place) { part.conflicting.insert(place - start) }
                    guard let reply = messages[place].text(.replyToID)?.byteText,
                        let other = messages.firstIndex(where: { $0.id?.byteText == reply }),
                        !(start..<end).contains(other)
                    else { continue }
                    part.replied[reply] = messages[other]
                }
                try sink.take(part)
            }
        }
        for attachment in attachments where request.takes(attachment: ByteText(attachment.id)) {
            guard try sink.begin(attachment: ByteText(attachment.id), size: attachment.bytes.count) else { continue }
            try sink.take(attachment: attachment.bytes.span)
            try sink.endAttachment()
        }
    }

    static func messages(_ sources: [[UInt8]], _ platform: MessagePlatform = .ios) -> [StoredMessage] {
        var list: [UInt8] = [UInt8(ascii: "[")]
        for (index, source) in sources.enumerated() {
            if index > 0 { list.append(UInt8(ascii: ",")) }
            list += source
        }
        list.append(UInt8(ascii: "]"))
        guard let buffer = try? PlaintextBuffer(copying: list), var scanner = try? MessageScanner() else { return [] }
        var found = MessageList(buffer, at: 0, platform: platform)
        _ = try? scanner.scan(buffer, 0..<buffer.count, into: &found)
        return found.messages
    }
}

/// The JSON of one message of the newest app.
struct MessageSpelling {
    var id: String
    var conversation: String
    var body: [UInt8]?
    /// Seconds since 2001.
    var time: Double
    var isSent = false
    var others: [(key: String, json: [UInt8])] = []

    init(_ id: String, in conversation: String, _ body: String?, at time: Double, isSent: Bool = false) {
        self.id = id
        self.conversation = conversation
        self.body = body.map { Array($0.utf8) }
        self.time = time
        self.isSent = isSent
    }

    func with(_ key: String, _ text: String) -> Self {
        var copy = self
        copy.others.append((key, Self.quoted(Array(text.utf8))))
        return copy
    }

    func with(_ key: String, json: String) -> Self {
        var copy = self
        copy.others.append((key, Array(json.utf8)))
        return copy
    }

    func reaction(_ reactions: [(String, String)]) -> Self {
        var json: [UInt8] = Array("{".utf8)
        for (index, one) in reactions.enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            json += Self.quoted(Array(one.0.utf8)) + Array(":".utf8) + Self.quoted(Array(one.1.utf8))
        }
        var copy = self
        copy.others.append(("reactions", json + Array("}".utf8)))
        return copy
    }

    var json: [UInt8] {
        var members: [(String, [UInt8])] = [
            ("id", Self.quoted(Array(id.utf8))), ("peerID", Self.quoted(Array(conversation.utf8))),
            ("direction", Array((isSent ? "\"sent\"" : "\"received\"").utf8)),
        ]
        if let body { members.append(("body", Self.quoted(body))) }
        members.append(("timestamp", Array("\(time)".utf8)))
        if !others.contains(where: { $0.key == "status" }) { members.append(("status", Array("\"delivered\"".utf8))) }
        if !others.contains(where: { $0.key == "isEdited" }) { members.append(("isEdited", Array("false".utf8))) }
        var output: [UInt8] = Array("{".utf8)
        for (index, member) in (members + others.map { ($0.key, $0.json) }).enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            output += Self.quoted(Array(member.0.utf8)) + Array(":".utf8) + member.1
        }
        return output + Array("}".utf8)
    }

    static func quoted(_ text: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        JSONText.appendQuoted(text, to: &output)
        return output
    }
}
