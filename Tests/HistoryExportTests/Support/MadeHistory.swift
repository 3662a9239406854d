import CryptoPrimitives
import History
import JSONCoding
import SophaxFiles
import SystemIO
import TestSupport

@testable import HistoryExport

/// A history that a test makes up, in the shape that a store, a bundle or an archive gives it.
final class MadeHistory: HistorySource {
    struct Conversation {
        let id: ConversationID
        let messages: [[UInt8]]
        var platform = MessagePlatform.ios
    }

    var conversations: [Conversation] = []
    var attachments: [(id: String, bytes: [UInt8])] = []
    var losses: [HistoryLoss] = []
    var names = PeerNames()
    var removed: [RemovedMessage] = []
    var kind = HistoryOrigin.Kind.store
    /// Messages of a part; an archive gives few at a time.
    var partLength = Int.max
    /// Attachments whose bytes turn out to be wrong at their end.
    var wrong: Set<String> = []
    /// Attachments are offered with their SHA-256, as an archive does.
    var knowsDigests = false
    /// Done each time that it is read, before anything is given.
    var whenRead: () -> Void = {}
    /// Thrown after so many parts.
    var failure: (after: Int, error: HistoryError)?
    /// Further knowledge by message text.
    var others: [String: [[UInt8]]] = [:]

    static let bob = "3619e750a2dd52ba978807b2a00df56d"

    init() {}

    convenience init(_ id: String, _ messages: [String]) {
        self.init()
        add(id, messages.map { Array($0.utf8) })
    }

    func add(_ id: String, _ messages: [[UInt8]], platform: MessagePlatform = .ios) {
        conversations.append(
            Conversation(id: ConversationID(ByteText(id)), messages: messages, platform: platform))
    }

    var origin: HistoryOrigin {
        HistoryOrigin(kind, path: "made", bytes: conversations.reduce(0) { $0 + $1.messages.joined().count })
    }

    func send(_ request: HistoryRequest, to sink: any HistorySink) throws(HistoryError) {
        whenRead()
        if !names.isEmpty { try sink.take(names) }
        var parts = 0
        for conversation in conversations where request.conversations(conversation.id) {
            let all = Self.parsed(conversation.messages, conversation.platform)
            let length = min(partLength, max(1, all.messages.count))
            for start in stride(from: 0, to: max(1, all.messages.count), by: length) {
                let end = min(start + length, all.messages.count)
                var part = HistoryPart(
                    conversation.id, Array(all.messages[start..<end]), isStrict: all.isStrict, bytes: 1)
                part.isFirst = start == 0
                part.isLast = end == all.messages.count
                for message in all.messages { if let id = message.id?.byteText { part.replied[id] = message } }
                for place in part.messages.indices {
                    let text = String(decoding: part.messages[place].sourceJSON, as: UTF8.self)
                    guard let more = others[text] else { continue }
                    part.others[place] = Self.parsed(more, conversation.platform).messages
                    part.conflicting.insert(place)
                }
                if let failure, parts == failure.after { throw failure.error }
                parts += 1
                try sink.take(part)
            }
        }
        if !removed.isEmpty { try sink.take(removed) }
        for loss in losses where loss.part == .conversations { try sink.take(loss) }
        guard request.wantsAttachments else { return }
        for (id, bytes) in attachments where request.takes(attachment: ByteText(id)) {
            let isWanted =
                knowsDigests
                ? try sink.begin(attachment: ByteText(id), size: bytes.count, sha256: SHA256.hash(bytes.span))
                : try sink.begin(attachment: ByteText(id), size: bytes.count)
            guard isWanted else { continue }
            for start in stride(from: 0, to: bytes.count, by: 300) {
                let piece = Array(bytes[start..<min(start + 300, bytes.count)])
                try sink.take(attachment: piece.span)
            }
            if wrong.contains(id) {
                try sink.take(HistoryLoss(ByteText(id), .attachments, .wrongContent))
            } else {
                try sink.endAttachment()
            }
        }
        for loss in losses where loss.part == .attachments { try sink.take(loss) }
    }

    /// Messages as a store's file gives them.
    static func parsed(
        _ messages: [[UInt8]], _ platform: MessagePlatform = .ios
    ) -> (messages: [StoredMessage], isStrict: Bool) {
        let text = [UInt8(ascii: "[")] + Array(messages.joined(separator: [UInt8(ascii: ",")])) + [UInt8(ascii: "]")]
        guard let buffer = try? PlaintextBuffer(copying: text), var scanner = try? MessageScanner() else {
            return ([], false)
        }
        var list = MessageList(buffer, at: 0, platform: platform)
        let outcome = (try? scanner.scan(buffer, 0..<buffer.count, into: &list)) ?? .notMessages
        return (list.messages, outcome == .strict)
    }

    // MARK: Texts of messages

    /// 795,000,001 s after 2001 is 2026-03-12T09:20:01Z.
    static func message(
        _ id: String, _ body: String, peer: String = bob, time: String = "795000001", direction: String = "received",
        _ extra: String = ""
    ) -> String {
        "{\"id\":\"\(id)\",\"peerID\":\"\(peer)\",\"direction\":\"\(direction)\",\"body\":\(quoted(body)),"
            + "\"timestamp\":\(time),\"status\":\"read\",\"isEdited\":false\(extra)}"
    }

