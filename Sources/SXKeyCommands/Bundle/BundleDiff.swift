import CommandKit
import PortableBundle
import SophaxFiles
import SystemIO

/// `sxkey bundle diff`
struct BundleDiff: Command {
    static let specification = CommandSpecification(
        noun: "bundle", verb: "diff",
        summary: "show what two bundles differ in",
        discussion: [
            "Compares identity, prekeys, people and groups one by one, messages by their id in canonical form (so the order of keys, "
                + "escapes and a missing isEdited make no difference), and attachments by their bytes. The two may be of different kinds: "
                + "what one of them has no room for is named and not compared. When they were made is not compared.",
            "Of private keys only their names are shown. \"Added\" is what only B has, \"removed\" what only A has.",
        ],
        operands: [
            OperandSpecification("A", .file, .one, "a bundle: an export of an app, or a .sxb of sxkey"),
            OperandSpecification("B", .file, .one, "the bundle to compare it with"),
        ],
        options: BundleInputs.severalOptions + [
            .value("limit", "N", .number(0...10_000), "name at most N of each kind (default: 10; --json 1000)")
        ],
        examples: [
            Example(
                "sxkey bundle diff sample.sophaxbackup sample.sxfe -p passphrase.txt -p passphrase.txt",
                "a backup and a full export of one phone")
        ],
        exitStatuses: [
            StatusNote(.success, "the same in everything that both can hold"),
            StatusNote(.someDamaged, "some messages cannot be read, and were not compared"),
            StatusNote(.unreadable, "cut off, damaged, or not a known bundle"), StatusNote(.wrongSecret),
            StatusNote(.newerVersion), StatusNote(.finding, "they differ"), StatusNote(.notFound),
        ]
    )

    private let bundles: BundleInputs
    private let limit: Int?

    init(_ arguments: ParsedArguments) throws(UsageError) {
        bundles = try BundleInputs(arguments, operands: ["A", "B"])
        limit = arguments.number("limit")
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let opened = try bundles.open(context)
        // One platform's messages are never the other's, byte for byte.
        let platforms = opened.map(\.source.manifest.platforms)
        let asAndroid = platforms[0] != platforms[1] && platforms[0].union(platforms[1]).contains(.android)
        var indexes: [BundleIndex] = []
        for input in opened {
            context.progress.begin("Reading \(input.path)", total: 0, unit: .items)
            do throws(EntryError) {
                indexes.append(try BundleIndex(of: input.source, shape: input.shape, asAndroid: asAndroid))
            } catch {
                throw .entries(error, input.path)
            }
            context.progress.finish()
        }
        let shown = limit ?? (context.console.options.json ? 1000 : 10)
        let difference: BundleDifference
        do throws(EntryError) {
            difference = try BundleDifference(indexes[0], indexes[1], limit: shown)
        } catch {
            throw .entries(error, opened[0].path)
        }
        let report = DiffReport(
            first: opened[0], second: opened[1], difference: difference, asAndroid: asAndroid, shown: shown,
            zone: context.zone)
        context.console.present(report)
        return report.status
    }
}

/// What differs.
private struct DiffReport: Report {
    let first: OpenedInput
    let second: OpenedInput
    let difference: BundleDifference
    /// Messages were compared as Android keeps them.
    let asAndroid: Bool
    /// Names of each kind of change.
    let shown: Int
    let zone: LocalZone

    var status: ExitStatus {
        let found: ExitStatus = difference.differs ? .finding : .success
        return difference.unreadable > 0 ? ExitStatus.someDamaged.combined(with: found) : found
    }

    private static let changes: [BundleDifference.Change] = [.removed, .added, .changed]

    func writeText(to stream: TextStream) {
        stream.line("A  \(title(first))")
        stream.line("B  \(title(second))")
        stream.line()
        for section in difference.sections { write(section, to: stream) }
        for gap in difference.gaps { stream.line("  \(label(gap.part))not compared: \(reason(gap))") }
        if asAndroid {
            stream.line(
                "  note              messages were compared as Android keeps them; what it has no room for was not")
        }
        if difference.unreadable > 0 {
            stream.line(
                "  \(TerminalText(trusted: "damaged", .red))           \(count: difference.unreadable, "message") cannot be read, and were not compared"
            )
        }
        stream.line()
        stream.line("Verdict: \(verdict) (exit \(status.rawValue))")
    }

