import CryptoPrimitives

/// Why one copy of the header is of no use.
enum HeaderFault: Error, Equatable, Sendable {
    case noMagic
    case digest
    case newerVersion(Int)
    /// Kind or layout that version 1 does not have, although the digest fits.
    case notVersion1
    case slotCost(slot: Int, Argon2Error)
    /// Memory times passes of all slots together, in KiB.
    case totalCost(UInt64)
    /// The master key gives another code.
    case notAuthentic
}

/// One copy of the header whose digest fits and whose costs are within the bounds.
struct HeaderCopy: Equatable, Sendable {
    let bytes: [UInt8]
    let kind: SealedFileKind
    let slots: [KeySlot?]

    var generation: UInt64 { bytes.number(at: Place.generation, bytes: 8) }

    /// Magic, version and kind: the beginning of every slot's associated data.
    var start: [UInt8] { Array(bytes[..<Place.pageLength]) }

    private enum Place {
        static let version = 4
        static let kind = 6
        static let pageLength = 8
        static let headerLength = 12
        static let generation = 16
    }

    /// Checks what can be checked without a secret: magic, digest, version, layout, costs; in this order.
    init(parsing bytes: [UInt8]) throws(HeaderFault) {
        guard bytes.starts(with: SealedFormat.magic) else { throw .noMagic }
        let digest = SHA256.hash(bytes.span.extracting(first: SealedFormat.digestPlace))
        guard bytes[SealedFormat.digestPlace...].elementsEqual(digest) else { throw .digest }
        let version = Int(bytes.number(at: Place.version, bytes: 2))
        guard version <= SealedFormat.version else { throw .newerVersion(version) }
        guard version == SealedFormat.version,
            let kind = SealedFileKind(rawValue: UInt16(truncatingIfNeeded: bytes.number(at: Place.kind, bytes: 2))),
            bytes.number(at: Place.pageLength, bytes: 4) == UInt64(SealedFormat.pageLength),
            bytes.number(at: Place.headerLength, bytes: 4) == UInt64(SealedFormat.headerLength)
        else { throw .notVersion1 }
        var slots: [KeySlot?] = []
        for number in 0..<SealedFormat.slots {
            let place = SealedFormat.slotsPlace + number * SealedFormat.slotLength
            do throws(Argon2Error) {
                slots.append(try KeySlot.parse(Array(bytes[place..<(place + SealedFormat.slotLength)])))
            } catch {
                throw .slotCost(slot: number, error)
            }
        }
        let work = Self.work(of: slots)
        guard work <= Argon2id.Parameters.maximumWorkKiB else { throw .totalCost(work) }
        self.bytes = bytes
        self.kind = kind
        self.slots = slots
    }

    /// A header with these slots, sealed under `keys`.
    ///
    /// Slots must have been wrapped for the same kind and their places. What the header had beyond version 1's meaning is
    /// kept from `former`.
    init(
        kind: SealedFileKind, generation: UInt64, slots: [KeySlot?], keys: SealedKeys, keeping former: HeaderCopy? = nil
    ) {
        var bytes = former?.bytes ?? [UInt8](repeating: 0, count: SealedFormat.copyLength)
        bytes.replaceSubrange(0..<Place.generation, with: Self.beginning(kind: kind))
        bytes.setNumber(generation, at: Place.generation, bytes: 8)
        for number in 0..<SealedFormat.slots {
            let place = SealedFormat.slotsPlace + number * SealedFormat.slotLength
            bytes.replaceSubrange(
                place..<(place + SealedFormat.slotLength),
                with: slots[number]?.bytes ?? [UInt8](repeating: 0, count: SealedFormat.slotLength))
        }
        let code = keys.headerCode(bytes.span.extracting(first: SealedFormat.codePlace))
        bytes.replaceSubrange(SealedFormat.codePlace..<SealedFormat.digestPlace, with: code)
        let digest = SHA256.hash(bytes.span.extracting(first: SealedFormat.digestPlace))
        bytes.replaceSubrange(SealedFormat.digestPlace..<SealedFormat.copyLength, with: digest)
        self.bytes = bytes
        self.kind = kind
        self.slots = slots
    }

    /// Whether the code is that of the master key's file.
    func isAuthentic(_ keys: SealedKeys) -> Bool {
        keys.isHeaderCode(
            bytes.span.extracting(SealedFormat.codePlace..<SealedFormat.digestPlace),
            of: bytes.span.extracting(first: SealedFormat.codePlace))
    }

    /// Memory times passes over all slots, in KiB.
    static func work(of slots: [KeySlot?]) -> UInt64 {
        slots.reduce(0) { sum, slot in
            guard case .passphrase(let cost)? = slot?.form else { return sum }
            return sum + cost.workKiB
        }
    }

    /// Error: `.totalCost` above the ceiling.
    static func checkWork(_ work: UInt64) throws(SealedError) {
        guard work <= Argon2id.Parameters.maximumWorkKiB else {
            throw .totalCost(maximumKiB: Argon2id.Parameters.maximumWorkKiB, foundKiB: work)
        }
    }

    /// Magic, version and kind of a file of `kind`.
    static func start(kind: SealedFileKind) -> [UInt8] {
        Array(beginning(kind: kind)[..<Place.pageLength])
    }

    private static func beginning(kind: SealedFileKind) -> [UInt8] {
        var bytes = SealedFormat.magic + [UInt8](repeating: 0, count: 12)
        bytes.setNumber(UInt64(SealedFormat.version), at: Place.version, bytes: 2)
        bytes.setNumber(UInt64(kind.rawValue), at: Place.kind, bytes: 2)
        bytes.setNumber(UInt64(SealedFormat.pageLength), at: Place.pageLength, bytes: 4)
        bytes.setNumber(UInt64(SealedFormat.headerLength), at: Place.headerLength, bytes: 4)
        return bytes
    }
}
