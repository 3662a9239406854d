import SophaxFiles

@testable import PortableBundle

/// Keeps every entry, and sees to it that they come as the manifest says.
struct CollectingSink: EntrySink {
    private(set) var names: [String] = []
    private(set) var entries: [String: [UInt8]] = [:]
    /// The largest piece that came.
    private(set) var largestPiece = 0
    private var open: String?

    mutating func begin(_ entry: ManifestEntry) throws(EntryError) {
        guard open == nil, entries[entry.name] == nil else { throw .unexpected(entry: entry.name) }
        open = entry.name
        names.append(entry.name)
        entries[entry.name] = []
    }

    mutating func take(_ bytes: Span<UInt8>) throws(EntryError) {
        guard let open else { throw .stopped }
        largestPiece = max(largestPiece, bytes.count)
        entries[open]?.append(contentsOf: bytes.indices.map { bytes[$0] })
    }

    mutating func end(_ entry: ManifestEntry) throws(EntryError) {
        guard open == entry.name else { throw .unexpected(entry: entry.name) }
        let found = entries[entry.name]?.count ?? 0
        guard found == entry.size else { throw .size(entry: entry.name, declared: entry.size, found: found) }
        open = nil
    }

    func text(_ name: String) -> String { String(decoding: entries[name] ?? [], as: UTF8.self) }
}
