import CommandKit
import Keyring
import SQLiteDatabase
import SophaxCore

/// `sxkey safety compare`
struct SafetyCompare: Command {
    static let specification = CommandSpecification(
        noun: "safety", verb: "compare",
        summary: "compare a number that a phone shows with those of a contact's key",
        discussion: [
            "Compares with every number that the iOS and Android apps show, and says which one it is or how it differs: a digit too few "
                + "or too many, which group, halves in the wrong order, or that it is your own number or that of another contact. Any "
                + "Unicode digits are taken, with spaces, dashes and line breaks between them."
        ],
        operands: [ContactOperand.specification, SafetyArguments.numberOperand],
        options: SafetyArguments.options,
        examples: [
            Example(
                "sxkey safety compare Bob \(SafetyExample.bob) --keyring-key-file keyring.key",
                "compare what Bob reads aloud")
        ],
        exitStatuses: [
            StatusNote(.success, "the same"), StatusNote(.usage, "no number, or several contacts of this name"),
            StatusNote(.finding, "different"),
        ] + SafetyArguments.statuses
    )

    private let arguments: SafetyArguments
    private let words: [[UInt8]]

    init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = try SafetyArguments(arguments)
        words = arguments.operands("NUMBER")
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let typed = try SafetyArguments.typed(words)
        let opened = try context.openKeyring(arguments.options, .readOnly)
        let (contact, pair) = try arguments.pair(opened)
        let verdict = SafetyVerdict(typed, contact, pair, among: try opened.contacts())
        context.console.present(verdict)
        return verdict.status
    }
}

/// The number of Bob in the sample, for examples.
enum SafetyExample {
    static let bob = "08837 88758 29137 69287 00344 41961"
}
