import CryptoPrimitives
import History
import SophaxFiles
import SystemIO
import TestSupport
import Testing

@testable import HistoryExport

/// What an update promises: everything that the folder has stays in it, whatever became of the source.
@Suite("Updates of export folders")
struct ExportUpdateTests {
    private let folder = TemporaryFolder()
    private var path: FilePath { FilePath(folder.file("out")) }
    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + Array(repeating: 7, count: 1_000)
    private static let first = "21B97766-CBA6-4F5B-876C-FE69A757CFAD"
    private static let second = "31B97766-CBA6-4F5B-876C-FE69A757CFAD"

    private static func message(_ id: String, attachment: String? = nil) -> String {
        MadeHistory.message(id, "text of \(id)", attachment.map { MadeHistory.attachment($0, name: "photo.jpg") } ?? "")
    }

    private static func history(_ contents: [UInt8]...) -> MadeHistory {
        let history = MadeHistory(MadeHistory.bob, [message("A", attachment: first), message("B", attachment: second)])
        history.attachments = contents.map { (first, $0) } + [(second, jpeg + [1])]
        return history
    }

    @discardableResult
    private func export(
        _ history: MadeHistory, _ selection: HistorySelection = HistorySelection(), update: Bool = true,
        linking: Bool = true
    ) throws -> (outcome: ExportOutcome, left: [FilePath]) {
        let earlier = update ? try EarlierExport(at: path) : nil
        let made = try ExportFolder(for: path, updating: earlier)
        made.mayLink = linking
        let writer = FolderTextWriter(JSONLinesFormat(), as: "messages.jsonl", in: made, isThreaded: true)
        let outcome = try HistoryExportRun(history, selection).run(
            into: writer, in: made, attachments: .windows, options: [], updating: earlier)
        try made.publish()
        return (outcome, made.leftFolders)
    }

    /// Why an update was refused; the folder must be as it was.
    private func refusal(_ history: MadeHistory, linking: Bool = true) -> EarlierExportProblem? {
        let before = FolderListing(folder.path)
        do {
            try export(history, linking: linking)
            return nil
        } catch ExportError.earlier(let problem, _) {
            #expect(FolderListing(folder.path) == before)
            return problem
        } catch {
            Issue.record("\(error)")
            return nil
        }
    }

    private func bytes(_ name: String) -> [UInt8] { fileBytes(folder.file("out/" + name)) ?? [] }
    private func identity(_ name: String) throws -> FileIdentity {
        try fileStatus(at: path.appending(FilePath(name))).identity
    }
    private var attachments: [String] {
        FolderListing(folder.file("out")).names.filter { $0.hasPrefix("attachments/") }
    }

    // MARK: Attachments

    @Test("where a file can have no second name it is copied, with its time, also when the source has lost it")
    func copies() throws {
        try export(Self.history(Self.jpeg), update: false)
        let before = FolderListing(folder.file("out"))
        let (kept, time) = (
            try identity("attachments/photo.jpg"), try fileStatus(at: path.appending("attachments/photo.jpg"))
        )
        let lost = Self.history()
        lost.attachments = []
        let (outcome, _) = try export(lost, linking: false)
        #expect(outcome.attachments.written == 2 && outcome.attachments.isWhole)
        #expect(FolderListing(folder.file("out")) == before)
        #expect(try identity("attachments/photo.jpg") != kept)
        #expect(try fileStatus(at: path.appending("attachments/photo.jpg")).modified == time.modified)
        #expect(FolderListing(folder.path).names.allSatisfy { !$0.contains(".sxkey-") })
    }

    @Test(
        "a file whose bytes are not those of export.json is written anew, or the update is refused",
        arguments: [true, false])
    func damaged(linking: Bool) throws {
        try export(Self.history(Self.jpeg), update: false)
        let damaged = Array(Self.jpeg.dropLast() + [8])
        folder.write(damaged, to: "out/attachments/photo.jpg")
        let lost = Self.history()
        #expect(refusal(lost, linking: linking) == .changed("attachments/photo.jpg"))
        let (outcome, _) = try export(Self.history(Self.jpeg), linking: linking)
        #expect(bytes("attachments/photo.jpg") == Self.jpeg && attachments.count == 2)
        #expect(outcome.added?.attachments == 0)
    }

