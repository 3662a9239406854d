import CommandKit
import SQLiteDatabase
import SystemIO

/// `sxkey keyring passwd`
struct KeyringPasswd: Command {
    static let specification = CommandSpecification(
        noun: "keyring", verb: "passwd",
        summary: "change a passphrase or key file of the keyring",
        discussion: [
            "Gives the slot that the secret opened, or the one that --slot names, a new secret. Only the master key is wrapped anew; "
                + "nothing is re-encrypted, and copies of the file that were made earlier still open with the former secret. When that "
                + "one has become known to somebody, use \"sxkey keyring rekey\"."
        ],
        options: [.value("slot", "N", .number(0...7), "the slot to change (default: the one that was opened)")]
            + KeyringOptions.specifications + NewKeyringSecret.specifications,
        examples: [
            Example(
                "sxkey keyring passwd --keyring-key-file keyring.key --slot 0 --new-keyring-passphrase-file passphrase.txt --argon2-memory 19",
                "give slot 0 another passphrase")
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.usage, "no new passphrase, or one that is too short"),
            StatusNote(.wrongSecret), StatusNote(.locked), StatusNote(.notFound, "no keyring, or no such slot"),
        ]
    )

    private let slot: Int?
    private let options: KeyringOptions
    private let new: NewKeyringSecret

    init(_ arguments: ParsedArguments) throws(UsageError) {
        slot = arguments.number("slot")
        options = try KeyringOptions(arguments)
        new = try NewKeyringSecret(arguments)
        try new.checkStandardInput(beside: options)
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let opened = try context.openKeyringFile(options, .readWrite)
        let number = slot ?? opened.file.openedSlot ?? 0
        guard try opened.slots().contains(where: { $0.number == number }) else {
            throw .keyring(.sealed(.noSuchSlot(number)), opened.path)
        }
        let secret = try new.slot(for: opened.path, context)
        try opened.doing { (file) throws(SealedError) in try file.changeSecret(slot: number, to: secret) }
        context.console.present(
            SlotChange(path: opened.path, done: .changed, slot: number, slots: try opened.slots()))
        return .success
    }
}

/// `sxkey keyring slot add`
struct KeyringSlotAdd: Command {
    static let specification = CommandSpecification(
        noun: "keyring", verb: "slot add",
        summary: "let another passphrase or key file open the keyring",
        discussion: ["Takes the first free slot; there are eight. Nothing is re-encrypted."],
        options: KeyringOptions.specifications + NewKeyringSecret.specifications,
        examples: [
            Example(
                "sxkey keyring slot add --keyring-key-file keyring.key --new-keyring-passphrase-file passphrase.txt --argon2-memory 19",
                "let a passphrase open it as well")
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.failure, "all slots are in use"), StatusNote(.usage),
            StatusNote(.wrongSecret), StatusNote(.locked), StatusNote(.notFound, "no keyring"),
        ]
    )

    private let options: KeyringOptions
    private let new: NewKeyringSecret

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try KeyringOptions(arguments)
        new = try NewKeyringSecret(arguments)
        try new.checkStandardInput(beside: options)
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let opened = try context.openKeyringFile(options, .readWrite)
        let secret = try new.slot(for: opened.path, context)
        let number = try opened.doing { (file) throws(SealedError) in try file.addSlot(secret) }
        context.console.present(SlotChange(path: opened.path, done: .added, slot: number, slots: try opened.slots()))
        return .success
    }
}

/// `sxkey keyring slot remove`
struct KeyringSlotRemove: Command {
    static let specification = CommandSpecification(
        noun: "keyring", verb: "slot remove",
        summary: "take a passphrase or key file away from the keyring",
        discussion: [
            "What opens this slot opens the keyring no longer, but still opens copies that were made earlier. The last slot stays."
        ],
        operands: [
            OperandSpecification(
                "N", .number(0...7), .one, "the number of the slot, as \"sxkey keyring info\" shows it")
        ],
        options: KeyringOptions.specifications,
        examples: [Example("sxkey keyring slot remove 0 --keyring-key-file keyring.key", "take slot 0 away")],
        exitStatuses: [
            StatusNote(.success), StatusNote(.usage, "it is the last slot"), StatusNote(.wrongSecret),
            StatusNote(.locked), StatusNote(.notFound, "no keyring, or no such slot"),
        ]
    )

    private let number: Int
    private let options: KeyringOptions

    init(_ arguments: ParsedArguments) throws(UsageError) {
        number = arguments.operandNumber("N") ?? 0
        options = try KeyringOptions(arguments)
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let opened = try context.openKeyringFile(options, .readWrite)
        try opened.doing { (file) throws(SealedError) in try file.removeSlot(number) }
        context.console.present(
            SlotChange(path: opened.path, done: .removed, slot: number, slots: try opened.slots()))
        return .success
    }
}

/// What was done to a slot, what that means, and the slots that there are now.
private struct SlotChange: Report {
    enum Done: String { case changed, added, removed }

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
            stream.line("Slot \(slot) of \(quoted: path) is gone: what opened it opens the keyring no longer")
        }
        for entry in slots { stream.line("  Slot \(entry.number)     \(trusted: entry.form.title)") }
        stream.line("  Re-wrapped: the master key, in this slot · re-encrypted: nothing")
        if done != .added {
            stream.line(
                "  Copies of the file that were made earlier still open with the former secret; \"sxkey keyring rekey\" makes a new key"
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
