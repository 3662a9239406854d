import CryptoPrimitives
import JSONCoding
import SophaxCore
import SystemIO
import TestSupport
import Testing

@testable import SophaxFiles

@Suite("files of captured messages")
struct CaptureReaderTests {
    private let folder = TemporaryFolder()
    private static let ack = #"{"type":"ack","payload":"e30=","senderID":"s","timestamp":1,"signature":""}"#
    private static let hello = #"{"type":"hello","payload":"e30=","senderID":"s","timestamp":1,"signature":""}"#
    private static let held =
        #"{"targetPeerID":"t","messageID":"m","expiresAt":5,"sealed":"#
        + #"{"ephemeralPublicKey":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=","encryptedPayload":""}}"#

    private struct Read: Equatable {
        var kind: CaptureReader.Kind?
        var places: [CapturedItem.Place] = []
        var messages = 0
        var problems: [CaptureProblem] = []
        var beginsWithHello: Bool?
    }

    private func read(_ bytes: [UInt8], key: [UInt8]? = nil) throws(CaptureError) -> Read {
        let path = folder.write(bytes, to: "file")
        let input: InputFile
        do throws(FileError) { input = try InputFile(opening: FilePath(path)) } catch { throw .file(error) }
        var reader = try CaptureReader.open(input)
        if let key {
            guard let secret = try? SecretBytes(copying: key.span) else { throw .cipher }
            try reader.decrypt(with: secret)
        }
        var read = Read(kind: reader.kind)
        while let item = try reader.nextItem() {
            read.places.append(item.place)
            if case .unreadable(let problem) = item.content {
                read.problems.append(problem)
            } else {
                read.messages += 1
            }
        }
        read.beginsWithHello = reader.beginsWithHello
        return read
    }

    private func read(_ text: String) throws(CaptureError) -> Read { try read(Array(text.utf8)) }

    private func frame(_ text: String) -> [UInt8] {
        let count = text.utf8.count
        return [0, UInt8(count >> 16), UInt8(count >> 8 & 255), UInt8(count & 255)] + Array(text.utf8)
    }

    @Test("what a file is, is told by its content")
    func kinds() throws {
        let pretty = Self.ack.replacing(",", with: " ,\n  ")
        for text in [Self.ack, Self.ack + "\n", "\u{FEFF}" + Self.ack, "\r\n" + pretty] {
            #expect(try read(text) == Read(kind: .message, places: [.whole], messages: 1))
        }
        for end in ["\n", "\r\n", "\n\n \n"] {
            let lines = try read(Self.ack + end + Self.hello + end)
            #expect(lines.kind == .lines)
            #expect(lines.messages == 2)
        }
        #expect(try read("{\"p\":[{\"wire\":\(Self.ack),\"messageID\":\"m\"}]}").kind == .pendingQueue)
        #expect(try read("[\(Self.held)]") == Read(kind: .heldMessages, places: [.held(1)], messages: 1))
        for empty in ["{}", "[]", " [ ] \n", "{\"p\":[]}"] { #expect(try read(empty) == Read(kind: .emptyQueue)) }
        let frames = try read(frame(Self.hello) + frame(Self.ack))
        #expect(
            frames
                == Read(
                    kind: .frames, places: [.frame(1, offset: 0), .frame(2, offset: Self.hello.utf8.count + 4)],
                    messages: 2, beginsWithHello: true))
        #expect(try read(frame(Self.ack)).beginsWithHello == false)
    }

    @Test("frames larger than the pieces that are read, and frames across their edges, come whole")
    func large() throws {
        let padding = String(repeating: " ", count: 700_000)
        let stream = frame(Self.hello) + (0..<5).flatMap { _ in frame(Self.ack + padding) }
        #expect(try read(stream).messages == 6)
        let lines = (0..<5).map { _ in Self.ack + padding }.joined(separator: "\n")
        #expect(try read(lines).messages == 5)
    }

