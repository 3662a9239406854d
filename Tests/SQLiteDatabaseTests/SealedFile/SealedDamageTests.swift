import CryptoPrimitives
import Glibc
import SystemIO
import TestSupport
import Testing

@testable import SQLiteDatabase

@Suite("damage to a sealed database")
struct SealedDamageTests {
    private let fixture = SealedFixture()

    private func openError(_ bytes: [UInt8], mode: SealedDatabase.AccessMode = .readOnly) -> SealedError? {
        fixture.replace(bytes)
        return sealedError { _ = try fixture.open(mode: mode) }
    }

    @Test("one changed bit in a copy of the header is found, does no harm, and is mended by opening for writing")
    func headerBits() throws {
        _ = try fixture.create(notes: 2)
        let bytes = fixture.bytes
        for place in stride(from: 0, to: 8192, by: LongTests.areWanted ? 1 : 41) {
            fixture.overwrite([bytes[place] ^ (1 << UInt8(place % 8))], at: place)
            do {
                let sealed = try fixture.open(mode: .readOnly)
                #expect(try sealed.verify(depth: .header) == [.headerCopyDamaged(place / 4096 + 1)], "byte \(place)")
                #expect(try SealedDatabase.inspect(fixture.path).copies[place / 4096] == .damaged)
            }
            let mended = try fixture.open()
            #expect(try mended.verify(depth: .header) == [])
            #expect(Array(fixture.bytes[..<8192]) == Array(bytes[..<8192]))
        }
    }

    @Test("a changed bit in both copies is damage, and so the secret is not asked for")
    func bothCopies() throws {
        _ = try fixture.create()
        let bytes = fixture.bytes
        for place in stride(from: 0, to: 4096, by: LongTests.areWanted ? 1 : 43) {
            var changed = bytes
            changed[place] ^= 1 << UInt8(place % 8)
            changed[4096 + place] ^= 1 << UInt8(place % 8)
            #expect(openError(changed) == (place < 4 ? .notSealed : .headerDamaged), "byte \(place)")
        }
    }

