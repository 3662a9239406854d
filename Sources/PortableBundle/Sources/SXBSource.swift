import CryptoPrimitives
import SophaxFiles
import SystemIO

/// A bundle file that was opened with a secret.
///
/// Each pass opens the file again but the first. What a bundle is trusted for is known after a pass only: its signature
/// stands at its end.
package final class SXBSource: EntrySource {
    package let path: FilePath
    package let header: SXBHeader
    /// Which of the secrets opened it.
    package let usedSecret: Int
    package let manifest: Manifest
    /// The signature of all that was sent; nil when there is none, and before a pass is over.
    package private(set) var signature: SXBSignature?

    private let secrets: [SXBSecret]
    private var first: SXBReader?

    package init(opening path: FilePath, secrets: [SXBSecret]) throws(EntryError) {
        var reader: SXBReader
        do throws(SXBError) {
            reader = try SXBReader(opening: path, secrets: secrets)
        } catch {
            throw .container(error)
        }
        self.path = path
        self.secrets = secrets
        header = reader.header
        usedSecret = reader.unlocked.secret
        manifest = try Self.readManifest(&reader)
        first = consume reader
    }

    /// Reads the manifest and tells the reader what must follow.
    private static func readManifest(_ reader: inout SXBReader) throws(EntryError) -> Manifest {
        let text = try container { () throws(SXBError) in try reader.manifest() }
        let manifest: Manifest
        do throws(DocumentError) {
            manifest = try Manifest(text.bytes(in: 0..<text.count))
        } catch {
            throw .document(error)
        }
        let entries = manifest.entries.map { SXBEntry($0.name, size: $0.size) }
        try container { () throws(SXBError) in try reader.allow(entries) }
        return manifest
    }

    private func reader() throws(EntryError) -> SXBReader {
        if let reader = first.take() { return reader }
        var reader: SXBReader
        do throws(SXBError) {
            reader = try SXBReader(opening: path, secrets: secrets)
        } catch {
            throw .container(error)
        }
        guard reader.header == header, try Self.readManifest(&reader) == manifest else { throw .changed(path) }
        return reader
    }

    package func send<S: EntrySink & ~Copyable>(to sink: inout S) throws(EntryError) {
        signature = nil
        var reader = try reader()
        // Documents have keys in them, so everything goes through wiped memory.
        var piece: SecretBytes
        do throws(SecretMemoryError) { piece = try SecretBytes(count: EntryPiece.size) } catch { throw .memory(error) }
        for entry in manifest.entries {
            guard let found = try Self.container({ () throws(SXBError) in try reader.next() }) else {
                throw .missing(entry: entry.name)
            }
            guard found.name == Array(entry.name.utf8) else { throw .unexpected(entry: entry.name) }
            try sink.begin(entry)
            try Self.send(entry, from: &reader, through: &piece, to: &sink)
            try sink.end(entry)
        }
        if let more = try Self.container({ () throws(SXBError) in try reader.next() }) {
            throw .unexpected(entry: String(decoding: more.name, as: UTF8.self))
        }
        signature = reader.signature
    }

    private static func send<S: EntrySink & ~Copyable>(
        _ entry: ManifestEntry, from reader: inout SXBReader, through piece: inout SecretBytes, to sink: inout S
    ) throws(EntryError) {
        var hash = SHA256()
        var size = 0
        while true {
            let count = try container { () throws(SXBError) in
                try piece.withMutableSpan { (bytes) throws(SXBError) in try reader.read(into: &bytes) }
            }
            if count == 0 { break }
            size += count
            try piece.withSpan { (bytes) throws(EntryError) in
                let read = bytes.extracting(0..<count)
                if entry.sha256 != nil { hash.update(read) }
                try sink.take(read)
            }
        }
        guard size == entry.size else { throw .size(entry: entry.name, declared: entry.size, found: size) }
        if let sum = entry.sha256, hash.finish() != sum { throw .hash(entry: entry.name) }
    }

    private static func container<R>(_ body: () throws(SXBError) -> R) throws(EntryError) -> R {
        do throws(SXBError) { return try body() } catch { throw .container(error) }
    }
}
