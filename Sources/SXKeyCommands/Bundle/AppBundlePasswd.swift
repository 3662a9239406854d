import CommandKit
import CryptoPrimitives
import SophaxFiles
import SystemIO

/// An app's export under another passphrase. Its format has one key for everything, made from the passphrase, so the whole
/// text is encrypted anew, with a fresh salt and nonce and the key derivation that the newest app uses; the text itself stays
/// byte for byte.
struct AppBundlePasswd {
    let path: FilePath
    let opened: OpenedBundle

    /// What the apps ask of a new passphrase. Format: SophaxChat 3.2.4, 3.3.4, 3.4, 3.5.
    static func shortestPassphrase(_ kind: BundleKind) -> Int { kind == .android ? 8 : 16 }

    /// How it is written: as the newest app does.
    private func recipe(_ limits: BundleLimits) -> BundleRecipe {
        switch opened.header.kind {
        case .identity: .identity(limits)
        case .backup: .backup(limits)
        case .fullExport: .fullExport(limits)
        case .android: .android(limits)
        }
    }

    /// The passphrase as the app puts it into the key derivation: the screen for identities trims it, no other does.
    private func asAppTakes(_ typed: consuming SecretBytes) throws(CommandError) -> SecretBytes {
        guard opened.header.kind == .identity else { return typed }
        do throws(SecretMemoryError) {
            return try typed.slice(typed.withSpan { PassphraseTrimming.kept(of: $0) })
        } catch {
            throw .secret(.memory(error), what: "passphrase")
        }
    }

    /// The new file, proven: it opens with the new passphrase, and its text is the old one's.
    func reencrypted(
        under option: PassphraseOption, _ context: Context
    ) throws(CommandError) -> (bytes: [UInt8], derivation: BundleKeyDerivation) {
        let kind = opened.header.kind
        let typed = try NewPassphrase.read(
            option, what: "passphrase for \(quoted: path)", minimum: Self.shortestPassphrase(kind), forApp: true,
            context)
        let secret = try asAppTakes(typed)
        let characters = GraphemeCount.count(in: secret)
        guard characters >= Self.shortestPassphrase(kind) else {
            throw .bundleFailure(
                .shortPassphrase(found: characters, minimum: Self.shortestPassphrase(kind), forApp: true))
        }
        let recipe = recipe(context.bundleLimits)
        do throws(BundleError) {
            let bytes = try opened.text.withSpan { (text) throws(BundleError) in
                try BundleWriter.seal(text, as: recipe, passphrase: secret)
            }
            let copy = try BundleFile(
                bytes: bytes, forcedKind: kind, fileName: path.lastComponent.bytes, limits: context.bundleLimits)
            let again = try BundleOpener.open(
                copy, passphrase: secret, limits: context.bundleLimits, workers: context.workers)
            let isSame = opened.text.withSpan { old in
                again.text.withSpan { new in Self.isEqual(old, new) }
            }
            guard isSame else { throw .libraryFailure }
            return (bytes, again.derivation)
        } catch {
            throw .bundle(error, path)
        }
    }

    /// In time that depends on the lengths alone.
    private static func isEqual(_ first: Span<UInt8>, _ second: Span<UInt8>) -> Bool {
        guard first.count == second.count else { return false }
        var difference: UInt8 = 0
        for index in first.indices { difference |= first[index] ^ second[index] }
        return difference == 0
    }
}
