import CSQLite3
import CryptoPrimitives
import SystemIO

extension SealedDatabase {
    /// Makes a file with a new master key, wrapped in `slots`, and opens it.
    ///
    /// It is made beside its name and appears complete; a failure leaves nothing. Mode 0600.
    /// - Parameters:
    ///   - slots: 1 to 8, numbered in their order.
    ///   - populating: makes the schema, in the file that has no name yet.
    ///
    /// Errors: `.file` with `.exists` when there is something of that name or of its journal's, `.noSlots`, `.noFreeSlot`, `.totalCost`.
    package static func create(
        at path: FilePath, kind: SealedFileKind, slots: [NewSlot], baseVFS: String? = nil,
        populating: (Database) throws(DatabaseError) -> Void
    ) throws(SealedError) -> SealedDatabase {
        do throws(FileError) {
            try OutputFile.check(path, replacing: false, notSameAs: [])
        } catch {
            throw .file(error)
        }
        let target = try FullPath.of(path, vfs: baseVFS)
        try refuseJournal(beside: target)
        let keys = try SealedKeys.random()
        let made = try wrap(keys, slots, kind: kind)
        let draft = try makeDraft(
            beside: target, marker: DraftMarker.new,
            header: HeaderCopy(
                kind: kind, generation: 1, slots: made, keys: keys), baseVFS: baseVFS)
        do {
            let database = try connect(
                draft.path, keys: keys, kind: kind, mode: .readWrite, patience: Database.defaultPatience,
                baseVFS: baseVFS)
            try carried { () throws(DatabaseError) in
                try populating(database)
                // Page 1 must be there even if nothing was put in.
                try database.execute("PRAGMA page_size = \(SealedFormat.pageLength)")
                let version = try database.first("PRAGMA user_version") { row in row.integer(0) ?? 0 } ?? 0
                try database.execute("PRAGMA user_version = \(version)")
            }
        }
        try syncDraft(draft.path, baseVFS: baseVFS)
        do throws(FileError) { try draft.publish(replacing: false) } catch { throw .file(error) }
        return try SealedDatabase(
            path, keys: keys, kind: kind, mode: .readWrite, slot: nil, patience: Database.defaultPatience,
            baseVFS: baseVFS)
    }

    /// A journal that a file of this name left is the other half of that file, and would be taken for the new one's.
    static func refuseJournal(beside target: FilePath) throws(SealedError) {
        do throws(FileError) {
            try OutputFile.check(target.appendingSuffix("-journal"), replacing: false, notSameAs: [])
        } catch {
            throw .file(error)
        }
    }

    /// The master key wrapped for each of `slots`, and empty ones after them.
    static func wrap(_ keys: SealedKeys, _ slots: [NewSlot], kind: SealedFileKind) throws(SealedError) -> [KeySlot?] {
        guard !slots.isEmpty else { throw .noSlots }
        guard slots.count <= SealedFormat.slots else { throw .noFreeSlot }
        try HeaderCopy.checkWork(slots.reduce(0) { $0 + $1.workKiB })
        var made = [KeySlot?](repeating: nil, count: SealedFormat.slots)
        for (number, slot) in slots.enumerated() {
            made[number] = try KeySlot.wrapping(keys, under: slot.secret, form: slot.form, number: number, kind: kind)
        }
        return made
    }

    /// A file beside `target` that has a header and no page yet.
    static func makeDraft(
        beside target: FilePath, marker: String, header: HeaderCopy, baseVFS: String?
    ) throws(SealedError) -> DraftFile {
        let draft: DraftFile
        do throws(FileError) { draft = try DraftFile(beside: target, marker: marker) } catch { throw .file(error) }
        let file = try OwnedFile(opening: draft.path, vfs: baseVFS, writing: true)
        for copy in 0..<SealedFormat.copies { try write(header, copy: copy, to: file.raw) }
        return draft
    }

    /// Syncs a file that no connection has open.
    static func syncDraft(_ path: FilePath, baseVFS: String?) throws(SealedError) {
        let file = try OwnedFile(opening: path, vfs: baseVFS, writing: true)
        try carried { () throws(DatabaseError) in try file.raw.sync() }
    }
}
