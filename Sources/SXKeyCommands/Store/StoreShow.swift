import CommandKit
import CryptoPrimitives
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
        options: [KeyFileOption.specification(isRequired: true)] + SelectionOptions.specifications,
        examples: [
            Example("sxkey store show phone notes --key-file storage.key", "show the notes to self"),
            Example(
                "sxkey store show phone --key-file storage.key --since 2026-03 --grep lunch", "search all conversations"
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
        store = StoreArguments(path: arguments.operandPath("DIR"), keyFile: arguments.path("key-file"), jobs: nil)
        word = arguments.operand("CONVERSATION")
        options = try SelectionOptions(arguments)
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        guard let keyFile = store.keyFile else { return .usage }
        let folder = try store.folder()
        let groups = try store.conversations(in: folder, named: word)
        let key = try KeyFileOption.read(keyFile)
        var reader = try Self.reader(key)
        var tally = ReadingTally()
        let presenter = TranscriptPresenter(options: options, showsEmpty: word != nil, context: context)
        for group in groups {
            let content = reader.read(group)
            tally.add(content.summary)
            for (conversation, messages) in content.byConversation {
                presenter.present(messages, in: conversation, isStrict: content.isStrict)
            }
        }
        return try tally.finish(store.path, context)
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
    private var failures: [(file: StoreFile, failure: StoreFileFailure)] = []
    private var problems: [(file: StoreFile, problem: TextProblem)] = []

    mutating func add(_ content: ConversationReader.Summary) {
        messages += content.messages
        opened += content.opened
        failures += content.failures
        problems += content.problems
    }

    /// Files and messages that could not be read.
    var failed: Int { failures.count + problems.count(where: \.problem.losesMessage) }

    /// Says what could not be read, and with which status to exit.
    func finish(_ path: FilePath, _ context: Context) throws(CommandError) -> ExitStatus {
        if opened == 0, !failures.isEmpty {
            throw failures.contains { $0.failure == .notAuthentic } ? .wrongStoreKey(path) : .nothingReadable(path)
        }
        for failure in failures {
            context.console.note(
                "sxkey: \(quoted: failure.file.path.lastComponent): \(trusted: failure.failure.reason)")
        }
        let lost = problems.filter(\.problem.losesMessage)
        for (file, problem) in lost {
            context.console.note(
                "sxkey: \(quoted: file.path.lastComponent): \(trusted: problem.kind.rawValue) at byte \(problem.offset)"
            )
        }
        return failures.isEmpty && lost.isEmpty ? .success : .someDamaged
    }
}
