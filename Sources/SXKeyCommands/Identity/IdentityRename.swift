import CommandKit
import Keyring
import SystemIO

/// `sxkey identity rename`
struct IdentityRename: Command {
    static let specification = CommandSpecification(
        noun: "identity", verb: "rename",
        summary: "give an identity another name",
        discussion: [
            "The name is what others see. The keys, and so the peer id and the safety numbers, stay as they are."
        ],
        operands: [IdentityOption.operand, OperandSpecification("NAME", .text, .one, "1 to 64 characters")],
        options: KeyringOptions.specifications,
        examples: [
            Example("sxkey identity rename Ana \"Ana B.\" --keyring-key-file keyring.key", "give Ana another name")
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.wrongSecret), StatusNote(.notFound, "no such identity, or no keyring"),
        ]
    )

    private let word: [UInt8]
    private let name: IdentityName
    private let options: KeyringOptions

    init(_ arguments: ParsedArguments) throws(UsageError) {
        word = arguments.operand("IDENTITY") ?? []
        name = try IdentityNameArgument.read(arguments.operand("NAME") ?? [])
        options = try KeyringOptions(arguments)
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let opened = try context.openKeyring(options, .readWrite)
        let identity = try opened.identity(word)
        try opened.doing { (keyring) throws(KeyringError) in
            try keyring.rename(identity, to: name, at: context.now)
        }
        context.console.present(RenamedIdentity(identity: identity, name: name))
        return .success
    }
}

private struct RenamedIdentity: Report {
    let identity: KeyringIdentity
    let name: IdentityName

    func writeText(to stream: TextStream) {
        stream.line("\(identity.shortText) is called \(name.bytes, .bold) now")
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("name", name.bytes)
            json.member("nameBefore", identity.name.bytes)
            json.member("fingerprint", identity.fingerprint.hex)
        }
    }
}
