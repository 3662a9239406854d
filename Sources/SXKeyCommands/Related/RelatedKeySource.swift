import CommandKit
import CryptoPrimitives
import Keyring
import SophaxFiles
import SystemIO

/// `--related-key`: keys of btmessage, lchat and CoNET, from any number of files.
struct RelatedKeySource: Sendable {
    static let key = OptionSpecification.value(
        "related-key", "FILE", .file,
        "keys of btmessage, lchat or CoNET: JSON (items, preferences, JWK), PKCS#8, or 32 bytes; may be repeated",
        isRepeatable: true)
    static let kind = OptionSpecification.value(
        "related-kind", "KIND", .choice(RelatedFileKind.allCases.map(\.rawValue)),
        "what a file is whose content does not say it: sealed messages of lchat, frames of conet, or conet-history")
    static let options = [key, kind]

    let paths: [FilePath]
    let kind: RelatedFileKind?

    /// - Parameter withKeys: false for a command that has no option for keys.
    init(_ arguments: ParsedArguments, withKeys: Bool = true) throws(UsageError) {
        paths = withKeys ? arguments.values("related-key").map { FilePath(bytes: $0) } : []
        kind = arguments.choice("related-kind").flatMap(RelatedFileKind.init)
        if paths.count(where: { $0 == "-" }) > 1 { throw .other("standard input can be read for one thing only") }
    }

    /// For a command that takes keys and no files of messages.
    init(keysOf arguments: ParsedArguments) throws(UsageError) {
        paths = arguments.values("related-key").map { FilePath(bytes: $0) }
        kind = nil
    }

    var isGiven: Bool { !paths.isEmpty }
    var readsStandardInput: Bool { paths.contains("-") }

    /// Files that an output must not be.
    var inputs: [FileIdentity] { paths.compactMap { try? InputFile.identity(ofOperand: $0) } }

    /// The keys of all files, and of the items of an identity.
    func read(_ opened: OpenedKeys? = nil, _ context: Context) throws(CommandError) -> RelatedKeys {
        var keys = RelatedKeys()
        for path in paths { try Self.add(path, to: &keys, context) }
        if let opened { try opened.addRelatedKeys(to: &keys) }
        return keys
    }

    static func add(_ path: FilePath, to keys: inout RelatedKeys, _ context: Context) throws(CommandError) {
        var input = try InputFile.forCommand(path)
        context.warnOfExposure(input)
        let file: SecretBytes
        do throws(SecretInputError) {
            file = try SecretInput.keyFile(&input)
        } catch {
            throw .secret(error, what: "key")
        }
        do throws(RelatedKeyError) { try keys.add(file: file) } catch { throw .relatedKey(error, path) }
    }
}

extension OpenedKeys {
    /// The keys of related apps that are among the items.
    func addRelatedKeys(to keys: inout RelatedKeys) throws(CommandError) {
        var items: [KeychainItem] = []
        for listing in listings where RelatedKeys.isAccount(listing.account.bytes) {
            guard let value = try item(listing.account) else { continue }
            items.append(KeychainItem(ByteText(listing.account.bytes), value))
        }
        do throws(RelatedKeyError) { try keys.add(items: items) } catch { throw .related(.items(error)) }
    }
}