    private func title(_ input: OpenedInput) -> TerminalText {
        let time = input.source.manifest.createdAt
        let made = time > 0 ? zone.time(at: time).map { " of \($0.date.dayAndMinuteText)" } ?? "" : ""
        return "\(input.path): \(trusted: input.shape.title)\(trusted: made)"
    }

    private func label(_ part: BundlePart) -> TerminalText {
        part.word + TerminalText(trusted: String(repeating: " ", count: max(1, 18 - part.word.columns)))
    }

    private func write(_ section: BundleDifference.Section, to stream: TextStream) {
        var parts: [TerminalText] = ["\(count: section.same) the same"]
        for change in Self.changes where section.count(change) > 0 {
            parts.append(TerminalText(trusted: "\(Quantity.count(section.count(change))) \(change.rawValue)", .yellow))
        }
        stream.line("  \(label(section.part))\(parts.joined(" · "))")
        for change in Self.changes where section.count(change) > 0 {
            let items = section.items.filter { $0.change == change }
            for item in items { stream.line("    \(trusted: mark(change)) \(text(item))") }
            let rest = section.count(change) - items.count
            if rest > 0, shown > 0 { stream.line("    \(trusted: mark(change)) and \(count: rest) more") }
        }
    }

    /// As in a diff of texts.
    private func mark(_ change: BundleDifference.Change) -> String {
        switch change {
        case .removed: "-"
        case .added: "+"
        case .changed: "≠"
        }
    }

    private func text(_ item: BundleDifference.Item) -> TerminalText {
        var text: TerminalText = item.name.bytes.isEmpty ? "(without an id)" : "\(item.name.bytes)"
        if let conversation = item.conversation { text += " in \(conversation.text.bytes)" }
        if let detail = item.detail { text += ": \(detail)" }
        return text
    }

    private func reason(_ gap: BundleDifference.Gap) -> TerminalText {
        let side: TerminalText = gap.isFirst ? "A" : "B"
        let shape = gap.isFirst ? first.shape : second.shape
        switch gap.reason {
        case .noRoom:
            return shape == .portable
                ? "\(side) was made of something that has none"
                : "\(trusted: shape.title) (\(side)) has no room for them"
        case .leftOut: return "left out when \(side) was made"
        }
    }

    private var verdict: TerminalText {
        if difference.hasOtherIdentity { return TerminalText(trusted: "they belong to different identities", .red) }
        if difference.differs { return TerminalText(trusted: "they differ", .yellow) }
        return difference.gaps.isEmpty
            ? TerminalText(trusted: "the same", .green)
            : TerminalText(trusted: "the same in everything that both can hold", .green)
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            for (key, input) in [("first", first), ("second", second)] {
                json.member(key) { json in
                    json.object { json in
                        json.member("path", input.path.bytes)
                        json.member("kind", input.shape.word)
                    }
                }
            }
            json.member("comparedAsAndroid", asAndroid)
            json.member("differs", difference.differs)
            json.member("parts") { json in
                json.array(difference.sections) { json, section in
                    json.object { json in
                        json.member("part", section.part.rawValue)
                        json.member("same", section.same)
                        for change in Self.changes { json.member(change.rawValue, section.count(change)) }
                        json.member("items") { json in
                            json.array(section.items) { json, item in write(item, to: &json) }
                        }
                    }
                }
            }
            json.member("notCompared") { json in
                json.array(difference.gaps) { json, gap in
                    json.object { json in
                        json.member("part", gap.part.rawValue)
                        json.member("lackedBy", gap.isFirst ? "first" : "second")
                        json.member("reason", gap.reason == .noRoom ? "no-room" : "left-out")
                    }
                }
            }
            json.member("unreadable", difference.unreadable)
            json.member("exit", Int(status.rawValue))
        }
    }

    private func write(_ item: BundleDifference.Item, to json: inout JSONWriter) {
        json.object { json in
            json.member("change", item.change.rawValue)
            json.member("name", item.name.bytes)
            if let conversation = item.conversation { json.member("conversation", conversation.text.bytes) }
            if let detail = item.detail { json.member("detail", detail) }
        }
    }
}

extension BundleShape {
    /// The word for it in JSON.
    var word: String {
        switch self {
        case .portable: "sxb"
        case .app(let kind): kind.rawValue
        case .store: "store"
        }
    }
}