    @Test("an attachment that no message refers to any more stays, and is counted")
    func unreferred() throws {
        try export(Self.history(Self.jpeg), update: false)
        let changed = MadeHistory(MadeHistory.bob, [Self.message("A"), Self.message("B", attachment: Self.second)])
        changed.attachments = [(Self.second, Self.jpeg + [1])]
        let (outcome, _) = try export(changed)
        #expect(outcome.attachments.unreferred == 1 && outcome.attachments.referred == 1)
        #expect(outcome.attachments.written == 2 && outcome.attachments.bytes == 2 * Self.jpeg.count + 1)
        #expect(bytes("attachments/photo.jpg") == Self.jpeg)
        // It is in export.json, so the next update knows it.
        #expect(try export(changed).outcome.attachments.unreferred == 1)
    }

    @Test(
        "two contents of one id keep their names, whichever comes first, is new, or is lost", arguments: [true, false])
    func twoContents(knowsDigests: Bool) throws {
        let (one, two) = (Self.jpeg + [2], Self.jpeg + [3])
        func history(_ contents: [UInt8]...) -> MadeHistory {
            let history = Self.history()
            history.attachments = contents.map { (Self.first, $0) } + history.attachments
            history.knowsDigests = knowsDigests
            return history
        }
        try export(history(one, two), update: false)
        let names = attachments
        #expect(names == ["attachments/photo (2).jpg", "attachments/photo (3).jpg", "attachments/photo.jpg"])
        let contents = names.map(bytes)
        let identities = try names.map(identity)
        #expect(Set(contents) == [one, two, Self.jpeg + [1]])
        for next in [history(one, two), history(two, one), history(one), history(two), history()] {
            let (outcome, _) = try export(next)
            #expect(attachments == names && names.map(bytes) == contents)
            #expect(try names.map(identity) == identities)
            #expect(outcome.attachments.written == 3 && outcome.added?.attachments == 0)
        }
        let (third, _) = try export(history(Self.jpeg + [4, 5], one, two))
        #expect(third.added?.attachments == 1 && third.attachments.written == 4)
        #expect(names.map(bytes) == contents && bytes("attachments/photo (4).jpg") == Self.jpeg + [4, 5])
    }

    @Test("half an attachment gives no name back that an earlier file has")
    func namesStay() throws {
        try export(Self.history(Self.jpeg), update: false)
        // The source has another content by now, and it is damaged; a new attachment would like to have the name.
        let history = Self.history(Self.jpeg + [5, 6])
        history.wrong = [Self.first]
        history.add("c", [Array(Self.message("C", attachment: "41B97766").utf8)])
        history.attachments.append(("41B97766", Self.jpeg + [9]))
        let (outcome, _) = try export(history)
        #expect(outcome.attachments.written == 3 && outcome.attachments.damaged.isEmpty)
        #expect(bytes("attachments/photo.jpg") == Self.jpeg)
        #expect(attachments.count == 3 && attachments.map(bytes).contains(Self.jpeg + [9]))
    }

    // MARK: Messages

    @Test("a message that the source has lost refuses the update, however many are new, and of whatever conversation")
    func lostMessages() throws {
        let bob = ConversationID(ByteText(MadeHistory.bob))
        func messages(_ ids: [String]) -> MadeHistory { MadeHistory(MadeHistory.bob, ids.map { Self.message($0) }) }
        try export(messages(["A", "B"]), update: false)
        #expect(refusal(messages(["B", "C", "D", "E"])) == .lost(1, first: bob))
        #expect(refusal(messages(["X", "Y", "Z"])) == .lost(2, first: bob))
        let other = MadeHistory("another", [Self.message("A"), Self.message("B")])
        #expect(refusal(other) == .lost(2, first: bob))
        // An order of its own, a state of its own: it is the same message.
        let edited = messages(["C", "B"])
        edited.add(MadeHistory.bob, [Array(MadeHistory.message("A", "another text").utf8)])
        #expect(refusal(edited) == nil)
        let manifest = String(decoding: bytes("export.json"), as: UTF8.self)
        let hashes = ["A", "B", "C"].map { SHA256.hash(Array($0.utf8).span).prefix(8) }
            .sorted { $0.lexicographicallyPrecedes($1) }.joined()
        #expect(manifest.contains("\"messages\":3,\"hashes\":\"\(Base64.encode(Array(hashes).span))\""), "\(manifest)")
    }

