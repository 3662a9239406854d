import CommandKit

/// `sxkey wire open`
struct WireOpen: Command {
    static let specification = CommandSpecification(
        noun: "wire", verb: "open",
        summary: "open captured or queued messages with the keys at hand",
        discussion: [
            "Unwraps messages level by level: what is relayed, sealed, held or left behind for this identity; the first message of a "
                + "session with the prekeys; messages of a session with its state; group messages with the sender keys. What was opened is "
                + "shown, and of everything else why it was not. Group keys that messages bring open later ones of the same run and are not "
                + "shown.",
            "Opening proves nothing of the sender: behind each message is said how strongly its signature does. One that is not by whom it "
                + "says is opened where it can be, but brings no keys or sessions for later messages and uses none up.",
            "Nothing that is kept changes: sessions and group keys move on in memory only. A message that the app has opened before does "
                + "not open again, for its key is gone then; neither does one that this identity sent.",
            "The keys are those of the current identity of the keyring, of --identity, or of a dump of a keychain. With --json each "
                + "message is a line, and the last line is the summary.",
            "What btmessage, lchat and CoNET sealed opens with the keys of --related-key, and with those that \"sxkey related import\" has "
                + "put among the items of the identity; with --related-key alone no keyring is opened. Keys of groups and threads that a "
                + "message brings open what follows. OpenPGP messages are given to gpg, when it is installed; signatures inside are not "
                + "judged. A wrong key and damage look the same in these formats.",
        ],
        operands: [WireArguments.operand],
        options: WireArguments.relatedOptions,
        examples: [
            Example("sxkey wire open capture.bin --keyring-key-file keyring.key", "read what was captured"),
            Example("sxkey wire open chat.json --related-key btmessage.json", "read a message of btmessage"),
            Example(
                "sxkey wire open capture.bin --keychain keychain.json --json", "with the items of an app's keychain"),
        ],
        exitStatuses: [
            StatusNote(
                .success, "everything was opened, or was in clear; the counts say of how many nothing proves the sender"
            ),
            StatusNote(
                .someDamaged,
                "some messages could not be read or opened, or are of an unknown type; the counts say which"),
            StatusNote(.unreadable, "no messages, or none that can be read"),
            StatusNote(.wrongSecret, "a wrong secret, or keys that open not one message"),
            StatusNote(
                .finding,
                "everything opened, but a signature is bad or by a key that was replaced, or a message is not what its sender would send"
            ), StatusNote(.notFound),
        ],
        seeAlso: ["sxkey-related(1)", "sxkey-formats(5)"]
    )

    private let arguments: WireArguments

    init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = try WireArguments(arguments, related: .open)
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        // Keys of related apps need no keyring.
        let needsKeys = arguments.source.isGiven || arguments.related?.isGiven != true && !arguments.needsNoKeys
        let keys = needsKeys ? try arguments.source.open(context) : nil
        return try WireRun(.open, arguments, keys, context).run()
    }
}
