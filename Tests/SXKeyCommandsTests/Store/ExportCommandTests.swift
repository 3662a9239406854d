import SQLiteDatabase
import SystemIO
import TestSupport
import Testing

@testable import SXKeyCommands

/// `store export` in every format, with attachments and with each way to choose.
@Suite("store export")
struct ExportCommandTests {
    private let store = MadeStore()
    private static let first = "21B97766-CBA6-4F5B-876C-FE69A757CFAD"
    private static let second = "31B97766-CBA6-4F5B-876C-FE69A757CFAD"
    private static let group = "group.FEF7D886-0CA8-4C6E-9A20-ABE67F4A6A77"

    init() throws {
        try store.conversation(
            MadeStore.bob,
            [
                MadeStore.message("A", peer: MadeStore.bob, body: "hello <b>", extra: attachment(Self.first, "a.jpg")),
                MadeStore.message(
                    "B", peer: MadeStore.bob, body: "=1+1", time: 795_000_061,
                    extra: ",\"replyToID\":\"A\",\"expiresAt\":795000200"
                ).replacing("\"sent\"", with: "\"received\""),
                MadeStore.message("C", peer: MadeStore.bob, body: "edited", time: 795_000_121).replacing(
                    "\"isEdited\":false", with: "\"isEdited\":true"),
            ])
        try store.conversation(
            MadeStore.alice,
            [MadeStore.message("D", peer: MadeStore.alice, extra: attachment(Self.second, "b.txt"))])
        try store.attachment(Self.first, "some text")
    }

    private func attachment(_ id: String, _ name: String) -> String {
        ",\"attachmentID\":\"\(id)\",\"attachmentFilename\":\"\(name)\",\"attachmentMimeType\":\"image/jpeg\""
    }

    private func export(_ arguments: String...) -> CommandRun {
        store.run("export", arguments)
    }

    private var out: String { store.folder.file("out") }

    @Test("every format has every message, and the counts say so")
    func formats() {
        for format in ExportFormat.allCases where format.isStream {
            let run = export("--format", format.rawValue, "--out", "-")
            #expect(run.status == .success && run.errors.isEmpty, "\(format) \(run.errors)")
            #expect(run.output.contains("hello"), "\(format)")
            let file = store.folder.file("x." + format.rawValue)
            let written = export("--format", format.rawValue, "--out", file)
            #expect(written.output.contains("read 4 · written 4 · not selected 0 · failed 0"), "\(written.output)")
            #expect(fileBytes(file) == run.outputBytes)
        }
        let database = export("--format", "sqlite", "--out", out, "--json")
        #expect(database.status == .success && database.output.contains("\"written\":4"))
        #expect(String(decoding: (fileBytes(out) ?? []).prefix(15), as: UTF8.self) == "SQLite format 3")
        #expect(export("--format", "sqlite", "--out", out).status == .wouldOverwrite)
        #expect(export("--format", "sqlite", "--out", out, "--force").status == .success)
        #expect(FolderListing(store.folder.path).names.allSatisfy { !$0.contains("sxkey-part") })
    }

