import History
import JSONCoding
import SophaxFiles
import SystemIO
import TestSupport
import Testing

@testable import HistoryExport

/// Exports with attachments: the folder, its files, and bringing it up to date.
@Suite("Export folders")
struct ExportFolderTests {
    private let folder = TemporaryFolder()
    private var path: FilePath { FilePath(folder.file("out")) }
    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + Array(repeating: 7, count: 1_000)
    private static let first = "21B97766-CBA6-4F5B-876C-FE69A757CFAD"
    private static let second = "31B97766-CBA6-4F5B-876C-FE69A757CFAD"

    private static func history() -> MadeHistory {
        let history = MadeHistory(
            MadeHistory.bob,
            [
                MadeHistory.message("A", "x", MadeHistory.attachment(first, name: "photo.jpg")),
                MadeHistory.message("B", "y", time: "795000061", MadeHistory.attachment(second, name: "PHOTO.JPG")),
            ])
        history.attachments = [(first, jpeg), (second, jpeg + [1])]
        return history
    }

    @discardableResult
    private func export(
        _ history: MadeHistory, _ selection: HistorySelection = HistorySelection(), update: Bool = false,
        style: FileNameStyle = .windows, options: [ExportOption] = [ExportOption("format", "jsonl")]
    ) throws -> ExportOutcome {
        let earlier = update ? try EarlierExport(at: path) : nil
        let made = try ExportFolder(for: path, updating: earlier)
        let writer = FolderTextWriter(JSONLinesFormat(), as: "messages.jsonl", in: made, isThreaded: true)
        let outcome = try HistoryExportRun(history, selection).run(
            into: writer, in: made, attachments: style, options: options, updating: earlier)
        try made.publish()
        return outcome
    }

    private func bytes(_ name: String) -> [UInt8] { fileBytes(folder.file("out/" + name)) ?? [] }
    private var names: [String] { FolderListing(folder.file("out")).names }

