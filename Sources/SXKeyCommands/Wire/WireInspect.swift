import CommandKit

/// `sxkey wire inspect`
struct WireInspect: Command {
    static let specification = CommandSpecification(
        noun: "wire", verb: "inspect",
        summary: "show captured or queued messages: type, sender, time and what is in clear",
        discussion: [
            "Takes a message of the apps as JSON, messages one a line, a capture of a TCP connection (frames with a length of 4 bytes "
                + "before each), and the apps' queues pending_queue.enc and stored_forward_items.enc, decrypted or not. What a file is, "
                + "is told by its content: also what btmessage, lchat and CoNET sealed or kept (sxkey-related(1)).",
            "No keys are needed, but for an encrypted queue, which opens with the key of its store. Where a keyring is named, senders "
                + "have the names of its contacts; without --keyring, or what opens it, none is looked for. An id and a name prove nothing: "
                + "behind each message is said how strongly its signature proves who sent it, by the keys at hand and those in the file. "
                + "With --json each message is a line, and the last line is the summary.",
        ],
        operands: [WireArguments.operand],
        options: WireArguments.options + [RelatedKeySource.kind],
        examples: [
            Example("sxkey wire inspect capture.bin", "see what went over a connection"),
            Example(
                "sxkey wire inspect phone/sophax_messages/pending_queue.enc -k storage.key --json",
                "what was never sent"),
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.someDamaged, "some messages could not be read; the rest is shown"),
            StatusNote(.unreadable, "no messages, or none that can be read"), StatusNote(.wrongSecret),
            StatusNote(
                .finding,
                "a signature is bad or by a key that was replaced, or a message is not what its sender would send"),
            StatusNote(.notFound),
        ],
        seeAlso: ["sxkey-related(1)", "sxkey-formats(5)"]
    )

    private let arguments: WireArguments

    init(_ arguments: ParsedArguments) throws(UsageError) {
        self.arguments = try WireArguments(arguments, related: .look)
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let keys = arguments.source.isGiven ? try arguments.source.open(context) : nil
        return try WireRun(.inspect, arguments, keys, context).run()
    }
}
