import JSONCoding
import SophaxFiles
import TestSupport
import Testing

@testable import HistoryExport

/// Without a browser: what is written for hostile fields, looked at as bytes.
@Suite struct HostilePagesTests {
    @Test("pages made of attacks consist of the tags that pages are made of, with harmless attributes")
    func attacks() throws {
        let folder = TemporaryFolder()
        let made = try HTMLFolder(HostileHTML.source, in: folder)
        for name in made.names() where name.hasSuffix(".html") {
            for tag in DocumentTag.all(in: made.text(name)) { #expect(tag.isHarmless, "\(name): \(tag)") }
        }
        for name in made.names(in: "search") {
            // Nothing ends a string, a script or a line of one.
            let text = made.text("search/" + name)
            #expect(!text.contains("<") && !text.contains("\u{2028}") && !text.contains("\u{2029}"), "\(name)")
        }
    }

    @Test(
        "bytes that are no UTF-8 reach no page, and what stands beside them stays",
        arguments: [[0xFF, 0xFE], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF0, 0x9F, 0x98]]
            as [[UInt8]])
    func invalid(bytes: [UInt8]) throws {
        let folder = TemporaryFolder()
        let value = Array("\"ab".utf8) + bytes + Array("<yz\"".utf8)
        var message = MessageSpelling("m", in: HTMLSample.bob, nil, at: HTMLSample.start)
        for key in ["body", "attachmentID", "attachmentFilename", "attachmentMimeType", "replyToID", "status"] {
            message.others.append((key, value))
        }
        var source = ListSource()
        source.conversations = [.init(id: ConversationID(ByteText(HTMLSample.bob)), messages: [message.json])]
        let made = try HTMLFolder(source, in: folder)
        for name in made.names() where name.hasSuffix(".html") || name.hasSuffix(".js") {
            let written = fileBytes(made.path + "/" + name) ?? []
            #expect(JSONText.firstInvalidUTF8(written.span) == nil, "\(name)")
        }
        let page = made.text("pages/c0001-0001.html")
        #expect(page.contains("ab\u{FFFD}") && page.contains("\u{FFFD}&lt;yz"))
        #expect(page.contains("Some of this text was damaged in the source"))
    }

    @Test("fields of other types than the format says are shown as data")
    func types() throws {
        let folder = TemporaryFolder()
        let fields = [
            "body", "attachmentID", "attachmentFilename", "replyToID", "status", "reactions", "expiresAt", "editedAt",
            "readBy", "senderID", "direction", "isEdited", "audioDuration", "timestamp",
        ]
        var messages: [[UInt8]] = []
        for field in fields {
            for json in ["null", "17", "\"<x>\"", "[[\"<x>\"]]", "{\"<x>\":{\"<y>\":1}}", "-1e308", "true"] {
                messages.append(
                    MessageSpelling("\(messages.count)", in: HTMLSample.bob, nil, at: HTMLSample.start)
                        .with(field, json: json).json)
            }
        }
        var source = ListSource()
        source.conversations = [.init(id: ConversationID(ByteText(HTMLSample.bob)), messages: messages)]
        let made = try HTMLFolder(source, in: folder)
        let page = made.text("pages/c0001-0001.html")
        #expect(page.split(separator: "<article").count - 1 == messages.count)
        #expect(page.contains("{&quot;&lt;x&gt;&quot;:{&quot;&lt;y&gt;&quot;:1}}"))
        for tag in DocumentTag.all(in: page) { #expect(tag.isHarmless, "\(tag)") }
    }
}
