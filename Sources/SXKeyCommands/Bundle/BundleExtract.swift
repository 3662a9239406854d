import CommandKit
import PortableBundle
import SophaxFiles
import SystemIO

/// `sxkey bundle extract`
struct BundleExtract: Command {
    static let specification = CommandSpecification(
        noun: "bundle", verb: "extract",
        summary: "write what is in a bundle as files into a new folder",
        discussion: [
            "Messages become JSON lines, one file a conversation, with the JSON of each message byte for byte as the app stored it; "
                + "attachments get the names that their senders gave them, made safe. The rest is JSON as sxkey-formats(5) says. An app's "
                + "export is written in the same form.",
            "Private keys (identity, prekeys, groups, sessions) are left out unless --reveal is given: in the folder nothing is encrypted. "
                + "The folder must not be there yet; it appears whole or not at all.",
        ],
        operands: [
            BundleInputs.operand,
            OperandSpecification(
                "NAME", .text, .any,
                "only these: the name of an entry, the id of a conversation or attachment, or a part such as contacts or attachments"
            ),
        ],
        options: BundleInputs.options + [
            .value("out", short: "o", "DIR", .folder, "the folder to make", isRequired: true),
            .flag("reveal", "write private keys too, without encryption"),
        ],
        examples: [
            Example(
                "sxkey bundle extract sample.sxb -p passphrase.txt --out files", "everything but the private keys"),
            Example(
                "sxkey bundle extract sample.sxfe contacts -p passphrase.txt --out people",
                "only what is known of people"),
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.usage, "private keys were asked for without --reveal"),
            StatusNote(.someDamaged, "some messages are not in the bundle, for its maker could not read them"),
            StatusNote(.unreadable, "cut off, damaged, or not a known bundle"), StatusNote(.wrongSecret),
            StatusNote(.newerVersion), StatusNote(.wouldOverwrite, "there is something called so"),
            StatusNote(.notFound, "no such bundle, or nothing of that name in it"),
        ],
        seeAlso: ["sxkey-formats(5)"]
    )

    private let bundle: BundleInputs
    private let words: [ByteText]
    private let out: FilePath
    private let reveals: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        bundle = try BundleInputs(arguments)
        words = arguments.operands("NAME").map { ByteText($0) }
        out = arguments.requiredPath("out")
        reveals = arguments.flag("reveal")
        if out == "-" { throw .other("--out is a folder, not standard output") }
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        do throws(FileError) { try DraftFolder.check(out) } catch { throw .folderOutput(error) }
        let opened = try bundle.open(context)[0]
        let manifest = opened.source.manifest
        let choice = EntryChoice(words: words, reveals: reveals)
        if let unknown = choice.unknown(in: manifest).first {
            throw .bundleFailure(.noEntry(unknown.bytes, known: manifest.entries.map(\.name)))
        }
        if !words.isEmpty, let secret = manifest.entries.first(where: { choice.judge($0) == .secret }) {
            throw .bundleFailure(.needsReveal(secret.name))
        }
        context.progress.begin("Extracting", total: manifest.totalBytes, unit: .bytes)
        let extracted: FolderExtractor
        do throws(EntryError) {
            extracted = try FolderExtractor.extract(
                opened.source, to: out, choice: choice, manifestText: manifest.text()
            ) { context.progress.advance(by: $0) }
        } catch {
            if case .file(let failure) = error { throw .folderOutput(failure) }
            throw .entries(error, opened.path)
        }
        context.progress.finish()
        let report = ExtractReport(
            path: opened.path, out: out, extracted: extracted, entries: manifest.entries.count,
            unreadable: manifest.notIncluded.count { $0.reason == .unreadable })
        context.console.present(report)
        return report.status
    }
}

/// What was written.
private struct ExtractReport: Report {
    let path: FilePath
    let out: FilePath
    let extracted: FolderExtractor
    /// Entries of the bundle.
    let entries: Int
    /// Things that the maker of the bundle could not read.
    let unreadable: Int

    var status: ExitStatus { unreadable == 0 ? .success : .someDamaged }

    private var files: [FolderExtractor.File] { extracted.files }

    private func count(_ part: BundlePart) -> Int { files.count { $0.content?.part == part } }

    func writeText(to stream: TextStream) {
        if files.isEmpty {
            stream.line("Nothing to write: \(out) was not made")
        } else {
            stream.line(
                "Wrote \(count: files.count, "file") to \(out) (\(size: files.reduce(0) { $0 + $1.bytes })), not encrypted"
            )
        }
        for part in BundlePart.allCases where count(part) > 0 {
            let padding = String(repeating: " ", count: max(0, 18 - part.word.columns))
            stream.line("  \(part.word)\(trusted: padding)\(count: count(part), "file")")
        }
        if !extracted.secrets.isEmpty {
            let names = extracted.secrets.map { "\($0)" as TerminalText }.joined(", ")
            stream.line("  Left out: \(names): private keys; --reveal writes them without encryption")
        }
        if unreadable > 0 {
            stream.line("  \(count: unreadable, "item") could not be read when the bundle was made, and are not in it")
        }
        stream.line(
            "read \(count: entries) · written \(count: files.count { $0.content != nil }) · private, left out \(count: extracted.secrets.count) · not asked for \(count: extracted.notAsked)"
        )
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("path", path.bytes)
            json.member("out", files.isEmpty ? nil : out.bytes)
            json.member("read", entries)
            json.member("written") { json in
                json.array(files) { json, file in
                    json.object { json in
                        json.member("name", file.name.bytes)
                        json.member("bytes", file.bytes)
                        json.member("part", file.content?.part?.rawValue)
                        json.member("id", file.content?.id?.bytes)
                    }
                }
            }
            json.member("leftOut") { json in
                json.array(extracted.secrets) { json, name in json.value(name) }
            }
            json.member("notSelected", extracted.notAsked)
            json.member("failed", unreadable)
            json.member("exit", Int(status.rawValue))
        }
    }
}

extension ManifestEntry.Content {
    /// The id that it has in its store.
    var id: ByteText? {
        switch self {
        case .conversation(let id, _, _): id.text
        case .blob(let id), .attachment(let id): id
        case .document, .other: nil
        }
    }
}
