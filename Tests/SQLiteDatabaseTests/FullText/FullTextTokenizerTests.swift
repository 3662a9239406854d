import Testing

@testable import SQLiteDatabase

@Suite("The tokenizer of SQLite")
struct FullTextTokenizerTests {
    private static func table() throws -> PlainDatabase {
        let plain = try PlainDatabase()
        try FullTextTokenizer.register(on: plain.database)
        try plain.database.execute(
            "CREATE VIRTUAL TABLE t USING fts5(body, tokenize = '\(FullTextTokenizer.specification)')")
        return plain
    }

    @Test("an index is filled and asked through it, and its own highlights are right")
    func search() throws {
        let plain = try Self.table()
        let database = plain.database
        let texts = ["Straße im café", "STRASSE", "今天天气很好", "a\0b 👍🏽", "天"]
        for text in texts { try database.run("INSERT INTO t VALUES (?1)", .text(text)) }
        func found(_ query: String) throws -> [Int64] {
            try database.rows("SELECT rowid FROM t WHERE t MATCH ?1 ORDER BY rowid", .text(query)) {
                (row) throws(DatabaseError) in try row.requiredInteger(0)
            }
        }
        #expect(try found("\"strasse\"") == [1, 2])
        #expect(try found("\"CAFE\u{301}\"") == [1])
        #expect(try found("\"天气\"") == [3])
        #expect(try found("\"天气很好\"") == [3])
        #expect(try found("\"气天\"") == [])
        #expect(try found("\"天\" *") == [3, 5])
        #expect(try found("\"b 👍\"") == [4])
        let marked = try database.first(
            "SELECT highlight(t, 0, '[', ']') FROM t WHERE t MATCH ?1", "\"天气\"", read: { $0.string(0) })
        #expect(marked == "今天[天气]很好")
        try database.execute("INSERT INTO t(t) VALUES ('integrity-check')")
    }

    @Test("another version, none, and more words are refused")
    func versions() throws {
        let plain = try Self.table()
        for text in ["sxkey 2", "sxkey", "sxkey 1 1", "sxkey x", "sxkey 01"] {
            #expect(throws: DatabaseError.self) {
                try plain.database.execute("CREATE VIRTUAL TABLE other USING fts5(body, tokenize = '\(text)')")
            }
        }
    }

    @Test("a connection that was not told of it cannot read the index, and says so")
    func unregistered() throws {
        let plain = try Self.table()
        let other = try plain.another()
        #expect(throws: DatabaseError.self) { try other.execute("SELECT * FROM t WHERE t MATCH 'a'") }
        try FullTextTokenizer.register(on: other)
        try other.execute("SELECT * FROM t WHERE t MATCH 'a'")
    }
}
