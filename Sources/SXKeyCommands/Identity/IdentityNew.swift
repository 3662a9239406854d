import CommandKit
import CryptoPrimitives
import Keyring
import SophaxCore
import SystemIO

/// `sxkey identity new`
struct IdentityNew: Command {
    static let specification = CommandSpecification(
        noun: "identity", verb: "new",
        summary: "make a new identity",
        discussion: [
            "Makes an Ed25519 and an X25519 key, the key of a message store (storage.master), and the first prekeys. It becomes the "
                + "current identity when there is none, or with --use. Export it soon: it exists in this keyring only.",
            "--post-quantum makes an ML-KEM key and an ML-KEM prekey too, with which the newest apps begin sessions that somebody who records "
                + "them today cannot read with a quantum computer later, an ML-DSA key that signs bundles, and an X-Wing key that bundle files can be encrypted for. A .sophaxid has no room for "
                + "these keys: \"sxkey bundle create\" and keychain-json have. Peer id and safety numbers do not depend on them.",
        ],
        operands: [OperandSpecification("NAME", .text, .one, "1 to 64 characters")],
        options: [
            .flag("use", "make it the current one"), .flag("post-quantum", "with post-quantum keys"),
        ] + KeyringOptions.specifications,
        examples: [
            Example("sxkey identity new Ana --keyring-key-file keyring.key", "make an identity"),
            Example(
                "sxkey identity new Bea --post-quantum --keyring-key-file keyring.key",
                "make one for hybrid sessions"),
        ],
        exitStatuses: [StatusNote(.success), StatusNote(.wrongSecret), StatusNote(.notFound, "no keyring")]
    )

    private let name: IdentityName
    private let use: Bool
    private let postQuantum: Bool
    private let options: KeyringOptions

    init(_ arguments: ParsedArguments) throws(UsageError) {
        name = try IdentityNameArgument.read(arguments.operand("NAME") ?? [])
        use = arguments.flag("use")
        postQuantum = arguments.flag("post-quantum")
        options = try KeyringOptions(arguments)
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let opened = try context.openKeyring(options, .readWrite)
        let identity = try opened.doing { (keyring) throws(KeyringError) in try make(in: keyring, context) }
        context.console.present(NewIdentity(identity: identity, hasPostQuantum: postQuantum))
        return .success
    }

    private func make(in keyring: Keyring, _ context: Context) throws(KeyringError) -> KeyringIdentity {
        let seed = try Self.random(context)
        let dhPrivate = try Self.random(context)
        let storage = try Self.random(context)
        let new: ImportedIdentity
        do throws(IdentityError) {
            new = ImportedIdentity(
                keys: try Identity(signingSeed: seed, dhPrivate: dhPrivate, username: name.text), rawName: name.bytes,
                origin: "new", items: [PrivateItem(.storageMaster, storage)])
        } catch {
            throw .libraryFailure
        }
        try keyring.changing { () throws(KeyringError) in
            let identity = try keyring.addIdentity(new.keys, name: name, origin: new.origin, at: context.now)
            _ = try keyring.merge(new.items, into: identity, at: context.now)
            if postQuantum {
                try keyring.addPostQuantumKeys(to: identity, at: context.now, random: context.randomness)
            }
            try keyring.maintainPreKeys(of: identity, at: context.now)
            if use { try keyring.use(identity) }
        }
        guard let made = try keyring.identity(new.fingerprint) else { throw .noIdentity }
        _ = try keyring.privateKeys(of: made)
        return made
    }

    private static func random(_ context: Context) throws(KeyringError) -> SecretBytes {
        do throws(SecretMemoryError) {
            return try context.randomness.secret(Identity.keyLength)
        } catch {
            throw .memory(error)
        }
    }
}

private struct NewIdentity: Report {
    let identity: KeyringIdentity
    let hasPostQuantum: Bool

    func writeText(to stream: TextStream) {
        stream.line("Made \(identity.name.bytes, .bold)")
        stream.line("  Peer id      \(trusted: PeerID(identity.fingerprint, form: .hex16).text)")
        stream.line("  Fingerprint  \(trusted: identity.fingerprint.hex)")
        stream.line("  Current      \(trusted: identity.isCurrent ? "yes" : "no; \"sxkey identity use\" changes that")")
        if hasPostQuantum { stream.line("  Post-quantum ML-KEM key and prekey, ML-DSA key, recipient key (X-Wing)") }
        stream.line("  It exists in this keyring only; \"sxkey identity export\" makes a copy")
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            IdentityReport.writeMembers(of: identity, to: &json)
            json.member("postQuantum", hasPostQuantum)
        }
    }
}
