import CommandKit
import CryptoPrimitives
import SQLiteDatabase
import SophaxFiles
import SystemIO

typealias KeyringRekey = SealedRekey<KeyringNoun>
typealias ArchiveRekey = SealedRekey<ArchiveNoun>

/// `sxkey keyring rekey`, `sxkey archive rekey`
struct SealedRekey<Noun: SealedNoun>: Command {
    static var specification: CommandSpecification {
        let name = Noun.kind.name
        return CommandSpecification(
            noun: name, verb: "rekey",
            summary: "make a new master key and encrypt everything anew",
            discussion: [
                "The way when a secret, or a copy of the file together with one, has become known to somebody. The new file is made beside the "
                    + "old one and read back before it takes its place; until then the old one is as it was.",
                "The new master key is wrapped for every slot, which needs the secret of each: the one that opens the \(name), and for the "
                    + "others --slot-passphrase-file, --slot-key-file, or the prompt. --drop-slot leaves one out."
                    + Noun.rekeyDiscussion,
            ],
            options: [
                .value(
                    "slot-passphrase-file", "N=FILE", .text, "the file with the passphrase of slot N",
                    isRepeatable: true),
                .value("slot-key-file", "N=FILE", .text, "the key file of slot N", isRepeatable: true),
                .value("drop-slot", "N", .number(0...7), "leave this slot out of the new file", isRepeatable: true),
            ] + SealedOptions<Noun>.specifications,
            examples: [
                Example(
                    "sxkey \(name) rekey --\(name)-key-file \(name).key --slot-passphrase-file 0=passphrase.txt",
                    "encrypt everything anew, with the same secrets"),
                Example(
                    "sxkey \(name) rekey --\(name)-key-file \(name).key --drop-slot 0",
                    "the same, without the passphrase of slot 0"),
            ],
            exitStatuses: [
                StatusNote(.success), StatusNote(.usage, "the secret of a slot is missing"), StatusNote(.wrongSecret),
                StatusNote(.locked), StatusNote(.notFound, "no \(name), or no such slot"),
            ]
        )
    }

    private let passphraseFiles: [Int: FilePath]
    private let keyFiles: [Int: FilePath]
    private let dropping: Set<Int>
    private let options: SealedOptions<Noun>

    init(_ arguments: ParsedArguments) throws(UsageError) {
        passphraseFiles = try Self.files("slot-passphrase-file", arguments)
        keyFiles = try Self.files("slot-key-file", arguments)
        dropping = Set(arguments.numbers("drop-slot"))
        options = try SealedOptions<Noun>(arguments)
        for number in dropping.sorted() where passphraseFiles[number] != nil || keyFiles[number] != nil {
            throw .other("slot \(number) is to be dropped, and has a secret given for it")
        }
        for number in passphraseFiles.keys.sorted() where keyFiles[number] != nil {
            throw .other("slot \(number) has both a passphrase and a key file given for it")
        }
    }

    /// `N=FILE`, each N once.
    private static func files(_ option: String, _ arguments: ParsedArguments) throws(UsageError) -> [Int: FilePath] {
        var files: [Int: FilePath] = [:]
        for value in arguments.values(option) {
            let parts = value.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].count == 1, let digit = parts[0].first, (0x30...0x37).contains(digit),
                !parts[1].isEmpty
            else { throw .other("--\(trusted: option) cannot be \(quoted: value)", hint: "for example 1=FILE") }
            let number = Int(digit - 0x30)
            guard files[number] == nil else { throw .other("--\(trusted: option) names slot \(number) twice") }
            files[number] = FilePath(bytes: Array(parts[1]))
        }
        return files
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let opened = try context.openSealedFile(options, .readWrite)
        let before = try opened.slots()
        for number in (dropping.union(passphraseFiles.keys).union(keyFiles.keys)).sorted()
        where !before.contains(where: { $0.number == number }) {
            throw .sealed(.noSuchSlot(number), Noun.kind, opened.path)
        }
        let secrets = try secrets(for: before.filter { !dropping.contains($0.number) }, opened, context)
        let content = try Noun.rekey(opened, secrets: secrets, dropping: dropping)
        let header = try opened.doing { (file) throws(SealedError) in try file.header() }
        context.console.present(
            RekeyedFile(
                kind: Noun.kind, path: opened.path, content: content, header: header, dropped: dropping.sorted(),
                unchanged: Noun.notRekeyed))
        return .success
    }

    private func secrets(
        for slots: [SealedHeader.Slot], _ opened: OpenedSealedFile<Noun>, _ context: Context
    ) throws(CommandError) -> [Int: UnlockSecret] {
        var secrets: [Int: UnlockSecret] = [:]
        for slot in slots {
            if let file = keyFiles[slot.number] {
                secrets[slot.number] = try SealedSecret.key(file, Noun.kind, context)
            } else if let file = passphraseFiles[slot.number] {
                let typed = try PassphraseOption(file: file, Noun.kind.secretPrefix).read(what: "", prompt: "", context)
                secrets[slot.number] = try SealedSecret.passphrase(typed, Noun.kind, opened.path)
            } else if slot.number == opened.file.openedSlot {
                secrets[slot.number] = opened.secret
            } else if case .passphrase = slot.form, context.mayAsk {
                secrets[slot.number] = try ask(slot.number, opened.path)
            }
        }
        return secrets
    }

    /// Nil where there is no terminal: the slot is then named as one without a secret.
    private func ask(_ slot: Int, _ path: FilePath) throws(CommandError) -> UnlockSecret? {
        let typed: SecretBytes
        do throws(SecretInputError) {
            let prompt: TerminalText = "Passphrase for slot \(slot) of \(trusted: Noun.kind.name) \(quoted: path): "
            typed = try SecretInput.ask(prompt.plain)
        } catch {
            if case .noTerminal = error { return nil }
            let what: TerminalText = "passphrase for slot \(slot) of \(trusted: Noun.kind.name) \(quoted: path)"
            throw .secret(error, what: what.plain, option: "slot-passphrase")
        }
        return try SealedSecret.passphrase(typed, Noun.kind, path)
    }
}

/// What a rekey did and what it could not do.
private struct RekeyedFile: Report {
    let kind: SealedFileKind
    let path: FilePath
    let content: SealedCount
    let header: SealedHeader
    let dropped: [Int]
    let unchanged: TerminalText?

    func writeText(to stream: TextStream) {
        stream.line("\(quoted: path) has a new master key")
        stream.line("  Re-encrypted  \(count: header.pages, "page"), \(content.text), each read back")
        let slots = header.slots.map { "slot \($0.number)" }.joined(separator: ", ")
        stream.line("  Re-wrapped    the master key, in \(trusted: slots), with the same secrets as before")
        if !dropped.isEmpty {
            let names = dropped.map { "slot \($0)" }.joined(separator: ", ")
            stream.line("  Dropped       \(trusted: names): what opened it opens the \(trusted: kind.name) no longer")
        }
        if let unchanged { stream.line("  Not changed   \(unchanged)") }
        stream.line(
            "  Copies of the file that were made earlier still open with the secrets of their time: remove them")
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("path", path.bytes)
            json.member("pages", header.pages)
            json.member(content.key, content.value)
            json.member("slots") { json in
                json.array(header.slots) { json, slot in slot.writeJSON(to: &json) }
            }
            json.member("dropped") { json in json.array(dropped) { json, slot in json.value(slot) } }
            json.member("reencrypted", true)
        }
    }
}
