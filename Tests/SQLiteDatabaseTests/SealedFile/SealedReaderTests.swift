import CryptoPrimitives
import SystemIO
import TestSupport
import Testing

@testable import SQLiteDatabase

@Suite(
    "a reader of sealed databases by somebody else",
    .enabled(if: SealedReader.isThere, "needs python3 with cryptography, whose Argon2id came with version 44"))
struct SealedReaderTests {
    private let fixture = SealedFixture()

    @Test("it opens key file and passphrase, and reads what SQLite wrote")
    func pages() throws {
        let slots = try [SealedFixture.cheapSlot("cafe\u{301}"), NewSlot(SealedFixture.key(7))]
        do { _ = try fixture.create(slots: slots, kind: .keyring, notes: 120) }
        let result = SealedReader.run(
            """
            path, target = sys.argv[1:]
            for number, secret in [(0, "cafe\\u0301".encode()), (1, bytes([7] * 32))]:
                header, master = open_file(path, number, secret, target)
                print(header.kind, header.generation, header.slot(0)[0], header.slot(1)[0], header.slot(2) == bytes(256))
                first = open(target, "rb").read(100)
                print(first[:15].decode(), first[20], len(hkdf(master, b"sxdb 1 caller: cells")))
                rows = sqlite3.connect(target).execute("SELECT id, body FROM note ORDER BY id").fetchall()
                print(len(rows), rows[119][0], rows[119][1][:22])
                print(sqlite3.connect(target).execute("PRAGMA integrity_check").fetchall())
            """, [fixture.path.text, fixture.folder.file("plain.db")])
        let once = """
            1 1 1 2 True
            SQLite format 3 32 32
            120 120 plaintext marker 119 x
            [('ok',)]

            """
        #expect(result.outputText == once + once, "\(result.errorText)")
    }

    @Test("it derives the same key for use inside")
    func callerKey() throws {
        let sealed = try fixture.create()
        let result = SealedReader.run(
            """
            header, master = open_file(sys.argv[1], 0, bytes([0x42] * 32), sys.argv[2])
            print(hkdf(master, b"sxdb 1 caller: keyring items").hex())
            """, [fixture.path.text, fixture.folder.file("plain.db")])
        let key = try sealed.deriveKey(label: "keyring items")
        let digits = key.withSpan { bytes in
            bytes.indices.map { index in
                let digits = String(bytes[index], radix: 16)
                return digits.utf8.count == 1 ? "0" + digits : digits
            }.joined()
        }
        #expect(result.outputText == digits + "\n", "\(result.errorText)")
    }

    @Test("it rolls a journal back")
    func journal() throws {
        let hot = try HotJournal(notes: 200)
        fixture.replace(hot.database)
        fixture.folder.write(hot.journal, to: "test.sxdb-journal")
        let result = SealedReader.run(
            """
            path, journal, target = sys.argv[1:]
            open_file(path, 0, bytes([0x42] * 32), target, journal)
            database = sqlite3.connect(target)
            print(database.execute("SELECT count(*), sum(body LIKE 'plaintext marker %') FROM note").fetchall())
            print(database.execute("PRAGMA integrity_check").fetchall())
            """, [fixture.path.text, fixture.journal, fixture.folder.file("plain.db")])
        #expect(result.outputText == "[(200, 200)]\n[('ok',)]\n", "\(result.errorText)")
    }
}
