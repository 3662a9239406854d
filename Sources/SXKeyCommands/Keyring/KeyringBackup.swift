import CommandKit
import Keyring
import SQLiteDatabase
import SystemIO

/// `sxkey keyring backup`
struct KeyringBackup: Command {
    static let specification = CommandSpecification(
        noun: "keyring", verb: "backup",
        summary: "write a copy of the keyring, and prove it",
        discussion: [
            "The copy is a keyring by itself, with a master key of its own: --keyring names it, and a copy of it can take the keyring's "
                + "place. It opens with the secret that opened the keyring, or with a new one that is given. It is read back before it "
                + "gets its name, and nothing is ever overwritten."
        ],
        options: [
            .value("out", short: "o", "FILE", .file, "where to write the copy", isRequired: true)
        ] + KeyringOptions.specifications + NewKeyringSecret.specifications,
        examples: [
            Example("sxkey keyring backup --out copy.sxdb --keyring-key-file keyring.key", "make a copy")
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.wrongSecret), StatusNote(.locked), StatusNote(.wouldOverwrite),
            StatusNote(.notFound, "no keyring"),
        ]
    )

    private let out: FilePath
    private let options: KeyringOptions
    private let new: NewKeyringSecret

    init(_ arguments: ParsedArguments) throws(UsageError) {
        out = arguments.requiredPath("out")
        if out == "-" { throw .other("a keyring is not written to standard output", hint: "name a file with --out") }
        options = try KeyringOptions(arguments)
        new = try NewKeyringSecret(arguments)
        try new.checkStandardInput(beside: options)
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        do throws(FileError) {
            try OutputFile.check(out, replacing: false, notSameAs: options.inputs(context))
        } catch {
            throw error.kind == .exists ? .keyringAccess(.keyringExists(out)) : .output(error)
        }
        let opened = try context.openKeyringFile(options, .readOnly)
        let slot = new.isGiven ? try new.slot(for: out, context) : NewSlot(opened.secret, cost: new.cost)
        let items: Int
        do throws(KeyringError) {
            items = try Keyring.backup(opened.file, to: out, slots: [slot])
        } catch {
            // The keyring is only read: what is full is where the copy goes.
            guard error == .sealed(.database(.full)) || error == .database(.full) else {
                throw .keyring(error, opened.path)
            }
            throw .output(FileError(.write, out, .noSpace))
        }
        let header = try KeyringOutside.header(out)
        context.console.present(
            KeyringCopy(path: opened.path, out: out, header: header, items: items, isNew: new.isGiven))
        return .success
    }
}

private struct KeyringCopy: Report {
    let path: FilePath
    let out: FilePath
    let header: SealedHeader
    let items: Int
    let isNew: Bool

    func writeText(to stream: TextStream) {
        stream.line("Wrote a copy of the keyring to \(quoted: out), and read it back")
        stream.line("  It holds     \(count: header.pages, "page"), \(count: items, "private item")")
        for slot in header.slots {
            stream.line(
                "  It opens with \(trusted: slot.form.title)\(trusted: isNew ? "" : ": the secret that opened the keyring")"
            )
        }
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("path", path.bytes)
            json.member("out", out.bytes)
            json.member("pages", header.pages)
            json.member("items", items)
            json.member("slots") { json in
                json.array(header.slots) { json, slot in slot.writeJSON(to: &json) }
            }
        }
    }
}
