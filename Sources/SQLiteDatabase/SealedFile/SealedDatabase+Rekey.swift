import CSQLite3
import CryptoPrimitives
import SystemIO

/// Where a `rekey`, a `compact` or a `backup` is; tests stop it there.
enum CopyStep: CaseIterable, Sendable {
    case locked, drafted, copied, resealed, synced, published
}

extension SealedDatabase {
    /// Encrypts everything anew under a new master key and puts the result in the place of the file.
    ///
    /// The file is locked throughout. The new one is made beside it and proven by reading it back before it takes the name:
    /// until then a failure, a kill or a power cut leaves the old file as it was. Processes that have the old file open
    /// find out with their next lock. `database` is another connection afterwards.
    ///
    /// - Parameters:
    ///   - secrets: by slot; every slot must be opened by its secret, to be wrapped again.
    ///   - dropping: slots that the new file shall not have.
    ///   - resealing: seals again what a layer above sealed under a derived key; it runs on the copy after it was compared
    ///     with the old database, and proves its own part.
    ///
    /// Errors: `.slotsWithoutSecret`, `.wrongSecretForSlot`, `.noSuchSlot`, `.lastSlot`; `.replaced`; `.proof`; `.database`
    /// with `.locked`, `.full` and the like. `.file` with the operation `sync` is the only one after which the new file is
    /// in place.
    package func rekey<E: SealedErrorCarrier>(
        secrets: [Int: UnlockSecret], dropping: Set<Int> = [],
        resealing: (borrowing Resealing) throws(E) -> Void
    ) throws(E) {
        try exchange(
            { () throws(SealedError) in
                let newKeys = try SealedKeys.random()
                return (newKeys, try self.rewrap(newKeys, secrets, dropping))
            }, resealing)
    }

    /// Writes everything anew without the room that removed content left, under the same keys and slots, and puts the result
    /// in the place of the file.
    ///
    /// As safe as `rekey`, with the same errors but for those of slots, and every secret opens the new file as the old one.
    package func compact() throws(SealedError) {
        try exchange(
            { () throws(SealedError) in
                let pair = try HeaderPair(reading: self.rawFile(of: self.database))
                guard let header = pair.authentic(self.keys) else { throw .headerTampered }
                let copy = HeaderCopy(
                    kind: self.kind, generation: header.generation, slots: header.slots, keys: self.keys)
                return (self.keys, copy)
            }, { (_) throws(SealedError) in })
    }

    /// Makes a file with these keys and this header beside the old one, proves it, and lets it take the name.
    private func exchange<E: SealedErrorCarrier>(
        _ prepare: () throws(SealedError) -> (keys: SealedKeys, header: HeaderCopy),
        _ resealing: (borrowing Resealing) throws(E) -> Void
    ) throws(E) {
        try told(as: E.self) { () throws(SealedError) in
            guard !self.isReadOnly else { throw .database(.readOnly) }
            try self.holdLock(.exclusive)
        }
        do throws(E) {
            try exchangeLocked(prepare, resealing)
        } catch {
            releaseLock()
            throw error
        }
    }

    private func exchangeLocked<E: SealedErrorCarrier>(
        _ prepare: () throws(SealedError) -> (keys: SealedKeys, header: HeaderCopy),
        _ resealing: (borrowing Resealing) throws(E) -> Void
    ) throws(E) {
        var newKeys = keys
        let draft: DraftFile = try told(as: E.self) { () throws(SealedError) in
            try self.checkpoint(.locked)
            try self.finishHeaderChange()
            try self.removeLeftovers()
            let prepared = try prepare()
            newKeys = prepared.keys
            let draft = try Self.makeDraft(
                beside: self.fullPath, marker: DraftMarker.rekey, header: prepared.header, baseVFS: self.baseVFS)
            try self.checkpoint(.drafted)
            try self.copy(into: draft.path, newKeys: newKeys)
            try self.checkpoint(.copied)
            return draft
        }
        try reseal(draft.path, newKeys: newKeys, resealing)
        let path = draft.path
        try told(as: E.self) { () throws(SealedError) in
            try self.checkpoint(.resealed)
            try Self.syncDraft(path, baseVFS: self.baseVFS)
            try self.checkpoint(.synced)
            try self.clearTheWay()
        }
        var failure: SealedError?
        do throws(FileError) {
            try draft.publish(replacing: true)
        } catch {
            if error.operation != .sync { throw E(SealedError.file(error)) }
            failure = .file(error)
        }
        try told(as: E.self) { () throws(SealedError) in
            try self.checkpoint(.published)
            // The old connection, with its lock on what is now a file without a name, goes when this one is there.
            self.database = try Self.connect(
                self.fullPath, keys: newKeys, kind: self.kind, mode: .readWrite, patience: self.patience,
                baseVFS: self.baseVFS)
            self.keys = newKeys
            try Self.readSchema(self.database)
            if let failure { throw failure }
        }
    }

    /// The header of the new file: the same slots, each with its own secret.
    private func rewrap(
        _ newKeys: SealedKeys, _ secrets: [Int: UnlockSecret], _ dropping: Set<Int>
    ) throws(SealedError) -> HeaderCopy {
        let pair = try HeaderPair(reading: rawFile(of: database))
        guard let header = pair.authentic(keys) else { throw .headerTampered }
        for number in dropping.union(secrets.keys).sorted() {
            guard header.slots.indices.contains(number), header.slots[number] != nil else { throw .noSuchSlot(number) }
        }
        let kept = header.slots.indices.filter { header.slots[$0] != nil && !dropping.contains($0) }
        guard !kept.isEmpty else { throw .lastSlot }
        let missing = kept.filter { secrets[$0] == nil || header.slots[$0]?.isKnown == false }
        guard missing.isEmpty else { throw .slotsWithoutSecret(missing) }
        var slots = [KeySlot?](repeating: nil, count: SealedFormat.slots)
        for number in kept {
            guard let slot = header.slots[number], let secret = secrets[number],
                let opened = try slot.unwrap(with: secret, start: header.start, number: number),
                opened.isSame(as: keys)
            else { throw .wrongSecretForSlot(number) }
            slots[number] = try KeySlot.wrapping(newKeys, under: secret, form: slot.form, number: number, kind: kind)
        }
        return HeaderCopy(kind: kind, generation: 1, slots: slots, keys: newKeys)
    }

    /// Nothing may stand beside the new file that belongs to the old one, and the name must still be the old file's.
    private func clearTheWay() throws(SealedError) {
        var hasMoved: Int32 = 0
        let code = unsafe sqlite3_file_control(database.connection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
        if code == SQLITE_OK, hasMoved != 0 { throw .replaced }
        do throws(FileError) {
            // One that was to be rolled back has been when the lock was taken; this one has nothing in it.
            try removeFile(fullPath.appendingSuffix("-journal"))
        } catch {
            if error.kind != .notFound { throw .file(error) }
        }
    }

    func checkpoint(_ step: CopyStep) throws(SealedError) {
        try stopping?(step)
    }
}
