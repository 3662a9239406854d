import CommandKit
import CryptoPrimitives
import Keyring
import SophaxFiles
import SystemIO

/// `sxkey related export`
struct RelatedExport: Command {
    static let specification = CommandSpecification(
        noun: "related", verb: "export",
        summary: "write the keys of btmessage, lchat and CoNET out of the keyring",
        discussion: [
            "Writes the items as JSON, account to base64: of btmessage the peer id and the private key as its keychain has them. \"sxkey "
                + "related import\" and --related-key read it again. It is not encrypted, so it takes --reveal; to keep the keys, make a "
                + "bundle of the identity instead (sxkey-bundle(1)).",
            "None of these apps has an import of its own for this: it is for whoever puts the items back into a keychain.",
        ],
        operands: [],
        options: [.flag("reveal", "write the keys without encryption")] + GroupKeyTarget.options + KeySource.options,
        examples: [
            Example(
                "sxkey related export --reveal --out related.json --keychain btmessage.json",
                "the keys of related apps in a dump of a keychain, in place of the keyring's")
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.unreadable, "an item is damaged"), StatusNote(.wrongSecret),
            StatusNote(.wouldOverwrite), StatusNote(.notFound, "no such keys, no keyring, or no such identity"),
        ],
        seeAlso: ["sxkey-formats(5)"]
    )

    private let source: KeySource
    private let target: GroupKeyTarget

    init(_ arguments: ParsedArguments) throws(UsageError) {
        source = try KeySource(arguments)
        target = try GroupKeyTarget(arguments)
        if !arguments.flag("reveal") {
            throw .other(
                "the keys are written without encryption",
                hint: "say --reveal if that is what you want, and keep the file where nobody else gets at it")
        }
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let file = try target.checked(notSameAs: source.inputs(context))
        var keys = RelatedKeys()
        try source.open(context).addRelatedKeys(to: &keys)
        let text: SecretBytes
        let count: Int
        do throws(SecretMemoryError) {
            let items = try keys.items().items
            count = items.count
            guard !items.isEmpty else { throw SecretMemoryError.invalidLength(0) }
            do throws(EncodingError) {
                text = try KeychainFile.text(of: items)
            } catch {
                throw .exhausted(requested: 0)
            }
        } catch {
            throw .related(error == .invalidLength(0) ? .nothingToExport : .memory)
        }
        try file.write(text)
        try file.commit()
        context.console.present(RelatedExported(path: file.path, items: count))
        return .success
    }
}

private struct RelatedExported: Report {
    let path: FilePath
    let items: Int

    func writeText(to stream: TextStream) {
        stream.line("Wrote \(count: items, "item") to \(path), NOT ENCRYPTED, and read it back")
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("path", path.bytes)
            json.member("items", items)
        }
    }
}
