import CommandKit

/// `sxkey wire verify`
struct WireVerify: Command {
    static let specification = CommandSpecification(
        noun: "wire", verb: "verify",
        summary: "judge the signatures of captured or queued messages",
        discussion: [
            "Every message is signed by its sender. It is held against the keys of the contacts of the keyring, of one's own identity, "
                + "and against those that a hello or the first message of a session brings. Keys that messages of the file bring prove only that "
                + "the sender has them, and not who it is: such messages are counted apart as self-signed, and the keys of one file say nothing "
                + "of another. A key that a contact had before another one replaced it is a finding. Messages inside a relay are judged too. "
                + "What is sealed shows its signature when it is opened: sxkey wire open.",
            "The time under a signature has whole seconds, and the sender's id and the type are under it, but no other part of the "
                + "envelope. The age of a message changes nothing: what is captured is old.",
        ],
        operands: [WireArguments.operand],
        options: [
            .flag("without-keys", "judge by the keys in the messages only, and look for no keyring")
        ] + WireArguments.options,
        examples: [
            Example(
                "sxkey wire verify capture.bin --without-keys",
                "which messages are signed by the keys that came with them"),
            Example(
                "sxkey wire verify capture.bin --keyring-key-file keyring.key --json", "by the keys of the contacts"),
        ],
        exitStatuses: [
            StatusNote(.success, "every signature fits; the counts say how many are by keys that nobody vouches for"),
            StatusNote(
                .someDamaged, "some messages could not be read, or have an unknown sender; the counts say which"),
            StatusNote(.unreadable, "no messages, or none that can be read"), StatusNote(.wrongSecret),
            StatusNote(
                .finding,
                "a signature is bad or by a key that was replaced, or a message is not what its sender would send"),
            StatusNote(.notFound),
        ],
        seeAlso: ["sxkey-formats(5)"]
    )

    private let arguments: WireArguments
    private let withoutKeys: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = try WireArguments(arguments)
        withoutKeys = arguments.flag("without-keys")
        if withoutKeys, self.arguments.source.isGiven {
            throw .other("--without-keys leaves nothing to do for an option that names keys")
        }
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let keys = withoutKeys ? nil : try arguments.source.openIfThere(context)
        return try WireRun(.verify, arguments, keys, context).run()
    }
}
