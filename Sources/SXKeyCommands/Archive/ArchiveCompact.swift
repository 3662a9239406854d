import Archive
import CommandKit
import SQLiteDatabase
import SystemIO

/// `sxkey archive compact`
struct ArchiveCompact: Command {
    static let specification = CommandSpecification(
        noun: "archive", verb: "compact",
        summary: "give back the room that removed messages and attachments left",
        discussion: [
            "Writes a new file beside the archive without the free pages, reads it back and compares it, and puts it in the place of the "
                + "old one; until then the old one is as it was. The keys and the slots stay. It needs as much free space as the archive holds.",
            "What was removed has been overwritten in the file already, with or without this.",
        ],
        options: [
            .flag("rebuild-index", "make the index for searching anew from the messages first"),
            .flag("dry-run", "show what it would give back, without doing it"),
        ] + ArchiveOptions.specifications,
        examples: [
            Example("sxkey archive compact --archive-key-file archive.key", "make the file as small as it can be")
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.failure, "no space for the new file; the old one is as it was"),
            StatusNote(.unreadable), StatusNote(.wrongSecret), StatusNote(.newerVersion), StatusNote(.locked),
            StatusNote(.notFound, "no archive"),
        ]
    )

    private let options: ArchiveOptions
    private let rebuildsIndex: Bool
    private let isDryRun: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ArchiveOptions(arguments)
        rebuildsIndex = arguments.flag("rebuild-index")
        isDryRun = arguments.flag("dry-run")
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let opened: OpenedSealedFile<ArchiveNoun> = try context.openSealedFile(
            options, isDryRun ? .readOnly : .readWrite)
        let before = try opened.doing { (file) throws(SealedError) in try file.header() }
        let free = try opened.doing { (file) throws(SealedError) -> Int in
            do throws(DatabaseError) {
                let pages = try file.database.first("PRAGMA freelist_count") { $0.integer(0) ?? 0 } ?? 0
                return Int(clamping: pages)
            } catch {
                throw SealedError(error)
            }
        }
        if !isDryRun {
            context.progress.begin("Compacting", total: 0, unit: .items)
            defer { context.progress.finish() }
            if rebuildsIndex {
                do throws(ArchiveError) { try Archive(opened.file).rebuildIndex() } catch {
                    throw .archive(error, opened.path)
                }
            }
            try opened.doing { (file) throws(SealedError) in try file.compact() }
        }
        let after = try opened.doing { (file) throws(SealedError) in try file.header() }
        context.console.present(
            CompactedArchive(path: opened.path, before: before, after: isDryRun ? nil : after, freePages: free))
        return .success
    }
}

/// What a compaction gave back, or would.
private struct CompactedArchive: Report {
    let path: FilePath
    let before: SealedHeader
    /// Nil when nothing was done.
    let after: SealedHeader?
    let freePages: Int

    func writeText(to stream: TextStream) {
        guard let after else {
            stream.line("\(quoted: path) has \(size: before.fileSize); \(count: freePages, "page") of it hold nothing")
            stream.line("Nothing was done (--dry-run)")
            return
        }
        stream.line("\(quoted: path): \(size: before.fileSize) before, \(size: after.fileSize) now")
        stream.line("  Rewritten   \(count: after.pages, "page"), each read back; the keys and the slots are the same")
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("path", path.bytes)
            json.member("bytesBefore", before.fileSize)
            json.member("freePages", freePages)
            if let after {
                json.member("bytes", after.fileSize)
                json.member("pages", after.pages)
            }
            json.member("dryRun", after == nil)
        }
    }
}