    @Test("a message that stood twice must stand twice, and one without an id is told by its JSON")
    func unusualMessages() throws {
        let nameless = #"{"direction":"sent","body":"no id"}"#
        try export(MadeHistory("a", [Self.message("A"), Self.message("A"), nameless]), update: false)
        let a = ConversationID(ByteText("a"))
        #expect(refusal(MadeHistory("a", [Self.message("A"), Self.message("B"), nameless])) == .lost(1, first: a))
        #expect(
            refusal(MadeHistory("a", [Self.message("A"), Self.message("A"), Self.message("B")])) == .lost(1, first: a))
        #expect(refusal(MadeHistory("a", [nameless, Self.message("A"), Self.message("A")])) == nil)
    }

    @Test(
        "hashes that are not in order, or not as many as messages, are no export of ours",
        arguments: ["", "AAAA", "no"])
    func wrongHashes(text: String) throws {
        try export(MadeHistory("a", [Self.message("A"), Self.message("B")]), update: false)
        let manifest = String(decoding: bytes("export.json"), as: UTF8.self)
        let parts = manifest.split(separator: "\"hashes\":\"", maxSplits: 1)
        let rest = parts[1].drop { $0 != "\"" }
        folder.write(String(parts[0]) + "\"hashes\":\"" + text + rest, to: "out/export.json")
        #expect(refusal(MadeHistory("a", [Self.message("A"), Self.message("B")])) == .changed("export.json"))
        var hashes = Array(SHA256.hash(Array("A".utf8).span).prefix(8) + SHA256.hash(Array("B".utf8).span).prefix(8))
        hashes = Array(hashes[0] < hashes[8] ? hashes[8...] + hashes[..<8] : hashes[...])
        folder.write(
            String(parts[0]) + "\"hashes\":\"" + Base64.encode(hashes.span) + rest, to: "out/export.json")
        #expect(refusal(MadeHistory("a", [Self.message("A"), Self.message("B")])) == .changed("export.json"))
    }

    @Test("export.json lists and counts the conversations of which something was written, and no other")
    func chosenConversations() throws {
        let history = MadeHistory("a", [Self.message("A")])
        history.add("b", [Array(MadeHistory.message("B", "y", direction: "sent").utf8)])
        history.add("c", [])
        let (outcome, _) = try export(history, HistorySelection(MessageFilter(direction: .sent)), update: false)
        #expect(outcome.totals.conversations == 1 && outcome.totals.read == 2 && outcome.totals.written == 1)
        let manifest = String(decoding: bytes("export.json"), as: UTF8.self)
        #expect(manifest.contains("\"id\":\"b\",\"messages\":1") && !manifest.contains("\"id\":\"a\""))
        #expect(!manifest.contains("\"id\":\"c\""))
    }

    @Test("a source that changes between the two readings of it gives no export")
    func changingSource() throws {
        for isMore in [true, false] {
            let history = Self.history(Self.jpeg)
            var reads = 0
            history.whenRead = {
                reads += 1
                guard reads == 2 else { return }
                if isMore {
                    history.add("new", [Array(Self.message("N").utf8)])
                } else {
                    history.conversations.removeLast()
                }
            }
            do {
                try export(history, update: false)
                Issue.record("it was exported")
            } catch ExportError.sourceChanged {
                #expect(FolderListing(folder.path).names.isEmpty)
            }
        }
    }

    // MARK: The folder

    @Test(
        "what somebody puts into the folder while it is updated is not removed",
        arguments: ["mine.txt", "attachments/mine.txt"])
    func strangers(name: String) throws {
        try export(Self.history(Self.jpeg), update: false)
        let history = Self.history(Self.jpeg)
        let folder = folder
        history.whenRead = { folder.write("mine", to: "out/" + name) }
        let (outcome, left) = try export(history)
        #expect(outcome.totals.written == 2 && left == [FilePath(folder.file("out.sxkey-left"))])
        #expect(fileBytes(folder.file("out.sxkey-left/" + name)) == Array("mine".utf8))
        #expect(folder.names == ["out", "out.sxkey-left"])
        // The next one leaves it too, and takes another name for its own.
        #expect(try export(history).left == [FilePath(folder.file("out.sxkey-left-2"))])
        history.whenRead = {}
        #expect(try export(history).left.isEmpty)
        #expect(folder.names == ["out", "out.sxkey-left", "out.sxkey-left-2"])
    }

    @Test("a file that somebody changes while the folder is updated is not removed either")
    func changedMeanwhile() throws {
        try export(Self.history(Self.jpeg), update: false)
        let history = Self.history(Self.jpeg)
        let folder = folder
        history.whenRead = { folder.write("mine", to: "out/messages.jsonl") }
        #expect(try export(history).left.count == 1)
        #expect(fileBytes(folder.file("out.sxkey-left/messages.jsonl")) == Array("mine".utf8))
    }

    @Test("what a killed update left of the old folder is cleared away, but never with something foreign in it")
    func remainders() throws {
        try export(Self.history(Self.jpeg), update: false)
        // Only the folder is left of it.
        _ = folder.makeFolder("out.sxkey-update")
        try export(Self.history(Self.jpeg))
        #expect(folder.names == ["out"])
        _ = folder.makeFolder("out.sxkey-replaced")
        folder.write(bytes("export.json"), to: "out.sxkey-replaced/export.json")
        folder.write(bytes("messages.jsonl"), to: "out.sxkey-replaced/messages.jsonl")
        try export(Self.history(Self.jpeg))
        #expect(folder.names == ["out"])
        _ = folder.makeFolder("out.sxkey-update")
        folder.write(bytes("export.json"), to: "out.sxkey-update/export.json")
        folder.write("mine", to: "out.sxkey-update/mine.txt")
        #expect(try export(Self.history(Self.jpeg)).left.count == 1)
        #expect(folder.names == ["out", "out.sxkey-left"])
        #expect(fileBytes(folder.file("out.sxkey-left/mine.txt")) == Array("mine".utf8))
        _ = folder.makeFolder("out.sxkey-update")
        folder.write("mine", to: "out.sxkey-update/mine.txt")
        #expect(throws: FileError.self) { try export(Self.history(Self.jpeg)) }
        #expect(fileBytes(folder.file("out.sxkey-update/mine.txt")) == Array("mine".utf8))
    }

    @Test("export.json goes last when an old folder is removed")
    func order() throws {
        _ = folder.makeFolder("old")
        for name in ["a", "export.json", "z"] { folder.write(name, to: "old/" + name) }
        _ = folder.makeFolder("old/y")
        let root = FilePath(folder.file("old"))
        let seen = try FolderTree.entries(of: root)
        // Something new in a folder that goes first: all else of it is there yet.
        folder.write("new", to: "old/y/new")
        #expect(throws: FileError.self) { try FolderTree.remove(seen, of: root, last: "export.json") }
        #expect(FolderListing(folder.path).names.contains("old/export.json"))
        try FolderTree.remove(root, last: "export.json")
        #expect(folder.names.isEmpty)
    }

    @Test("a folder with an empty folder of its own in it can be updated")
    func emptyFolders() throws {
        let history = MadeHistory(MadeHistory.bob, [Self.message("A", attachment: Self.first)])
        history.attachments = [(Self.first, Self.jpeg)]
        history.wrong = [Self.first]
        let (outcome, _) = try export(history, update: false)
        #expect(outcome.attachments.damaged.count == 1)
        #expect(FolderListing(folder.file("out")).names == ["attachments", "export.json", "messages.jsonl"])
        history.wrong = []
        #expect(try export(history).outcome.added?.attachments == 1)
        try FolderTree.remove(path)
        func pages(_ history: MadeHistory, update: Bool) throws {
            let earlier = update ? try EarlierExport(at: path) : nil
            let made = try ExportFolder(for: path, updating: earlier)
            _ = try HistoryExportRun(history).run(
                into: HTMLWriter(in: made, workers: 0), in: made, attachments: .windows, options: [], updating: earlier)
            try made.publish()
        }
        try pages(MadeHistory(), update: false)
        try pages(history, update: true)
        #expect(FolderListing(folder.file("out")).names.contains("attachments/photo.jpg"))
        // A folder of somebody else is none of them, empty or not.
        _ = folder.makeFolder("out/mine")
        #expect(throws: ExportError.self) { try pages(history, update: true) }
    }

    @Test("the folder that a name means: links are followed, a slash at the end means nothing")
    func places() throws {
        _ = folder.makeFolder("out")
        try makeLink(FilePath(folder.file("link")), to: "out")
        let real = try resolvedPath(path)
        for name in ["link", "link/", "link//", "out/../link/", "out/."] {
            #expect(try resolvedPath(ExportFolder.place(of: FilePath(folder.file(name)))) == real, "\(name)")
        }
        #expect(try ExportFolder.place(of: FilePath(folder.file("link/"))) == real)
        #expect(try ExportFolder.place(of: "new/").bytes == FilePath("./new").bytes)
        #expect(try ExportFolder.place(of: "new") == "new")
    }

    @Test("the folder that an update has left between two renames is found, and put back")
    func displaced() throws {
        try export(Self.history(Self.jpeg), update: false)
        #expect(ExportFolder.displaced(from: path) == nil)
        let before = FolderListing(folder.file("out"))
        try renameWithoutReplacing("out", to: "out.sxkey-replaced", in: FilePath(folder.path))
        let old = try #require(ExportFolder.displaced(from: path))
        try ExportFolder.restore(old, to: path)
        #expect(folder.names == ["out"] && FolderListing(folder.file("out")) == before)
    }
}
