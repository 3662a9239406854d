import CryptoPrimitives
import SophaxCore
import SystemIO

/// Puts entries into a new bundle file.
package struct SXBSink: EntrySink, ~Copyable {
    private var writer: SXBWriter
    private let progress: (Int) -> Void

    private init(_ writer: consuming SXBWriter, _ progress: @escaping (Int) -> Void) {
        self.writer = writer
        self.progress = progress
    }

    package mutating func begin(_ entry: ManifestEntry) throws(EntryError) {
        do throws(SXBError) {
            try writer.add(Array(entry.name.utf8), size: entry.size)
        } catch {
            throw .container(error)
        }
    }

    package mutating func take(_ bytes: Span<UInt8>) throws(EntryError) {
        do throws(SXBError) { try writer.write(bytes) } catch { throw .container(error) }
        progress(bytes.count)
    }

    package mutating func end(_ entry: ManifestEntry) throws(EntryError) {}

    /// Where a new bundle goes, and who may open it.
    package struct Target {
        package let path: FilePath
        package let replacing: Bool
        /// Files that the bundle must not be.
        package let inputs: [FileIdentity]
        package let recipients: [SXBRecipient]
        /// Whose signature the bundle gets.
        package let signer: Signer?
        /// The file is read back whole before it gets its name.
        package let verifying: Bool

        package init(
            _ path: FilePath, replacing: Bool, notSameAs inputs: [FileIdentity], recipients: [SXBRecipient],
            signer: Signer?, verifying: Bool
        ) {
            self.path = path
            self.replacing = replacing
            self.inputs = inputs
            self.recipients = recipients
            self.signer = signer
            self.verifying = verifying
        }
    }

    /// Somebody who signs what a bundle holds.
    package struct Signer {
        package let keys: IdentityPublicKeys
        /// Gives the Ed25519 signature of bytes.
        package let sign: (Span<UInt8>) throws(SigningError) -> [UInt8]

        package init(_ keys: IdentityPublicKeys, sign: @escaping (Span<UInt8>) throws(SigningError) -> [UInt8]) {
            self.keys = keys
            self.sign = sign
        }
    }

    /// Writes all of a source into a new bundle; `progress` gets bytes of entries. On an error no file is there.
    package static func write<Source: EntrySource>(
        _ source: Source, to target: Target, progress: @escaping (Int) -> Void = { _ in }
    ) throws(EntryError) -> SXBWriter.Summary {
        let manifest = source.manifest
        let text = manifest.text()
        guard text.count <= Manifest.ceiling, manifest.entries.count <= Manifest.maximumEntries else {
            throw .document(.tooMany(document: Manifest.entryName, ceiling: Manifest.maximumEntries))
        }
        // Nobody could read such a bundle.
        if let entry = manifest.entries.first(where: { $0.size > $0.content.sizeCeiling }) {
            throw .document(.tooLarge(document: entry.name, found: entry.size, ceiling: entry.content.sizeCeiling))
        }
        var sink = try begin(target, modified: Int64(exactly: manifest.createdAt.rounded(.down)) ?? 0, text, progress)
        try source.send(to: &sink)
        return try sink.finish(target.signer)
    }

    private static func begin(
        _ target: Target, modified: Int64, _ manifest: [UInt8],
        _ progress: @escaping (Int) -> Void
    ) throws(EntryError) -> SXBSink {
        do throws(SXBError) {
            var writer = try SXBWriter(
                creatingAt: target.path, replacing: target.replacing, notSameAs: target.inputs,
                recipients: target.recipients, signer: target.signer?.keys, modified: modified,
                verifying: target.verifying)
            try writer.add(Array(Manifest.entryName.utf8), size: manifest.count)
            try writer.write(manifest.span)
            return SXBSink(writer, progress)
        } catch {
            throw .container(error)
        }
    }

    private consuming func finish(_ signer: Signer?) throws(EntryError) -> SXBWriter.Summary {
        do throws(SXBError) {
            guard let signer else { return try writer.finish() }
            return try writer.finish(signing: signer.sign)
        } catch {
            throw .container(error)
        }
    }
}
