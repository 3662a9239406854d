import SystemIO
import TestSupport
import Testing

/// An export into a folder, and an update of it, are killed instead of a change that they would make to the disk.
@Suite("exports that are killed")
struct ExportKillTests {
    private let store = MadeStore()
    private static let attachments = ["21B97766-CBA6-4F5B-876C-FE69A757CFAD", "31B97766-CBA6-4F5B-876C-FE69A757CFAD"]
    private static let formats = LongTests.areWanted ? ["jsonl", "html", "sqlite"] : ["jsonl"]

    init() throws {
        try fill(messages: 3)
        try store.attachment(Self.attachments[0], "some text")
    }

    private func fill(messages: Int) throws {
        try store.conversation(
            MadeStore.bob,
            (0..<messages).map { number in
                MadeStore.message(
                    "M\(number)", peer: MadeStore.bob, time: 795_000_001 + number,
                    extra: Self.attachments.indices.contains(number)
                        ? ",\"attachmentID\":\"\(Self.attachments[number])\",\"attachmentFilename\":\"\(number).txt\""
                        : "")
            })
    }

    private var out: String { store.folder.file("out") }

    private func export(_ format: String, update: Bool, _ options: [String] = []) -> ChildProcess {
        ChildProcess.run(
            [ChildProcess.builtProducts + "/StoreProbe", store.folder.path] + options + [
                "--", "store", "export", store.path, "--key-file", store.keyFile, "--format", format, "--attachments",
                "--jobs", "1", "--out", out,
            ] + (update ? ["--update"] : []))
    }

    private func operations(_ run: ChildProcess) throws -> Int {
        let line = run.errorText.split(separator: "\n").last { $0.hasPrefix("operations ") }
        return try #require(line.flatMap { Int($0.dropFirst(11)) }, "\(run.errorText)")
    }

    private func remove(_ name: String) throws { try FolderTree.remove(FilePath(store.folder.file(name))) }

    /// What a kill leaves by design: the unfinished folder, under a name of its own.
    private func removeParts() throws {
        for name in store.folder.names where name.contains(".sxkey-part-") { try remove(name) }
    }

    private func moments(_ total: Int) -> StrideThrough<Int> {
        stride(from: LongTests.areWanted ? 1 : 2, through: total, by: LongTests.areWanted ? 1 : 5)
    }

    @Test("a new export is there as a whole or not at all, and the same command makes it", arguments: formats)
    func new(format: String) throws {
        let first = export(format, update: false)
        // The second attachment is not there yet.
        #expect(first.status == 3, "\(first.errorText)")
        let whole = FolderListing(out)
        let total = try operations(first)
        #expect(total > 10)
        for operation in moments(total) {
            try remove("out")
            #expect(export(format, update: false, ["die=\(operation)"]).status == 137)
            if FolderListing(store.folder.path).names.contains("out") {
                #expect(FolderListing(out) == whole, "\(operation)")
                #expect(export(format, update: false).status == 9)
            } else {
                #expect(export(format, update: false).status == 3)
                #expect(FolderListing(out) == whole, "\(operation)")
            }
            try removeParts()
            #expect(store.folder.names == ["out", "phone", "storage.key"], "\(operation)")
        }
    }

    @Test(
        "after an update the earlier folder is whole or the new one is, and the same command completes",
        arguments: formats,
        [true, false])
    func update(format: String, exchanges: Bool) throws {
        let always = exchanges ? [] : ["no-exchange"]
        #expect(export(format, update: false).status == 3)
        let earlier = FolderListing(out)
        try keep("out", as: "kept")
        try fill(messages: 4)
        try store.attachment(Self.attachments[1], "some other text")
        let first = export(format, update: true, always)
        #expect(first.status == 0, "\(first.errorText)")
        let later = FolderListing(out)
        #expect(later != earlier)
        let total = try operations(first)
        var random = SystemRandomNumberGenerator()
        var displaced = 0
        for operation in moments(total) {
            try remove("out")
            try keep("kept", as: "out")
            #expect(export(format, update: true, always + ["die=\(operation)"]).status == 137)
            if !store.folder.names.contains("out") { displaced += 1 }
            check(operation, exchanges, earlier, later)
            // Some are killed a second time, while they clear away what is left of the first.
            if operation % 3 == 0 {
                _ = export(format, update: true, always + ["die=\(Int.random(in: 1...8, using: &random))"])
                check(operation, exchanges, earlier, later)
            }
            let again = export(format, update: true, always)
            #expect(again.status == 0, "\(operation): \(again.errorText)")
            #expect(FolderListing(out) == later, "\(operation)")
            try removeParts()
            #expect(store.folder.names == ["kept", "out", "phone", "storage.key"], "\(operation)")
        }
        if LongTests.areWanted { #expect(exchanges == (displaced == 0)) }
    }

    /// One of both is there, under its name or, where names cannot be exchanged, beside it.
    private func check(_ operation: Int, _ exchanges: Bool, _ earlier: FolderListing, _ later: FolderListing) {
        if store.folder.names.contains("out") {
            let now = FolderListing(out)
            #expect(now == earlier || now == later, "\(operation)")
        } else {
            #expect(!exchanges && FolderListing(store.folder.file("out.sxkey-replaced")) == earlier, "\(operation)")
        }
    }

    private func keep(_ name: String, as copy: String) throws {
        #expect(ChildProcess.run(["cp", "-a", store.folder.file(name), store.folder.file(copy)]).status == 0)
    }

    @Test("a signal at any moment leaves the earlier folder or the new one, whole", arguments: [true, false])
    func signal(isUpdate: Bool) throws {
        #expect(export("jsonl", update: false).status == 3)
        let whole = FolderListing(out)
        if !isUpdate { try remove("out") }
        let total = try operations(export("jsonl", update: isUpdate))
        for operation in moments(total) {
            if !isUpdate { try? remove("out") }
            let run = export("jsonl", update: isUpdate, ["signal=\(operation):15"])
            #expect([143, 3].contains(run.status), "\(operation): \(run.errorText)")
            if isUpdate || store.folder.names.contains("out") { #expect(FolderListing(out) == whole, "\(operation)") }
            #expect(store.folder.names.allSatisfy { !$0.contains(".sxkey-part-") }, "\(operation)")
            if isUpdate {
                #expect(export("jsonl", update: true).status == 3)
                #expect(store.folder.names == ["out", "phone", "storage.key"], "\(operation)")
            }
        }
    }
}
