import CommandKit
import Keyring
import SQLiteDatabase

/// What the commands share that change one contact.
private struct ChangeArguments: Sendable {
    let word: [UInt8]
    let options: KeyringOptions

    init(_ arguments: ParsedArguments) throws(UsageError) {
        word = arguments.operand("CONTACT") ?? []
        options = try KeyringOptions(arguments)
    }

    static let statuses = [
        StatusNote(.success), StatusNote(.wrongSecret), StatusNote(.locked),
        StatusNote(.notFound, "no such contact or keyring"),
    ]

    /// The contact as it is after `body`.
    func change(
        _ context: Context, _ body: (OpenedKeyring, Contact) throws(CommandError) -> Void
    ) throws(CommandError) -> Contact {
        let opened = try context.openKeyring(options, .readWrite)
        let contact = try opened.contact(word)
        try body(opened, contact)
        return try opened.doing { (keyring) throws(KeyringError) in try keyring.refreshed(contact) ?? contact }
    }
}

/// `sxkey contact rename`
struct ContactRename: Command {
    static let specification = CommandSpecification(
        noun: "contact", verb: "rename",
        summary: "call a contact something else",
        discussion: ["Keys and verified marks stay: they belong to the keys, not to the name."],
        operands: [ContactOperand.specification, OperandSpecification("NAME", .text, .one, "the new name")],
        options: KeyringOptions.specifications,
        examples: [
            Example(
                "sxkey contact rename Bob \"Bob from work\" --keyring-key-file keyring.key", "give Bob another name")
        ],
        exitStatuses: ChangeArguments.statuses + [StatusNote(.usage, "a name that no contact can have")]
    )

    private let arguments: ChangeArguments
    private let name: [UInt8]

    init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = try ChangeArguments(arguments)
        name = arguments.operand("NAME") ?? []
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let name = try IdentityName.typed(name)
        let contact = try arguments.change(context) { (opened, contact) throws(CommandError) in
            try opened.doing { (keyring) throws(KeyringError) in
                try keyring.rename(contact, to: name, at: context.now)
            }
        }
        context.console.present(ContactChanged(done: "Renamed to", outcome: "renamed", contact: contact))
        return .success
    }
}

/// `sxkey contact block`
struct ContactBlock: Command {
    static let specification = CommandSpecification(
        noun: "contact", verb: "block",
        summary: "mark a contact as blocked",
        discussion: ["The mark is kept in the keyring; the apps have lists of their own."],
        operands: [ContactOperand.specification],
        options: KeyringOptions.specifications,
        examples: [Example("sxkey contact block Bob --keyring-key-file keyring.key", "block Bob")],
        exitStatuses: ChangeArguments.statuses
    )

    private let arguments: ChangeArguments

    init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = try ChangeArguments(arguments)
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let contact = try arguments.change(context) { (opened, contact) throws(CommandError) in
            _ = try opened.doing { (keyring) throws(KeyringError) in
                try keyring.setBlocked(contact, true, at: context.now)
            }
        }
        context.console.present(ContactChanged(done: "Blocked", outcome: "blocked", contact: contact))
        return .success
    }
}

/// `sxkey contact unblock`
struct ContactUnblock: Command {
    static let specification = CommandSpecification(
        noun: "contact", verb: "unblock",
        summary: "take the mark of a blocked contact away",
        operands: [ContactOperand.specification],
        options: KeyringOptions.specifications,
        examples: [Example("sxkey contact unblock Bob --keyring-key-file keyring.key", "unblock Bob")],
        exitStatuses: ChangeArguments.statuses
    )

    private let arguments: ChangeArguments

    init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = try ChangeArguments(arguments)
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let contact = try arguments.change(context) { (opened, contact) throws(CommandError) in
            _ = try opened.doing { (keyring) throws(KeyringError) in
                try keyring.setBlocked(contact, false, at: context.now)
            }
        }
        context.console.present(ContactChanged(done: "Not blocked:", outcome: "unblocked", contact: contact))
        return .success
    }
}

/// `sxkey contact remove`
struct ContactRemove: Command {
    static let specification = CommandSpecification(
        noun: "contact", verb: "remove",
        summary: "take a contact out, with its keys, its verified mark and its history",
        discussion: [
            "Asks first, or takes --yes. Somebody who comes back afterwards is nobody known: there is no alarm."
        ],
        operands: [ContactOperand.specification],
        options: [Context.yesOption] + KeyringOptions.specifications,
        examples: [
            Example("sxkey contact remove Bob --yes --keyring-key-file keyring.key", "remove Bob without asking")
        ],
        exitStatuses: ChangeArguments.statuses + [StatusNote(.failure, "the answer was not yes")]
    )

    private let arguments: ChangeArguments
    private let isAnswered: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = try ChangeArguments(arguments)
        isAnswered = arguments.flag("yes")
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let contact = try arguments.change(context) { (opened, contact) throws(CommandError) in
            let standing = ContactText.standing(contact, context.zone)
            try context.confirm("Remove \(contact.shortText), \(standing), with its history?", unless: isAnswered)
            try opened.doing { (keyring) throws(KeyringError) in try keyring.remove(contact) }
        }
        context.console.present(ContactChanged(done: "Removed", outcome: "removed", contact: contact))
        return .success
    }
}
