import CommandKit
import JSONCoding
import PortableBundle
import SophaxFiles
import SystemIO

/// `sxkey bundle show`
struct BundleShow: Command {
    static let specification = CommandSpecification(
        noun: "bundle", verb: "show",
        summary: "show the messages of a bundle as a readable transcript",
        discussion: [
            "Shows who made the bundle and one conversation, or all of them one after the other. Private keys are never shown. "
                + "Messages are regrouped by the conversation that each names, as the app's importer does."
        ],
        operands: [
            BundleInputs.operand,
            OperandSpecification("CONVERSATION", .text, .optional, "the id of a conversation, or its beginning"),
        ],
        options: BundleInputs.options + SelectionOptions.specifications,
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

    private let bundle: BundleInputs
    private let word: [UInt8]?
    private let options: SelectionOptions

    init(_ arguments: ParsedArguments) throws(UsageError) {
        bundle = try BundleInputs(arguments)
        word = arguments.operand("CONVERSATION")
        options = try SelectionOptions(arguments)
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let opened = try bundle.open(context)[0]
        if let source = opened.portable { return try show(source, context) }
        guard let content = opened.content else { return .failure }
        if word != nil, content.backup == nil { throw .noMessages(opened.path) }
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
            let messages = try content.messages(of: conversation, opened.path)
            presenter.present(
                messages, in: conversation.id, isStrict: content.isStrict, follows: !asJSON && word == nil)
        }
        return content.status(context)
    }

    private func show(_ source: SXBSource, _ context: Context) throws(CommandError) -> ExitStatus {
        let messages = PortableMessages(source: source, path: source.path)
        let wanted = try messages.conversations(named: word)
        let asJSON = context.console.options.json
        let owner = PortableOwner(manifest: source.manifest, zone: context.zone)
        if asJSON ? wanted.isEmpty : word == nil { context.console.present(owner) }
        let tally = try messages.read(wanted) { (conversation, names) throws(CommandError) in
            let presenter = TranscriptPresenter(
                options: options, showsEmpty: word != nil, names: names, context: context)
            presenter.present(
                conversation.messages, in: conversation.id, isStrict: conversation.isStrict,
                follows: !asJSON && (word == nil || conversation.id != wanted.first))
        }
        return messages.status(tally, context)
    }
}

/// What a `.sxb` says of itself.
private struct PortableOwner: Report {
    let manifest: Manifest
    let zone: LocalZone

    func writeText(to stream: TextStream) {
        let made = manifest.createdAt > 0 ? zone.time(at: manifest.createdAt) : nil
        stream.line(
            "  Made         \(trusted: made.map { "\($0.date.dayAndMinuteText) \($0.offsetText)" } ?? "at an unknown time") by \(manifest.creator)"
        )
        if let name = manifest.owner.name { stream.line("  Belongs to   \(name.bytes, .bold)") }
        if let fingerprint = manifest.owner.fingerprint { stream.line("  Fingerprint  \(fingerprint)") }
        for part in BundlePart.allCases {
            let entries = manifest.entries(of: part)
            guard !entries.isEmpty else { continue }
            let padding = String(repeating: " ", count: max(1, 13 - part.title.columns))
            let what: TerminalText =
                switch part {
                case .conversations:
                    "\(count: manifest.messages, "message") of \(count: entries.count, "conversation")"
                case .attachments, .blobs: "\(count: entries.count), \(size: entries.reduce(0) { $0 + $1.size })"
                default: "yes"
                }
            stream.line("  \(part.title)\(trusted: padding)\(what)")
        }
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("kind", "sxb")
            json.member("creator", manifest.creator)
            json.member("made", manifest.createdAt > 0 ? RFC3339.format(unixSeconds: manifest.createdAt) : nil)
            json.member("username", manifest.owner.name?.bytes)
            json.member("fingerprint", manifest.owner.fingerprint)
        }
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
