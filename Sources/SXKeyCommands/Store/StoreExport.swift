import CommandKit
import CryptoPrimitives
import History
import HistoryExport
import SophaxFiles
import SystemIO

/// `sxkey store export`
struct StoreExport: Command {
    static let specification = CommandSpecification(
        noun: "store", verb: "export",
        summary: "write decrypted messages to a file or folder that is not encrypted",
        discussion: ExportOptions.discussion + [
            "The output is readable for its owner only. It appears whole or not at all."
        ],
        operands: [
            StoreArguments.folderOperand,
            OperandSpecification(
                "CONVERSATION", .text, .optional,
                "a conversation as \"store info\" lists it, the beginning of its id, or \"notes\""),
        ],
        options: StoreKeySource.options + ExportOptions.specifications
            + [SelectionOptions.conversations, StoreArguments.jobs],
        examples: [
            Example("sxkey store export phone --key-file storage.key --out messages.jsonl", "export everything"),
            Example(
                "sxkey store export phone notes --key-file storage.key --format text --out notes.txt",
                "export one conversation for reading"),
            Example(
                "sxkey store export phone --key-file storage.key --format html --out pages",
                "make a folder of pages for a browser, with pictures"),
        ],
        exitStatuses: ExportOptions.statuses + [
            StatusNote(.unreadable, "there is no store, or nothing in it can be read"),
            StatusNote(.wrongSecret, "the key opens not one of the files"), StatusNote(.notFound),
        ],
        seeAlso: ["sxkey-formats(5)"]
    )

    private let store: StoreArguments
    private let word: [UInt8]?
    private let options: ExportOptions

    init(_ arguments: ParsedArguments) throws(UsageError) {
        store = try StoreArguments(arguments)
        word = arguments.operand("CONVERSATION")
        options = try ExportOptions(arguments)
        if word != nil, !options.selection.conversations.isEmpty {
            throw .other("a CONVERSATION and --with exclude each other")
        }
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let folder = try store.folder()
        let inputs = store.inputs(of: folder, context)
        try HistoryExporter.check(
            options, inputs: inputs, notInside: [folder.messagesPath] + [folder.attachmentsPath].compactMap { $0 })
        let opened = try store.source.read(context, opening: folder)
        let words = (word.map { [$0] } ?? []) + options.selection.conversations
        let groups = try store.conversations(in: folder, named: words, names: opened.names)
        let filter = try options.selection.filter(names: opened.names)
        let source: StoreHistory
        do throws(HistoryError) {
            source = try StoreHistory(
                folder, key: opened.key, path: store.path, names: opened.names, only: words.isEmpty ? nil : groups)
        } catch {
            throw .history(error, store.path)
        }
        var exporter = HistoryExporter(
            options: options, source: source, path: store.path, filter: filter, conversation: word,
            workers: store.workers(context), inputs: inputs)
        if options.format == .jsonl || options.format == .json, words.isEmpty, !options.selection.isChoosing,
            options.selection.limit == nil
        {
            exporter.aside = try AsideExport(folder, key: opened.key)
        }
        do throws(CommandError) {
            return try exporter.run(context)
        } catch {
            guard case .history(.wrongKey, _) = error else { throw error }
            context.progress.finish()
            throw try store.nothingOpened(
                groups.flatMap(\.files).map { ($0, .notAuthentic) }, of: folder, key: opened.key)
        }
    }
}

extension StoreArguments {
    /// The conversations that words name, in the order of the store; all without a word. A name is a contact's.
    fileprivate func conversations(
        in folder: StoreFolder, named words: [[UInt8]], names: PeerNames
    ) throws(CommandError) -> [ConversationFiles] {
        let all = ConversationFiles.grouping(folder.conversations)
        guard !words.isEmpty else { return all }
        var wanted: Set<FilePath> = []
        for word in words {
            for group in try chosen(folder, word, all, names) { wanted.formUnion(group.files.map(\.path)) }
        }
        return all.filter { $0.files.contains { wanted.contains($0.path) } }
    }

    /// An id or its beginning goes before a name, as in every other place: a contact may call himself like an id.
    private func chosen(
        _ folder: StoreFolder, _ word: [UInt8], _ all: [ConversationFiles], _ names: PeerNames
    ) throws(CommandError) -> [ConversationFiles] {
        let notFound: CommandError
        do throws(CommandError) {
            return try conversations(in: folder, named: word)
        } catch {
            guard case .noConversation = error else { throw error }
            notFound = error
        }
        guard let person = try names.person(named: word) else { throw notFound }
        let theirs = all.filter { $0.isDirect(with: person) }
        guard !theirs.isEmpty else { throw notFound }
        return theirs
    }
}

extension ConversationFiles {
    /// Whether the files are called after a peer id of the person with this fingerprint.
    fileprivate func isDirect(with fingerprint: ByteText) -> Bool {
        files.contains { $0.stem.bytes.count >= 16 && fingerprint.bytes.starts(with: $0.stem.bytes) }
    }
}
