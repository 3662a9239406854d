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
        #expect(part.conversation.text.string == "btmessage.c")
        #expect(part.isFirst && part.isLast)
        #expect(
            source(part)
                == #"{"id":"r1","peerID":"btmessage.c","direction":"received","body":"hi \"you\"","timestamp":797692800.25,"#
                + #""status":"delivered","senderID":"btmessage.\#(Vectors.peerID)","isEdited":false,"related":{"app":"btmessage","record":\#(record)}}"#
        )
        #expect(source(part, 1).contains(#""direction":"sent""#))
        #expect(source(part, 1).contains(#""status":"sending""#))
        #expect(part.messages[0].time?.unixSeconds == 1_776_000_000.25)
        let unknown = try self.taken(record, RelatedKeys())
        #expect(!source(unknown.parts[0]).contains("direction"))
        #expect(!source(unknown.parts[0]).contains("status"))
    }

    @Test(
        "what opens is a message, what does not is counted with the reason, and keys and acknowledgements are neither")
    func envelopes() throws {
        let text = Vectors.envelopes.joined(separator: "\n")
        let taken = try taken(text, try keys(Vectors.items))
        #expect(
            taken.parts.map(\.conversation.text.string) == [Vectors.peerID, Vectors.groupID].map { "btmessage." + $0 })
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

    /// An envelope that anybody can make who knows the public key.
    private func forged(from sender: String, to recipient: String, _ keys: RelatedKeys) throws -> String {
        let text = Array("I owe you".utf8)
        let publicKey = try #require(keys.identities.first?.xwingPublic)
        let sealed = try BTMessageSealed.seal(text.span, to: publicKey)
        let envelope = BTMessageEnvelope(
            id: Array("e".utf8), from: Array(sender.utf8), to: Array(recipient.utf8),
            .chat(messageID: Array("forged".utf8), sealed), timestamp: 1_776_000_000)
        return String(decoding: envelope.source, as: UTF8.self)
    }

    @Test("whatever sender an envelope names, it is in the name space of its app, and never one's own word")
    func forgeries() throws {
        let keys = try keys(Vectors.items)
        let contact = "d851a458f20e3f1f0123456789abcdef"
        for sender in [contact, "notes", "__note_to_self__", "group.1", "lchat.0123456789abcdef", Vectors.ownID] {
            let taken = try taken(try forged(from: sender, to: "victim", keys), keys)
            #expect(taken.parts.map(\.conversation.text.string) == ["btmessage." + sender])
            #expect(taken.parts[0].conversation.kind == .direct)
            #expect(source(taken.parts[0]).contains(#""direction":"received""#))
            let isOwn = sender == Vectors.ownID
            #expect(taken.losses.count == (isOwn ? 1 : 0))
            if isOwn, case .ownSender(1) = taken.losses[0].reason {} else { #expect(!isOwn) }
        }
        #expect(PeerNames(known: []).name(of: Array("btmessage.\(contact)".utf8)) == nil)
    }

    @Test("copies of one message are one, however they came; another text, sender or time is another")
    func copies() throws {
        let keys = try keys(Vectors.items)
        let envelope = try forged(from: Vectors.peerID, to: Vectors.ownID, keys)
        let kept =
            #"{"id":"forged","conversationID":"\#(Vectors.peerID)","senderID":"\#(Vectors.peerID)","text":"I owe you","#
            + #""timestamp":1776000000,"delivered":true}"#
        let copies = [
            (envelope, keys), (envelope.replacing(#""ttl":7"#, with: #""ttl":6"#), keys),
            (try forged(from: Vectors.peerID, to: Vectors.ownID, keys), keys), (kept, keys),
            (kept.replacing("true", with: "false"), keys), (kept, RelatedKeys()),
        ]
        let sides = try copies.map { MessageMeeting.Side(try taken($0.0, $0.1).parts[0].messages[0], isStrict: true) }
        for one in sides.indices {
            for other in sides.indices where one != other {
                guard case .known(let secondIsBetter) = MessageMeeting(sides[one], sides[other]) else {
                    Issue.record("\(one) and \(other) are two")
                    continue
                }
                // The same is shown whichever comes first.
                if case .known(let firstIsBetter) = MessageMeeting(sides[other], sides[one]) {
                    #expect(firstIsBetter != secondIsBetter || one == 3 && other == 4 || one == 4 && other == 3)
                }
            }
        }
        for (change, key) in [
            (kept.replacing("I owe", with: "You owe"), "body"),
            (kept.replacing("1776000000", with: "1776000001"), "timestamp"),
            (kept.replacing(#""senderID":"A9"#, with: #""senderID":"B9"#), "senderID"),
        ] {
            let other = MessageMeeting.Side(try taken(change, keys).parts[0].messages[0], isStrict: true)
            for side in sides { #expect(MessageMeeting(side, other) == .conflicting(ByteText(key))) }
        }
    }

    @Test("a key of one file opens messages of another, whichever is read first; keys alone are no history")
    func togetherOpened() throws {
        let brings = try #require(try RelatedDocument.read(Array(Vectors.envelopes[4].utf8)))
        let needs = try #require(try RelatedDocument.read(Array(Vectors.envelopes[5].utf8)))
        let opener = RelatedOpener(try keys(Vectors.items))
        for document in [needs, brings] { opener.learn(from: document) }
        let history = try RelatedHistory(needs, opener, path: "a", size: 1)
        #expect(history.origin.messages == 1)
        #expect(try RelatedHistory(brings, opener, path: "b", size: 1).isEmpty)
        // Within a file too.
        let turned = [Vectors.envelopes[5], Vectors.envelopes[4]].joined(separator: "\n")
        #expect(try taken(turned, keys(Vectors.items)).parts[0].messages.count == 1)
        do {
            _ = try self.history(Vectors.envelopes[2], keys(Vectors.items))
            Issue.record("an acknowledgement is history")
        } catch HistoryError.related(.noMessages) {}
        do {
            _ = try self.history(Vectors.envelopes[4], keys(Vectors.otherItems))
            Issue.record("it opened")
        } catch HistoryError.related(.notAuthentic) {}
    }

    private func seal(_ text: String, _ key: [UInt8]) throws -> [UInt8] {
        let bytes = Array(text.utf8)
        return try RelatedBox.seal(bytes.span, with: SecretBytes(copying: key.span))
    }

    @Test("only the first frame of a stream is not a message, and one that is no JSON did not open")
    func streams() throws {
        let key = try keys(#"{"streamKey":"\#(Vectors.streamKey)"}"#)
        let twice = try taken([Vectors.frames[1], Vectors.frames[0]].joined(separator: "\n"), key)
        #expect(twice.parts.map(\.messages.count) == [2])
        let letters = Array(Vectors.streamKey.utf8)
        let raw = Base64.decode(letters.span) ?? []
        let box = try seal("not json", raw)
        let encoded = Array(Base64.encode(box.span).utf8)
        let taken = try taken(Vectors.frames[1] + "\n" + String(decoding: encoded, as: UTF8.self), key)
        guard case .notOpened(1, .format) = try #require(taken.losses.first).reason else {
            Issue.record("it passed")
            return
        }
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
