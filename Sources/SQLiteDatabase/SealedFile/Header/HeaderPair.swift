import CryptoPrimitives

/// Both copies of the header as they are in the file.
struct HeaderPair: Sendable {
    /// What each copy is: whole, or why not.
    let copies: [Result<HeaderCopy, HeaderFault>]

    /// How often two bad copies are read again: somebody may be writing one just now.
    private static let attempts = 3

    /// Reads both copies.
    ///
    /// Errors: `.truncated`, `.notSealed`, `.newerVersion`, `.slotCost`, `.totalCost`, `.headerDamaged`, when neither copy
    /// is of use; a file error.
    init(reading file: RawFile) throws(SealedError) {
        var attempt = 1
        while true {
            do throws(SealedError) {
                self = try HeaderPair(once: file)
                return
            } catch .headerDamaged where attempt < Self.attempts {
                attempt += 1
            }
        }
    }

    private init(once file: RawFile) throws(SealedError) {
        let bytes: [UInt8]
        do throws(DatabaseError) {
            bytes = try file.read(SealedFormat.headerLength, at: 0)
        } catch {
            throw .database(error)
        }
        guard bytes.count == SealedFormat.headerLength else {
            let known = SealedFormat.magic.prefix(bytes.count)
            guard bytes.starts(with: known) else { throw .notSealed }
            throw .truncated(expected: SealedFormat.headerLength + SealedFormat.pageLength, found: bytes.count)
        }
        try self.init(bytes)
    }

    init(_ bytes: [UInt8]) throws(SealedError) {
        copies = (0..<SealedFormat.copies).map { number in
            let place = number * SealedFormat.copyLength
            do throws(HeaderFault) {
                return .success(try HeaderCopy(parsing: Array(bytes[place..<(place + SealedFormat.copyLength)])))
            } catch {
                return .failure(error)
            }
        }
        // A whole copy of a later version wins over an older one: this version must not write to such a file.
        let faults = copies.compactMap { copy -> HeaderFault? in
            guard case .failure(let fault) = copy else { return nil }
            return fault
        }
        for case .newerVersion(let found) in faults {
            throw .newerVersion(found: found, known: SealedFormat.version)
        }
        guard faults.count == SealedFormat.copies else { return }
        for fault in faults {
            switch fault {
            case .slotCost(let slot, let error): throw .slotCost(slot: slot, error)
            case .totalCost(let found):
                throw .totalCost(maximumKiB: Argon2id.Parameters.maximumWorkKiB, foundKiB: found)
            case .noMagic, .digest, .newerVersion, .notVersion1, .notAuthentic: continue
            }
        }
        if faults.allSatisfy({ $0 == .noMagic }) { throw .notSealed }
        throw .headerDamaged
    }

    /// Whole copies, the newest first; two that are the same come once.
    var candidates: [HeaderCopy] {
        let whole = copies.compactMap { try? $0.get() }
        guard whole.count == 2 else { return whole }
        if whole[0] == whole[1] { return [whole[0]] }
        return whole[1].generation > whole[0].generation ? [whole[1], whole[0]] : whole
    }

    /// The newest copy that belongs to the master key; nil when none does.
    func authentic(_ keys: SealedKeys) -> HeaderCopy? {
        candidates.first { $0.isAuthentic(keys) }
    }

    /// Whether a copy in `file` belongs to the master key.
    static func isOf(_ keys: SealedKeys, file: RawFile) -> Bool {
        guard let pair = try? HeaderPair(reading: file) else { return false }
        return pair.authentic(keys) != nil
    }

    /// True when both copies are the same.
    var isEven: Bool {
        let whole = copies.compactMap { try? $0.get() }
        return whole.count == 2 && whole[0] == whole[1]
    }
}

// MARK: - Unlocking

extension HeaderPair {
    /// What a secret opened.
    struct Unlocked {
        let keys: SealedKeys
        let header: HeaderCopy
        /// The slot that the secret opens.
        let slot: Int
    }

    /// Tries the secret on each slot.
    ///
    /// A secret that only opens an older copy is a wrong one: it was changed or removed, and the change is half done. Where
    /// the newer copy is a forgery, the older one is the file's own.
    /// Errors: `.wrongSecret`, `.headerTampered`, and what deriving may say.
    func unlock(with secret: UnlockSecret) throws(SealedError) -> Unlocked {
        var isTampered = false
        for copy in candidates {
            guard let found = try Self.open(copy, with: secret) else { continue }
            guard let newest = authentic(found.keys) else {
                isTampered = true
                continue
            }
            if newest == copy { return Unlocked(keys: found.keys, header: copy, slot: found.slot) }
            if !copy.isAuthentic(found.keys) { isTampered = true }
        }
        throw isTampered ? .headerTampered : .wrongSecret
    }

    private static func open(
        _ copy: HeaderCopy, with secret: UnlockSecret
    ) throws(SealedError) -> (keys: SealedKeys, slot: Int)? {
        for (number, slot) in copy.slots.enumerated() {
            guard let slot else { continue }
            if let keys = try slot.unwrap(with: secret, start: copy.start, number: number) { return (keys, number) }
        }
        return nil
    }
}
