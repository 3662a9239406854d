import CommandKit
import CryptoPrimitives
import JSONCoding
import SophaxFiles
import SystemIO

/// `sxkey store show`
struct StoreShow: Command {
    static let specification = CommandSpecification(
        noun: "store", verb: "show",
        summary: "show the messages of a store as a readable transcript",
        discussion: [
            "Shows one conversation, or all of them one after the other, with replies, reactions, edits and attachments. Times are "
                + "local. An older group file is merged with the newer one by message id.",
            "A conversation is named by its id or the beginning of it; \"notes\" are the notes to self.",
        ],
        operands: [
            StoreArguments.folderOperand,
            OperandSpecification("CONVERSATION", .text, .optional, "the id of a conversation, or its beginning"),
        ],
        options: StoreKeySource.options + SelectionOptions.specifications,
        examples: [
            Example("sxkey store show phone notes --key-file storage.key", "show the notes to self"),
            Example(
                "sxkey store show phone --key-file storage.key --since 2026-03 --grep beach", "search all conversations"
            ),
            Example(
                "sxkey store show phone --key-file storage.key --from me --limit 10 --newest-first",
                "the last you wrote"),
        ],
        exitStatuses: [
            StatusNote(.success),
            StatusNote(.someDamaged, "some files or messages could not be read; the rest is shown"),
            StatusNote(.unreadable), StatusNote(.wrongSecret, "the key opens not one of the files"),
            StatusNote(.notFound, "no such folder or conversation"),
        ]
    )

    private let store: StoreArguments
    private let word: [UInt8]?
    private let options: SelectionOptions

    init(_ arguments: ParsedArguments) throws(UsageError) {
        store = try StoreArguments(arguments)
        word = arguments.operand("CONVERSATION")
        options = try SelectionOptions(arguments)
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let folder = try store.folder()
        let groups = try store.conversations(in: folder, named: word)
        let opened = try store.source.read(context, opening: folder)
        var reader = try Self.reader(opened.key)
        var tally = ReadingTally()
        let presenter = TranscriptPresenter(
            options: options, showsEmpty: word != nil, names: opened.names, context: context)
        for group in groups {
            let content = reader.read(group)
            tally.add(content.summary)
            for (conversation, messages) in content.byConversation {
                presenter.present(messages, in: conversation, isStrict: content.isStrict)
            }
        }
        if let failures = tally.onlyFailures { throw try store.nothingOpened(failures, of: folder, key: opened.key) }
        return tally.finish(context, reportsJSON: true)
    }

    static func reader(_ key: borrowing SecretBytes) throws(CommandError) -> ConversationReader {
        do throws(StoreFileFailure) {
            return try ConversationReader(key: key)
        } catch {
            throw .storeFile(error)
        }
    }
}

/// What was read and what was not, over several conversations.
struct ReadingTally {
    private(set) var messages = 0
    private var opened = 0
    private(set) var failures: [(file: StoreFile, failure: StoreFileFailure)] = []
    private var problems: [(file: StoreFile, problem: TextProblem)] = []
    private var unlistedLosses = 0

    mutating func add(_ content: ConversationReader.Summary) {
        messages += content.messages
        opened += content.opened
        failures += content.failures
        problems += content.problems
        unlistedLosses += content.unlistedLosses
    }

    /// Files and messages that could not be read.
    var failed: Int { failures.count + problems.count(where: \.problem.losesMessage) + unlistedLosses }

    /// One file was opened at least.
    var hasOpened: Bool { opened > 0 }

    /// The files that could not be opened, when not one could.
    var onlyFailures: [(file: StoreFile, failure: StoreFileFailure)]? {
        opened == 0 && !failures.isEmpty ? failures : nil
    }

    /// Says what could not be read, and with which status to exit. `reportsJSON`: no report of the command itself says it.
    func finish(_ context: Context, reportsJSON: Bool) -> ExitStatus {
        var reasons: [TerminalText] = failures.map { file, failure in
            "\(quoted: file.path.lastComponent): \(trusted: failure.reason)"
        }
        for (file, problem) in problems where problem.losesMessage {
            reasons.append(
                "\(quoted: file.path.lastComponent): \(trusted: problem.kind.rawValue) at byte \(problem.offset)")
        }
        guard !reasons.isEmpty else { return .success }
        if context.console.options.json, reportsJSON {
            context.console.report(
                CommandError.error(
                    .someDamaged, nil,
                    "\(count: failed, "file or message", "files or messages") could not be read",
                    Array(reasons.prefix(FindingList.maximumExamples))))
        }
        for reason in reasons { context.console.note("sxkey: \(reason)") }
        if unlistedLosses > 0 { context.console.note("sxkey: and \(unlistedLosses) more that could not be read") }
        return .someDamaged
    }
}
