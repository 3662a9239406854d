import CommandKit
import Keyring
import SQLiteDatabase
import SophaxCore

/// `sxkey safety mark`
struct SafetyMark: Command {
    static let specification = CommandSpecification(
        noun: "safety", verb: "mark",
        summary: "mark a contact as verified, after the numbers were compared",
        discussion: [
            "Give the number that the other phone shows: it is compared, and the contact is marked only when it is the same. Without a "
                + "number it is asked for. --form says that you compared that number already, for instance with \"sxkey safety compare\".",
            "The mark belongs to the key that the contact has now, not to the name; it records the date, the number, and which of your "
                + "identities was current. Another key has no mark.",
        ],
        operands: [
            ContactOperand.specification,
            OperandSpecification(
                "NUMBER", .text, .any, "the number as the phone shows it, in any Unicode digits, in one word or many"),
        ],
        options: [
            .value(
                "form", "FORM", .choice(SafetyNumberPair.Proof.allCases.map(\.rawValue)),
                "the number that you have compared, as \"sxkey safety show\" names it")
        ] + SafetyArguments.options,
        examples: [
            Example("sxkey safety mark Bob --form ios-v0 --keyring-key-file keyring.key", "mark Bob after comparing"),
            Example(
                "sxkey safety mark Bob \(SafetyExample.bob) --keyring-key-file keyring.key",
                "compare and mark in one go"),
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.usage, "neither a number nor --form, and nobody to ask"),
            StatusNote(.finding, "the number is different; nothing was marked"),
        ] + SafetyArguments.statuses
    )

    private let arguments: SafetyArguments
    private let words: [[UInt8]]
    private let form: SafetyNumberPair.Proof?

    init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = try SafetyArguments(arguments)
        words = arguments.operands("NUMBER")
        form = arguments.choice("form").flatMap(SafetyNumberPair.Proof.init)
        if form != nil, !words.isEmpty { throw .other("a number and --form exclude each other") }
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let typed = words.isEmpty ? nil : try SafetyArguments.typed(words)
        let opened = try context.openKeyring(arguments.options, .readWrite)
        let (contact, pair) = try arguments.pair(opened)
        let proof = try proof(typed, contact, pair, opened, context)
        let mark = VerifiedMark(
            form: proof, number: pair.number(proof).text, markedAt: context.now, byIdentity: pair.mine.fingerprint)
        try opened.doing { (keyring) throws(KeyringError) in try keyring.mark(contact, mark) }
        let marked = try opened.doing { (keyring) throws(KeyringError) in try keyring.refreshed(contact) ?? contact }
        context.console.present(ContactChanged(done: "Marked as verified:", outcome: "marked", contact: marked))
        return .success
    }

    /// The number that was compared.
    private func proof(
        _ typed: TypedSafetyNumber?, _ contact: Contact, _ pair: SafetyNumberPair, _ opened: OpenedKeyring,
        _ context: Context
    ) throws(CommandError) -> SafetyNumberPair.Proof {
        if let form { return form }
        let number: TypedSafetyNumber
        if let typed {
            number = typed
        } else {
            let answer = try context.ask(
                "Number that the phone of \(contact.name.bytes) shows: ", option: "the number, or --form FORM")
            number = try SafetyArguments.typed([answer])
        }
        let verdict = SafetyVerdict(number, contact, pair, among: try opened.contacts())
        guard case .same(let proof) = verdict.comparison else { throw .safety(.different(verdict)) }
        return proof
    }
}

/// `sxkey safety unmark`
struct SafetyUnmark: Command {
    static let specification = CommandSpecification(
        noun: "safety", verb: "unmark",
        summary: "take the verified mark of a contact away",
        operands: [ContactOperand.specification],
        options: KeyringOptions.specifications,
        examples: [Example("sxkey safety unmark Carla --keyring-key-file keyring.key", "verify Carla anew")],
        exitStatuses: [
            StatusNote(.success), StatusNote(.wrongSecret), StatusNote(.locked),
            StatusNote(.notFound, "no such contact or keyring, or no mark"),
        ]
    )

    private let word: [UInt8]
    private let options: KeyringOptions

    init(_ arguments: ParsedArguments) throws(UsageError) {
        word = arguments.operand("CONTACT") ?? []
        options = try KeyringOptions(arguments)
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let opened = try context.openKeyring(options, .readWrite)
        let contact = try opened.contact(word)
        let changed = try opened.doing { (keyring) throws(KeyringError) in
            try keyring.unmark(contact, at: context.now) ? try keyring.refreshed(contact) : nil
        }
        guard let changed else { throw .contact(.notMarked(contact)) }
        context.console.present(ContactChanged(done: "No longer verified:", outcome: "unmarked", contact: changed))
        return .success
    }
}
