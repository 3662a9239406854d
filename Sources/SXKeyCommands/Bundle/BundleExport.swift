import CommandKit
import PortableBundle
import SophaxFiles
import SystemIO

/// `sxkey bundle export`
struct BundleExport: Command {
    static let specification = CommandSpecification(
        noun: "bundle", verb: "export",
        summary: "write the messages of a bundle to a file that is not encrypted",
        discussion: [
            "jsonl is canonical and complete: one JSON object a line, times in UTC beside the number of the source, and the "
                + "source JSON of every message byte for byte (sxkey-formats(5)). json has the same objects in one array. text is "
                + "the transcript of \"bundle show\". Private keys are in none of them.",
            "The file is readable for its owner only. It appears whole or not at all.",
        ],
        operands: [
            BundleInputs.operand,
            OperandSpecification("CONVERSATION", .text, .optional, "the id of a conversation, or its beginning"),
        ],
        options: BundleInputs.options + [
            .value(
                "format", "FORMAT", .choice(MessageExport.Format.allCases.map(\.rawValue)),
                "what to write (default: jsonl)")
        ] + ExportTarget.options + SelectionOptions.specifications,
        examples: [
            Example("sxkey bundle export sample.sxfe -p passphrase.txt --out messages.jsonl", "export everything"),
            Example(
                "sxkey bundle export sample.sxfe notes -p passphrase.txt --format text --out bundle-notes.txt",
                "export one conversation for reading"),
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.someDamaged, "some of the content cannot be read; the rest is written"),
            StatusNote(.unreadable, "cut off, or not a known export"),
            StatusNote(.wrongSecret, "wrong passphrase, or the file is damaged"), StatusNote(.newerVersion),
            StatusNote(.wouldOverwrite), StatusNote(.notFound),
        ],
        seeAlso: ["sxkey-formats(5)"]
    )

    private let bundle: BundleInputs
    private let word: [UInt8]?
    private let format: MessageExport.Format
    private let options: SelectionOptions
    private let path: FilePath
    private let force: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        bundle = try BundleInputs(arguments)
        word = arguments.operand("CONVERSATION")
        format = arguments.choice("format").flatMap(MessageExport.Format.init) ?? .jsonl
        options = try SelectionOptions(arguments)
        try ExportTarget.check(arguments, writesJSON: format != .text)
        path = arguments.requiredPath("out")
        force = arguments.flag("force")
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        var target = try ExportTarget((path, force), inputs: bundle.inputs(context), context.console)
        let opened = try bundle.open(context)[0]
        if let source = opened.portable { return try export(source, target, context) }
        guard let content = opened.content, content.backup != nil else { throw .noMessages(opened.path) }
        let conversations = try content.conversations(named: word)
        let export = MessageExport(format: format, options: options, zone: context.zone)
        try target.write(export.opening(source: content.bundle.header.kind.rawValue))
        var (read, written) = (0, 0)
        for conversation in conversations {
            let messages = try content.messages(of: conversation, opened.path)
            let part = export.part(messages, of: conversation.id, isStrict: content.isStrict)
            read += part.read
            written += part.written
            for piece in part.pieces { try target.write(piece) }
        }
        try target.write(export.closing)
        let bytes = target.bytesWritten
        let toFile = !target.isStandardOutput
        try target.commit()
        let status = content.status(context)
        if toFile {
            context.console.present(
                ExportReport(
                    path: path, format: format.rawValue, conversations: conversations.count, read: read,
                    written: written,
                    failed: content.failed, bytes: bytes, status: status))
        }
        return status
    }
    private func export(
        _ source: SXBSource, _ target: consuming ExportTarget, _ context: Context
    ) throws(CommandError) -> ExitStatus {
        let messages = PortableMessages(source: source, path: source.path)
        let wanted = try messages.conversations(named: word)
        let writer = PortableExport(
            MessageExport(format: format, options: options, zone: context.zone), consume target)
        try writer.begin()
        let tally = try messages.read(wanted) { (conversation, names) throws(CommandError) in
            try writer.write(conversation, names)
        }
        let (read, written, bytes, toFile) = try writer.finish()
        let status = messages.status(tally, context)
        if toFile {
            context.console.present(
                ExportReport(
                    path: path, format: format.rawValue, conversations: tally.conversations, read: read,
                    written: written, failed: tally.lost, bytes: bytes, status: status))
        }
        return status
    }
}

/// An export in the making. A class, for the target cannot be copied into a closure.
private final class PortableExport {
    private var export: MessageExport
    private var target: ExportTarget?
    private var read = 0
    private var written = 0

    init(_ export: MessageExport, _ target: consuming ExportTarget) {
        self.export = export
        self.target = consume target
    }

    func begin() throws(CommandError) {
        try target?.write(export.opening(source: "sxb"))
    }

    func write(_ conversation: ConversationPass.Conversation, _ names: ContactNames) throws(CommandError) {
        export.names = names
        let part = export.part(conversation.messages, of: conversation.id, isStrict: conversation.isStrict)
        read += part.read
        written += part.written
        for piece in part.pieces { try target?.write(piece) }
    }

    /// Makes the file appear.
    func finish() throws(CommandError) -> (read: Int, written: Int, bytes: Int, toFile: Bool) {
        guard var target = target.take() else { return (read, written, 0, false) }
        try target.write(export.closing)
        let (bytes, toFile) = (target.bytesWritten, !target.isStandardOutput)
        try target.commit()
        return (read, written, bytes, toFile)
    }
}
