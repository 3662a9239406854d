import CommandKit
import TestSupport
import Testing

@testable import SXKeyCommands

/// The options that choose messages, held against a small store.
@Suite("choosing messages")
struct SelectionTests {
    private let store = MadeStore()
    private static let group = "group.FEF7D886-0CA8-4C6E-9A20-ABE67F4A6A77"

    init() throws {
        // 795,000,001 s after 2001 is 2026-03-12T09:20:01Z; a day has 86,400.
        let start = 795_000_001
        try store.conversation(
            MadeStore.alice,
            (0..<5).map { day in
                MadeStore.message(
                    "A\(day)", peer: MadeStore.alice, body: "alice \(day) Caf\u{E9}", time: start + day * 86_400)
            })
        let messages = ["3619e750", "08c4cab7"].enumerated().map { number, sender in
            MadeStore.message(
                "G\(number)", peer: Self.group, body: "group \(number)", time: start + number * 86_400,
                extra: ",\"senderID\":\"\(sender)a2dd52ba\""
            ).replacing("\"sent\"", with: "\"received\"")
        }
        try store.conversation(Self.group, messages)
        try store.conversation("notetoself", [MadeStore.message("N", peer: "__note_to_self__", body: "a note")])
    }

    /// Bodies in the order that they are shown, all conversations one after the other.
    private func bodies(_ arguments: [String]) -> [String] {
        let run = store.run("show", arguments + ["--json"])
        #expect(run.status == .success, "\(arguments) \(run.errors)")
        return run.output.split(separator: "\n").map { line in
            String(line.split(separator: "\"body\":\"")[1].prefix { $0 != "\"" })
        }
    }

    @Test("a span of days has its ends")
    func dates() {
        #expect(
            bodies([MadeStore.alice, "--since", "2026-03-14"]).map { $0.dropLast(5) } == [
                "alice 2", "alice 3", "alice 4",
            ])
        #expect(bodies([MadeStore.alice, "--until", "2026-03-13"]).map { $0.dropLast(5) } == ["alice 0", "alice 1"])
        #expect(
            bodies([MadeStore.alice, "--since", "2026-03-13", "--until", "2026-03-14"]).map { $0.dropLast(5) }
                == ["alice 1", "alice 2"])
        #expect(bodies([MadeStore.alice, "--since", "2026-03-12T09:20:02Z", "--until", "2026-03-13"]).count == 1)
        #expect(bodies([MadeStore.alice, "--since", "2027"]).isEmpty)
        #expect(bodies([MadeStore.alice, "--until", "2026"]).count == 5)
    }

    @Test("the newest are kept, in either order")
    func limits() {
        #expect(bodies([MadeStore.alice, "--limit", "2"]).map { $0.dropLast(5) } == ["alice 3", "alice 4"])
        #expect(
            bodies([MadeStore.alice, "--limit", "2", "--newest-first"]).map { $0.dropLast(5) } == [
                "alice 4", "alice 3",
            ])
        #expect(bodies(["--limit", "1"]).count == 3)
        #expect(bodies([MadeStore.alice, "--limit", "\(Int.max)"]).count == 5)
    }

    @Test("senders are named by their id or its beginning, and \"me\"")
    func senders() {
        #expect(bodies([Self.group, "--from", "3619e750a2dd52ba"]) == ["group 0"])
        #expect(bodies([Self.group, "--from", "08c4"]) == ["group 1"])
        #expect(bodies([Self.group, "--from", "me"]).isEmpty)
        #expect(bodies([MadeStore.alice, "--from", "me"]).count == 5)
        // What you wrote to somebody is not from her.
        #expect(bodies([MadeStore.alice, "--from", MadeStore.alice]).isEmpty)
    }

    @Test("text is found whatever its case, and its accents' spelling")
    func text() {
        for word in ["caf\u{E9}", "CAFE\u{301}", "CAF\u{C9}"] {
            #expect(bodies([MadeStore.alice, "--grep", word]).count == 5, "\(word)")
        }
        #expect(bodies(["--grep", "NOTE"]) == ["a note"])
        #expect(bodies(["--grep", "[a-z]"]).isEmpty)
        let wrong = CommandRun.run(
            ["store", "show", store.path, "-k", store.keyFile, "--grep"].map { Array($0.utf8) } + [[0xFF]])
        #expect(wrong.status == .usage)
        #expect(wrong.error(in: "") == "--grep is not UTF-8")
    }

    @Test("a conversation is named by its id, the beginning of one, a group's UUID, or \"notes\"")
    func conversations() {
        for (word, count) in [
            (MadeStore.alice, 5), ("08c4", 5), ("notes", 1), ("notetoself", 1), ("__note_to_self__", 1),
            (Self.group, 2), ("group.FEF7", 2), ("FEF7D886-0CA8-4C6E-9A20-ABE67F4A6A77", 2), ("FEF7", 2),
        ] { #expect(bodies([word]).count == count, "\(word)") }
        let none = store.run("show", ["nobody"])
        #expect(none.status == .notFound)
        #expect(none.error(in: "") == "there is no conversation \"nobody\"")
        let several = store.run("show", [""])
        #expect(several.status == .usage)
        #expect(several.error(in: "") == "\"\" begins the id of 3 conversations")
    }

    @Test("an export of chosen messages says how many it left out")
    func counts() {
        let run = store.run("export", ["--limit", "1", "--out", store.folder.file("out")])
        #expect(run.status == .success)
        #expect(run.output.contains("read 8 · written 3 · not selected 5 · failed 0"))
    }
}
