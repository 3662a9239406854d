import CommandKit
import CryptoPrimitives
import PortableBundle
import SophaxFiles
import SystemIO

/// A new export of an app: the passphrase by that app's rules, the sealed file, and the proof that it opens again.
final class AppExportOutput {
    let path: FilePath
    let kind: BundleKind
    /// As the app puts it into its key derivation.
    let passphrase: SecretBytes
    /// Spaces at the ends were taken off, as the app does.
    let isTrimmed: Bool

    /// Reads the passphrase, or asks for it twice. Format: SophaxChat 3.2.4, 3.3.4, 3.4, 3.5.
    static func read(
        _ kind: BundleKind, _ option: PassphraseOption, _ path: FilePath, _ context: Context
    ) throws(CommandError) -> AppExportOutput {
        let typed = try option.readNew(what: "passphrase for \(quoted: path)", context)
        // The screen for identities trims; no other does.
        let kept = kind == .identity ? typed.withSpan { PassphraseTrimming.kept(of: $0) } : 0..<typed.count
        let secret: SecretBytes
        do throws(SecretMemoryError) {
            secret = try typed.slice(kept)
        } catch {
            throw .secret(.memory(error), what: "passphrase")
        }
        let (found, minimum) =
            kind == .android
            ? (secret.withSpan { utf16Count(of: $0) }, 8)
            : (GraphemeCount.count(in: secret), IdentityExport.shortestPassphrase)
        guard found >= minimum else {
            throw .bundleFailure(.shortPassphrase(found: found, minimum: minimum, forApp: true))
        }
        return AppExportOutput(path: path, kind: kind, passphrase: secret, isTrimmed: kept.count < typed.count)
    }

    private init(path: FilePath, kind: BundleKind, passphrase: consuming SecretBytes, isTrimmed: Bool) {
        self.path = path
        self.kind = kind
        self.passphrase = passphrase
        self.isTrimmed = isTrimmed
    }

    /// UTF-16 units of UTF-8, as Android counts: two for a scalar of four bytes.
    private static func utf16Count(of text: Span<UInt8>) -> Int {
        var count = 0
        for index in text.indices {
            let byte = text[index]
            if byte & 0xC0 != 0x80 { count += byte >= 0xF0 ? 2 : 1 }
        }
        return count
    }

    /// The file, proven to open to this text.
    func sealed(_ export: borrowing AppExport, _ context: Context) throws(CommandError) -> [UInt8] {
        let limits = context.bundleLimits
        let recipe: BundleRecipe =
            switch kind {
            case .identity: .identity(limits)
            case .backup: .backup(limits)
            case .fullExport: .fullExport(limits)
            case .android: .android(limits)
            }
        do throws(BundleError) {
            let bytes = try export.text.withSpan { (text) throws(BundleError) in
                try BundleWriter.seal(text, as: recipe, passphrase: passphrase)
            }
            let file = try BundleFile(
                bytes: bytes, forcedKind: kind, fileName: path.lastComponent.bytes, limits: limits)
            let opened = try BundleOpener.open(
                file, passphrase: passphrase, limits: limits, workers: context.workers)
            let isSame = opened.text.withSpan { export.text.isEqual(to: $0) }
            guard isSame else { throw .libraryFailure }
            return bytes
        } catch {
            throw .bundle(error, path)
        }
    }

    /// Writes the file and, unless `verifies` is false, reads it back.
    func write(
        _ bytes: [UInt8], replacing: Bool, notSameAs inputs: [FileIdentity], verifies: Bool
    ) throws(CommandError) {
        do throws(FileError) {
            var output = try OutputFile(creatingAt: path, replacing: replacing, notSameAs: inputs)
            try output.write(bytes)
            try output.commit()
            guard verifies else { return }
            var input = try InputFile(opening: path)
            guard try input.readAll(limit: bytes.count) == bytes else {
                throw FileError(.read, path, .tooLarge(limit: bytes.count))
            }
        } catch {
            if error.operation == .read {
                if !replacing { try? removeFile(path) }
                throw .identity(.exportProof(path))
            }
            throw .output(error)
        }
    }
}
