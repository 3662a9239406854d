/// What the manifest says must follow it, in this order.
struct DeclaredEntries: Sendable {
    private let entries: [SXBEntry]
    /// The first that did not come yet.
    private var next = 0

    /// Errors: `.tooManyEntries`, `.tooLarge`, `.name`, `.collision`. `payloadLength` is that of the compressed payload.
    init(_ entries: [SXBEntry], payloadLength: Int) throws(SXBArchiveFault) {
        guard entries.count <= SXBFormat.entryLimit else {
            throw .tooManyEntries(limit: SXBFormat.entryLimit, found: entries.count)
        }
        let ceiling = Self.ceiling(payloadLength: payloadLength)
        var total: UInt64 = 0
        var names = EntryNameTable()
        try names.add(EntryName.manifest)
        try names.add(EntryName.signature)
        for entry in entries {
            guard (0...SXBFormat.entrySizeCeiling).contains(entry.size) else {
                throw .tooLarge(limit: SXBFormat.entrySizeCeiling, found: UInt64(bitPattern: Int64(entry.size)))
            }
            // No overflow: at most 500,000 times 2^40.
            total += UInt64(entry.size)
            guard total <= UInt64(ceiling) else { throw .tooLarge(limit: ceiling, found: total) }
            try EntryName.check(entry.name)
            try names.add(entry.name)
        }
        self.entries = entries
    }

    /// Bytes that all entries may have together.
    static func ceiling(payloadLength: Int) -> Int {
        let (product, overflow) = SXBFormat.expansion.multipliedReportingOverflow(by: UInt64(max(0, payloadLength)))
        let (sum, sumOverflow) = product.addingReportingOverflow(SXBFormat.expansionFloor)
        return overflow || sumOverflow ? Int.max : Int(clamping: sum)
    }

    /// The next entry of the archive is this one. Errors: `.undeclared`, `.misplaced`, `.size`.
    mutating func take(_ entry: SXBEntry) throws(SXBArchiveFault) {
        guard next < entries.count, entries[next].name == entry.name else {
            throw entries.contains { $0.name == entry.name } ? .misplaced(entry.name) : .undeclared(entry.name)
        }
        guard entries[next].size == entry.size else {
            throw .size(name: entry.name, declared: entries[next].size, found: entry.size)
        }
        next += 1
    }

    /// Nothing follows. Error: `.missing`.
    func end() throws(SXBArchiveFault) {
        guard next == entries.count else { throw .missing(entries[next].name) }
    }
}
