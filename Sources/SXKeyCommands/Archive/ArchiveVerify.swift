import Archive
import CommandKit
import SQLiteDatabase
import SophaxFiles
import SystemIO

/// `sxkey archive verify`
struct ArchiveVerify: Command {
    static let specification = CommandSpecification(
        noun: "archive", verb: "verify",
        summary: "prove that what is in the archive is whole",
        discussion: [
            "Reads both copies of the header, every page, SQLite's own structure and references, and holds the index for searching "
                + "against the messages. --quick reads header and pages only. --full also compares every source and every attachment with "
                + "the digest that it had when it was imported, and what is searched and listed with the sources.",
            "Nothing is changed. An older page or file that somebody has put back is not found.",
        ],
        options: [
            .flag("quick", "header and pages only"),
            .flag("full", "every source and attachment too"),
        ] + ArchiveOptions.specifications,
        examples: [
            Example("sxkey archive verify --archive-key-file archive.key", "verify the archive"),
            Example("sxkey archive verify --full --archive-key-file archive.key --json", "everything, for a script"),
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.someDamaged, "something is damaged; the findings say what"),
            StatusNote(.unreadable), StatusNote(.wrongSecret), StatusNote(.newerVersion), StatusNote(.locked),
            StatusNote(.notFound, "no archive"),
        ]
    )

    private let options: ArchiveOptions
    private let depth: ArchiveDepth

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ArchiveOptions(arguments)
        if arguments.flag("quick"), arguments.flag("full") { throw .conflict("quick", "full") }
        depth = arguments.flag("quick") ? .quick : arguments.flag("full") ? .full : .standard
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let opened = try open(context)
        let header = try SealedOutside.header(.archive, opened.path)
        let contents = try? opened.archive.contents()
        context.progress.begin("Verifying", total: depth == .full ? header.fileSize : 0, unit: .bytes)
        let verdict = try opened.doing { (archive) throws(ArchiveError) in
            try archive.verify(depth) { context.progress.advance(by: $0) }
        }
        context.progress.finish()
        var lines: [ArchiveJudgement.Line] = []
        for finding in verdict.findings { lines.append(Self.line(finding, opened)) }
        let judgement = ArchiveJudgement(
            path: opened.path, pages: header.pages, attachments: contents?.attachments, verdict: verdict, lines: lines)
        context.console.present(judgement)
        return judgement.status
    }

    /// SQLite holds an index against its table only where it might write; where that cannot be, the rest is verified.
    private func open(_ context: Context) throws(CommandError) -> OpenedArchive {
        guard depth > .quick else { return try context.openArchive(options, .readOnly) }
        do throws(CommandError) {
            return try context.openArchive(options, .readWrite)
        } catch {
            guard case .archive(.sealed(.database(let failure)), _) = error,
                failure == .readOnly || failure == .unfinishedChange
            else { throw error }
            return try context.openArchive(options, .readOnly)
        }
    }

    private static func line(_ finding: ArchiveFinding, _ opened: OpenedArchive) -> ArchiveJudgement.Line {
        func message(_ number: Int64) -> TerminalText {
            guard let name = try? opened.archive.name(ofMessage: number) else { return "message number \(Int(number))" }
            let id: TerminalText = name.id.map { "\($0.bytes)" } ?? "without an id"
            return "message \(id) in \(name.conversation.text.bytes)"
        }
        let text: TerminalText =
            switch finding {
            case .sealed(let finding): finding.text
            case .index: "the index for searching does not fit the messages"
            case .indexNotCompared:
                "the index for searching was counted and not compared, for the file cannot be written here"
            case .missingSources(let count): "\(count: count, "message") without the source"
            case .surplusSources(let count): "\(count: count, "source") of no message"
            case .surplusPieces(let count): "\(count: count, "piece") of no attachment"
            case .sourceDigest(let number): "the source of \(message(number)) is not what was imported"
            case .unreadableSource(let number): "the source of \(message(number)) cannot be read as a message"
            case .columns(let number): "what is listed and searched of \(message(number)) is not what its source says"
            case .attachment(let sha256):
                "the attachment with SHA-256 \(trusted: LowercaseHex.text(sha256)) is not what was imported"
            }
        return ArchiveJudgement.Line(code: finding.code, isDamage: finding.isDamage, text: text)
    }
}

