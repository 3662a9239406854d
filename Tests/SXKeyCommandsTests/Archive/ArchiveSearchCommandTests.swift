import SystemIO
import TestSupport
import Testing

@testable import SXKeyCommands

@Suite("archive search and stats")
struct ArchiveSearchCommandTests {
    private let specimen: ArchiveSpecimen
    private let store = MadeStore()

    init() throws {
        specimen = try ArchiveSpecimen()
        func message(_ id: String, _ body: String, after seconds: Int, _ more: String = "") -> String {
            #"{"id":"\#(id)","peerID":"\#(MadeStore.bob)","direction":"\#(id.hasPrefix("S") ? "sent" : "received")","#
                + #""body":"\#(body)","timestamp":\#(700_000_000 + seconds),"status":"read","isEdited":false\#(more)}"#
        }
        try store.conversation(
            MadeStore.bob,
            [
                message("A", "yesterday I saw a red bicycle outside the station, is it yours?", after: 0),
                message("S1", "no, but I want that Red  Bicycle", after: 120, #","replyToID":"A""#),
                message("B", "\u{202E}\u{1B}[31m evil\\u001b[2J bicycle", after: 240),
                message(
                    "S2", "look", after: 360,
                    #","attachmentID":"P","attachmentMimeType":"image/jpeg","attachmentFilename":"bicycle-1.jpg""#),
            ])
        let imported = specimen.run("import", store.path, "--key-file", store.keyFile)
        #expect(imported.status == .success, "\(imported.errors)")
    }

    @Test("what was found is marked, replies have an arrow, and the newest comes first")
    func text() {
        let run = specimen.run("search", "red", "bicycle", "--timezone", "UTC")
        #expect(run.status == .success, "\(run.errors)")
        let lines = run.output.split(separator: "\n").map(String.init)
        #expect(lines.count == 3)
        #expect(lines[0].hasSuffix("↳ no, but I want that [Red  Bicycle]"))
        #expect(lines[1].hasSuffix("a [red bicycle] outside the station, is it yours?"))
        #expect(lines[0].contains("  me  "))
        #expect(lines[2].hasPrefix("2 messages in "))
        let oldest = specimen.run("search", "bicycle", "--oldest", "--limit", "1")
        #expect(oldest.output.contains("is it yours?"))
        #expect(oldest.output.contains("1 of 4 messages in "))
        #expect(specimen.run("search", "\"red bicycle\"", "--best", "--sent").output.contains("1 message in "))
    }

    @Test("names of attachments are found, and text from elsewhere cannot steer the terminal")
    func hostile() {
        #expect(specimen.run("search", "jpg").output.contains("look  (attachment bicycle-1.[jpg])"))
        let run = specimen.run("search", "evil")
        #expect(run.status == .success)
        #expect(!run.output.contains("\u{1B}") && !run.output.contains("\u{202E}"))
        #expect(run.output.contains("\\u{202e}\\u{1b}[31m [evil]\\u{1b}"))
    }

    @Test("JSON has a line a message with the places of what was found, and the count at the end")
    func lines() {
        let run = specimen.run("search", "yours", "--json")
        let lines = run.output.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines[0].contains(#""id":"A","conversation":"#))
        #expect(lines[0].contains(#""direction":"received""#))
        #expect(lines[0].contains(#""marks":[[57,62]]"#))
        #expect(lines[1] == #"{"shown":1,"total":1}"#)
    }

    @Test("nothing found is status 10; nothing to look for is a usage error")
    func statuses() {
        let run = specimen.run("search", "zeppelin")
        #expect(run.status == .notFound)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("no message was found"))
        #expect(specimen.run("search", "zeppelin", "--json").output == #"{"shown":0,"total":0}"# + "\n")
        #expect(specimen.run("search").status == .usage)
        #expect(specimen.run("search", "?!").status == .usage)
        #expect(specimen.run("search", "a", "--best", "--oldest").status == .usage)
        #expect(specimen.run("search", "a", "--timezone", "Nowhere/Land").status == .usage)
        #expect(specimen.run("search", "a", "--with", "nobody").status == .notFound)
        #expect(specimen.run("search", "--has-attachment").output.contains("look"))
        #expect(
            specimen.run("search", "bicycle", "--with", MadeStore.bob, "--received", "--json").output.contains(
                "\"shown\":2"))
    }

    @Test(
        "any text is a query",
        arguments: ["\"", "a AND", "NEAR(", "x:y", "^", "(", "a\u{0}", "*", "--", "- -", "\u{FFFD}"])
    func anyText(text: String) {
        let run = specimen.run("search", "bicycle " + text)
        #expect([.success, .notFound].contains(run.status), "\(text.debugDescription): \(run.errors)")
    }

    @Test("statistics are told as a table and as JSON")
    func stats() {
        let run = specimen.run("stats", "--timezone", "UTC")
        #expect(run.status == .success, "\(run.errors)")
        #expect(run.output.contains("4: 2 sent, 2 received"))
        #expect(run.output.contains("2023-03"))
        #expect(run.output.contains("bicycle"))
        #expect(run.output.contains("image/jpeg"))
        #expect(!run.output.contains("█"), "no charts where there is no terminal")
        let json = specimen.run("stats", "--timezone", "UTC", "--json", "--words", "1", "--sent").output
        #expect(json.contains(#""messages":{"total":2,"sent":2,"received":0}"#))
        #expect(json.contains(#""months":[{"month":"2023-03","messages":{"total":2,"sent":2,"received":0}}]"#))
        #expect(specimen.run("stats", "--since", "2030").output.contains("No messages"))
    }
}
