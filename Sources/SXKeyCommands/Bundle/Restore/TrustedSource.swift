import CommandKit
import Keyring
import PortableBundle

extension OpenedInput {
    /// The content for a new bundle, which must not be trusted for more than this one: of a bundle that somebody unknown made
    /// for one of our keys, verified marks, key history and sessions stay behind.
    ///
    /// - Parameter keyring: when it is open already.
    func trustedSource(
        _ options: KeyringOptions, _ keyring: OpenedKeyring?, _ context: Context
    ) throws(CommandError) -> AnyEntrySource {
        guard portable?.header.kind == .publicKey else { return source }
        let progress = context.progress
        progress.begin("Reading", total: source.manifest.totalBytes, unit: .bytes)
        defer { progress.finish() }
        do throws(EntryError) {
            // The signature stands at the end.
            var sink = DocumentSplit(rest: IgnoredEntries()) { progress.advance(by: $0) }
            try source.send(to: &sink)
            let documents = try sink.documents()
            let trust = trust(options, keyring, context)
            guard !trust.isTrusted else { return source }
            context.console.note(
                "sxkey: warning: \(quoted: path): \(trust.text); verified marks, key history and sessions are not taken over"
            )
            return AnyEntrySource(try UntrustedSource(source, documents))
        } catch {
            throw .entries(error, path)
        }
    }

    /// Judged by the keyring, which opened it. Whoever cannot be judged is not trusted.
    private func trust(_ options: KeyringOptions, _ keyring: OpenedKeyring?, _ context: Context) -> BundleTrust {
        do throws(CommandError) {
            let found: OpenedKeyring
            if let keyring {
                found = keyring
            } else {
                found = try context.openKeyring(options, .readOnly)
            }
            return try found.doing { (keyring) throws(KeyringError) in try BundleTrust.judge(self, keyring) }
        } catch {
            return .unsigned
        }
    }
}
