import CommandKit
import CryptoPrimitives
import Keyring
import SophaxFiles
import SystemIO

/// `sxkey related show`
struct RelatedShow: Command {
    static let specification = CommandSpecification(
        noun: "related", verb: "show",
        summary: "show which keys of btmessage, lchat and CoNET a file or the keyring has",
        discussion: [
            "Shows public keys, peer ids, groups and what a key is for, never a private key. A key whose public half is not known has "
                + "an id of 16 digits, by which \"sxkey wire open\" says which key it was. Without FILE the items of the identity are shown."
        ],
        operands: [
            OperandSpecification(
                "FILE", .file, .any, "a file with keys (default: the keyring); \"-\" is standard input")
        ],
        options: KeySource.options,
        examples: [
            Example("sxkey related show btmessage.json", "whose identity a file is"),
            Example("sxkey related show --keyring-key-file keyring.key --json", "what the keyring has"),
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.unreadable, "a file gives no key, or keys that do not belong together"),
            StatusNote(.wrongSecret), StatusNote(.notFound),
        ],
        seeAlso: ["sxkey-wire(1)", "sxkey-formats(5)"]
    )

    private let paths: [FilePath]
    private let source: KeySource

    init(_ arguments: ParsedArguments) throws(UsageError) {
        paths = arguments.operands("FILE").map { FilePath(bytes: $0) }
        source = try KeySource(arguments)
        if paths.count(where: { $0 == "-" }) + (source.readsStandardInput ? 1 : 0) > 1 {
            throw .other("standard input can be read for one thing only")
        }
        if !paths.isEmpty, source.isGiven { throw .other("name files, or what opens the keyring, not both") }
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        var keys = RelatedKeys()
        for path in paths { try RelatedKeySource.add(path, to: &keys, context) }
        if paths.isEmpty { try source.open(context).addRelatedKeys(to: &keys) }
        context.console.present(RelatedKeysReport(keys: keys))
        return .success
    }
}

/// Keys without their private halves.
struct RelatedKeysReport: Report {
    let keys: RelatedKeys

    func writeText(to stream: TextStream) {
        for identity in keys.identities {
            stream.line("btmessage  identity \(identity.peerID?.bytes ?? Array("without a peer id".utf8), .bold)")
            if let key = identity.xwingPublic {
                stream.line("  X-Wing   public key \(trusted: Self.digest(key))… (SHA-256)")
            }
            if let key = identity.x25519Public {
                stream.line("  X25519   public key \(trusted: Base64.encode(key.span))")
            }
        }
        for group in keys.groups {
            stream.line("btmessage  group \(group.id) \(quoted: group.name), \(count: group.members.count, "member")")
        }
        for key in keys.keys {
            let group: TerminalText = key.group.map { " \($0.bytes)" } ?? ""
            stream.line("\(trusted: key.kind.title)\(group)  id \(trusted: key.secret.id)")
            if let point = Self.publicKey(of: key) {
                stream.line("  P-256    public key \(trusted: Base64.encode(point.span))")
            }
        }
        if keys.isEmpty { stream.line("No keys of related apps") }
    }

    private static func digest(_ publicKey: [UInt8]) -> String {
        let digest = SHA256.hash(publicKey.span)
        return Hex.encode(digest.span.extracting(first: 8))
    }

    private static func publicKey(of key: RelatedKeys.Key) -> [UInt8]? {
        key.kind == .privateKey ? try? P256.publicKey(of: key.secret.bytes) : nil
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("identities") { json in
                json.array(keys.identities) { json, identity in
                    json.object { json in
                        json.member("peerID", identity.peerID?.bytes)
                        json.member("xwingPublicKey", identity.xwingPublic.map { Base64.encode($0.span) })
                        json.member("x25519PublicKey", identity.x25519Public.map { Base64.encode($0.span) })
                    }
                }
            }
            json.member("groups") { json in
                json.array(keys.groups) { json, group in
                    json.object { json in
                        json.member("id", group.id)
                        json.member("name", group.name)
                        json.member("members", group.members.count)
                    }
                }
            }
            json.member("keys") { json in
                json.array(keys.keys) { json, key in
                    json.object { json in
                        json.member("kind", key.kind.rawValue)
                        json.member("keyID", key.secret.id)
                        json.member("group", key.group?.bytes)
                        json.member("publicKey", Self.publicKey(of: key).map { Base64.encode($0.span) })
                    }
                }
            }
        }
    }
}
