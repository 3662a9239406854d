import CommandKit
import SQLiteDatabase
import SystemIO

typealias KeyringInit = SealedInit<KeyringNoun>
typealias ArchiveInit = SealedInit<ArchiveNoun>

/// `sxkey keyring init`, `sxkey archive init`
struct SealedInit<Noun: SealedNoun>: Command {
    static var specification: CommandSpecification {
        let name = Noun.kind.name
        return CommandSpecification(
            noun: name, verb: "init",
            summary: "make an empty \(name)",
            discussion: [
                "The \(name) opens with a passphrase, which is asked for twice, or with a key file. A passphrase is taken in Unicode "
                    + "normal form C and otherwise as it is typed; it must have at least \(SealedPassphrase.shortest) characters, "
                    + "and fewer than \(SealedPassphrase.advised) are taken with a warning. What a guess costs is set by "
                    + "--argon2-memory, --argon2-passes and --argon2-lanes.",
                "sxkey's own folder is made for its owner only (mode 0700), and so is the file (0600). "
                    + "\(Noun.kind == .archive ? "An archive" : "A keyring") that is there is never overwritten.",
            ],
            options: [SealedOptions<Noun>.place] + NewSealedSecret<Noun>.specifications,
            examples: [
                Example(
                    "sxkey \(name) init --\(name) new.sxdb --new-\(name)-key-file \(name).key",
                    "make \(Noun.kind.titleWithArticle) that a key file opens")
            ],
            exitStatuses: [
                StatusNote(.success), StatusNote(.usage, "no passphrase, or one that is too short"),
                StatusNote(.wouldOverwrite, "there is something at this place already"),
            ],
            seeAlso: ["sxkey-formats(5)"]
        )
    }

    private let named: FilePath?
    private let secret: NewSealedSecret<Noun>

    init(_ arguments: ParsedArguments) throws(UsageError) {
        named = arguments.path(Noun.kind.name)
        secret = try NewSealedSecret(arguments)
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let place = try SealedPlace(Noun.kind, named: named, context)
        // Nobody types a passphrase twice for nothing.
        do throws(FileError) {
            try OutputFile.check(place.path, replacing: false, notSameAs: [])
        } catch {
            throw error.kind == .exists ? .sealedAccess(.fileExists(Noun.kind, place.path)) : .output(error)
        }
        let slot = try secret.slot(for: place.path, context)
        try place.makeFolder()
        do throws(CommandError) {
            try Noun.make(at: place.path, slots: [slot])
        } catch {
            if case .sealed(.file(let failure), _, _) = error, failure.kind == .exists {
                throw .sealedAccess(.fileExists(Noun.kind, place.path))
            }
            throw error
        }
        let header = try SealedOutside.header(Noun.kind, place.path)
        context.console.present(
            SealedMade(
                kind: Noun.kind, path: place.path, slot: header.slots.first, next: Noun.afterInit))
        for exposure in place.exposures { context.console.note("sxkey: warning: \(exposure.text)") }
        return .success
    }
}

/// A file that was just made.
private struct SealedMade: Report {
    let kind: SealedFileKind
    let path: FilePath
    let slot: SealedHeader.Slot?
    let next: TerminalText

    func writeText(to stream: TextStream) {
        stream.line("Made the \(trusted: kind.name) \(quoted: path)")
        if let slot { stream.line("  It opens with \(trusted: slot.form.title)") }
        stream.line("  If that is lost, nothing opens it: keep a copy apart from this machine")
        stream.line("  Next: \(next)")
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("path", path.bytes)
            if let slot { json.member("slot") { json in slot.writeJSON(to: &json) } }
        }
    }
}
