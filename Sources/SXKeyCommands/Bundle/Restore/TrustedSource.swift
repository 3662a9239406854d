import CommandKit
import Keyring
import PortableBundle

extension OpenedInput {
    /// The content for a new bundle, which must not be trusted for more than this one: of a bundle that somebody unknown made
    /// for one of our keys, verified marks, key history and sessions stay behind.
    func trustedSource(_ context: Context) throws(CommandError) -> AnyEntrySource {
        guard portable?.header.kind == .publicKey else { return source }
        let progress = context.progress
        progress.begin("Reading", total: source.manifest.totalBytes, unit: .bytes)
        defer { progress.finish() }
        let documents: [BundlePart: ItemsDocument]
        do throws(EntryError) {
            // The signature stands at the end.
            var sink = DocumentSplit(rest: IgnoredEntries()) { progress.advance(by: $0) }
            try source.send(to: &sink)
            documents = try sink.documents()
        } catch {
            throw .entries(error, path)
        }
        guard let trust = try BundleTrust.judge(self), !trust.isTrusted else { return source }
        context.console.note(
            "sxkey: warning: \(quoted: path): \(trust.text); verified marks, key history and sessions are not taken over"
        )
        do throws(EntryError) {
            return AnyEntrySource(try UntrustedSource(source, documents, at: context.now))
        } catch {
            throw .entries(error, path)
        }
    }
}
