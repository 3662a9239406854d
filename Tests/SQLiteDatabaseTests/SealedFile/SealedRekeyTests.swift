import CryptoPrimitives
import SystemIO
import TestSupport
import Testing

@testable import SQLiteDatabase

@Suite("rekey and backup of a sealed database")
struct SealedRekeyTests {
    private let fixture = SealedFixture()

    private func nothing(_ resealing: borrowing Resealing) throws(SealedError) {}

    @Test("after a rekey the same secrets open the same content under other keys")
    func rekey() throws {
        let sealed = try fixture.create(
            slots: [NewSlot(SealedFixture.key(1)), SealedFixture.cheapSlot("p"), NewSlot(SealedFixture.key(3))],
            notes: 800)
        let old = try sealed.deriveKey(label: "x")
        let content = try SealedContent(of: sealed.database)
        let before = fixture.bytes
        try sealed.rekey(
            secrets: [0: SealedFixture.key(1), 1: SealedFixture.passphrase("p")], dropping: [2], resealing: nothing)
        #expect(try SealedContent(of: sealed.database) == content)
        let new = try sealed.deriveKey(label: "x")
        let isSame = same(old, new)
        #expect(!isSame)
        #expect(fixture.folder.names == ["test.sxdb"])
        #expect(try fileStatus(at: fixture.path).permissions == 0o600)
        let after = fixture.bytes
        #expect(
            !zip(stride(from: 8192, to: after.count, by: 4096), stride(from: 8192, to: before.count, by: 4096))
                .contains { after[$0..<($0 + 4096)] == before[$1..<($1 + 4096)] })
        // It can be written on, and the lock is gone.
        try SealedFixture.fill(sealed, 5)
        #expect(try SealedFixture.count(fixture.open(SealedFixture.key(1))) == 805)
        #expect(try fixture.open(SealedFixture.passphrase("p")).openedSlot == 1)
        #expect(sealedError { _ = try fixture.open(SealedFixture.key(3)) } == .wrongSecret)
    }

    @Test("compacted, the file is smaller and the rest is as before: content, keys and every secret")
    func compact() throws {
        let sealed = try fixture.create(
            slots: [NewSlot(SealedFixture.key(1)), SealedFixture.cheapSlot("p")], notes: 800)
        try sealed.database.execute("DELETE FROM note WHERE id % 2 = 0 OR id < 400")
        let content = try SealedContent(of: sealed.database)
        let key = try sealed.deriveKey(label: "x")
        let before = fixture.bytes
        try sealed.compact()
        #expect(fixture.bytes.count < before.count / 2)
        #expect(try SealedContent(of: sealed.database) == content)
        let now = try sealed.deriveKey(label: "x")
        let isSame = same(key, now)
        #expect(isSame)
        #expect(fixture.folder.names == ["test.sxdb"])
        #expect(try sealed.verify(depth: .full) == [])
        // It can be written on, and the lock is gone.
        let count = try SealedFixture.count(sealed)
        try SealedFixture.fill(sealed, 5)
        #expect(try SealedFixture.count(fixture.open(SealedFixture.key(1))) == count + 5)
        #expect(try fixture.open(SealedFixture.passphrase("p")).openedSlot == 1)
    }

    @Test("a compaction that stops at any step leaves the old file as it was", arguments: CopyStep.allCases)
    func stoppedCompaction(_ step: CopyStep) throws {
        let sealed = try fixture.create(notes: 300)
        let before = fixture.bytes
        sealed.stopping = { found throws(SealedError) in if found == step { throw .noSlots } }
        #expect(sealedError { try sealed.compact() } == .noSlots)
        sealed.stopping = nil
        #expect(fixture.folder.names == ["test.sxdb"])
        #expect((fixture.bytes == before) == (step != .published))
        #expect(try SealedFixture.count(fixture.open()) == 300)
    }

    @Test("slots that cannot be wrapped again are named, and nothing changes")
    func missingSecrets() throws {
        let sealed = try fixture.create(
            slots: [NewSlot(SealedFixture.key(1)), NewSlot(SealedFixture.key(2)), NewSlot(SealedFixture.key(3))],
            notes: 10)
        let before = fixture.bytes
        func rekey(_ secrets: [Int: UnlockSecret], _ dropping: Set<Int> = []) -> SealedError? {
            sealedError { try sealed.rekey(secrets: secrets, dropping: dropping, resealing: nothing) }
        }
        #expect(rekey([0: try SealedFixture.key(1)]) == .slotsWithoutSecret([1, 2]))
        #expect(rekey([0: try SealedFixture.key(1)], [2]) == .slotsWithoutSecret([1]))
        #expect(rekey([0: try SealedFixture.key(2)], [1, 2]) == .wrongSecretForSlot(0))
        #expect(rekey([0: try SealedFixture.passphrase("x")], [1, 2]) == .wrongSecretForSlot(0))
        #expect(rekey([:], [0, 1, 2]) == .lastSlot)
        #expect(rekey([7: try SealedFixture.key(1)], [0, 1]) == .noSuchSlot(7))
        #expect(fixture.bytes == before)
        #expect(fixture.folder.names == ["test.sxdb"])
        #expect(try SealedFixture.count(fixture.open(SealedFixture.key(1))) == 10)
    }

    @Test("stopped at any step the old file is as it was and nothing is left", arguments: CopyStep.allCases)
    func stopped(_ step: CopyStep) throws {
        let sealed = try fixture.create(notes: 300)
        let before = fixture.bytes
        sealed.stopping = { found throws(SealedError) in if found == step { throw .noSlots } }
        #expect(sealedError { try sealed.rekey(secrets: [0: SealedFixture.key()], resealing: nothing) } == .noSlots)
        sealed.stopping = nil
        #expect(fixture.folder.names == ["test.sxdb"])
        #expect((fixture.bytes == before) == (step != .published))
        #expect(try SealedFixture.count(fixture.open()) == 300)
        if step != .published {
            try SealedFixture.fill(sealed, 1)
            #expect(try SealedFixture.count(fixture.open()) == 301)
            sealed.stopping = { found throws(SealedError) in if found == step { throw .noSlots } }
            guard step != .published else { return }
            let target = FilePath(fixture.folder.file("copy.sxdb"))
            let error = sealedError {
                try sealed.backup(to: target, slots: [NewSlot(SealedFixture.key(5))], resealing: nothing)
            }
            #expect(error == .noSlots)
            #expect(fixture.folder.names == ["test.sxdb"])
        }
    }

    @Test("another connection finds out that the file was replaced and writes nothing")
    func otherConnections() throws {
        let other: SealedDatabase
        let sealed = try fixture.create(notes: 5)
        other = try fixture.open()
        #expect(try SealedFixture.count(other) == 5)
        try sealed.rekey(secrets: [0: SealedFixture.key()], resealing: nothing)
        #expect(throws: DatabaseError.replaced) { try SealedFixture.count(other) }
        #expect(throws: DatabaseError.replaced) { try other.database.run("INSERT INTO note(body) VALUES ('lost')") }
        #expect(sealedError { _ = try other.addSlot(NewSlot(SealedFixture.key(2))) } == .replaced)
        #expect(try SealedFixture.count(fixture.open()) == 5)
    }

    @Test("a reader keeps a rekey from beginning")
    func locked() throws {
        let sealed = try fixture.create(notes: 5)
        _ = sealed
        let writer = try fixture.open()
        let reader = try fixture.open(mode: .readOnly)
        try reader.database.transaction(.read) { () throws(DatabaseError) in
            _ = try reader.database.first("SELECT count(*) FROM note") { row throws(DatabaseError) in row.integer(0) }
            #expect(
                sealedError { try writer.rekey(secrets: [0: SealedFixture.key()], resealing: nothing) }
                    == .database(.locked))
        }
        try writer.rekey(secrets: [0: SealedFixture.key()], resealing: nothing)
    }

    @Test("while it runs nobody else gets in, and afterwards everybody does")
    func heldLock() throws {
        let sealed = try fixture.create(notes: 5)
        let reader = try fixture.open(mode: .readOnly)
        var seen: [DatabaseError?] = []
        sealed.stopping = { _ throws(SealedError) in
            do throws(DatabaseError) {
                _ = try reader.database.first("SELECT count(*) FROM note") { row throws(DatabaseError) in row.integer(0)
                }
                seen.append(nil)
            } catch {
                seen.append(error)
            }
        }
        try sealed.rekey(secrets: [0: SealedFixture.key()], resealing: nothing)
        #expect(seen == [.locked, .locked, .locked, .locked, .locked, .locked])
        sealed.stopping = nil
        #expect(try SealedFixture.count(fixture.open(mode: .readOnly)) == 5)
    }

    @Test("what a killed rekey left is taken away by the next one who writes, and nothing else is")
    func leftovers() throws {
        _ = try fixture.create()
        let names = [
            "test.sxdb.rekey-0123456789abcdef", "test.sxdb.rekey-0123456789abcdef-journal",
            "test.sxdb.new-0123456789abcdef",
        ]
        let others = ["test.sxdb.rekey-notes", "test.sxdb.bak", "other.sxdb.rekey-0123456789abcdef"]
        for name in names + others { fixture.folder.write("x", to: name) }
        _ = try fixture.open(mode: .readOnly)
        #expect(fixture.folder.names.count == 7)
        _ = try fixture.open()
        #expect(fixture.folder.names == (others + ["test.sxdb"]).sorted())
    }

    @Test("cells sealed under a derived key are sealed again under the new one")
    func resealing() throws {
        let sealed = try fixture.create(notes: 1)
        try sealed.rekey(secrets: [0: SealedFixture.key()]) { (resealing) throws(SealedError) in
            let old = try resealing.oldKey(label: "cells")
            let new = try resealing.newKey(label: "cells")
            let isSame = same(old, try sealed.deriveKey(label: "cells"))
            #expect(isSame)
            let hasChanged = !same(old, new)
            #expect(hasChanged)
            try carried { () throws(DatabaseError) in try resealing.new.run("UPDATE note SET body = 'resealed'") }
        }
        let body = try fixture.open().database.first("SELECT body FROM note") { row throws(DatabaseError) in
            row.string(0)
        }
        #expect(body == "resealed")
    }

    @Test("a backup has its own secrets and keys, and never replaces a file")
    func backup() throws {
        let sealed = try fixture.create(notes: 400)
        let target = FilePath(fixture.folder.file("copy with spaces ä%?#.sxdb"))
        let reader = try fixture.open(mode: .readOnly)
        for source in [sealed, reader] {
            try? removeFile(target)
            try source.backup(
                to: target, slots: [NewSlot(SealedFixture.key(7)), SealedFixture.cheapSlot("b")], resealing: nothing)
            let copy = try SealedDatabase(
                opening: target, kind: .keyring, mode: .readWrite, unlocking: SealedFixture.key(7))
            #expect(try SealedContent(of: copy.database) == SealedContent(of: sealed.database))
            let isSame = same(try copy.deriveKey(label: "x"), try sealed.deriveKey(label: "x"))
            #expect(!isSame)
            #expect(try copy.verify(depth: .full) == [])
            try SealedFixture.fill(sealed, 1)
        }
        let error = sealedError {
            try sealed.backup(to: target, slots: [NewSlot(SealedFixture.key(7))], resealing: nothing)
        }
        #expect(error == .file(FileError(.create, target, .exists)))
        #expect(fixture.folder.names.count == 2)
    }
}
