import SophaxFiles
import Testing

@testable import PortableBundle

@Suite("Messages as lines")
struct ConversationTextTests {
    private func line(_ source: String) -> String {
        var text: [UInt8] = []
        ConversationText.append(Array(source.utf8), to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    @Test("a message is kept byte for byte, and line breaks between its tokens go")
    func lines() {
        #expect(line(#"{"id": "a\n\/", "x" :[ 1.0 ]}"#) == #"{"id": "a\n\/", "x" :[ 1.0 ]}"# + "\n")
        #expect(line("{\r\n  \"id\":\n\"a\"\r}\n") == "{  \"id\":\"a\"}\n")
        #expect(line(#"{"a\\":"\""}"#) == #"{"a\\":"\""}"# + "\n")
    }

    @Test("a line break inside a string becomes the escape that it should have been")
    func broken() {
        #expect(line("{\"body\":\"a\nb\r\nc\"}") == #"{"body":"a\nb\r\nc"}"# + "\n")
        #expect(line("{\"body\":\"a\\\nb\"}") == #"{"body":"a\nb"}"# + "\n")
        #expect(line("{\"a\":\"\\\\\"\n,\"b\":\"x\ny\"}") == #"{"a":"\\","b":"x\ny"}"# + "\n")
    }

    @Test("the messages come back from their lines, also from a last one that is not ended")
    func messages() throws {
        let sources = ["a", "b", "c"].map {
            #"{"id":"\#($0)","peerID":"p","direction":"sent","body":"line\u2028, ] [ \"","timestamp":1,"status":"read"}"#
        }
        var text: [UInt8] = []
        for source in sources { ConversationText.append(Array(source.utf8), to: &text) }
        for lines in [text, Array(text.dropLast())] {
            let read = try ConversationText.messages(of: lines, platform: .ios)
            #expect(read.outcome.isSound)
            #expect(read.messages.map { String(decoding: $0.sourceJSON, as: UTF8.self) } == sources)
        }
        #expect(try ConversationText.messages(of: [], platform: .ios).messages.isEmpty)
    }

    @Test("bytes that are no UTF-8 are still there, and it is said")
    func invalid() throws {
        let source: [UInt8] =
            Array(#"{"id":"a","peerID":"p","body":""#.utf8) + [0xFF, 0xC0] + Array(#"","timestamp":1}"#.utf8)
        var text: [UInt8] = []
        ConversationText.append(source, to: &text)
        let read = try ConversationText.messages(of: text, platform: .ios)
        #expect(!read.outcome.isSound)
        #expect(read.messages.map(\.sourceJSON) == [source])
    }
}
