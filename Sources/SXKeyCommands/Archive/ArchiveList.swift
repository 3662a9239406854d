import Archive
import CommandKit
import SophaxFiles
import SystemIO

/// `sxkey archive list`
struct ArchiveList: Command {
    static let specification = CommandSpecification(
        noun: "archive", verb: "list",
        summary: "list the conversations of the archive",
        discussion: [
            "Names come from the keyring and from the contacts of what was imported. The conversation with the newest message is first."
        ],
        options: ArchiveOptions.specifications,
        examples: [
            Example("sxkey archive list --archive-key-file archive.key", "conversations, counts and dates"),
            Example("sxkey archive list --archive-key-file archive.key --json", "the same for a script"),
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.unreadable), StatusNote(.wrongSecret), StatusNote(.newerVersion),
            StatusNote(.locked), StatusNote(.notFound, "no archive"),
        ]
    )

    private let options: ArchiveOptions

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ArchiveOptions(arguments)
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let opened = try context.openArchive(options, .readOnly)
        let all = try opened.doing { (archive) throws(ArchiveError) in try archive.conversations() }
        let sorted = all.filter { $0.messages > 0 }.sorted { ($0.last ?? .min, $1.id) > ($1.last ?? .min, $0.id) }
        context.console.present(ConversationListing(path: opened.path, conversations: sorted, zone: context.zone))
        return .success
    }
}

private struct ConversationListing: Report {
    let path: FilePath
    let conversations: [ArchivedConversation]
    let zone: LocalZone

    func writeText(to stream: TextStream) {
        guard !conversations.isEmpty else {
            stream.line(
                "The archive \(quoted: path) holds no messages: \"sxkey archive import SOURCE...\" brings them in")
            return
        }
        var table = Table([
            .init("CONVERSATION", limit: 60), .init("MESSAGES", .right), .init("FIRST"), .init("LAST"),
        ])
        for conversation in conversations {
            table.add([
                conversation.title, "\(count: conversation.messages)",
                "\(trusted: conversation.first.map { zone.day(milliseconds: $0) } ?? "")",
                "\(trusted: conversation.last.map { zone.day(milliseconds: $0) } ?? "")",
            ])
        }
        table.write(to: stream)
        let messages = conversations.reduce(0) { $0 + $1.messages }
        stream.line("\(count: messages, "message") in \(count: conversations.count, "conversation")")
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("path", path.bytes)
            json.member("conversations") { json in
                json.array(conversations) { json, conversation in
                    json.object { json in
                        json.member("id", conversation.id.text.bytes)
                        json.member("kind", conversation.id.kind.rawValue)
                        json.member("name", conversation.name?.bytes)
                        json.member("messages", conversation.messages)
                        json.member(
                            "first", conversation.first.flatMap { RFC3339.format(unixSeconds: Double($0) / 1_000) })
                        json.member(
                            "last", conversation.last.flatMap { RFC3339.format(unixSeconds: Double($0) / 1_000) })
                    }
                }
            }
        }
    }
}

extension ArchivedConversation {
    /// `Bob (3619e750a2dd52ba)`, or the id alone.
    var title: TerminalText {
        guard id.kind == .direct, let name else {
            return id.kind == .notes ? "Notes to self" : "\(id.text.bytes)"
        }
        return "\(name.bytes) (\(Array(id.text.bytes.prefix(16))))"
    }
}