    @Test("one changed bit in a page is found, by whoever reads it and by verify")
    func pageBits() throws {
        do { _ = try fixture.create(notes: 20) }
        let bytes = fixture.bytes
        #expect(bytes.count == 8192 + 4 * 4096)
        for place in stride(from: 8192, to: bytes.count, by: LongTests.areWanted ? 1 : 53) {
            var changed = bytes
            changed[place] ^= 1 << UInt8(place % 8)
            let page = UInt32((place - 8192) / 4096 + 1)
            if page == 1 {
                #expect(openError(changed) == .database(.damaged("page 1")), "byte \(place)")
                continue
            }
            fixture.replace(changed)
            let sealed = try fixture.open(mode: .readOnly)
            #expect(throws: DatabaseError.damaged("page \(page)"), "byte \(place)") {
                try sealed.database.rows("SELECT * FROM note") { row throws(DatabaseError) in row.text(1) }
            }
            #expect(try sealed.verify(depth: .full) == [.page(page)])
        }
    }

    @Test("two pages that change places, a page of zeros, and a page of another database are damage")
    func foreignPages() throws {
        do { _ = try fixture.create(notes: 20) }
        let bytes = fixture.bytes
        let other = SealedFixture()
        do { _ = try other.create(notes: 20) }
        let second = 12288..<16384, third = 16384..<20480
        var swapped = bytes
        swapped.replaceSubrange(second, with: bytes[third])
        swapped.replaceSubrange(third, with: bytes[second])
        fixture.replace(swapped)
        #expect(try fixture.open().verify(depth: .full) == [.page(2), .page(3)])
        for foreign in [Array(other.bytes[third]), [UInt8](repeating: 0, count: 4096)] {
            var changed = bytes
            changed.replaceSubrange(third, with: foreign)
            fixture.replace(changed)
            #expect(try fixture.open().verify(depth: .full) == [.page(3)])
        }
        var whole = bytes
        whole.replaceSubrange(8192..., with: other.bytes[8192...])
        #expect(openError(whole) == .database(.damaged("page 1")))
    }

    @Test("what is damaged stays told while the connection lives")
    func remembered() throws {
        do { _ = try fixture.create(notes: 20) }
        fixture.overwrite([0], at: 17000)
        fixture.overwrite([1], at: 17001)
        let sealed = try fixture.open()
        for _ in 0..<3 {
            #expect(throws: DatabaseError.damaged("page 3")) {
                try sealed.database.run("UPDATE note SET body = body || 'x'")
            }
        }
        #expect(throws: DatabaseError.damaged("page 3")) {
            try sealed.database.transaction(.read) { () throws(DatabaseError) in
                _ = try? sealed.database.rows("SELECT * FROM note") { row throws(DatabaseError) in row.text(1) }
                _ = try sealed.database.rows("SELECT * FROM note") { row throws(DatabaseError) in row.text(1) }
            }
        }
    }

    @Test("cut off at any length it is truncated")
    func truncation() throws {
        do { _ = try fixture.create(notes: 20) }
        let bytes = fixture.bytes
        for length in Array(stride(from: 0, to: 12288, by: LongTests.areWanted ? 5 : 211)) + [
            3, 4, 8191, 8192, 12287,
        ] {
            // SQLite takes a file of one byte for an empty one.
            if length == 1 { continue }
            #expect(openError(Array(bytes[..<length])) == .truncated(expected: 12288, found: length))
        }
        for length in [12288, 12289, 16384, 20479, 20480, bytes.count - 4096, bytes.count - 1] {
            for mode in [SealedDatabase.AccessMode.readOnly, .readWrite] {
                #expect(
                    openError(Array(bytes[..<length]), mode: mode)
                        == .database(.truncated(expectedPages: 4, foundPages: (length - 8192) / 4096)), "\(length)")
                #expect(fixture.bytes.count == length)
            }
        }
    }

    @Test("pages behind the end are a note")
    func surplus() throws {
        do { _ = try fixture.create(notes: 20) }
        fixture.replace(fixture.bytes + [UInt8](repeating: 7, count: 4096))
        let findings = try fixture.open(mode: .readOnly).verify(depth: .full)
        #expect(findings == [.surplusPages(1)])
        #expect(findings.allSatisfy { !$0.isDamage })
    }

    @Test("a hole of a terabyte behind the end is a note too, and is not read")
    func hole() throws {
        do { _ = try fixture.create(notes: 20) }
        let pages = (fixture.bytes.count - 8192) / 4096
        try #require(truncate(fixture.path.text, 1 << 40) == 0)
        let findings = try fixture.open(mode: .readOnly).verify(depth: .full)
        #expect(findings == [.surplusPages(((1 << 40) - 8192) / 4096 - pages)])
    }

    @Test("a damaged page that holds nothing is a note, and is used again")
    func freePages() throws {
        do {
            let sealed = try fixture.create(notes: 200)
            try sealed.database.run("DELETE FROM note WHERE id > 10")
            #expect(try sealed.verify(depth: .full) == [])
        }
        let bytes = fixture.bytes
        var leaf: UInt32?
        do {
            let sealed = try fixture.open(mode: .readOnly)
            try sealed.database.transaction(.read) { () throws(SealedError) in
                try SealedDatabase.readSchema(sealed.database)
                leaf = try SealedPages(sealed.database).freeLeaves().max()
            }
        }
        let page = try #require(leaf)
        fixture.replace(bytes)
        fixture.overwrite([UInt8](repeating: 9, count: 4096), at: 8192 + (Int(page) - 1) * 4096)
        let sealed = try fixture.open()
        #expect(try sealed.verify(depth: .full) == [.freePage(page)])
        try SealedFixture.fill(sealed, 400)
        #expect(try sealed.verify(depth: .full) == [])
    }

    @Test("files that are something else are told apart")
    func otherFiles() throws {
        let folder = fixture.folder
        _ = try Database(opening: FilePath(folder.file("plain.db")), .create).execute("CREATE TABLE t(a)")
        folder.write([UInt8](repeating: 0, count: 20000), to: "zeros")
        folder.write("hello", to: "text")
        _ = folder.makeFolder("folder")
        func error(_ name: String) -> SealedError? {
            let path = FilePath(folder.file(name))
            let inspecting = sealedError { _ = try SealedDatabase.inspect(path) }
            let opening = sealedError {
                _ = try SealedDatabase(
                    opening: path, kind: .keyring, mode: .readWrite, unlocking: SealedFixture.key())
            }
            #expect(inspecting == opening)
            return opening
        }
        #expect(error("plain.db") == .notSealed)
        #expect(error("zeros") == .notSealed)
        #expect(error("text") == .notSealed)
        #expect(error("folder") == .file(FileError(.open, FilePath(folder.file("folder")), .isFolder)))
        guard case .file(let missing)? = error("missing") else {
            Issue.record("a missing file is no file error")
            return
        }
        #expect(missing.kind == .notFound)
    }
}
