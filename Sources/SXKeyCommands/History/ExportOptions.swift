import CommandKit
import HistoryExport
import SophaxFiles
import SystemIO

/// The formats that messages are exported to.
enum ExportFormat: String, CaseIterable, Sendable {
    /// A folder of pages.
    case html
    /// Canonical and complete: `sxkey-formats(5)`.
    case jsonl
    /// The same objects in one array, after the header.
    case json
    case csv
    case markdown
    /// The transcript of `show`.
    case text
    /// A plain database.
    case sqlite

    /// The export is always a folder.
    var isFolder: Bool { self == .html }
    /// Standard output can take it.
    var isStream: Bool { self != .html && self != .sqlite }
    var isJSON: Bool { self == .jsonl || self == .json }
    /// It shows times as clocks in a zone do.
    var hasLocalTimes: Bool { self == .html || self == .markdown || self == .text }

    /// How the messages are called in a folder with their attachments.
    var fileName: FilePath {
        switch self {
        case .html: "index.html"
        case .jsonl: "messages.jsonl"
        case .json: "messages.json"
        case .csv: "messages.csv"
        case .markdown: "messages.md"
        case .text: "messages.txt"
        case .sqlite: "messages.sqlite"
        }
    }
}

/// What all export commands take beside what opens their source.
struct ExportOptions: Sendable {
    static let timeZone = OptionSpecification.value(
        "timezone", "NAME", .text,
        "show times in this zone of the tz database, such as Europe/Berlin (default: this machine's)")

    static let specifications: [OptionSpecification] =
        [
            .value(
                "format", "FORMAT", .choice(ExportFormat.allCases.map(\.rawValue)), "what to write (default: jsonl)"),
            .value(
                "out", short: "o", "PATH", .file,
                "the file to write; \"-\" is standard output; for html, and with --attachments, a folder",
                isRequired: true),
            .flag("force", short: "f", "overwrite an existing file"),
            .flag("attachments", "write the attachments as well, into a folder with the messages (html always does)"),
            .flag("no-attachments", "html without attachments"),
            .value(
                "filenames", "STYLE", .choice(FileNameStyle.allCases.map(\.rawValue)),
                "how attachments may be called (default: windows, which every system takes)"),
            .flag("update", "add what is new to a folder that the same export made before"),
            .flag("no-formula-guard", "csv: leave cells that a spreadsheet takes for formulas as they are"),
            timeZone,
        ] + SelectionOptions.specifications

    /// What the manual says of the formats.
    static let discussion = [
        "jsonl is canonical and complete: one JSON object a line, times in UTC beside the number of the source, and the "
            + "source JSON of every message byte for byte (sxkey-formats(5)). json has the same objects in one array. csv is a "
            + "table for spreadsheets, sqlite a database with full text for other programs. html is a folder of pages that "
            + "open in any browser, without a network; markdown and text are for reading, with local times.",
        "With --attachments the output is a folder that holds the messages, the files that they refer to, and export.json, "
            + "which says what there is. --update brings such a folder up to date: it is the old one or the new one at any "
            + "moment, every message and every attachment that it has stays, and a message that the source no longer has, "
            + "other options than those it was made with, and a file that sxkey did not put there are reasons to refuse.",
        "In csv a cell that begins with =, +, -, @, a tab or a line break, and one that begins with an apostrophe, gets an "
            + "apostrophe in front, for spreadsheets take it for a formula; take one apostrophe off to have the text again. "
            + "Open it as a table whose cells are parted by commas: a program that parts at semicolons makes cells of its own.",
    ]

    static let statuses = [
        StatusNote(.success),
        StatusNote(.someDamaged, "messages or attachments could not be read or are missing; the rest is written"),
        StatusNote(.wouldOverwrite, "the output exists, or --update names a folder that it may not change"),
    ]

    let format: ExportFormat
    let out: FilePath
    let force: Bool
    let style: FileNameStyle
    let writesAttachments: Bool
    let updates: Bool
    let guardsFormulas: Bool
    let selection: SelectionOptions
    /// The zone of `--timezone`; nil for the machine's.
    let zone: LocalZone?
    let usesJSON: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        format = arguments.choice("format").flatMap(ExportFormat.init) ?? .jsonl
        out = arguments.requiredPath("out")
        force = arguments.flag("force")
        style = arguments.choice("filenames").flatMap(FileNameStyle.init) ?? .windows
        if arguments.flag("attachments"), arguments.flag("no-attachments") {
            throw .conflict("attachments", "no-attachments")
        }
        writesAttachments = arguments.flag("attachments") || (format == .html && !arguments.flag("no-attachments"))
        updates = arguments.flag("update")
        guardsFormulas = !arguments.flag("no-formula-guard")
        // Dates are typed in the zone that they are shown in.
        zone = try Self.zone(arguments)
        selection = try SelectionOptions(arguments, zone: zone ?? LocalZone())
        usesJSON = arguments.globals.json
        let isFolder = format.isFolder || writesAttachments
        if arguments.flag("no-attachments"), format != .html { throw .other("--no-attachments is for --format html") }
        if !guardsFormulas, format != .csv { throw .other("--no-formula-guard is for --format csv") }
        if updates, !isFolder { throw .other("--update needs a folder: --format html, or --attachments") }
        if updates, selection.limit != nil {
            throw .other("--update and --limit exclude each other: an update only adds, and a limit drops what is old")
        }
        if isFolder, force { throw .other("--force overwrites a file, never a folder; --update adds to one") }
        guard out == "-" else { return }
        if isFolder { throw .other("a folder cannot go to standard output") }
        if !format.isStream { throw .other("a database cannot go to standard output") }
        if usesJSON, !format.isJSON {
            throw .other("--json and an output that is no JSON exclude each other on standard output")
        }
    }

    var isFolder: Bool { format.isFolder || writesAttachments }

    static func zone(_ arguments: ParsedArguments) throws(UsageError) -> LocalZone? {
        guard let name = arguments.value("timezone") else { return nil }
        guard let zone = LocalZone(named: name) else {
            throw .other("--timezone: this machine's tz database has no such zone")
        }
        return zone
    }

    /// What `export.json` keeps of them: all that shapes the bytes. `zone` is the one of the times for people.
    func record(_ kind: String, conversation: [UInt8]?, zone: LocalZone) -> [ExportOption] {
        var record = [
            ExportOption("format", format.rawValue), ExportOption("source", kind),
            ExportOption("attachments", writesAttachments ? "yes" : "no"), ExportOption("filenames", style.rawValue),
            ExportOption("selection", selection.description(conversation: conversation)),
        ]
        if format.hasLocalTimes { record.append(ExportOption("timezone", zone.name)) }
        if format == .csv { record.append(ExportOption("formula-guard", guardsFormulas ? "yes" : "no")) }
        return record
    }
}
