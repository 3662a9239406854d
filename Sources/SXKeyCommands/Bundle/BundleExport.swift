import CommandKit
import History
import HistoryExport
import PortableBundle
import SophaxFiles
import SystemIO

/// `sxkey bundle export`
struct BundleExport: Command {
    static let specification = CommandSpecification(
        noun: "bundle", verb: "export",
        summary: "write the messages of a bundle to a file or folder that is not encrypted",
        discussion: ExportOptions.discussion + [
            "Private keys are in none of them. The output is readable for its owner only. It appears whole or not at all."
        ],
        operands: [
            BundleInputs.operand,
            OperandSpecification("CONVERSATION", .text, .optional, "the id of a conversation, or its beginning"),
        ],
        options: BundleInputs.options + ExportOptions.specifications + [SelectionOptions.conversations],
        examples: [
            Example("sxkey bundle export sample.sxfe -p passphrase.txt --out messages.jsonl", "export everything"),
            Example(
                "sxkey bundle export sample.sxfe notes -p passphrase.txt --format text --out bundle-notes.txt",
                "export one conversation for reading"),
        ],
        exitStatuses: ExportOptions.statuses + [
            StatusNote(.unreadable, "cut off, or not a known export"),
            StatusNote(.wrongSecret, "wrong passphrase, or the file is damaged"), StatusNote(.newerVersion),
            StatusNote(.notFound),
        ],
        seeAlso: ["sxkey-formats(5)"]
    )

    private let bundle: BundleInputs
    private let word: [UInt8]?
    private let options: ExportOptions

    init(_ arguments: ParsedArguments) throws(UsageError) {
        bundle = try BundleInputs(arguments)
        word = arguments.operand("CONVERSATION")
        options = try ExportOptions(arguments)
        if word != nil, !options.selection.conversations.isEmpty {
            throw .other("a CONVERSATION and --with exclude each other")
        }
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let inputs = bundle.inputs(context)
        try HistoryExporter.check(options, inputs: inputs)
        let opened = try bundle.open(context)[0]
        if let content = opened.content, content.backup == nil { throw .noMessages(opened.path) }
        let source = EntryHistory(opened.source, opened.historyKind, path: opened.path)
        var filter = try HistoryExporter.filter(options, of: source, path: opened.path)
        if let word {
            let look: HistoryLook
            do throws(HistoryError) { look = try HistoryLook.look(at: source) } catch {
                throw .history(error, opened.path)
            }
            let choice = ConversationChoice(known: look.conversations, names: look.names)
            filter.restrict(to: try choice.conversations(named: [word]))
        }
        return try HistoryExporter(
            options: options, source: source, path: opened.path, filter: filter, conversation: word,
            workers: bundle.workers(context), inputs: inputs
        ).run(context)
    }
}

extension OpenedInput {
    /// What a history that comes from it is called.
    var historyKind: HistoryOrigin.Kind {
        content.map { $0.bundle.header.kind.historyKind } ?? .sxb
    }
}
