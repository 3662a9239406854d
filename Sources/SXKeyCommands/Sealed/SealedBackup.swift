import CommandKit
import SQLiteDatabase
import SystemIO

typealias KeyringBackup = SealedBackup<KeyringNoun>
typealias ArchiveBackup = SealedBackup<ArchiveNoun>

/// `sxkey keyring backup`, `sxkey archive backup`
struct SealedBackup<Noun: SealedNoun>: Command {
    static var specification: CommandSpecification {
        let name = Noun.kind.name
        return CommandSpecification(
            noun: name, verb: "backup",
            summary: "write a copy of the \(name), and prove it",
            discussion: [
                "The copy is \(Noun.kind.titleWithArticle) by itself, with a master key of its own: --\(name) names it, and a copy of it can take the \(name)'s "
                    + "place. It opens with the secret that opened the \(name), or with a new one that is given. It is read back before it "
                    + "gets its name, and nothing is ever overwritten."
            ],
            options: [
                .value("out", short: "o", "FILE", .file, "where to write the copy", isRequired: true)
            ] + SealedOptions<Noun>.specifications + NewSealedSecret<Noun>.specifications,
            examples: [
                Example("sxkey \(name) backup --out copy.sxdb --\(name)-key-file \(name).key", "make a copy")
            ],
            exitStatuses: [
                StatusNote(.success), StatusNote(.wrongSecret), StatusNote(.locked), StatusNote(.wouldOverwrite),
                StatusNote(.notFound, "no \(name)"),
            ]
        )
    }

    private let out: FilePath
    private let options: SealedOptions<Noun>
    private let new: NewSealedSecret<Noun>

    init(_ arguments: ParsedArguments) throws(UsageError) {
        out = arguments.requiredPath("out")
        if out == "-" {
            throw .other(
                "\(trusted: Noun.kind.titleWithArticle) is not written to standard output",
                hint: "name a file with --out")
        }
        options = try SealedOptions<Noun>(arguments)
        new = try NewSealedSecret<Noun>(arguments)
        try new.checkStandardInput(beside: options)
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        do throws(FileError) {
            try OutputFile.check(out, replacing: false, notSameAs: options.inputs(context))
        } catch {
            throw error.kind == .exists ? .sealedAccess(.fileExists(Noun.kind, out)) : .output(error)
        }
        let opened = try context.openSealedFile(options, .readOnly)
        let slot = new.isGiven ? try new.slot(for: out, context) : NewSlot(opened.secret, cost: new.cost)
        let content: SealedCount
        do throws(CommandError) {
            content = try Noun.backup(opened, to: out, slots: [slot])
        } catch {
            // The file is only read: what is full is where the copy goes.
            guard case .sealed(.database(.full), _, _) = error else { throw error }
            throw .output(FileError(.write, out, .noSpace))
        }
        let header = try SealedOutside.header(Noun.kind, out)
        context.console.present(
            SealedFileCopy(
                kind: Noun.kind, path: opened.path, out: out, header: header, content: content, isNew: new.isGiven))
        return .success
    }
}

private struct SealedFileCopy: Report {
    let kind: SealedFileKind
    let path: FilePath
    let out: FilePath
    let header: SealedHeader
    let content: SealedCount
    let isNew: Bool

    func writeText(to stream: TextStream) {
        stream.line("Wrote a copy of the \(trusted: kind.name) to \(quoted: out), and read it back")
        stream.line("  It holds     \(count: header.pages, "page"), \(content.text)")
        for slot in header.slots {
            stream.line(
                "  It opens with \(trusted: slot.form.title)\(trusted: isNew ? "" : ": the secret that opened the " + kind.name)"
            )
        }
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("path", path.bytes)
            json.member("out", out.bytes)
            json.member("pages", header.pages)
            json.member(content.key, content.value)
            json.member("slots") { json in
                json.array(header.slots) { json, slot in slot.writeJSON(to: &json) }
            }
        }
    }
}
