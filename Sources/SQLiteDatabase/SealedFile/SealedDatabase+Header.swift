import CSQLite3
import CryptoPrimitives
import SystemIO

// Changing the header of an open file. Both copies are written through SQLite's own file, under its exclusive lock.

extension SealedDatabase {
    /// Brings both copies to the newest one, where a change was interrupted or a copy is damaged.
    func finishHeaderChange() throws(SealedError) {
        let file = try rawFile(of: database)
        if let pair = try? HeaderPair(reading: file), pair.isEven, pair.authentic(keys) != nil { return }
        try withExclusiveLock { () throws(SealedError) in
            // Read again: somebody else may have done it.
            _ = try self.evenHeader(file)
        }
    }

    /// The newest copy, after which both are the same. The lock must be held.
    private func evenHeader(_ file: RawFile) throws(SealedError) -> HeaderCopy {
        let pair = try HeaderPair(reading: file)
        guard let newest = pair.authentic(keys) else { throw .headerTampered }
        for (number, copy) in pair.copies.enumerated() where (try? copy.get()) != newest {
            try Self.write(newest, copy: number, to: file)
        }
        return newest
    }

    /// Writes what `change` makes of the header's slots, with the next generation: first one copy, synced and read back,
    /// then the other.
    ///
    /// A failure in the first copy leaves the header as it was. One in the second is told, and whoever opens the file for
    /// writing next finishes the change.
    func changeHeader(
        _ change: (HeaderCopy) throws(SealedError) -> [KeySlot?]
    ) throws(SealedError) {
        let file = try rawFile(of: database)
        try withExclusiveLock { () throws(SealedError) in
            let old = try self.evenHeader(file)
            let slots = try change(old)
            guard slots.contains(where: { $0 != nil }) else { throw .lastSlot }
            // No writer comes near; the one who made the file chose it.
            guard old.generation < .max else { throw .headerTampered }
            let new = HeaderCopy(
                kind: self.kind, generation: old.generation + 1, slots: slots, keys: self.keys, keeping: old)
            do throws(SealedError) {
                try Self.write(new, copy: 0, to: file)
            } catch {
                // The second copy is still the old one; if this fails too, it wins over a torn first one.
                try? Self.write(old, copy: 0, to: file)
                throw error
            }
            try Self.write(new, copy: 1, to: file)
        }
    }

    /// Writes one copy, syncs it, and reads it back.
    static func write(_ header: HeaderCopy, copy: Int, to file: RawFile) throws(SealedError) {
        let place = copy * SealedFormat.copyLength
        let found = try carried { () throws(DatabaseError) in
            try file.write(header.bytes, at: place)
            try file.sync()
            return try file.read(SealedFormat.copyLength, at: place)
        }
        guard found == header.bytes else { throw .proof(.header) }
    }

    /// Runs `body` while nobody else reads or writes the file.
    func withExclusiveLock<R: ~Copyable>(_ body: () throws(SealedError) -> R) throws(SealedError) -> R {
        guard !isReadOnly else { throw .database(.readOnly) }
        return try database.transaction(.exclusive, body)
    }

    /// Takes away what an interrupted `rekey`, or an interrupted making of this very file, left beside it.
    ///
    /// Under a lock: a rekey that is running has the file for itself.
    func removeLeftovers() throws(SealedError) {
        let names = try leftovers()
        guard !names.isEmpty else { return }
        try database.transaction(.read) { () throws(SealedError) in
            try Self.readSchema(self.database)
            for name in try self.leftovers() {
                do throws(FileError) {
                    try removeFile(name)
                } catch {
                    if error.kind != .notFound { throw .file(error) }
                }
            }
        }
    }

    private func leftovers() throws(SealedError) -> [FilePath] {
        do throws(FileError) {
            var names: [FilePath] = []
            for marker in DraftMarker.all { names += try DraftFile.leftovers(of: fullPath, marker: marker) }
            return names
        } catch {
            // A folder that may not be listed hides them, and is no reason not to open the file.
            if error.kind == .permissionDenied { return [] }
            throw .file(error)
        }
    }
}

/// The words in the names of files that are being made: `NAME.new-…`, `NAME.rekey-…`.
enum DraftMarker {
    static let new = "new"
    static let rekey = "rekey"
    static let all = [new, rekey]
}
