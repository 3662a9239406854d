import CSQLite3
import CryptoPrimitives

/// How far `verify` looks.
package enum SealedDepth: Comparable, Sendable {
    /// The two copies of the header.
    case header
    /// Every page authenticates.
    case pages
    /// SQLite's own checks of structure, indexes and references too.
    case full
}

/// Something that `verify` found.
package enum SealedFinding: Hashable, Sendable {
    /// Copy 1 or 2 is not whole; the other one is.
    case headerCopyDamaged(Int)
    /// Copy 1 or 2 does not belong to the master key; the other one does.
    case headerCopyTampered(Int)
    /// Copy 1 or 2 is older than the other one: opening the file for writing finishes the change.
    case headerCopyOlder(Int)
    /// A page that is not what was written there.
    case page(UInt32)
    /// The same of a page that holds nothing; only a note.
    case freePage(UInt32)
    /// Pages behind the last one that page 1 counts; only a note.
    case surplusPages(Int)
    /// A line of SQLite's integrity_check.
    case structure(String)
    /// Rows of a table that refer to rows that are not there.
    case references(table: [UInt8], rows: Int)

    /// False for what does no harm.
    package var isDamage: Bool {
        switch self {
        case .headerCopyOlder, .freePage, .surplusPages: false
        case .headerCopyDamaged, .headerCopyTampered, .page, .structure, .references: true
        }
    }
}

extension SealedDatabase {
    /// Reads and judges the file, and changes nothing; others may read and prepare changes meanwhile.
    ///
    /// Errors: only what keeps it from looking, such as `.locked` or a disk that does not read.
    package func verify(depth: SealedDepth) throws(SealedError) -> [SealedFinding] {
        try database.transaction(.read) { () throws(SealedError) in
            try Self.readSchema(self.database)
            var findings = try self.headerFindings()
            guard depth >= .pages else { return findings }
            let pages = try self.pageFindings()
            findings += pages
            // SQLite would stop at the first page that it cannot read, and know no more of it.
            guard depth >= .full, !pages.contains(where: \.isDamage) else { return findings }
            return findings + (try self.structureFindings())
        }
    }

    private func headerFindings() throws(SealedError) -> [SealedFinding] {
        let pair = try HeaderPair(reading: rawFile(of: database))
        guard let newest = pair.authentic(keys) else { throw .headerTampered }
        return pair.copies.enumerated().compactMap { index, copy in
            guard let copy = try? copy.get() else { return .headerCopyDamaged(index + 1) }
            guard copy.isAuthentic(keys) else { return .headerCopyTampered(index + 1) }
            return copy == newest ? nil : .headerCopyOlder(index + 1)
        }
    }

    private func pageFindings() throws(SealedError) -> [SealedFinding] {
        let pages = try SealedPages(database)
        let counted = try carried { () throws(DatabaseError) in
            try database.first("PRAGMA page_count") { row throws(DatabaseError) in row.integer(0) ?? 0 } ?? 0
        }
        // What is behind the end is nobody's, and a hole there may be as large as a disk.
        let damaged = try pages.damaged(upTo: UInt32(clamping: counted), limit: .max)
        let free = damaged.isEmpty ? [] : try pages.freeLeaves()
        let surplus = Int(try pages.count()) - Int(counted)
        return damaged.map { number in
            free.contains(number) ? .freePage(number) : .page(number)
        } + (surplus > 0 ? [.surplusPages(surplus)] : [])
    }

    private func structureFindings() throws(SealedError) -> [SealedFinding] {
        try carried { () throws(DatabaseError) in
            let lines = try database.rows("PRAGMA integrity_check") { row throws(DatabaseError) in row.string(0) ?? "" }
            var findings = lines.filter { $0 != "ok" }.map { SealedFinding.structure($0) }
            var references: [(table: [UInt8], rows: Int)] = []
            try database.visit("PRAGMA foreign_key_check") { row throws(DatabaseError) in
                let table = row.text(0) ?? []
                if let index = references.firstIndex(where: { $0.table == table }) {
                    references[index].rows += 1
                } else {
                    references.append((table, 1))
                }
                return true
            }
            findings += references.map { .references(table: $0.table, rows: $0.rows) }
            return findings
        }
    }
}