    @Test(
        "messages are chosen by every filter",
        arguments: [
            (["--sent"], "ACD"), (["--received"], "B"), (["--has-attachment"], "AD"), (["--edited"], "C"),
            (["--no-expiring"], "ACD"), (["--with", MadeStore.alice], "D"),
            (["--with", "3619", "--with", "08c4"], "ABCD"),
            (["--grep", "HELLO"], "A"), (["--from", "me", "--limit", "1"], "CD"),
            (["--limit", "2", "--newest-first"], "CBD"),
            (["--from", "3619e750a2dd52ba"], "B"), (["--since", "2026-03-12T09:21:00Z"], "BC"),
        ])
    func filters(arguments: [String], ids: String) {
        let run = store.run("export", arguments + ["--out", "-"])
        let found = run.output.split(separator: "\n").dropFirst().map { line in
            line.split(separator: "\"id\":\"")[1].prefix(1)
        }
        #expect(found.sorted().joined() == ids.map { String($0) }.sorted().joined(), "\(run.output)\(run.errors)")
        if arguments.contains("--newest-first") { #expect(found.joined().contains("CB")) }
    }

    @Test("attachments come along in a folder; what is missing is said, and exit 3")
    func attachments() {
        let run = export("--attachments", "--out", out, "--json")
        #expect(run.status == .someDamaged)
        #expect(
            run.output.contains(
                "\"attachments\":{\"referred\":2,\"written\":1,\"bytes\":9,\"missing\":[\"\(Self.second)\"],\"damaged\":[]}"
            ),
            "\(run.output)")
        // Its bytes are text, whatever it is called.
        #expect(
            FolderListing(out).names == ["attachments", "attachments/a.jpg.txt", "export.json", "messages.jsonl"])
        let again = export("--attachments", "--out", out)
        #expect(again.status == .wouldOverwrite)
        #expect(again.errors.contains("something called so already"))
        let update = export("--attachments", "--out", out, "--update")
        #expect(update.errors.contains("attachment \"\(Self.second)\" is missing"))
        #expect(update.status == .someDamaged && update.output.contains("New are 0 messages and 0 attachments"))
        let other = export("--attachments", "--out", out, "--update", "--sent")
        #expect(other.status == .wouldOverwrite && other.errors.contains("it was made otherwise"))
        store.folder.write([1], to: "out/mine.txt")
        let foreign = export("--attachments", "--out", out, "--update")
        #expect(foreign.status == .wouldOverwrite && foreign.errors.contains("\"mine.txt\""), "\(foreign.errors)")
    }

    @Test("every text format has its folder with attachments")
    func folders() {
        for format in ExportFormat.allCases where format != .html {
            let path = store.folder.file("f." + format.rawValue)
            let run = export("--attachments", "--format", format.rawValue, "--with", MadeStore.bob, "--out", path)
            #expect(run.status == .success, "\(run.errors)")
            #expect(
                FolderListing(path).names == [
                    "attachments", "attachments/a.jpg.txt", "export.json", format.fileName.text,
                ])
            let text = String(decoding: fileBytes(path + "/" + format.fileName.text) ?? [], as: UTF8.self)
            #expect(text.contains("attachments/a.jpg.txt"), "\(format)")
            #expect(run.output.contains("The folder has 3 files"))
        }
    }

    @Test(
        "what cannot be is refused before anything is opened",
        arguments: [
            ["--format", "html", "--out", "-"], ["--format", "sqlite", "--out", "-"], ["--attachments", "--out", "-"],
            ["--update", "--out", "x"], ["--attachments", "--update", "--limit", "9", "--out", "x"],
            ["--attachments", "--force", "--out", "x"],
            ["--no-formula-guard", "--out", "x"],
            ["--no-attachments", "--out", "x"], ["--sent", "--received", "--out", "x"],
            ["--format", "csv", "--json", "--out", "-"], [MadeStore.bob, "--with", MadeStore.alice, "--out", "x"],
        ])
    func usage(arguments: [String]) {
        let run = store.run("export", arguments)
        #expect(run.status == .usage && run.output.isEmpty)
        #expect(FolderListing(".").names.allSatisfy { $0 != "x" })
    }

    @Test("an update that would lose a message, and one in another way, is refused, and says why and what to do")
    func refusals() throws {
        #expect(export("--format", "csv", "--attachments", "--out", out).status == .someDamaged)
        let before = FolderListing(store.folder.path)
        let guarded = export("--format", "csv", "--attachments", "--out", out, "--update", "--no-formula-guard")
        #expect(
            guarded.status == .wouldOverwrite && guarded.errors.contains("formula-guard was \"yes\""),
            "\(guarded.errors)")
        #expect(FolderListing(store.folder.path) == before)
        try store.conversation(
            MadeStore.bob, ["A", "N", "C", "M"].map { MadeStore.message($0, peer: MadeStore.bob) })
        let lost = export("--format", "csv", "--attachments", "--out", out, "--update")
        #expect(lost.status == .wouldOverwrite)
        #expect(
            lost.errors.contains(
                "1 message in it is no longer in the source, the first in conversation \"\(MadeStore.bob)\""),
            "\(lost.errors)")
        #expect(lost.errors.contains("hint: an archive keeps what a store drops"))
    }

    @Test("an update changes the folder that a link leads to, whatever is behind the name")
    func links() throws {
        #expect(export("--attachments", "--out", out).status == .someDamaged)
        for name in ["link", "link/"] {
            try? removeFile(FilePath(store.folder.file("link")))
            try makeLink(FilePath(store.folder.file("link")), to: "out")
            let identity = try fileStatus(at: FilePath(out)).identity
            let run = export("--attachments", "--out", store.folder.file(name), "--update")
            #expect(run.status == .someDamaged, "\(run.errors)")
            #expect(try fileStatus(at: FilePath(store.folder.file("link")), followingLinks: false).kind == .link)
            #expect(try fileStatus(at: FilePath(out)).identity != identity)
            #expect(store.folder.names.allSatisfy { !$0.contains(".sxkey-") })
        }
    }

    @Test("nothing is written into the folders of the store that is read", arguments: ["jsonl", "html", "sqlite"])
    func inside(format: String) throws {
        try makeLink(FilePath(store.folder.file("elsewhere")), to: "phone/sophax_messages")
        let before = FolderListing(store.folder.path)
        for place in [
            "phone/sophax_messages/x", "phone/sophax_attachments/x", "elsewhere/x",
            "phone/sophax_messages/../sophax_attachments/x",
        ] {
            let run = export("--format", format, "--out", store.folder.file(place))
            #expect(run.status == .usage && run.errors.contains("inside the store that is read"), "\(run.errors)")
            #expect(FolderListing(store.folder.path) == before)
        }
        #expect(
            [.success, .someDamaged].contains(export("--format", format, "--out", store.folder.file("phone/x")).status))
    }

    @Test("an update that was cut off between two renames is told of, and taken up with --update")
    func cutOff() throws {
        #expect(export("--attachments", "--out", out).status == .someDamaged)
        try renameWithoutReplacing("out", to: "out.sxkey-replaced", in: FilePath(store.folder.path))
        let refused = export("--attachments", "--out", out)
        #expect(
            refused.status == .wouldOverwrite && refused.errors.contains("out.sxkey-replaced\""), "\(refused.errors)")
        #expect(refused.errors.contains("hint: --update puts it back"))
        let update = export("--attachments", "--out", out, "--update")
        #expect(update.output.contains("New are 0 messages and 0 attachments"), "\(update.errors)")
        #expect(FolderListing(store.folder.path).names.allSatisfy { !$0.contains("sxkey-replaced") })
    }

    @Test("what was changed meanwhile is said in words, and an attachment that nothing refers to is counted")
    func words() throws {
        for failure in [DatabaseError.locked, .inputOutput(code: 10, errno: 5), .damaged("x"), .readOnly, .tooBig] {
            let text = CommandError.export(.database(failure)).message.message.plain
            #expect(text.hasPrefix("cannot write the database: ") && !text.contains("\(failure)"), "\(text)")
        }
        #expect(export("--attachments", "--out", out).status == .someDamaged)
        try store.conversation(
            MadeStore.bob, ["A", "B", "C"].map { MadeStore.message($0, peer: MadeStore.bob) })
        let run = export("--attachments", "--out", out, "--update")
        #expect(
            run.output.contains("Kept 1 attachment that no message refers to any more"), "\(run.output)\(run.errors)")
        let json = export("--attachments", "--out", out, "--update", "--json")
        #expect(json.output.contains("\"referred\":1,\"unreferred\":1,\"written\":1"), "\(json.output)")
    }

    @Test("a text of another direction is isolated, and marks of direction are shown as escapes")
    func direction() throws {
        try store.conversation(
            MadeStore.bob,
            [
                MadeStore.message("A", peer: MadeStore.bob, body: "שלום 123"),
                MadeStore.message("B", peer: MadeStore.bob, body: "a\u{202E}b"),
            ])
        let run = export(MadeStore.bob, "--format", "text", "--out", "-")
        #expect(run.output.contains("\u{2068}שלום 123\u{2069}") && run.output.contains("a\\u{202e}b"))
        let markdown = export(MadeStore.bob, "--format", "markdown", "--out", "-")
        #expect(markdown.output.contains("a\\\\u\\{202e\\}b"))
    }
}
