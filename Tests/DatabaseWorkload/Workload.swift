import SQLiteDatabase

/// Transactions with numbers, and what a database must hold after each of them: nothing has to be remembered to tell
/// whether a state is exactly that of some transaction.
///
/// Transaction n adds some rows, changes those of transaction n - 3, takes those of transaction n - 8 away, and keeps a
/// full text index; every tenth is so large that it does not fit into a small cache.
package enum Workload {
    /// Stands in each text, so that it can be looked for where it must not be.
    package static let marker = "plainly-to-be-seen"

    /// Transactions whose rows are kept.
    private static let kept = 8

    package static func makeSchema(_ database: Database) throws(DatabaseError) {
        try database.execute(
            """
            CREATE TABLE counter(n INTEGER NOT NULL) STRICT;
            CREATE TABLE row(id INTEGER PRIMARY KEY, changed INTEGER NOT NULL, body TEXT NOT NULL) STRICT;
            CREATE INDEX row_changed ON row(changed);
            CREATE VIRTUAL TABLE words USING fts5(body);
            INSERT INTO counter VALUES(0);
            """)
    }

    /// Does transaction `n`; the state before must be n - 1.
    package static func commit(_ n: Int, to database: Database) throws(DatabaseError) {
        try database.transaction(.write) { () throws(DatabaseError) in
            for index in 0..<rowCount(n) {
                try database.run("INSERT INTO row VALUES(?, ?, ?)", id(n, index), .integer(n), .text(body(n, index)))
            }
            try database.run("INSERT INTO words(rowid, body) VALUES(?, ?)", .integer(n), .text("word\(n) \(marker)"))
            if n > 3 {
                try database.run(
                    "UPDATE row SET changed = ? WHERE id BETWEEN ? AND ?", .integer(n), id(n - 3, 0), id(n - 3, 999))
            }
            if n > kept {
                try database.run("DELETE FROM row WHERE id BETWEEN ? AND ?", id(n - kept, 0), id(n - kept, 999))
                try database.run("DELETE FROM words WHERE rowid = ?", .integer(n - kept))
            }
            try database.run("UPDATE counter SET n = ?", .integer(n))
        }
    }

    /// The number of the last transaction in `database`, when it holds exactly what it must after it.
    ///
    /// Errors: what the database says, and `Mismatch`.
    package static func state(of database: Database) throws -> Int {
        let problems = try database.rows("PRAGMA integrity_check") { $0.string(0) ?? "" }
        guard problems == ["ok"] else { throw Mismatch(text: "integrity check: \(problems)") }
        guard let counter = try database.first("SELECT n FROM counter", read: { $0.integer(0) }), let counter else {
            throw Mismatch(text: "no counter")
        }
        let n = Int(counter)
        var next = (max(1, n - kept + 1)...max(1, n)).lazy.flatMap { number in
            (0..<rowCount(number)).lazy.map { (number, $0) }
        }.makeIterator()
        var problem: String?
        try database.visit("SELECT id, changed, body FROM row ORDER BY id") { (row) throws(DatabaseError) in
            guard n > 0, let (number, index) = next.next() else {
                problem = "a row too many"
                return false
            }
            let changed = number + 3 <= n ? number + 3 : number
            if .integer(orNull: row.integer(0)) != id(number, index) || row.integer(1) != Int64(changed)
                || row.text(2) != body(number, index)
            {
                problem = "row \(number)/\(index) differs"
            }
            return problem == nil
        }
        if problem == nil, n > 0, next.next() != nil { problem = "a row is missing" }
        for number in max(1, n - kept)...max(1, n) where n > 0 {
            let found = try database.rows("SELECT rowid FROM words WHERE words MATCH ?", .text("word\(number)")) {
                $0.integer(0)
            }
            if found != (number > n - kept ? [Int64(number)] : []) { problem = problem ?? "the index differs" }
        }
        if let problem { throw Mismatch(text: "after transaction \(n): \(problem)") }
        return n
    }

    package struct Mismatch: Error, CustomStringConvertible {
        package let text: String

        package var description: String { text }
    }

    private static func id(_ n: Int, _ index: Int) -> SQLiteValue { .integer(n * 1000 + index) }

    private static func rowCount(_ n: Int) -> Int {
        n % 10 == 0 ? 150 : 1 + Int(mix(UInt64(n)) % 12)
    }

    private static func body(_ n: Int, _ index: Int) -> [UInt8] {
        let seed = mix(UInt64(n) << 20 | UInt64(index))
        let text = "\(marker) \(n) \(index) \(seed) "
        return Array(String(repeating: text, count: 1 + Int(seed % 25)).utf8)
    }

    /// SplitMix64: numbers that look random and are always the same.
    private static func mix(_ value: UInt64) -> UInt64 {
        var z = value &+ 0x9E37_79B9_7F4A_7C15
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
