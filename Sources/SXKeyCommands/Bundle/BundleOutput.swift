import CommandKit
import CryptoPrimitives
import Keyring
import PortableBundle
import SophaxCore
import SophaxFiles
import SystemIO

/// Which kind of bundle is written.
package enum BundleOutputKind: String, CaseIterable, Sendable {
    case sxb, sophaxid, sophaxbackup, sxfe, android

    /// Of an app's export.
    var appKind: BundleKind? {
        switch self {
        case .sxb: nil
        case .sophaxid: .identity
        case .sophaxbackup: .backup
        case .sxfe: .fullExport
        case .android: .android
        }
    }

    var titleWithArticle: String { appKind?.titleWithArticle ?? "a bundle of sxkey" }

    /// What the name of a file says; nil when it says nothing.
    init?(of path: FilePath) {
        let name = path.lastComponent
        if name == FilePath(BundleKind.androidFileName) {
            self = .android
            return
        }
        for kind in Self.allCases where kind != .android && name.hasSuffix("." + kind.rawValue) {
            self = kind
            return
        }
        return nil
    }
}

/// The new bundle of `bundle create` and `bundle convert`: which file, of which kind, for whom.
struct BundleOutput: Sendable {
    static let specifications: [OptionSpecification] =
        [
            .value("out", short: "o", "FILE", .file, "the bundle to write", isRequired: true),
            .flag("force", short: "f", "overwrite an existing file"),
            .value(
                "to", "KIND", .choice(BundleOutputKind.allCases.map(\.rawValue)),
                "what to write (default: what the ending of the file's name says; \(BundleKind.androidFileName) is an Android backup)"
            ),
            .flag("lossy", "write it although the kind of file cannot hold all; what is lost is listed either way"),
            .flag("no-verify", "do not read the new file back before it gets its name"),
        ] + NewRecipientOptions.specifications

    let path: FilePath
    let kind: BundleOutputKind
    let recipients: NewRecipientOptions
    let force: Bool
    let allowsLoss: Bool
    let verifies: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        path = arguments.requiredPath("out")
        force = arguments.flag("force")
        allowsLoss = arguments.flag("lossy")
        verifies = !arguments.flag("no-verify")
        recipients = try NewRecipientOptions(arguments)
        if path == "-" { throw .other("a bundle is not written to standard output", hint: "name a file with --out") }
        let named = arguments.choice("to").flatMap(BundleOutputKind.init)
        guard let kind = named ?? BundleOutputKind(of: path) else {
            throw .other(
                "the name \(quoted: path) does not say what to write",
                hint: "end it in .sxb, .sophaxid, .sophaxbackup or .sxfe, or say --to KIND")
        }
        self.kind = kind
        guard kind.appKind != nil else { return }
        if !recipients.words.isEmpty {
            throw .other(
                "\(trusted: kind.titleWithArticle) opens with a passphrase only; --recipient is for a .sxb")
        }
        if recipients.passphrases.count > 1 {
            throw .other("\(trusted: kind.titleWithArticle) opens with one passphrase")
        }
        if recipients.cost.isGiven {
            throw .other("the app decides what its key costs; the options of Argon2id are for a .sxb")
        }
    }

    /// Whether the file may be written, before there is work to lose.
    func check(notSameAs inputs: [FileIdentity]) throws(CommandError) {
        do throws(FileError) {
            try OutputFile.check(path, replacing: force, notSameAs: inputs)
        } catch {
            throw .output(error)
        }
    }

    /// Who may open a new `.sxb`, and whose signature it gets: that of `signer`, an identity of the keyring, when it is for
    /// keys.
    func target(
        notSameAs inputs: [FileIdentity], _ opened: OpenedKeyring?, signer: KeyringIdentity?, _ context: Context
    ) throws(CommandError) -> (target: SXBSink.Target, who: [BundleRecipient]) {
        let chosen = try recipients.recipients(for: path, opened, context)
        var ink: SXBSink.Signer?
        if let opened, let signer, !chosen.people.isEmpty {
            let keys = HeldKeys(
                try opened.doing { (keyring) throws(KeyringError) in try keyring.privateKeys(of: signer) })
            ink = SXBSink.Signer(signer.keys) { (bytes) throws(SigningError) in
                try Ed25519.sign(bytes, seed: keys.identity.signingSeed)
            }
        }
        return (
            SXBSink.Target(
                path, replacing: force, notSameAs: inputs, recipients: chosen.list, signer: ink, verifying: verifies),
            chosen.people
        )
    }
}

/// Private keys that a closure holds.
private final class HeldKeys: Sendable {
    let identity: Identity

    init(_ identity: consuming Identity) {
        self.identity = identity
    }
}
