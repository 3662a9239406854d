import CryptoPrimitives

extension SealedDatabase {
    /// Gives a slot another secret. The master key, and so the content, stays as it is.
    ///
    /// When this returns, neither copy of the header opens with the former secret; an earlier copy of the file still does.
    /// Errors: `.noSuchSlot`, `.totalCost`, and `.database` with `.locked`, `.readOnly` or what the disk says.
    package func changeSecret(slot number: Int, to new: NewSlot) throws(SealedError) {
        try changeHeader { (header) throws(SealedError) in
            guard header.slots.indices.contains(number), header.slots[number] != nil else { throw .noSuchSlot(number) }
            var slots = header.slots
            slots[number] = nil
            slots[number] = try self.wrap(new, number, beside: slots)
            return slots
        }
    }

    /// Adds a secret in the first free slot and gives its number.
    ///
    /// Errors: `.noFreeSlot`, `.totalCost`, and those of the disk.
    package func addSlot(_ new: NewSlot) throws(SealedError) -> Int {
        var added = 0
        try changeHeader { (header) throws(SealedError) in
            guard let free = header.slots.firstIndex(of: nil) else { throw .noFreeSlot }
            var slots = header.slots
            slots[free] = try self.wrap(new, free, beside: slots)
            added = free
            return slots
        }
        return added
    }

    /// Takes a secret away; the last one stays.
    ///
    /// A slot of a later version may be removed, but does not count as one that opens the file.
    /// Errors: `.noSuchSlot`, `.lastSlot`, and those of the disk.
    package func removeSlot(_ number: Int) throws(SealedError) {
        try changeHeader { (header) throws(SealedError) in
            guard header.slots.indices.contains(number), header.slots[number] != nil else { throw .noSuchSlot(number) }
            var slots = header.slots
            slots[number] = nil
            guard slots.contains(where: { $0?.isKnown ?? false }) else { throw .lastSlot }
            return slots
        }
    }

    /// The total is judged before anything is derived.
    private func wrap(_ new: NewSlot, _ number: Int, beside others: [KeySlot?]) throws(SealedError) -> KeySlot {
        try HeaderCopy.checkWork(HeaderCopy.work(of: others) + new.workKiB)
        return try KeySlot.wrapping(keys, under: new.secret, form: new.form, number: number, kind: kind)
    }
}

extension KeySlot {
    /// Whether this version can open it.
    var isKnown: Bool {
        if case .unknown = form { return false }
        return true
    }
}
