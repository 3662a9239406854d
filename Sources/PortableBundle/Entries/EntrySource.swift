import CryptoPrimitives
import SophaxFiles
import SystemIO

/// Something that a bundle can be made of, or restored from: what there is, and one pass over it.
///
/// A store, an app's export, a keyring's identity, an `.sxb` file, or several of them together. Memory stays flat: entries
/// are sent in pieces, one after the other.
package protocol EntrySource {
    var manifest: Manifest { get }
    /// Messages of a list that this source itself could not read, by the item that the manifest names.
    var unreadMessages: [ByteText: Int] { get }

    /// Sends every entry, in the order of the manifest, each byte once. A source may be read several times, unless its
    /// documentation says once.
    func send<S: EntrySink & ~Copyable>(to sink: inout S) throws(EntryError)
}

extension EntrySource {
    package var unreadMessages: [ByteText: Int] { [:] }
}

/// Takes entries as they come.
package protocol EntrySink: ~Copyable {
    /// What follows until `end` belongs to this entry.
    mutating func begin(_ entry: ManifestEntry) throws(EntryError)
    /// The next bytes of the entry; of a document they are secret.
    mutating func take(_ bytes: Span<UInt8>) throws(EntryError)
    /// The entry is whole: as many bytes as the manifest says.
    mutating func end(_ entry: ManifestEntry) throws(EntryError)
}

/// Why entries could not be moved from a source to a sink.
package enum EntryError: Error, Equatable, Sendable {
    /// A file of the source cannot be read (any more).
    case storeFile(FilePath, StoreFileFailure)
    /// A file of the source is not as it was when the manifest was made.
    case changed(FilePath)
    /// An entry has more or fewer bytes than the manifest says.
    case size(entry: String, declared: Int, found: Int)
    /// An entry's SHA-256 is not the one in the manifest.
    case hash(entry: String)
    /// An entry that the manifest does not name, or at another place.
    case unexpected(entry: String)
    /// The source ends before this entry.
    case missing(entry: String)
    case document(DocumentError)
    /// A bundle file.
    case container(SXBError)
    /// An output file.
    case file(FileError)
    case memory(SecretMemoryError)
    case outOfMemory(requested: Int)
    case cipher
    /// The sink wants no more; it knows why.
    case stopped
}

/// Bytes of a piece that sources send at a time.
package enum EntryPiece {
    package static let size = 256 << 10
}

extension EntrySink where Self: ~Copyable {
    /// Sends a whole entry that is in memory.
    package mutating func send(_ entry: ManifestEntry, _ bytes: Span<UInt8>) throws(EntryError) {
        try begin(entry)
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + EntryPiece.size)
            try take(bytes.extracting(start..<end))
            start = end
        }
        try end(entry)
    }
}
