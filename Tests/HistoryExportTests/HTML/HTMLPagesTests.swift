import SophaxFiles
import SystemIO
import TestSupport
import Testing

@testable import HistoryExport

@Suite struct HTMLPagesTests {
    private func conversation(_ messages: [MessageSpelling]) -> ListSource {
        var source = ListSource()
        source.conversations = [.init(id: ConversationID(ByteText(HTMLSample.bob)), messages: messages.map(\.json))]
        return source
    }

    private func numbered(_ count: Int) -> [MessageSpelling] {
        (0..<count).map {
            MessageSpelling("m\($0)", in: HTMLSample.bob, "text \($0)", at: HTMLSample.start + Double($0) * 7_200)
        }
    }

    /// How often `part` stands in `text`.
    private func count(_ part: String, in text: String) -> Int {
        text.split(separator: part, omittingEmptySubsequences: false).count - 1
    }

    @Test("the sample has every part of an export, and the counts of files are true")
    func sample() throws {
        let folder = TemporaryFolder()
        let made = try HTMLFolder(HTMLSample().source, in: folder)
        let names = made.names()
        for name in [
            "index.html", "search.html", "statistics.html", "assets/style.css", "assets/page.js", "assets/search.js",
            "search/index.js", "pages/c0001-0001.html", "pages/c0005-0001.html",
        ] { #expect(names.contains(name)) }
        #expect(made.report.files == FolderListing(made.path).entries.values.count(where: { $0.hasPrefix("file") }))
        let page = made.text("pages/c0001-0001.html")
        #expect(page.contains("<img src=\"../attachments/sea%20at%20dusk.png\" loading=\"lazy\""))
        #expect(page.contains("<audio controls preload=\"none\" src=\"../attachments/"))
        #expect(page.contains("missing: the source does not have it"))
        #expect(page.contains("Disappearing message, until <time"))
        let last = made.text("pages/c0001-0002.html")
        #expect(last.contains("2 earlier versions"))
        #expect(last.contains("Final verison of the packing list"))
        #expect(page.contains("Unknown content, as it is stored"))
        #expect(page.contains("&quot;kind&quot;:&quot;safetyNumberChanged&quot;"))
        #expect(page.contains("In reply to a message that is not here"))
        #expect(page.contains("Not sent"))
        // A picture that can run is neither shown nor linked.
        #expect(!page.contains("=\"../attachments/tent"))
        #expect(page.contains("no link, for a browser might run it: <bdi>attachments/tent.svg</bdi>"))
        // The stand-in of an app is left out where the file is shown.
        #expect(!page.contains("🎤 Voice message"))
    }

    @Test("the same messages give the same bytes, whoever makes the pages and in whatever parts they come")
    func sameBytes() throws {
        let folder = TemporaryFolder()
        var source = HTMLSample().source
        let first = try HTMLFolder(source, in: folder, named: "a", workers: 0)
        let second = try HTMLFolder(source, in: folder, named: "b", workers: 2)
        source.partLength = 7
        let third = try HTMLFolder(source, in: folder, named: "c", workers: 1)
        for name in first.names() where !first.text(name).isEmpty {
            #expect(first.text(name) == second.text(name), "\(name)")
            #expect(first.text(name) == third.text(name), "\(name)")
        }
        #expect(first.names() == third.names())
    }

    @Test("a page has at most 1,000 messages, and replies link to the page of what they reply to")
    func pages() throws {
        var messages = numbered(2_001)
        messages[2_000] = messages[2_000].with("replyToID", "m999")
        messages[1_000] = messages[1_000].with("replyToID", "m1001")
        let folder = TemporaryFolder()
        var source = conversation(messages)
        source.partLength = 300
        let made = try HTMLFolder(source, in: folder)
        #expect(made.names(in: "pages") == ["c0001-0001.html", "c0001-0002.html", "c0001-0003.html", "c0001.html"])
        let pages = (1...3).map { made.text("pages/c0001-000\($0).html") }
        #expect(pages.map { count("<article", in: $0) } == [1_000, 1_000, 1])
        #expect(pages[2].contains("href=\"c0001-0001.html#m1000\"><span class=\"vh\">In reply to </span>"))
        #expect(pages[2].contains("text 999"))
        #expect(pages[1].contains("href=\"#m1002\"><span class=\"vh\">In reply to </span>"))
        #expect(pages[0].contains("id=\"m1000\"") && pages[1].contains("id=\"m1001\""))
        #expect(pages[1].contains("href=\"c0001-0001.html\" aria-label=\"Previous page\""))
        #expect(pages[1].contains("href=\"c0001-0003.html\" aria-label=\"Next page\""))
        let contents = made.text("pages/c0001.html")
        #expect(count("<li><a href=\"c0001-000", in: contents) == 6)
        #expect(contents.contains("c0001-0001.html#m1\">") && contents.contains("2,001 messages"))
        #expect(made.text("index.html").contains("href=\"pages/c0001.html\""))
    }

    @Test("a conversation in two files has its messages on the same pages")
    func twoFiles() throws {
        let folder = TemporaryFolder()
        var source = conversation(numbered(1_500))
        let one = source.conversations[0]
        source.conversations = [one, one, .init(id: .notesToSelf, messages: [])]
        source.conversations[0].messages = Array(one.messages[..<700])
        source.conversations[1].messages = Array(one.messages[700...])
        source.conversations[2].messages = [
            MessageSpelling("n", in: "__note_to_self__", "note", at: 800_000_000, isSent: true).json
        ]
        let made = try HTMLFolder(source, in: folder)
        #expect(count("<article", in: made.text("pages/c0001-0001.html")) == 1_000)
        #expect(count("<article", in: made.text("pages/c0001-0002.html")) == 500)
        #expect(made.text("pages/c0001-0002.html").contains("id=\"m1500\""))
    }

    @Test(
        "dates that no clock shows keep their number and are in no chart",
        arguments: [
            "-1e300", "1e400", "9007199254740992", "-978307201",
        ])
    func oddDates(number: String) throws {
        let folder = TemporaryFolder()
        var message = MessageSpelling("m", in: HTMLSample.bob, "when?", at: 0)
        message.others = []
        let json = String(decoding: message.json, as: UTF8.self).replacing(
            "\"timestamp\":0.0", with: "\"timestamp\":\(number)")
        var source = conversation([])
        source.conversations[0].messages = [Array(json.utf8)]
        let made = try HTMLFolder(source, in: folder)
        #expect(made.text("pages/c0001-0001.html").contains("when?"))
        #expect(made.text("statistics.html").contains("1 message has no plausible date"))
    }

    @Test(
        "a file is linked only where its beginning and its ending say that a browser runs nothing",
        arguments: [
            ("a.txt", "hello", true), ("a.csv", "a,b", true), ("a.pdf", "%PDF-1.4", true),
            ("a.zip", "PK\u{3}\u{4}", true),
            ("a.bin", "\u{0}\u{1}", true), ("a.html", "<html>", false), ("a.svg", "<svg/>", false),
            ("a.xht", "<x/>", false),
            ("a.md", "<b>", false), ("a.html", "%PDF-1.4", false), ("a", "hello", false), ("a.exe", "MZ\u{0}", false),
            ("a.dat", "\u{0}\u{1}", false), ("a.pdf.xhtml", "%PDF-1.4", false), ("a.svg", "\u{0}\u{1}", false),
        ])
    func links(name: String, head: String, isLinked: Bool) {
        let file = ExportedFile(
            path: FilePath("attachments/" + name), bytes: 1, kind: AttachmentKind.of(Array(head.utf8)), sha256: [],
            modified: nil)
        #expect(file.isInert == isLinked)
    }

    @Test("names and reactions that go on and on do not fill the pages")
    func endless() throws {
        let folder = TemporaryFolder()
        let long = String(repeating: "name ", count: 100_000)
        var message = MessageSpelling("m", in: HTMLSample.bob, "short", at: HTMLSample.start)
        message = message.reaction((0..<2_000).map { ("\($0)", "r\($0)") })
            .with("attachmentID", "a").with("attachmentFilename", long)
        var source = conversation((0..<3).map { _ in message })
        source.people = HTMLSample.names([(HTMLSample.bob, long)])
        let made = try HTMLFolder(source, in: folder)
        let page = made.text("pages/c0001-0001.html")
        #expect(page.utf8.count < 200_000)
        #expect(page.contains("1,950 more</li>"))
    }

    @Test("messages about which sources disagree are marked, each of them")
    func conflicts() throws {
        let folder = TemporaryFolder()
        var source = conversation(numbered(4))
        source.conversations[0].conflicting = [1, 3]
        source.partLength = 3
        let page = try HTMLFolder(source, in: folder).text("pages/c0001-0001.html")
        #expect(count("Sources disagree", in: page) == 2)
        #expect(page.contains("first conflict\" id=\"m2\"") && page.contains("first conflict\" id=\"m4\""))
    }

    @Test("an export of nothing still opens")
    func empty() throws {
        let folder = TemporaryFolder()
        let made = try HTMLFolder(ListSource(), in: folder)
        #expect(made.text("index.html").contains("no messages in this export"))
        #expect(made.text("search/index.js").hasPrefix("sxkeyTake(\"index\","))
    }
}
