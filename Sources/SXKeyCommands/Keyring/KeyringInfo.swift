import CommandKit
import SystemIO

/// `sxkey keyring info`
struct KeyringInfo: Command {
    static let specification = CommandSpecification(
        noun: "keyring", verb: "info",
        summary: "show what can be seen of the keyring without its secret",
        discussion: [
            "Where it is, its size and permissions, the version of the format, how often its secrets were changed, and what each slot "
                + "costs. Nothing of this is authenticated: \"sxkey keyring verify\" proves the content."
        ],
        options: [KeyringOptions.place],
        examples: [
            Example("sxkey keyring info --keyring sample.sxdb", "look at a keyring"),
            Example("sxkey keyring info --keyring sample.sxdb --json", "the same for a script"),
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.finding, "others have access to it, or a copy of its header is damaged"),
            StatusNote(.unreadable), StatusNote(.newerVersion), StatusNote(.notFound),
        ]
    )

    private let named: FilePath?

    init(_ arguments: ParsedArguments) {
        named = arguments.path("keyring")
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let outside = try SealedOutside(SealedPlace(.keyring, named: named, context))
        context.console.present(KeyringListing(outside: outside))
        return outside.isWell ? .success : .finding
    }
}

private struct KeyringListing: Report {
    let outside: SealedOutside

    func writeText(to stream: TextStream) {
        outside.writeLines(to: stream)
        stream.line("  Not proven: without the secret nothing of this is authenticated")
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in outside.writeMembers(isAuthenticated: false, to: &json) }
    }
}