    static func quoted(_ text: String) -> String {
        var quoted: [UInt8] = []
        JSONText.appendQuoted(Array(text.utf8), to: &quoted)
        return String(decoding: quoted, as: UTF8.self)
    }

    static func attachment(_ id: String, name: String? = nil, type: String? = nil) -> String {
        ",\"attachmentID\":\"\(id)\""
            + (name.map { ",\"attachmentFilename\":\(quoted($0))" } ?? "")
            + (type.map { ",\"attachmentMimeType\":\(quoted($0))" } ?? "")
    }
}

/// What somebody may write who wishes the reader ill, in any field.
enum Hostile {
    static let texts = [
        "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "=HYPERLINK(\"http://x\",\"y\")",
        "+49 151 1234567",
        "-1+1", "@SUM(A1)", "\tTAB", "\rCR", "\u{ff1d}1+1", "'=1", "'", "a\"b,c\r\nd", "a;b", "CR\ralone", "nul\0nul",
        "photo\u{202e}gpj.exe", "\u{2066}x\u{2069}y\u{2069}", "שלום 123 abc", "مرحبا", "", " ", "  indented",
        "trailing  ",
        "\n", "a\n\n\nb\n", "    code", "\tcode", "# heading", "* item", "- item", "+ item", "1. item", "12) item",
        "> quote",
        "```\nfence\n```", "~~~", "---", "===", "a\n===", "a\n---", "***bold***", "__x__", "[a](javascript:alert(1))",
        "![a](http://x/y.png)", "<http://x>", "[ref]: http://x", "&lt;b&gt; &amp; &#60;", "a\\", "a\\\nb", "`code`",
        "| a | b |",
        "|--|--|", "~~strike~~", "$x^2$", "http://example.org/_a_?b=c&d", "me@example.org", ":smile:", "<!-- c -->",
        "<?x?>",
        "<![CDATA[x]]>", "\u{feff}bom", "e\u{301}\u{301}\u{301}", "👨‍👩‍👧‍👦", "\u{85}\u{2028}\u{2029}", "\u{1b}[31mred\u{7}",
        "</textarea></title></style></script>", "' OR 1=1 --", "%n%s", "../../etc/passwd", "\u{fffe}\u{ffff}",
    ]

    /// One message for each text, with it in every field that can hold it; and texts that are not strict JSON.
    static func history(bigBody: Bool = true) -> MadeHistory {
        var messages = texts.enumerated().map { number, text in
            let quoted = MadeHistory.quoted(text)
            return Array(
                ("{\"id\":\(MadeHistory.quoted("\(number)" + text)),\"peerID\":\"\(MadeHistory.bob)\","
                    + "\"direction\":\"received\",\"body\":\(quoted),\"timestamp\":\(795_000_001 + number),"
                    + "\"status\":\(quoted),\"isEdited\":true,\"senderID\":\(quoted),\"replyToID\":\(quoted),"
                    + "\"attachmentID\":\(quoted),\"attachmentMimeType\":\(quoted),\"attachmentFilename\":\(quoted),"
                    + "\"reactions\":{\(quoted):\(quoted)},\"deliveredBy\":[\(quoted)],\"readBy\":[\(quoted)],"
                    + "\"editedAt\":795000100,\"expiresAt\":795000200,\(MadeHistory.quoted("x" + text)):1}").utf8)
        }
        for time in [
            "-1", "0", "1e15", "9007199254740992", "9223372036854775807", "-9223372036854775808", "1e400", "null",
        ] {
            messages.append(Array(MadeHistory.message("t\(time)", "time \(time)", time: time).utf8))
        }
        messages.append(Array("{\"id\":\"none\",\"peerID\":\"\(MadeHistory.bob)\",\"direction\":\"sent\"}".utf8))
        messages.append(Array("{\"id\":null,\"peerID\":null,\"direction\":null,\"body\":null,\"timestamp\":null}".utf8))
        messages.append(Array(MadeHistory.message("lone", "X").replacing("\"X\"", with: "\"\\ud83d lone\"").utf8))
        let big = bigBody ? 131_072 : 10
        messages.append(Array(MadeHistory.message("big", String(repeating: "big <b> ", count: big)).utf8))
        for (number, bytes) in invalid.enumerated() {
            let parts = MadeHistory.message("invalid\(number)", "X").split(separator: "\"X\"").map { Array($0.utf8) }
            messages.append(parts[0] + [0x22] + bytes + [0x22] + parts[1])
        }
        let history = MadeHistory()
        history.add(MadeHistory.bob, messages)
        return history
    }

    /// Bytes that are no UTF-8.
    static let invalid: [[UInt8]] = [
        [0xFF, 0xFE], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF0, 0x9F, 0x98],
    ]
}

/// Text that an export gives, without a file.
func exported(
    _ format: some MessageFormat, _ source: any HistorySource, _ selection: HistorySelection = HistorySelection(),
    isThreaded: Bool = false
) throws -> (text: [UInt8], outcome: ExportOutcome) {
    let text = Gathered()
    let writer = TextWriter(format, isThreaded: isThreaded) { (bytes) throws(ExportError) in text.bytes += bytes }
    let outcome = try HistoryExportRun(source, selection).run(into: writer)
    return (text.bytes, outcome)
}

final class Gathered {
    var bytes: [UInt8] = []
}
