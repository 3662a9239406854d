import Archive
import CryptoPrimitives
import History
import JSONCoding
import SQLiteDatabase
import SophaxFiles
import SystemIO

// usage: ArchiveProbe ARCHIVE CONVERSATIONS MESSAGES
// Imports that many conversations of that many messages into a sealed archive, which it makes where there is none; a
// process to kill. Says what it imported.
let words = ProcessSettings.arguments().map { String(decoding: $0, as: UTF8.self) }
guard words.count == 3, let conversations = Int(words[1]), let messages = Int(words[2]) else {
    fatalError("usage: ArchiveProbe ARCHIVE CONVERSATIONS MESSAGES")
}

func key() throws -> UnlockSecret {
    let bytes = [UInt8](repeating: 7, count: 32)
    return try UnlockSecret.key(SecretBytes(copying: bytes.span))
}

let path = FilePath(words[0])
let archive =
    (try? fileStatus(at: path)) == nil
    ? try Archive.make(at: path, slots: [NewSlot(key())]) : try Archive(opening: path, .readWrite, unlocking: key())
let report = try ArchiveImporter(archive).run(NumberedHistory(conversations: conversations, messages: messages))
print("\(report.read) \(report.counts.new) \(report.counts.alreadyThere)")

/// Conversations whose messages are numbered.
struct NumberedHistory: HistorySource {
    let origin = HistoryOrigin(.store, path: "numbered", bytes: 0)
    let conversations: Int
    let messages: Int

    func send(_ request: HistoryRequest, to sink: any HistorySink) throws(HistoryError) {
        for conversation in 0..<conversations {
            let id = String("\(1_000_000_000_000_000 + conversation)")
            var list = Array("[".utf8)
            for number in 0..<messages {
                if number > 0 { list.append(UInt8(ascii: ",")) }
                list += Array(
                    """
                    {"id":"m\(number)","peerID":"\(id)","direction":"received","body":"message \(number) of \(conversation)",\
                    "timestamp":\(700_000_000 + number * 60 + conversation),"status":"delivered","isEdited":false}
                    """.utf8)
            }
            list.append(UInt8(ascii: "]"))
            guard let buffer = try? PlaintextBuffer(copying: list), var scanner = try? MessageScanner() else { return }
            var read = MessageList(buffer, at: 0)
            _ = try? scanner.scan(buffer, 0..<buffer.count, into: &read)
            try sink.take(
                HistoryPart(ConversationID(ByteText(id)), read.messages, isStrict: true, bytes: list.count))
        }
    }
}