    @Test("damage is told at its place, and what can be read is")
    func damage() throws {
        let cut = try read(Array((frame(Self.hello) + frame(Self.ack)).dropLast(3)))
        #expect(cut.messages == 1)
        #expect(cut.problems == [.frame(.truncated(frame: 2, offset: Self.hello.utf8.count + 4, missing: 3))])
        let empty = try read(frame(Self.hello) + [0, 0, 0, 0] + frame(Self.ack))
        #expect(empty.messages == 2)
        #expect(empty.problems == [.frame(.empty(frame: 2, offset: Self.hello.utf8.count + 4))])
        let long = try read(frame(Self.hello) + [0x7F, 0, 0, 0] + frame(Self.ack))
        #expect(long.messages == 1)
        #expect(
            long.problems
                == [
                    .frame(
                        .tooLong(
                            frame: 2, offset: Self.hello.utf8.count + 4, found: 0x7F00_0000,
                            limit: FrameLimit.android.bytes))
                ])
        let bad = try read(frame(Self.hello) + frame("{\"type\":1}") + frame("{") + frame(Self.ack))
        #expect(bad.messages == 2)
        #expect(bad.problems.count == 2)
        let lines = try read("{\"x\"\n\(Self.ack)\n{}\n\(Self.ack)")
        #expect(lines.kind == .lines)
        #expect(lines.messages == 2)
        #expect(lines.problems.count == 2)
        #expect(lines.places == [.line(1), .line(2), .line(3), .line(4)])
    }

    @Test("a line longer than any message is stepped over")
    func longLine() throws {
        let long = String(repeating: "x", count: WireLimits.messageBytes + 1)
        let read = try read(Self.ack + "\n" + "{" + long + "\n" + Self.ack + "\n")
        #expect(read.messages == 2)
        #expect(read.problems == [.lineTooLong(limit: WireLimits.messageBytes)])
    }

    @Test(
        "what holds no messages is called what it is",
        arguments: [
            ("SXID\u{1}abc", ForeignFile.appExport), ("SXBK\u{1}abc", .appExport), ("SXFE\u{1}abc", .appExport),
            ("SXB2\u{1}abc", .portableBundle), ("SXDB\u{1}abc", .sealedDatabase),
            (#"{"signingKeyPublic":"x"}"#, .preKeyBundle), (#"{"identity.signing":"x"}"#, .keychain),
            (#"{"ephemeralPublicKey":"x","encryptedPayload":"y"}"#, .sealedMessage),
            (#"{"messageID":"m","status":"delivered"}"#, .payload), (#"{"hello":1}"#, .otherJSON),
            (
                #"{"id":"B5","type":1,"senderID":"a","recipientID":"*","ttl":7,"payload":"e30=","timestamp":1.5}"#,
                .btmessage
            ),
            (#"{"kemCiphertext":"a","aesCiphertext":"b"}"#, .btmessage),
            ("73hM7Xjpq4rqEkxPOgZmZ6tTpDwkheJRrDDA1JsaxRqISNVL+pFTxAHpHEgOkA==\n", .conet),
        ])
    func foreign(text: String, kind: ForeignFile) {
        #expect(throws: CaptureError.foreign(kind)) { try read(text) }
    }

    @Test("a word that could be base64 is not taken for frames of another system")
    func shortWords() {
        for text in [
            "12", "hello", "abcd", "hello\nworld\n", String(repeating: "a", count: 39), "two words and no frame",
        ] {
            #expect(throws: CaptureError.encrypted, "\(text)") { try read(text) }
        }
    }

    @Test("a queue for more people than may be is named as one that is too large")
    func tooManyPeople() throws {
        func queue(_ count: Int) -> String {
            "{" + (0..<count).map { "\"p\($0)\":[]" }.joined(separator: ",") + "}"
        }
        #expect(try read(queue(WireLimits.queuePeers)).kind == .emptyQueue)
        let above = queue(WireLimits.queuePeers + 1)
        #expect { try read(above) } throws: { error in
            if case .format(let reason) = error as? CaptureError { return reason != .outOfMemory }
            return false
        }
    }

    @Test("nothing, and half of something, are errors")
    func nothing() {
        #expect(throws: CaptureError.empty) { try read("") }
        for text in [" ", "\n\r\n"] { #expect(throws: CaptureError.empty) { try read(text) } }
        for text in ["{", "[1", "{\"a\":", "[{]"] {
            #expect(throws: CaptureError.self) { try read(text) }
        }
        #expect(throws: CaptureError.self) { try read([0x80, 0x81]) }
    }

    @Test("a queue opens with the key of its store, and with no other")
    func encrypted() throws {
        let key = [UInt8](repeating: 7, count: 32)
        let text = Array("{\"p\":[{\"wire\":\(Self.ack),\"messageID\":\"m\"}]}".utf8)
        // Nonces are random; one that begins as text does would be taken for text, but for the bytes behind it.
        for _ in 0..<200 {
            var cipher = try AESGCM(key: SecretBytes(copying: key.span))
            let box = try cipher.sealCombined(text.span)
            #expect(try read(box, key: key).messages == 1)
        }
        var cipher = try AESGCM(key: SecretBytes(copying: key.span))
        var box = try cipher.sealCombined(text.span)
        #expect(throws: CaptureError.notAuthentic) { try read(box, key: [UInt8](repeating: 8, count: 32)) }
        #expect(throws: CaptureError.encrypted) { try read(box) }
        box[20] ^= 1
        #expect(throws: CaptureError.notAuthentic) { try read(box, key: key) }
        #expect(throws: CaptureError.foreign(.binary)) { try read([0x80, 0x81, 0x82], key: key) }
    }

    @Test(
        "the samples of the related apps are not taken for messages",
        .enabled(if: SharedFolder.isThere, "the shared folder is not here"),
        arguments: [
            ("btmessage/chat-x25519-v1.json", ForeignFile.btmessage), ("btmessage/chat-xwing.json", .btmessage),
            ("btmessage/group-chat.json", .btmessage), ("btmessage/group-key.json", .btmessage),
            ("conet/sealed-frames.json", .conet), ("lchat/vectors.json", .otherJSON),
        ])
    func related(name: String, kind: ForeignFile) throws {
        let bytes = try #require(fileBytes(SharedFolder.file("fixtures/" + name)))
        #expect(throws: CaptureError.foreign(kind)) { try read(bytes) }
    }
}
