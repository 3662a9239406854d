import CryptoPrimitives
import History
import JSONCoding
import SQLiteDatabase
import SophaxFiles
import SystemIO
import TestSupport

@testable import Archive

/// An archive in a plain file of a temporary folder: what is tested here does not depend on the seal of the file.
struct MadeArchive {
    let folder = TemporaryFolder()
    let archive: Archive

    init() throws {
        archive = try Archive(Database(opening: FilePath(folder.file("archive")), .create))
    }

    @discardableResult
    func add(_ source: some HistorySource) throws -> ImportReport {
        try ArchiveImporter(archive).run(source)
    }

    /// The source JSON of every message that is shown, by conversation, in order.
    func shown() throws -> [[String]] {
        let sink = CollectedHistory()
        try ArchiveHistory(archive, path: "archive").send(HistoryRequest(), to: sink)
        return sink.conversations.map { $0.messages.map { String(decoding: $0.sourceJSON, as: UTF8.self) } }
    }

    func collected(_ request: HistoryRequest = HistoryRequest()) throws -> CollectedHistory {
        let sink = CollectedHistory()
        try ArchiveHistory(archive, path: "archive").send(request, to: sink)
        return sink
    }

    func number(_ sql: String) throws -> Int64? {
        try archive.database.first(sql) { $0.integer(0) } ?? nil
    }
}

/// Messages given as JSON, one conversation or several, for sources that a test makes up.
struct GivenHistory: HistorySource {
    struct Attachment {
        let id: String
        let bytes: [UInt8]
    }

    var origin = HistoryOrigin(.store, path: "given", bytes: 0)
    var conversations: [(id: String, messages: [String])] = []
    var platform = MessagePlatform.ios
    var attachments: [Attachment] = []
    var partSize = Int.max
    var digest: [UInt8]?

    init(_ id: String, _ messages: [String], platform: MessagePlatform = .ios) {
        conversations = [(id, messages)]
        self.platform = platform
    }

    init(_ messages: [String], platform: MessagePlatform = .ios) {
        self.init("0123456789abcdef", messages, platform: platform)
    }

    func send(_ request: HistoryRequest, to sink: any HistorySink) throws(HistoryError) {
        for (id, messages) in conversations where request.conversations(ConversationID(ByteText(id))) {
            var start = 0
            repeat {
                let end = start + min(partSize, messages.count - start)
                let (read, isStrict) = parsed(messages[start..<end].map { Array($0.utf8) }, platform)
                var part = HistoryPart(
                    ConversationID(ByteText(id)), read, isStrict: isStrict, bytes: read.count)
                part.isFirst = start == 0
                part.isLast = end == messages.count
                part.item = ByteText("\(id).enc")
                part.sha256 = digest
                try sink.take(part)
                start = end
            } while start < messages.count
        }
        for attachment in attachments where request.takes(attachment: ByteText(attachment.id)) {
            guard try sink.begin(attachment: ByteText(attachment.id), size: attachment.bytes.count) else { continue }
            let bytes = attachment.bytes
            try sink.take(attachment: bytes.span)
            try sink.endAttachment()
        }
    }
}

/// Messages of a list of objects, and whether all are strict JSON.
func parsed(_ objects: [[UInt8]], _ platform: MessagePlatform = .ios) -> ([StoredMessage], Bool) {
    let list = Array("[".utf8) + Array(objects.joined(separator: Array(",".utf8))) + Array("]".utf8)
    guard let buffer = try? PlaintextBuffer(copying: list), var scanner = try? MessageScanner() else {
        return ([], false)
    }
    var messages = MessageList(buffer, at: 0, platform: platform)
    let outcome = try? scanner.scan(buffer, 0..<buffer.count, into: &messages)
    return (messages.messages, outcome == .strict)
}

/// Everything that a source sends.
final class CollectedHistory: HistorySink {
    struct Conversation {
        let id: ConversationID
        var messages: [StoredMessage] = []
        var earlier: [Int: [StoredMessage]] = [:]
        var others: [Int: [StoredMessage]] = [:]
        var conflicting: Set<Int> = []
        var parts = 0
    }

    var names = PeerNames()
    var conversations: [Conversation] = []
    var removed: [RemovedMessage] = []
    var losses: [HistoryLoss] = []
    var attachments: [(id: ByteText, bytes: [UInt8])] = []
    var replied: [ByteText: StoredMessage] = [:]

    func take(_ people: PeerNames) { names = people }
    func take(_ loss: HistoryLoss) { losses.append(loss) }
    func take(_ removed: [RemovedMessage]) { self.removed += removed }

    func take(_ part: HistoryPart) {
        if part.isFirst { conversations.append(Conversation(id: part.conversation)) }
        let last = conversations.count - 1
        let base = conversations[last].messages.count
        for (place, sources) in part.earlier { conversations[last].earlier[base + place] = sources }
        for (place, sources) in part.others { conversations[last].others[base + place] = sources }
        for place in part.conflicting { conversations[last].conflicting.insert(base + place) }
        conversations[last].messages += part.messages
        conversations[last].parts += 1
        replied.merge(part.replied) { first, _ in first }
    }

    func begin(attachment id: ByteText, size: Int) -> Bool {
        attachments.append((id, []))
        return true
    }

    func take(attachment bytes: Span<UInt8>) {
        attachments[attachments.count - 1].bytes += bytes.indices.map { bytes[$0] }
    }

    func endAttachment() {}
}

/// A message of an iOS app; `more` are further members with a comma before each.
func ios(
    _ id: String, _ body: String = "hello", at time: Double = 700_000_000, _ direction: String = "received",
    status: String = "delivered", peer: String = "0123456789abcdef", more: String = ",\"isEdited\":false"
) -> String {
    "{\"id\":\"\(id)\",\"peerID\":\"\(peer)\",\"direction\":\"\(direction)\",\"body\":\"\(body)\","
        + "\"timestamp\":\(time),\"status\":\"\(status)\"\(more)}"
}

/// The same of an Android app; `time` in seconds since 2001.
func android(
    _ id: String, _ body: String = "hello", at time: Double = 700_000_000, _ direction: String = "received",
    status: String = "delivered", peer: String = "0123456789abcdef", more: String = ""
) -> String {
    "{\"id\":\"\(id)\",\"peerID\":\"\(peer)\",\"direction\":\"\(direction)\",\"body\":\"\(body)\","
        + "\"timestampMs\":\(Int64(time * 1000) + 978_307_200_000),\"status\":\"\(status)\"\(more)}"
}
