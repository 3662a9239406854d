import CommandKit
import SophaxFiles
import SystemIO

/// `sxkey bundle show`
struct BundleShow: Command {
    static let specification = CommandSpecification(
        noun: "bundle", verb: "show",
        summary: "show the messages of an export as a readable transcript",
        discussion: [
            "Shows who made the export and one conversation, or all of them one after the other. Private keys are never shown. "
                + "Messages are regrouped by the conversation that each names, as the app's importer does."
        ],
        operands: [
            BundleArguments.fileOperand,
            OperandSpecification("CONVERSATION", .text, .optional, "the id of a conversation, or its beginning"),
        ],
        options: BundleArguments.options + SelectionOptions.specifications,
        examples: [
            Example("sxkey bundle show sample.sxfe --passphrase-file passphrase.txt", "show everything"),
            Example("sxkey bundle show sample.sxfe notes -p passphrase.txt --json", "the notes to self as JSON lines"),
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.someDamaged, "some of the content cannot be read; the rest is shown"),
            StatusNote(.unreadable, "cut off, or not a known export"),
            StatusNote(.wrongSecret, "wrong passphrase, or the file is damaged"), StatusNote(.newerVersion),
            StatusNote(.notFound, "no such file or conversation"),
        ]
    )

    private let bundle: BundleArguments
    private let word: [UInt8]?
    private let options: SelectionOptions

    init(_ arguments: ParsedArguments) throws(UsageError) {
        bundle = try BundleArguments(opening: arguments)
        word = arguments.operand("CONVERSATION")
        options = try SelectionOptions(arguments)
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let content = try bundle.content(context)
        if word != nil, content.backup == nil { throw .noMessages(bundle.path) }
        let conversations = try content.conversations(named: word)
        let output = context.console.output
        let asJSON = context.console.options.json
        if !asJSON, word == nil {
            if let identity = content.identity { BundleText.write(identity, to: output) }
            if let backup = content.backup { BundleText.write(backup, zone: context.zone, to: output) }
        }
        // Without messages there are no JSON lines, but there is who made it.
        if asJSON, content.backup == nil { context.console.present(BundleOwner(content: content)) }
        let presenter = TranscriptPresenter(options: options, showsEmpty: word != nil, context: context)
        for conversation in conversations {
            let messages = try content.messages(of: conversation, bundle.path)
            presenter.present(
                messages, in: conversation.id, isStrict: content.isStrict, follows: !asJSON && word == nil)
        }
        return content.status(context)
    }
}

/// What an identity export has to show.
private struct BundleOwner: Report {
    let content: BundleContent

    func writeText(to stream: TextStream) {
        if let identity = content.identity { BundleText.write(identity, to: stream) }
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("kind", content.bundle.header.kind.rawValue)
            BundleText.writeMembers(of: content, to: &json)
        }
    }
}

extension BundleContent {
    /// The conversations whose id is or begins with `word`, or all.
    func conversations(named word: [UInt8]?) throws(CommandError) -> [BundleConversation] {
        let all = backup?.messages.conversations ?? []
        guard let word else { return all }
        let wanted = word == Array("notes".utf8) ? ConversationID.notesToSelf : ConversationID(ByteText(word))
        if let exact = all.first(where: { $0.id == wanted }) { return [exact] }
        let beginning = all.filter {
            $0.id.text.bytes.starts(with: word) || $0.id.text.bytes.starts(with: Array("group.".utf8) + word)
        }
        if beginning.count > 1 { throw .severalConversations(word, matching: beginning.map(\.id)) }
        if beginning.isEmpty { throw .noConversation(word, known: all.prefix(5).map(\.id)) }
        return beginning
    }

    func messages(of conversation: BundleConversation, _ path: FilePath) throws(CommandError) -> [StoredMessage] {
        do throws(OutOfMemory) {
            return try backup?.messages.messages(of: conversation) ?? []
        } catch {
            throw .bundleContent(.outOfMemory, path)
        }
    }

    /// Nothing in it had to be read tolerantly.
    var isStrict: Bool { findings.count(.repairedText) == 0 && findings.count(.unreadableMessage) == 0 }

    /// Messages and parts that could not be read.
    var failed: Int { findings.count(.unreadableMessage) + findings.count(.unreadableContent) }

    /// Says what could not be read, and with which status to exit.
    func status(_ context: Context) -> ExitStatus {
        guard failed > 0 else { return .success }
        context.console.note(
            "sxkey: \(failed) parts could not be read; \"sxkey bundle verify\" lists them")
        return .someDamaged
    }
}
