import CommandKit
import CryptoPrimitives
import SophaxFiles
import SystemIO

/// `sxkey store export`
struct StoreExport: Command {
    static let specification = CommandSpecification(
        noun: "store", verb: "export",
        summary: "write the messages of a store to a file that is not encrypted",
        discussion: [
            "jsonl is canonical and complete: one JSON object a line, times in UTC beside the number of the source, and the "
                + "source JSON of every message byte for byte (sxkey-formats(5)). text is the transcript of \"store show\".",
            "What \"store migrate\" and \"store repair\" kept aside comes last in a jsonl of the whole store.",
            "The file is readable for its owner only. It appears whole or not at all.",
        ],
        operands: [
            StoreArguments.folderOperand,
            OperandSpecification("CONVERSATION", .text, .optional, "the id of a conversation, or its beginning"),
        ],
        options: StoreKeySource.options + [
            .value("format", "FORMAT", .choice(["jsonl", "text"]), "what to write (default: jsonl)")
        ] + ExportTarget.options + SelectionOptions.specifications + [StoreArguments.jobs],
        examples: [
            Example("sxkey store export phone --key-file storage.key --out phone.jsonl", "export everything"),
            Example(
                "sxkey store export phone notes --key-file storage.key --format text --out notes.txt",
                "export one conversation for reading"),
        ],
        exitStatuses: [
            StatusNote(.success),
            StatusNote(.someDamaged, "some files or messages could not be read; the rest is written"),
            StatusNote(.unreadable), StatusNote(.wrongSecret, "the key opens not one of the files"),
            StatusNote(.wouldOverwrite), StatusNote(.notFound),
        ],
        seeAlso: ["sxkey-formats(5)"]
    )

    private let store: StoreArguments
    private let word: [UInt8]?
    private let format: MessageExport.Format
    private let options: SelectionOptions
    private let path: FilePath
    private let force: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        store = try StoreArguments(arguments)
        word = arguments.operand("CONVERSATION")
        format = arguments.choice("format").flatMap(MessageExport.Format.init) ?? .jsonl
        options = try SelectionOptions(arguments)
        try ExportTarget.check(arguments, writesJSON: format != .text)
        path = arguments.requiredPath("out")
        force = arguments.flag("force")
    }

    private struct GroupPart: Sendable {
        let parts: [MessageExport.Part]
        let content: ConversationReader.Summary
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let folder = try store.folder()
        let groups = try store.conversations(in: folder, named: word)
        let opened = try store.source.read(context, opening: folder)
        let export = MessageExport(format: format, options: options, zone: context.zone, names: opened.names)
        var target = try ExportTarget((path, force), inputs: store.inputs(of: folder, context), context.console)
        var tally = ReadingTally()
        var (read, written, conversations) = (0, 0, 0)
        var begun = false
        context.progress.begin("Exporting", total: groups.reduce(0) { $0 + $1.size }, unit: .bytes)
        // As many conversations at a time as there are workers: memory holds those in flight, the file keeps their order.
        let wave = max(1, store.workers(context))
        for start in stride(from: 0, to: groups.count, by: wave) {
            let some = Array(groups[start..<min(start + wave, groups.count)])
            for (group, part) in zip(some, try parts(of: some, export, opened.key)) {
                tally.add(part.content)
                context.progress.advance(by: group.size)
                guard part.content.opened > 0 else { continue }
                if !begun { try target.write(export.opening(source: "store")) }
                begun = true
                for piece in part.parts {
                    conversations += 1
                    read += piece.read
                    written += piece.written
                    for bytes in piece.pieces { try target.write(bytes) }
                }
            }
        }
        context.progress.finish()
        if let failures = tally.onlyFailures { throw try store.nothingOpened(failures, of: folder, key: opened.key) }
        let status = tally.finish(context, reportsJSON: target.isStandardOutput)
        if !begun { try target.write(export.opening(source: "store")) }
        if format == .jsonl, word == nil {
            let aside = try AsideExport(folder, key: opened.key)
            read += aside.entries.count
            written += aside.entries.count
            try target.write(aside.lines)
        }
        try target.write(export.closing)
        let bytes = target.bytesWritten
        let toFile = !target.isStandardOutput
        try target.commit()
        if toFile {
            context.console.present(
                ExportReport(
                    path: path, format: format.rawValue, conversations: conversations, read: read, written: written,
                    failed: tally.failed, bytes: bytes, status: status))
        }
        return status
    }

    private func parts(
        of groups: [ConversationFiles], _ export: MessageExport, _ key: borrowing SecretBytes
    ) throws(CommandError) -> [GroupPart] {
        do throws(StoreFileFailure) {
            return try parallelMap(
                groups, workers: groups.count,
                makeState: { () throws(StoreFileFailure) in try ConversationReader(key: key) },
                { (reader, group) throws(StoreFileFailure) in
                    let content = reader.read(group)
                    let parts = content.byConversation.map { conversation, messages in
                        export.part(messages, of: conversation, isStrict: content.isStrict)
                    }
                    return GroupPart(parts: parts, content: content.summary)
                })
        } catch {
            throw .storeFile(error)
        }
    }
}
