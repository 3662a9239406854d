import Archive
import CommandKit
import SQLiteDatabase
import SophaxFiles
import SystemIO

/// `sxkey archive info`
struct ArchiveInfo: Command {
    static let specification = CommandSpecification(
        noun: "archive", verb: "info",
        summary: "show what can be seen of the archive without its secret, and with it what is inside",
        discussion: [
            "Without a secret: where it is, its size and permissions, the version of the format, how often its secrets were changed, "
                + "and what each slot costs. Nothing of this is authenticated.",
            "With --inside, or an option that gives the secret: how many messages, conversations and attachments it holds, the span of "
                + "time, what was imported when and from where, with the digest of each file, and what a \"sxkey archive compact\" would give back.",
        ],
        options: [.flag("inside", "open the archive and show what it holds; asks for its passphrase")]
            + ArchiveOptions.specifications,
        examples: [
            Example("sxkey archive info", "look at the archive from outside"),
            Example("sxkey archive info --archive-key-file archive.key", "counts, dates and imports"),
            Example("sxkey archive info --archive-key-file archive.key --json", "the same for a script"),
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.unreadable), StatusNote(.wrongSecret), StatusNote(.newerVersion),
            StatusNote(.locked), StatusNote(.finding, "others have access to it, or a copy of its header is damaged"),
            StatusNote(.notFound, "no archive"),
        ]
    )

    private let options: ArchiveOptions
    private let isOpened: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ArchiveOptions(arguments)
        isOpened = arguments.flag("inside") || options.isSecretGiven
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let place = try options.place(context)
        let outside = try SealedOutside(place)
        var inside: ArchiveListing.Inside?
        if isOpened {
            let secret = try options.secret(for: place.path, context)
            let opened = try context.openArchive(at: place.path, .readOnly, unlocking: secret)
            inside = try opened.doing { (archive) throws(ArchiveError) in
                try archive.reading { () throws(ArchiveError) in
                    ArchiveListing.Inside(contents: try archive.contents(), imports: try archive.imports())
                }
            }
        }
        context.console.present(ArchiveListing(outside: outside, inside: inside, zone: context.zone))
        return outside.isWell ? .success : .finding
    }
}

/// An archive from outside and, where its secret is known, from inside.
private struct ArchiveListing: Report {
    struct Inside {
        let contents: ArchiveContents
        let imports: [ImportRecord]
    }

    let outside: SealedOutside
    let inside: Inside?
    let zone: LocalZone

    /// The newest imports that people see; JSON has all.
    private static let shown = 20

    func writeText(to stream: TextStream) {
        outside.writeLines(to: stream)
        guard let inside else {
            stream.line("  Not proven: without the secret nothing of this is authenticated; --inside opens it")
            return
        }
        let contents = inside.contents
        stream.line()
        stream.line(
            "  Messages     \(count: contents.messages) in \(count: contents.conversations, "conversation")\(span(contents))"
        )
        if contents.conflicting > 0 {
            stream.line(
                "               \(count: contents.conflicting) of them share an id with another one; both are kept")
        }
        stream.line("  Attachments  \(count: contents.attachments), \(size: contents.attachmentBytes)")
        if contents.missingAttachments > 0 {
            stream.line("               \(count: contents.missingAttachments) more are mentioned and were in no source")
        }
        if contents.removed > 0 {
            stream.line("  Removed      \(count: contents.removed, "message"), which imports leave out")
        }
        if contents.freeBytes > 0 {
            stream.line("  Free         \(size: contents.freeBytes); \"sxkey archive compact\" gives it back")
        }
        guard !inside.imports.isEmpty else {
            stream.line("  Nothing was imported yet: \"sxkey archive import SOURCE...\"")
            return
        }
        stream.line()
        var table = Table([
            .init("IMPORTED"), .init("KIND"), .init("NEW", .right), .init("READ", .right), .init("FROM"),
        ])
        for record in inside.imports.suffix(Self.shown) {
            let counts = record.numbers
            table.add([
                "\(trusted: zone.minute(milliseconds: record.begunAt))", "\(trusted: record.kind)",
                counts["new"].map { "\(count: $0)" } ?? "?", counts["read"].map { "\(count: $0)" } ?? "?",
                "\(record.path)\(trusted: record.endedAt == nil ? "   not finished" : "", .yellow)",
            ])
        }
        table.write(to: stream)
        let rest = inside.imports.count - Self.shown
        if rest > 0 { stream.line("  and \(count: rest) earlier \(trusted: "(--json lists all)", .dim)") }
    }

    private func span(_ contents: ArchiveContents) -> TerminalText {
        guard let first = contents.first, let last = contents.last else { return "" }
        return ", \(trusted: zone.day(milliseconds: first)) to \(trusted: zone.day(milliseconds: last))"
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            outside.writeMembers(isAuthenticated: inside != nil, to: &json)
            guard let inside else { return }
            let contents = inside.contents
            json.member("messages", contents.messages)
            json.member("conflicting", contents.conflicting)
            json.member("conversations", contents.conversations)
            json.member("people", contents.people)
            json.member("first", contents.first.flatMap { RFC3339.format(unixSeconds: Double($0) / 1_000) })
            json.member("last", contents.last.flatMap { RFC3339.format(unixSeconds: Double($0) / 1_000) })
            json.member("attachments", contents.attachments)
            json.member("attachmentBytes", contents.attachmentBytes)
            json.member("missingAttachments", contents.missingAttachments)
            json.member("removed", contents.removed)
            json.member("freeBytes", contents.freeBytes)
            json.member("imports") { json in
                json.array(inside.imports) { json, record in record.writeJSON(to: &json) }
            }
        }
    }
}

extension ImportRecord {
    /// The numbers of `counts`, which sxkey itself wrote: an object without anything nested.
    var numbers: [String: Int] {
        var numbers: [String: Int] = [:]
        guard let counts else { return numbers }
        let inner = counts.filter { $0 != UInt8(ascii: "{") && $0 != UInt8(ascii: "}") && $0 != UInt8(ascii: "\"") }
        for pair in inner.split(separator: UInt8(ascii: ",")) {
            let parts = pair.split(separator: UInt8(ascii: ":"))
            guard parts.count == 2, let value = ParsedArguments.number(Array(parts[1])) else { continue }
            numbers[String(decoding: parts[0], as: UTF8.self)] = value
        }
        return numbers
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("import", Int(clamping: id))
            json.member("kind", kind)
            json.member("path", path.bytes)
            json.member("sha256", sha256.map(LowercaseHex.text))
            json.member("owner", ownerName?.bytes)
            json.member("ownerFingerprint", ownerFingerprint)
            json.member("begunAt", RFC3339.format(unixSeconds: Double(begunAt) / 1_000))
            json.member("endedAt", endedAt.flatMap { RFC3339.format(unixSeconds: Double($0) / 1_000) })
            json.member("counts") { json in
                json.object { json in
                    for (key, value) in numbers.sorted(by: { $0.key < $1.key }) { json.member(key, value) }
                }
            }
        }
    }
}

/// Digests as people compare them.
enum LowercaseHex {
    static func text(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

extension LocalZone {
    /// `2026-05-01` of milliseconds since 1970.
    func day(milliseconds: Int64) -> String {
        time(at: Double(milliseconds) / 1_000)?.date.dayText ?? "?"
    }

    /// `2026-05-01 18:30` of milliseconds since 1970.
    func minute(milliseconds: Int64) -> String {
        time(at: Double(milliseconds) / 1_000)?.date.dayAndMinuteText ?? "?"
    }
}