extension ArchiveFinding {
    /// The word in JSON.
    var code: String {
        switch self {
        case .sealed(.headerCopyDamaged), .sealed(.headerCopyTampered), .sealed(.headerCopyOlder): "header-copy"
        case .sealed(.page), .sealed(.freePage), .sealed(.surplusPages): "page"
        case .sealed(.structure): "structure"
        case .sealed(.references): "references"
        case .index: "index"
        case .indexNotCompared: "index-not-compared"
        case .missingSources: "missing-source"
        case .surplusSources: "surplus-source"
        case .surplusPieces: "surplus-piece"
        case .sourceDigest: "source-digest"
        case .unreadableSource: "unreadable-source"
        case .columns: "columns"
        case .attachment: "attachment"
        }
    }

    /// Building the index again mends it.
    fileprivate var isOfIndex: Bool { self == .index }
}

/// What was looked at, what was found, and one verdict.
private struct ArchiveJudgement: Report {
    struct Line {
        let code: String
        let isDamage: Bool
        let text: TerminalText
    }

    let path: FilePath
    let pages: Int
    let attachments: Int?
    let verdict: ArchiveVerdict
    let lines: [Line]

    private static let shown = 20

    var status: ExitStatus { verdict.isSound ? .success : .someDamaged }

    /// The command to run next; nil when all is well.
    private var next: TerminalText? {
        guard !verdict.isSound else {
            return verdict.depth == .full ? nil : "sxkey archive verify --full"
        }
        let damage = verdict.findings.filter(\.isDamage)
        if damage.allSatisfy(\.isOfIndex) { return "sxkey archive compact --rebuild-index" }
        return nil
    }

    private var looked: TerminalText {
        switch verdict.depth {
        case .quick: "header and pages"
        case .standard: "header, pages, structure, references and index"
        case .full: "header, pages, structure, references, index, every source and every attachment"
        }
    }

    func writeText(to stream: TextStream) {
        stream.line("Verified the archive \(quoted: path): \(looked)")
        stream.line()
        let attachments: TerminalText = attachments.map { ", \(count: $0, "attachment")" } ?? ""
        let compared: TerminalText =
            verdict.depth == .full
            ? "; \(count: verdict.sources, "source") and \(count: verdict.attachments, "attachment") have their digests"
            : ""
        stream.line(
            "  \(trusted: "ok       ", verdict.isSound ? .green : .yellow) \(count: pages, "page"), \(count: verdict.messages, "message") in \(count: verdict.conversations, "conversation")\(attachments)\(compared)"
        )
        for line in lines.prefix(Self.shown) {
            let label = line.isDamage ? TerminalText(trusted: "damaged  ", .red) : TerminalText(trusted: "note     ")
            stream.line("  \(label) \(line.text)")
        }
        let rest = verdict.findingCount - min(lines.count, Self.shown)
        if rest > 0 {
            stream.line("            and \(count: rest) more \(trusted: "(--json lists up to 1,000)", .dim)")
        }
        if status != .success {
            if let next {
                stream.line("  → \(next)")
            } else {
                stream.line("  → take a copy that \"sxkey archive backup\" made back into use; or")
                stream.line("  → \"sxkey archive init\" a new one, import this one and the sources again")
            }
        }
        stream.line()
        let word =
            status == .success
            ? TerminalText(trusted: "all is well", .green) : TerminalText(trusted: "not all is well", .red)
        stream.line("Verdict: \(word) (exit \(status.rawValue))")
        if status == .success, let next { stream.line("  Deeper: \(next)") }
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("path", path.bytes)
            json.member(
                "depth", verdict.depth == .quick ? "quick" : verdict.depth == .full ? "full" : "standard")
            json.member("pages", pages)
            json.member("messages", verdict.messages)
            json.member("conversations", verdict.conversations)
            json.member("attachments", attachments)
            json.member("compared") { json in
                json.object { json in
                    json.member("sources", verdict.sources)
                    json.member("attachments", verdict.attachments)
                }
            }
            json.member("damaged", verdict.damageCount)
            json.member("findings") { json in
                json.array(lines) { json, line in
                    json.object { json in
                        json.member("code", line.code)
                        json.member("damage", line.isDamage)
                        json.member("text", line.text.plain)
                    }
                }
            }
            json.member("next", next?.plain)
            json.member("verdict", status.name)
            json.member("exit", Int(status.rawValue))
        }
    }
}
