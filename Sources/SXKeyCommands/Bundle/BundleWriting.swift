import CommandKit
import CryptoPrimitives
import Keyring
import PortableBundle
import SophaxCore
import SophaxFiles
import SystemIO

/// Writes a source into a new bundle of any kind, proves it, and says what became of it.
struct BundleWriting {
    let output: BundleOutput
    /// Files that the new one must not be.
    let inputs: [FileIdentity]

    /// What was written.
    struct Outcome {
        let path: FilePath
        let kind: BundleOutputKind
        let manifest: Manifest
        /// Messages and contacts in the file.
        var messages: Int
        var conversations: Int
        /// What is not in the file, to which the user has agreed; and what no app takes out of it.
        var losses: [FormatLoss] = []
        var recipients: [BundleRecipient] = []
        /// Bytes of the file.
        var size: Int
        var sha256: [UInt8]?
        let isVerified: Bool
        var isTrimmed = false
        var signer: KeyringIdentity?
        var bundleID: [UInt8]?
    }

    /// - Parameters:
    ///   - keyring: where recipients are looked up, if any is named by words.
    ///   - signer: the identity that signs a bundle for keys.
    func write(
        _ source: AnyEntrySource, keyring: OpenedKeyring?, signer: KeyringIdentity?, _ context: Context
    ) throws(CommandError) -> Outcome {
        if let kind = output.kind.appKind { return try writeExport(kind, source, context) }
        let (target, who) = try output.target(notSameAs: inputs, keyring, signer: signer, context)
        let manifest = source.manifest
        context.progress.begin("Writing", total: manifest.totalBytes, unit: .bytes)
        defer { context.progress.finish() }
        do throws(EntryError) {
            let summary = try SXBSink.write(source, to: target) { context.progress.advance(by: $0) }
            return Outcome(
                path: output.path, kind: output.kind, manifest: manifest, messages: manifest.messages,
                conversations: manifest.entries(of: .conversations).count, recipients: who,
                size: summary.fileLength, isVerified: output.verifies, signer: who.isEmpty ? nil : signer,
                bundleID: summary.bundleID)
        } catch {
            throw .entries(error, output.path)
        }
    }

    private func writeExport(
        _ kind: BundleKind, _ source: AnyEntrySource, _ context: Context
    ) throws(CommandError) -> Outcome {
        let option = output.recipients.passphrases.first ?? PassphraseOption(asking: .new)
        let target = try AppExportOutput.read(kind, option, output.path, context)
        let progress = context.progress
        progress.begin("Converting", total: source.manifest.totalBytes, unit: .bytes)
        let export: AppExport
        do throws(AppExport.Failure) {
            export = try AppExport.make(kind, of: source, now: context.now) { progress.advance(by: $0) }
        } catch {
            progress.finish()
            switch error {
            case .entries(let error): throw .entries(error, output.path)
            case .noIdentity(let kind): throw .bundleFailure(.making(.noIdentity(kind, output.path)))
            case .damagedKeys: throw .identity(.damagedKeys(output.path))
            }
        }
        progress.finish()
        if !output.allowsLoss, export.losses.contains(where: \.isFromFile) {
            throw .bundleFailure(.making(.wouldLose(export.losses.filter(\.isFromFile), output.kind, output.path)))
        }
        let bytes = try target.sealed(export, context)
        try target.write(bytes, replacing: output.force, notSameAs: inputs, verifies: output.verifies)
        return Outcome(
            path: output.path, kind: output.kind, manifest: source.manifest, messages: export.messages,
            conversations: export.conversations, losses: export.losses, size: bytes.count,
            sha256: SHA256.hash(bytes.span), isVerified: output.verifies, isTrimmed: target.isTrimmed)
    }

    static func sha256(of path: FilePath) throws(CommandError) -> [UInt8] {
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
