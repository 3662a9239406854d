import CryptoPrimitives
import SystemIO

extension SealedDatabase {
    /// Writes a copy with a master key and secrets of its own, proven by reading it back. Others may read meanwhile.
    ///
    /// The copy is made beside its name and appears complete; a failure leaves nothing. Mode 0600.
    /// - Parameters:
    ///   - slots: 1 to 8.
    ///   - resealing: as in `rekey`.
    ///
    /// Errors: `.file` with `.exists`, `.noSlots`, `.noFreeSlot`, `.totalCost`, `.proof`, `.database`.
    package func backup<E: SealedErrorCarrier>(
        to path: FilePath, slots: [NewSlot], resealing: (borrowing Resealing) throws(E) -> Void
    ) throws(E) {
        try told(as: E.self) { () throws(SealedError) in
            do throws(FileError) {
                try OutputFile.check(path, replacing: false, notSameAs: [])
            } catch {
                throw .file(error)
            }
            try Self.refuseJournal(beside: FullPath.of(path, vfs: self.baseVFS))
            try self.holdLock(.read)
        }
        defer { releaseLock() }
        var newKeys = keys
        let draft: DraftFile = try told(as: E.self) { () throws(SealedError) in
            try self.checkpoint(.locked)
            newKeys = try SealedKeys.random()
            let header = HeaderCopy(
                kind: self.kind, generation: 1, slots: try Self.wrap(newKeys, slots, kind: self.kind), keys: newKeys)
            let draft = try Self.makeDraft(
                beside: try FullPath.of(path, vfs: self.baseVFS), marker: DraftMarker.new, header: header,
                baseVFS: self.baseVFS)
            try self.checkpoint(.drafted)
            try self.copy(into: draft.path, newKeys: newKeys)
            try self.checkpoint(.copied)
            return draft
        }
        try reseal(draft.path, newKeys: newKeys, resealing)
        let made = draft.path
        try told(as: E.self) { () throws(SealedError) in
            try self.checkpoint(.resealed)
            try Self.syncDraft(made, baseVFS: self.baseVFS)
            try self.checkpoint(.synced)
        }
        do throws(FileError) { try draft.publish(replacing: false) } catch { throw E(SealedError.file(error)) }
    }
}
