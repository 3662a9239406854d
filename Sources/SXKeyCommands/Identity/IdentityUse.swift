import CommandKit
import Keyring
import SystemIO

/// `sxkey identity use`
struct IdentityUse: Command {
    static let specification = CommandSpecification(
        noun: "identity", verb: "use",
        summary: "make an identity the current one",
        operands: [IdentityOption.operand],
        options: KeyringOptions.specifications,
        examples: [Example("sxkey identity use Ana --keyring-key-file keyring.key", "make Ana the current one")],
        exitStatuses: [
            StatusNote(.success), StatusNote(.wrongSecret), StatusNote(.notFound, "no such identity, or no keyring"),
        ]
    )

    private let word: [UInt8]
    private let options: KeyringOptions

    init(_ arguments: ParsedArguments) throws(UsageError) {
        word = arguments.operand("IDENTITY") ?? []
        options = try KeyringOptions(arguments)
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let opened = try context.openKeyring(options, .readWrite)
        let identity = try opened.identity(word)
        let before = try opened.doing { (keyring) throws(KeyringError) in
            let before = try keyring.currentIdentity()
            try keyring.use(identity)
            return before
        }
        context.console.present(CurrentIdentity(identity: identity, before: before))
        return .success
    }
}

private struct CurrentIdentity: Report {
    let identity: KeyringIdentity
    let before: KeyringIdentity?

    func writeText(to stream: TextStream) {
        guard let before, before.fingerprint != identity.fingerprint else {
            stream.line("The current identity is \(identity.shortText)\(trusted: before == nil ? "" : ", as before")")
            return
        }
        stream.line("The current identity is \(identity.shortText), before it was \(before.shortText)")
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("name", identity.name.bytes)
            json.member("fingerprint", identity.fingerprint.hex)
            json.member("currentBefore", before?.fingerprint.hex)
        }
    }
}
