import SQLiteDatabase
import TestSupport
import Testing

@Suite("migrations of a schema")
struct MigratorTests {
    private static let steps: [Migration] = [
        Migration(version: 1, name: "notes") { database throws(DatabaseError) in
            try database.execute("CREATE TABLE note(id INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT")
        },
        Migration(version: 2, name: "times") { database throws(DatabaseError) in
            try database.execute("ALTER TABLE note ADD COLUMN made_at REAL")
        },
    ]
    private let first = Migrator(applicationID: 0x5445_5354, migrations: [steps[0]])
    private let second = Migrator(applicationID: 0x5445_5354, migrations: steps)

    @Test("an empty file gets the whole schema, an old one the rest, a current one nothing")
    func upwards() throws {
        let plain = try PlainDatabase()
        #expect(try first.version(of: plain.database) == 0)
        try first.migrate(plain.database)
        try plain.database.run("INSERT INTO note(body) VALUES('kept')")
        #expect(try second.version(of: plain.database) == 1)
        try second.migrate(plain.database)
        #expect(try second.version(of: plain.database) == 2)
        #expect(try plain.database.rows("SELECT body FROM note WHERE made_at IS NULL") { $0.string(0) } == ["kept"])

        let before = fileBytes(plain.path.text)
        try second.migrate(plain.another(.readOnly))
        try second.migrate(plain.another())
        #expect(fileBytes(plain.path.text) == before)
    }

    @Test("a newer schema is refused with nothing touched")
    func newer() throws {
        let plain = try PlainDatabase()
        try second.migrate(plain.database)
        let before = fileBytes(plain.path.text)
        #expect(databaseError { try first.migrate(plain.another()) } == .newerSchema(found: 2, known: 1))
        #expect(fileBytes(plain.path.text) == before)
    }

    @Test("a database of another application, or of none, is refused with nothing touched")
    func otherKind() throws {
        for (sql, found) in [
            ("PRAGMA application_id = 77; PRAGMA user_version = 1", 77 as Int32), ("CREATE TABLE t(a)", 0),
            ("CREATE TABLE t(a); PRAGMA user_version = 1", 0),
        ] {
            let plain = try PlainDatabase(sql)
            let before = fileBytes(plain.path.text)
            let error = databaseError { try second.migrate(plain.database) }
            #expect(error == .notThisKind(found: found, expected: 0x5445_5354))
            #expect(fileBytes(plain.path.text) == before)
        }
    }

    @Test("a version that no one wrote is damage")
    func impossible() throws {
        let plain = try PlainDatabase("PRAGMA application_id = 0x54455354; PRAGMA user_version = -3")
        #expect(databaseError { try second.migrate(plain.database) } == .damaged("the version of the schema is -3"))
    }

    @Test("a step that fails leaves the schema as it was")
    func failing() throws {
        let plain = try PlainDatabase()
        try first.migrate(plain.database)
        let before = fileBytes(plain.path.text)
        let broken = Migrator(
            applicationID: 0x5445_5354,
            migrations: [
                Self.steps[0], Self.steps[1],
                Migration(version: 3, name: "broken") { database throws(DatabaseError) in
                    try database.execute("DROP TABLE note")
                    throw .full
                },
            ])
        #expect(databaseError { try broken.migrate(plain.database) } == .full)
        #expect(fileBytes(plain.path.text) == before)
        #expect(try second.version(of: plain.database) == 1)
    }

    @Test("a table may be made anew under its name, but a key that leads nowhere afterwards undoes it all")
    func foreignKeys() throws {
        let schema = """
            CREATE TABLE p(id INTEGER PRIMARY KEY); CREATE TABLE c(p INTEGER REFERENCES p(id));
            INSERT INTO p VALUES(1); INSERT INTO c VALUES(1);
            """
        func migrator(_ rebuild: String) -> Migrator {
            Migrator(
                applicationID: 9,
                migrations: [
                    Migration(version: 1, name: "made") { database throws(DatabaseError) in try database.execute(schema)
                    },
                    Migration(version: 2, name: "made anew") { database throws(DatabaseError) in
                        try database.execute(rebuild)
                    },
                ])
        }
        let good = "CREATE TABLE n(id INTEGER PRIMARY KEY, x); INSERT INTO n(id) SELECT id FROM p;"
        let swap = "DROP TABLE p; ALTER TABLE n RENAME TO p;"
        let fine = try PlainDatabase()
        defer { fine.keep() }
        try migrator(good + swap).migrate(fine.database)
        let plain = try PlainDatabase()
        let bad = "CREATE TABLE n(id INTEGER PRIMARY KEY, x);"
        #expect(
            databaseError { try migrator(bad + swap).migrate(plain.database) } == .constraint(.foreignKey, rule: "c"))
        #expect(try plain.database.first("SELECT count(*) FROM sqlite_schema") { $0.integer(0) } == 0)
    }
}
