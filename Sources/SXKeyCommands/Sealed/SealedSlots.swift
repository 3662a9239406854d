import CommandKit
import SQLiteDatabase
import SystemIO

typealias KeyringPasswd = SealedPasswd<KeyringNoun>
typealias KeyringSlotAdd = SealedSlotAdd<KeyringNoun>
typealias KeyringSlotRemove = SealedSlotRemove<KeyringNoun>
typealias ArchivePasswd = SealedPasswd<ArchiveNoun>
typealias ArchiveSlotAdd = SealedSlotAdd<ArchiveNoun>
typealias ArchiveSlotRemove = SealedSlotRemove<ArchiveNoun>

/// `sxkey keyring passwd`, `sxkey archive passwd`
struct SealedPasswd<Noun: SealedNoun>: Command {
    static var specification: CommandSpecification {
        let name = Noun.kind.name
        return CommandSpecification(
            noun: name, verb: "passwd",
            summary: "change a passphrase or key file of the \(name)",
            discussion: [
                "Gives the slot that the secret opened, or the one that --slot names, a new secret. Only the master key is wrapped anew; "
                    + "nothing is re-encrypted, and copies of the file that were made earlier still open with the former secret. When that "
                    + "one has become known to somebody, use \"sxkey \(name) rekey\"."
            ],
            options: [.value("slot", "N", .number(0...7), "the slot to change (default: the one that was opened)")]
                + SealedOptions<Noun>.specifications + NewSealedSecret<Noun>.specifications,
            examples: [
                Example(
                    "sxkey \(name) passwd --\(name)-key-file \(name).key --slot 0 --new-\(name)-passphrase-file passphrase.txt --argon2-memory 19",
                    "give slot 0 another passphrase")
            ],
            exitStatuses: [
                StatusNote(.success), StatusNote(.usage, "no new passphrase, or one that is too short"),
                StatusNote(.wrongSecret), StatusNote(.locked), StatusNote(.notFound, "no \(name), or no such slot"),
            ]
        )
    }

    private let slot: Int?
    private let options: SealedOptions<Noun>
    private let new: NewSealedSecret<Noun>

    init(_ arguments: ParsedArguments) throws(UsageError) {
        slot = arguments.number("slot")
        options = try SealedOptions<Noun>(arguments)
        new = try NewSealedSecret<Noun>(arguments)
        try new.checkStandardInput(beside: options)
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let opened = try context.openSealedFile(options, .readWrite)
        let number = slot ?? opened.file.openedSlot ?? 0
        guard try opened.slots().contains(where: { $0.number == number }) else {
            throw .sealed(.noSuchSlot(number), Noun.kind, opened.path)
        }
        let secret = try new.slot(for: opened.path, context)
        try opened.doing { (file) throws(SealedError) in try file.changeSecret(slot: number, to: secret) }
        context.console.present(
            SlotChange(
                kind: Noun.kind, path: opened.path, done: .changed, slot: number, slots: try opened.slots()))
        return .success
    }
}

/// `sxkey keyring slot add`, `sxkey archive slot add`
struct SealedSlotAdd<Noun: SealedNoun>: Command {
    static var specification: CommandSpecification {
        let name = Noun.kind.name
        return CommandSpecification(
            noun: name, verb: "slot add",
            summary: "let another passphrase or key file open the \(name)",
            discussion: ["Takes the first free slot; there are eight. Nothing is re-encrypted."],
            options: SealedOptions<Noun>.specifications + NewSealedSecret<Noun>.specifications,
            examples: [
                Example(
                    "sxkey \(name) slot add --\(name)-key-file \(name).key --new-\(name)-passphrase-file passphrase.txt --argon2-memory 19",
                    "let a passphrase open it as well")
            ],
            exitStatuses: [
                StatusNote(.success), StatusNote(.failure, "all slots are in use"), StatusNote(.usage),
                StatusNote(.wrongSecret), StatusNote(.locked), StatusNote(.notFound, "no \(name)"),
            ]
        )
    }

    private let options: SealedOptions<Noun>
    private let new: NewSealedSecret<Noun>

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try SealedOptions<Noun>(arguments)
        new = try NewSealedSecret<Noun>(arguments)
        try new.checkStandardInput(beside: options)
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let opened = try context.openSealedFile(options, .readWrite)
        let secret = try new.slot(for: opened.path, context)
        let number = try opened.doing { (file) throws(SealedError) in try file.addSlot(secret) }
        context.console.present(
            SlotChange(
                kind: Noun.kind, path: opened.path, done: .added, slot: number, slots: try opened.slots()))
        return .success
    }
}

/// `sxkey keyring slot remove`, `sxkey archive slot remove`
struct SealedSlotRemove<Noun: SealedNoun>: Command {
    static var specification: CommandSpecification {
        let name = Noun.kind.name
        return CommandSpecification(
            noun: name, verb: "slot remove",
            summary: "take a passphrase or key file away from the \(name)",
            discussion: [
                "What opens this slot opens the \(name) no longer, but still opens copies that were made earlier. The last slot stays."
            ],
            operands: [
                OperandSpecification(
                    "N", .number(0...7), .one, "the number of the slot, as \"sxkey \(name) info\" shows it")
            ],
            options: SealedOptions<Noun>.specifications,
            examples: [Example("sxkey \(name) slot remove 0 --\(name)-key-file \(name).key", "take slot 0 away")],
            exitStatuses: [
                StatusNote(.success), StatusNote(.usage, "it is the last slot"), StatusNote(.wrongSecret),
                StatusNote(.locked), StatusNote(.notFound, "no \(name), or no such slot"),
            ]
        )
    }

    private let number: Int
    private let options: SealedOptions<Noun>

    init(_ arguments: ParsedArguments) throws(UsageError) {
        number = arguments.operandNumber("N") ?? 0
        options = try SealedOptions<Noun>(arguments)
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let opened = try context.openSealedFile(options, .readWrite)
        try opened.doing { (file) throws(SealedError) in try file.removeSlot(number) }
        context.console.present(
            SlotChange(
                kind: Noun.kind, path: opened.path, done: .removed, slot: number, slots: try opened.slots()))
        return .success
    }
}

/// What was done to a slot, what that means, and the slots that there are now.
private struct SlotChange: Report {
    enum Done: String { case changed, added, removed }

    let kind: SealedFileKind
    let path: FilePath
    let done: Done
    let slot: Int
    let slots: [SealedHeader.Slot]

    func writeText(to stream: TextStream) {
        switch done {
        case .changed:
            stream.line("Slot \(slot) of \(quoted: path) opens with the new secret, and no longer with the former one")
        case .added: stream.line("Slot \(slot) of \(quoted: path) opens with the new secret")
        case .removed:
            stream.line(
                "Slot \(slot) of \(quoted: path) is gone: what opened it opens the \(trusted: kind.name) no longer")
        }
        for entry in slots { stream.line("  Slot \(entry.number)     \(trusted: entry.form.title)") }
        stream.line("  Re-wrapped: the master key, in this slot · re-encrypted: nothing")
        if done != .added {
            stream.line(
                "  Copies of the file that were made earlier still open with the former secret; \"sxkey \(trusted: kind.name) rekey\" makes a new key"
            )
        }
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("path", path.bytes)
            json.member("done", done.rawValue)
            json.member("slot", slot)
            json.member("slots") { json in
                json.array(slots) { json, slot in slot.writeJSON(to: &json) }
            }
            json.member("reencrypted", false)
        }
    }
}
