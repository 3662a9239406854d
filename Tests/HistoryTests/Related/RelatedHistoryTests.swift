import CryptoPrimitives
import SophaxFiles
import TestSupport
import Testing

@testable import History

@Suite("history of related apps")
struct RelatedHistoryTests {
    private typealias Vectors = RelatedVectors

    private final class Taken: HistorySink {
        var parts: [HistoryPart] = []
        var losses: [HistoryLoss] = []

        func take(_ people: PeerNames) throws(HistoryError) {}
        func take(_ part: HistoryPart) throws(HistoryError) { parts.append(part) }
        func begin(attachment id: ByteText, size: Int) throws(HistoryError) -> Bool { false }
        func take(attachment bytes: Span<UInt8>) throws(HistoryError) {}
        func endAttachment() throws(HistoryError) {}
        func take(_ loss: HistoryLoss) throws(HistoryError) { losses.append(loss) }
    }

    private func keys(_ texts: String...) throws -> RelatedKeys {
        var keys = RelatedKeys()
        for text in texts {
            let plain = Array(text.utf8)
            try keys.add(file: SecretBytes(copying: plain.span))
        }
        return keys
    }

    private func history(_ text: String, _ keys: RelatedKeys) throws -> RelatedHistory {
        let document = try #require(try RelatedDocument.read(Array(text.utf8)))
        return try RelatedHistory(document, keys: keys, path: "file", size: text.utf8.count)
    }

    private func taken(_ text: String, _ keys: RelatedKeys) throws -> Taken {
        let taken = Taken()
        try history(text, keys).send(HistoryRequest(), to: taken)
        return taken
    }

    private func source(_ part: HistoryPart, _ place: Int = 0) -> String {
        String(decoding: part.messages[place].sourceJSON, as: UTF8.self)
    }

    private let record =
        #"{"id":"r1","conversationID":"c","senderID":"\#(RelatedVectors.peerID)","text":"hi \"you\"","timestamp":1776000000.25,"delivered":true}"#

    @Test("records keep all that they have, and say who sent them where one's own id is known")
    func records() throws {
        let own = record.replacing(Vectors.peerID, with: Vectors.ownID).replacing("\"r1\"", with: "\"r2\"")
            .replacing("true", with: "false")
        let taken = try taken("[\n \(record),\n\(own)]", try keys(Vectors.items))
        #expect(taken.losses.isEmpty)
        let part = try #require(taken.parts.first)
        #expect(part.conversation.text.string == "c")
        #expect(part.isFirst && part.isLast)
        #expect(
            source(part)
                == #"{"id":"r1","peerID":"c","direction":"received","body":"hi \"you\"","timestamp":797692800.25,"#
                + #""status":"delivered","senderID":"\#(Vectors.peerID)","isEdited":false,"related":{"app":"btmessage","record":\#(record)}}"#
        )
        #expect(source(part, 1).contains(#""direction":"sent""#))
        #expect(source(part, 1).contains(#""status":"sending""#))
        #expect(part.messages[0].time?.unixSeconds == 1_776_000_000.25)
        let unknown = try self.taken(record, RelatedKeys())
        #expect(!source(unknown.parts[0]).contains("direction"))
    }

    @Test(
        "what opens is a message, what does not is counted with the reason, and keys and acknowledgements are neither")
    func envelopes() throws {
        let text = Vectors.envelopes.joined(separator: "\n")
        let taken = try taken(text, try keys(Vectors.items))
        #expect(taken.parts.map(\.conversation.text.string) == [Vectors.peerID, Vectors.groupID])
        #expect(taken.parts[0].messages[0].body?.string == "Gruß aus X-Wing 🛩")
        #expect(taken.parts[1].messages[0].body?.string == "an alle")
        #expect(taken.parts[1].messages[0].id?.string == "m-5")
        #expect(taken.losses.count == 1)
        guard case .notOpened(1, .noKey([.x25519])) = taken.losses[0].reason else {
            Issue.record("another reason")
            return
        }
        let all = try self.taken(text, try keys(Vectors.items, Vectors.x25519))
        #expect(all.losses.isEmpty)
        #expect(all.parts[0].messages.count == 2)
        #expect(all.parts[0].messages[1].body?.string == "<binary>")
        #expect(source(all.parts[0], 1).contains(#""binary":"//4gbm90IHRleHQ=""#))
    }

    @Test("nothing that opens is an error, and says whether a key is missing or wrong")
    func nothingOpens() throws {
        #expect(throws: HistoryError.self) { _ = try history(Vectors.envelopes[0], RelatedKeys()) }
        do {
            _ = try history(Vectors.frames[1], try keys(Vectors.threadKey))
            Issue.record("it opened")
        } catch HistoryError.related(.notAuthentic) {}
    }

    @Test("frames and threads have a conversation by the key, and the same id in every import")
    func sealed() throws {
        let frames = try taken(
            Vectors.frames.joined(separator: "\n"), try keys(#"{"streamKey":"\#(Vectors.streamKey)"}"#))
        // The first frame is about the stream.
        #expect(frames.parts.map(\.messages.count) == [1])
        #expect(frames.parts[0].conversation.text.hasPrefix("conet."))
        let text =
            #"{"threads":[{"wrapped":"\#(Vectors.wrapped)","title":"\#(Vectors.threadTitle)","message":"\#(Vectors.threadMessage)"}]}"#
        let threads = try taken(text, try keys(Vectors.pem))
        #expect(threads.parts.map(\.messages.count) == [1])
        #expect(threads.parts[0].conversation.text.hasPrefix("lchat."))
        let again = try taken(Vectors.threadMessage, try keys(#"{"threadKey":"\#(Vectors.threadKey)"}"#))
        #expect(again.parts[0].conversation == threads.parts[0].conversation)
        #expect(again.parts[0].messages[0].id?.bytes == threads.parts[0].messages[0].id?.bytes)
    }

    @Test("many messages of a conversation come in parts of which the first and the last say so")
    func parts() throws {
        let lines = (0..<4_100).map { record.replacing("\"r1\"", with: "\"r\($0)\"") }.joined(separator: "\n")
        let taken = try taken(lines, RelatedKeys())
        #expect(taken.parts.map(\.messages.count) == [2_000, 2_000, 100])
        #expect(taken.parts.map(\.isFirst) == [true, false, false])
        #expect(taken.parts.map(\.isLast) == [false, false, true])
    }
}
