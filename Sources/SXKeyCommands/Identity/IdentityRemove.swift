import CommandKit
import CryptoPrimitives
import Keyring
import SophaxCore
import SystemIO

/// `sxkey identity remove`
struct IdentityRemove: Command {
    static let specification = CommandSpecification(
        noun: "identity", verb: "remove",
        summary: "take an identity out of the keyring, when it is safe elsewhere",
        discussion: [
            "Refused unless this very identity was exported with \"sxkey bundle create\" or \"sxkey identity export\", the export was read "
                + "back, and the file is still there with the same SHA-256; --export says where it is when it was moved. Everything that "
                + "would be lost must be in it: a .sophaxid has the two identity keys and the name only, so an identity with "
                + "storage.master or prekeys needs a .sxb, or an export as keychain-json, that has each of them as it is now. A .sxb is "
                + "opened and read whole for that.",
            "--yes-destroy, with all 64 digits of the fingerprint typed, removes it all the same. Backups of the keyring still hold it.",
        ],
        operands: [IdentityOption.operand],
        options: [
            .value("export", "FILE", .file, "the export, when it is not where it was written to"),
            .value("yes-destroy", "FINGERPRINT", .text, "remove it although nothing brings it back"),
            .flag("dry-run", "say whether it could be removed, and change nothing"),
        ] + PassphraseOption.specifications + KeyringOptions.specifications,
        examples: [
            Example(
                "sxkey identity remove Ana --yes-destroy \(exampleFingerprint) --keyring-key-file keyring.key",
                "destroy an identity of which there is no other copy")
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.failure, "no export of it is safe elsewhere, or it lacks items"),
            StatusNote(.usage, "the fingerprint is another one"), StatusNote(.wrongSecret),
            StatusNote(.notFound, "no such identity, or no keyring"),
        ]
    )

    /// The identity of the sample that the examples work on.
    private static let exampleFingerprint = "42501fb0846e8045215f29e444f29d1eedd07d934326da079a5e64d9ea8ede70"

    private let word: [UInt8]
    private let export: FilePath?
    private let typed: [UInt8]?
    private let isDryRun: Bool
    private let passphrase: PassphraseOption
    private let options: KeyringOptions

    init(_ arguments: ParsedArguments) throws(UsageError) {
        word = arguments.operand("IDENTITY") ?? []
        passphrase = try PassphraseOption(arguments)
        export = arguments.path("export")
        typed = arguments.value("yes-destroy")
        isDryRun = arguments.flag("dry-run")
        options = try KeyringOptions(arguments)
        if export != nil, typed != nil { throw .conflict("export", "yes-destroy") }
        if passphrase.readsStandardInput(), options.readsStandardInput {
            throw .other("standard input cannot give two secrets")
        }
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let opened = try context.openKeyring(options, isDryRun ? .readOnly : .readWrite)
        let identity = try opened.identity(word)
        var kept: FilePath?
        if let typed {
            guard typed == identity.fingerprint.hexBytes else { throw .identity(.destroyOther(typed: typed, identity)) }
        } else {
            kept = try safeExport(of: identity, opened, context)
        }
        let next = try opened.doing { (keyring) throws(KeyringError) in
            if !isDryRun { try keyring.remove(identity) }
            return try keyring.identities().filter { $0.fingerprint != identity.fingerprint }
        }
        context.console.present(
            RemovedIdentity(identity: identity, export: kept, isDryRun: isDryRun, left: next.count))
        return .success
    }

    /// An export that is there as it was written and holds all that the keyring holds of the identity.
    private func safeExport(
        of identity: KeyringIdentity, _ opened: OpenedKeyring, _ context: Context
    ) throws(CommandError) -> FilePath {
        let (exports, items) = try opened.doing { (keyring) throws(KeyringError) in
            (try keyring.exports(of: identity), try keyring.items(of: identity))
        }
        let proven = exports.filter { $0.readBackAt != nil }
        guard !proven.isEmpty else { throw .identity(.notExported(identity)) }
        var there: [(record: IdentityExportRecord, path: FilePath)] = []
        if let export {
            let sha256 = try Self.sha256(of: export)
            there = proven.filter { $0.sha256 == sha256 }.map { ($0, export) }
            if there.isEmpty { throw .identity(.notThatExport(export, identity)) }
        } else {
            for record in proven {
                let path = FilePath(bytes: record.path)
                if let sha256 = try? Self.sha256(of: path), sha256 == record.sha256 { there.append((record, path)) }
            }
            if there.isEmpty { throw .identity(.exportGone(proven.map { FilePath(bytes: $0.path) })) }
        }
        var lacking = items.map(\.account)
        for (record, path) in there {
            let held: [ItemAccount]
            switch record.kind {
            case IdentityExport.Format.keychain.rawValue:
                held = try IdentityExport.accounts(in: IdentityExport.read(path), path, of: identity, opened)
            case BundleOutputKind.sxb.recordKind:
                held = try BundledIdentity(path: path, passphrase: passphrase).accounts(of: identity, opened, context)
            default: held = IdentityExport.inBundle
            }
            let lost = items.map(\.account).filter { !held.contains($0) }
            if lost.isEmpty { return path }
            if lost.count < lacking.count { lacking = lost }
        }
        throw .identity(.exportLacks(lacking, identity))
    }

    private static func sha256(of path: FilePath) throws(CommandError) -> [UInt8] {
        do throws(FileError) {
            var input = try InputFile(opening: path)
            var hash = SHA256()
            while true {
                let piece = try input.read(upTo: 1 << 20)
                if piece.isEmpty { return hash.finish() }
                hash.update(piece.span)
            }
        } catch {
            throw .file(error)
        }
    }
}

private struct RemovedIdentity: Report {
    let identity: KeyringIdentity
    let export: FilePath?
    let isDryRun: Bool
    let left: Int

    func writeText(to stream: TextStream) {
        stream.line("\(trusted: isDryRun ? "Would remove" : "Removed") \(identity.shortText)")
        if let export {
            let verb = export.hasSuffix(".sxb") ? "bundle restore" : "identity import"
            stream.line(
                "  The export \(quoted: export) is as it was written; \"sxkey \(trusted: verb)\" brings it back")
        } else {
            stream.line(
                "  No export of it was asked for: it is in backups of the keyring, if there are any, and nowhere else")
        }
        if identity.isCurrent, left > 0 {
            stream.line("  It was the current one; \"sxkey identity use\" chooses another")
        }
        if isDryRun { stream.line("Nothing was changed") }
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("name", identity.name.bytes)
            json.member("fingerprint", identity.fingerprint.hex)
            json.member("export", export?.bytes)
            json.member("wasCurrent", identity.isCurrent)
            json.member("dryRun", isDryRun)
        }
    }
}