    @Test("attachments have safe names of their own, the time of their message, and are said in the lines")
    func attachments() throws {
        let outcome = try export(Self.history())
        #expect(
            names == [
                "attachments", "attachments/PHOTO (2).JPG", "attachments/photo.jpg", "export.json", "messages.jsonl",
            ])
        #expect(bytes("attachments/photo.jpg") == Self.jpeg && bytes("attachments/PHOTO (2).JPG") == Self.jpeg + [1])
        #expect(outcome.attachments.written == 2 && outcome.attachments.isWhole && outcome.files == 4)
        #expect(outcome.bytes == FolderListing(folder.file("out")).names.dropFirst().reduce(0) { $0 + bytes($1).count })
        let modified = try fileStatus(at: path.appending("attachments/PHOTO (2).JPG")).modified
        #expect(modified == 795_000_061 + 978_307_200)
        let lines = String(decoding: bytes("messages.jsonl"), as: UTF8.self)
        #expect(lines.contains(#""file":"attachments/PHOTO (2).JPG","size":1005,"sha256":""#))
        #expect(FolderListing.permissions(folder.file("out")) == 0o700)
        #expect(FolderListing.permissions(folder.file("out/attachments/photo.jpg")) == 0o600)
    }

    @Test("the same export gives the same bytes")
    func same() throws {
        try export(Self.history())
        let before = ["export.json", "messages.jsonl", "attachments/photo.jpg"].map(bytes)
        try FolderTree.remove(path)
        try export(Self.history())
        #expect(["export.json", "messages.jsonl", "attachments/photo.jpg"].map(bytes) == before)
        #expect(throws: FileError.self) { try export(Self.history()) }
        try export(Self.history(), update: true)
        #expect(["export.json", "messages.jsonl", "attachments/photo.jpg"].map(bytes) == before)
    }

    @Test("an update adds what is new, keeps every name, and takes over files without a copy")
    func update() throws {
        try export(Self.history())
        let kept = try fileStatus(at: path.appending("attachments/photo.jpg")).identity
        let history = Self.history()
        let new = "01B97766-CBA6-4F5B-876C-FE69A757CFAD"
        history.conversations = []
        history.add(
            MadeHistory.bob,
            [
                MadeHistory.message("0", "first", time: "794000001", MadeHistory.attachment(new, name: "photo.jpg")),
                MadeHistory.message("A", "x", MadeHistory.attachment(Self.first, name: "photo.jpg")),
                MadeHistory.message(
                    "B", "y", time: "795000061", MadeHistory.attachment(Self.second, name: "PHOTO.JPG")),
            ].map { Array($0.utf8) })
        history.attachments.insert((new, Self.jpeg + [2]), at: 0)
        let outcome = try export(history, update: true)
        #expect(outcome.added?.messages == 1 && outcome.added?.attachments == 1)
        #expect(try fileStatus(at: path.appending("attachments/photo.jpg")).identity == kept)
        #expect(bytes("attachments/photo (3).jpg") == Self.jpeg + [2])
        #expect(FolderListing(folder.path).names.filter { $0.contains(".sxkey-") }.isEmpty)
        let again = try export(history, update: true)
        #expect(again.added?.messages == 0 && again.added?.attachments == 0)
    }

    @Test("an update refuses what is not ours, was changed, was made otherwise, or would lose something")
    func refusals() throws {
        func problem(
            _ history: MadeHistory = Self.history(), options: [ExportOption] = [ExportOption("format", "jsonl")]
        ) -> EarlierExportProblem? {
            let before = FolderListing(folder.path)
            defer { #expect(FolderListing(folder.path) == before) }
            do {
                try export(history, update: true, options: options)
                return nil
            } catch ExportError.earlier(let problem, _) {
                return problem
            } catch {
                Issue.record("\(error)")
                return nil
            }
        }
        _ = folder.makeFolder("out")
        #expect(problem() == .notOurs)
        folder.write(Array("{}".utf8), to: "out/export.json")
        #expect(problem() == .notOurs)
        folder.write(Array(#"{"format":"sxkey-export","version":2}"#.utf8), to: "out/export.json")
        #expect(problem() == .madeByNewer(version: 2))
        let outside =
            #"{"format":"sxkey-export","version":1,"options":{},"written":0,"conversations":[],"attachments":[],"files":[{"file":"../x","bytes":1}]}"#
        folder.write(Array(outside.utf8), to: "out/export.json")
        #expect(problem() == .notOurs)
        try FolderTree.remove(path)
        try export(Self.history())
        #expect(
            problem(options: [ExportOption("format", "csv")])
                == .otherwiseMade(option: "format", then: "jsonl", now: "csv"))
        folder.write([1], to: "out/notes.txt")
        #expect(problem() == .foreign("notes.txt"))
        try removeFile(path.appending("notes.txt"))
        let text = bytes("messages.jsonl")
        folder.write(text + [0x0A], to: "out/messages.jsonl")
        #expect(problem() == .changed("messages.jsonl"))
        try removeFile(path.appending("messages.jsonl"))
        #expect(problem() == .changed("messages.jsonl"))
        try makeLink(path.appending("messages.jsonl"), to: "/etc/passwd")
        #expect(problem() == .foreign("messages.jsonl"))
        try removeFile(path.appending("messages.jsonl"))
        folder.write(text, to: "out/messages.jsonl")
        let fewer = MadeHistory(MadeHistory.bob, [MadeHistory.message("A", "x")])
        #expect(problem(fewer) == .lost(1, first: fewer.conversations[0].id))
        #expect(problem() == nil)
    }

    @Test("a failed export leaves nothing, and a failed update the old folder")
    func failures() throws {
        let history = Self.history()
        history.failure = (0, .wrongKey)
        #expect(throws: ExportError.self) { try export(history) }
        #expect(FolderListing(folder.path).names.isEmpty)
        try export(Self.history())
        let before = FolderListing(folder.path)
        #expect(throws: ExportError.self) { try export(history, update: true) }
        #expect(FolderListing(folder.path) == before)
    }

    @Test("what a killed update left is cleared away by the next one")
    func leftover() throws {
        try export(Self.history())
        _ = folder.makeFolder("out.sxkey-update")
        folder.write(bytes("export.json"), to: "out.sxkey-update/export.json")
        try export(Self.history(), update: true)
        #expect(!FolderListing(folder.path).names.contains("out.sxkey-update"))
    }

    @Test("missing and damaged attachments are listed, half of one is not left, and the rest is written")
    func lost() throws {
        let history = Self.history()
        let names = ["41B97766", "51B97766", "61B97766"]
        history.add(
            "group.1",
            names.map {
                Array(MadeHistory.message($0, "z", peer: "group.1", MadeHistory.attachment($0, name: "\($0).txt")).utf8)
            })
        history.attachments.append(("51B97766", Array(repeating: 0x41, count: 2_000)))
        history.wrong = ["51B97766"]
        history.losses = [HistoryLoss(ByteText("/phone/sophax_attachments/61B97766"), .attachments, .notInSource)]
        history.attachments.append(("ffff", [1, 2, 3]))
        let outcome = try export(history)
        #expect(outcome.attachments.written == 2 && outcome.attachments.referred == 5)
        #expect(outcome.attachments.missing.map(\.string) == ["41B97766"])
        #expect(outcome.attachments.damaged.map(\.string) == ["51B97766", "61B97766"])
        #expect(outcome.failed == 2)
        #expect(self.names.filter { $0.hasPrefix("attachments/") }.count == 2)
        // An update keeps what the source has lost since.
        let later = Self.history()
        later.add(
            "group.1",
            names.map {
                Array(MadeHistory.message($0, "z", peer: "group.1", MadeHistory.attachment($0, name: "\($0).txt")).utf8)
            })
        later.attachments = []
        let updated = try export(later, update: true)
        #expect(updated.attachments.written == 2 && self.names.contains("attachments/photo.jpg"))
    }

    @Test("only attachments of chosen messages are written, those that the limit leaves")
    func chosen() throws {
        let outcome = try export(Self.history(), HistorySelection(limit: 1))
        #expect(outcome.attachments.written == 1 && names.contains("attachments/PHOTO.JPG"))
        #expect(outcome.totals.written == 1)
    }

    @Test("names from senders stay in the folder, whatever they say", arguments: FileNameStyle.allCases)
    func hostileNames(style: FileNameStyle) throws {
        let names =
            Hostile.texts + [
                "../../x", "/etc/x", "C:\\x", "a/../../b", "..", ".", "con", "nul.txt", "a.", "-rf",
                String(repeating: "😀", count: 300), String(repeating: "a", count: 300) + ".jpg", "é.txt",
                "e\u{301}.txt",
            ]
        let history = MadeHistory()
        for (number, name) in names.enumerated() {
            let id = "AA\(number)"
            history.add(
                "c\(number)", [Array(MadeHistory.message("m", "x", MadeHistory.attachment(id, name: name)).utf8)])
            history.attachments.append((id, Array("text \(number)".utf8)))
        }
        let outcome = try export(history, style: style)
        let files = try listFolder(path.appending("attachments"))
        #expect(outcome.attachments.written == names.count && files.count == names.count)
        #expect(FolderListing(folder.path).names.allSatisfy { $0 == "out" || $0.hasPrefix("out/") })
        for file in files {
            #expect(
                file.kind == .regular && file.name.bytes.count <= 255
                    && JSONText.firstInvalidUTF8(file.name.bytes.span) == nil)
            #expect(file.name.bytes.first != UInt8(ascii: ".") && file.name.bytes.first != UInt8(ascii: "-"))
            if style == .ascii { #expect(file.name.bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7F }) }
        }
        let folded = Set(files.map { MessageSelection.folded($0.name.bytes) ?? [] })
        #expect(folded.count == files.count)
    }
}
