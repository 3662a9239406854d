import CommandKit
import Keyring
import SQLiteDatabase
import SystemIO

/// `sxkey keyring init`
struct KeyringInit: Command {
    static let specification = CommandSpecification(
        noun: "keyring", verb: "init",
        summary: "make an empty keyring",
        discussion: [
            "The keyring opens with a passphrase, which is asked for twice, or with a key file. A passphrase is taken in Unicode "
                + "normal form C and otherwise as it is typed; it must have at least \(NewKeyringSecret.shortestPassphrase) characters, "
                + "and fewer than \(NewKeyringSecret.advisedPassphrase) are taken with a warning. What a guess costs is set by "
                + "--argon2-memory, --argon2-passes and --argon2-lanes.",
            "sxkey's own folder is made for its owner only (mode 0700), and so is the file (0600). A keyring that is there is never "
                + "overwritten.",
        ],
        options: [KeyringOptions.keyring] + NewKeyringSecret.specifications,
        examples: [
            Example(
                "sxkey keyring init --keyring new.sxdb --new-keyring-key-file keyring.key",
                "make a keyring that a key file opens")
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.usage, "no passphrase, or one that is too short"),
            StatusNote(.wouldOverwrite, "there is something at this place already"),
        ],
        seeAlso: ["sxkey-formats(5)"]
    )

    private let named: FilePath?
    private let secret: NewKeyringSecret

    init(_ arguments: ParsedArguments) throws(UsageError) {
        named = arguments.path("keyring")
        secret = try NewKeyringSecret(arguments)
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let place = try KeyringPlace(named: named, context)
        // Nobody types a passphrase twice for nothing.
        do throws(FileError) {
            try OutputFile.check(place.path, replacing: false, notSameAs: [])
        } catch {
            throw error.kind == .exists ? .keyringAccess(.keyringExists(place.path)) : .output(error)
        }
        let slot = try secret.slot(for: place.path, context)
        try place.makeFolder()
        do throws(KeyringError) {
            _ = try Keyring.make(at: place.path, slots: [slot])
        } catch {
            if case .sealed(.file(let failure)) = error, failure.kind == .exists {
                throw .keyringAccess(.keyringExists(place.path))
            }
            throw .keyring(error, place.path)
        }
        let header = try KeyringOutside.header(place.path)
        context.console.present(KeyringMade(path: place.path, slot: header.slots.first))
        for exposure in place.exposures { context.console.note("sxkey: warning: \(exposure.text)") }
        return .success
    }
}

/// A keyring that was just made.
private struct KeyringMade: Report {
    let path: FilePath
    let slot: SealedHeader.Slot?

    func writeText(to stream: TextStream) {
        stream.line("Made the keyring \(quoted: path)")
        if let slot { stream.line("  It opens with \(trusted: slot.form.title)") }
        stream.line("  If that is lost, nothing opens it: keep a copy apart from this machine")
        stream.line("  Next: \"sxkey identity import FILE\", or \"sxkey identity new NAME\"")
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("path", path.bytes)
            if let slot { json.member("slot") { json in slot.writeJSON(to: &json) } }
        }
    }
}
