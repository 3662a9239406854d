import TestSupport
import Testing

@testable import SXKeyCommands

@Suite("archive export")
struct ArchiveExportTests {
    private let specimen: ArchiveSpecimen
    private let store: MadeStore
    private static let attachment = "21B97766-CBA6-4F5B-876C-FE69A757CFAD"

    init() throws {
        specimen = try ArchiveSpecimen()
        store = MadeStore()
        let attached = ",\"attachmentID\":\"\(Self.attachment)\",\"attachmentFilename\":\"a.txt\""
        try store.conversation(
            MadeStore.bob,
            [
                MadeStore.message("A", peer: MadeStore.bob, body: "before", extra: attached),
                MadeStore.message("B", peer: MadeStore.bob, time: 795_000_061, extra: ",\"unknown\":[1, 2]"),
            ])
        try store.conversation(MadeStore.alice, [MadeStore.message("C", peer: MadeStore.alice, body: "=1")])
        try store.attachment(Self.attachment, "content")
        let first = specimen.run("import", store.path, "--key-file", store.keyFile)
        try #require(first.status == .success, "\(first.errors)")
        // The same message later: another source of it.
        let later = MadeStore()
        try later.conversation(
            MadeStore.bob,
            [
                MadeStore.message("A", peer: MadeStore.bob, body: "after", extra: attached + ",\"editedAt\":795000300")
                    .replacing(
                        "\"isEdited\":false", with: "\"isEdited\":true")
            ])
        let second = specimen.run("import", later.path, "--key-file", later.keyFile)
        try #require(second.status == .success, "\(second.errors)")
    }

    @Test("exported as JSON lines and imported into another archive it exports the same lines")
    func identity() throws {
        try #require(specimen.run("remove", MadeStore.bob, "--id", "B", "--yes").status == .success)
        #expect(specimen.run("export", "--out", "@lines").status == .success)
        let lines = fileBytes(specimen.folder.file("lines")) ?? []
        let text = String(decoding: lines, as: UTF8.self)
        #expect(text.contains("\"otherSources\"") && text.contains("\"type\":\"removed\""), "\(text)")
        let other = try ArchiveSpecimen()
        let imported = other.run("import", specimen.folder.file("lines"))
        #expect(imported.status == .success, "\(imported.errors)")
        #expect(other.run("export", "--out", "@lines").status == .success)
        #expect(fileBytes(other.folder.file("lines")) == lines)
    }

    @Test("every format and every choice works as for a store")
    func formats() {
        for format in ExportFormat.allCases {
            let out = "@x." + format.rawValue
            let run = specimen.run("export", "--format", format.rawValue, "--out", out)
            #expect(run.status == .success, "\(format) \(run.errors)")
            #expect(run.output.contains("read 3 · written 3 · not selected 0 · failed 0"), "\(run.output)")
        }
        let one = specimen.run("export", MadeStore.alice, "--format", "csv", "--out", "-")
        #expect(one.output.contains(",'=1,") && !one.output.contains("after"))
        #expect(specimen.run("export", "nobody", "--out", "-").status == .notFound)
        let newest = specimen.run("export", "--with", MadeStore.bob, "--limit", "1", "--newest-first", "--out", "-")
        #expect(newest.output.contains("\"id\":\"B\"") && !newest.output.contains("\"id\":\"A\""))
        #expect(specimen.run("export", "--force", "--out", "@archive.sxdb").status == .failure)
    }

    @Test("attachments come along, and an update adds what was imported since")
    func update() throws {
        #expect(specimen.run("export", "--attachments", "--out", "@out").status == .success)
        #expect(FolderListing(specimen.folder.file("out")).names.contains("attachments/a.txt"))
        let more = MadeStore()
        try more.conversation(MadeStore.bob, [MadeStore.message("D", peer: MadeStore.bob, time: 796_000_000)])
        #expect(specimen.run("import", more.path, "--key-file", more.keyFile).status == .success)
        let run = specimen.run("export", "--attachments", "--out", "@out", "--update")
        #expect(run.status == .success && run.output.contains("New are 1 message and 0 attachments"), "\(run.output)")
    }
}
