import CryptoPrimitives
import SystemIO
import TestSupport
import Testing

@testable import SQLiteDatabase

@Suite("slots of a sealed database")
struct SealedSlotTests {
    @Test("each secret opens its slot, and no other secret any")
    func secrets() throws {
        let fixture = SealedFixture()
        _ = try fixture.create(slots: [SealedFixture.cheapSlot("first"), NewSlot(SealedFixture.key(1))])
        #expect(try fixture.open(SealedFixture.passphrase("first")).openedSlot == 0)
        #expect(try fixture.open(SealedFixture.key(1)).openedSlot == 1)
        for wrong in ["First", "first ", " first", "", "second"] {
            #expect(sealedError { _ = try fixture.open(SealedFixture.passphrase(wrong)) } == .wrongSecret)
        }
        #expect(sealedError { _ = try fixture.open(SealedFixture.key(2)) } == .wrongSecret)
        // The bytes of the passphrase as a key file, and the other way round, are other secrets.
        #expect(
            sealedError { _ = try fixture.open(SealedFixture.passphrase(String(repeating: "\u{1}", count: 32))) }
                == .wrongSecret)
    }

    @Test("a passphrase is the same composed and decomposed")
    func normalForm() throws {
        let fixture = SealedFixture()
        _ = try fixture.create(slots: [SealedFixture.cheapSlot("caf\u{e9} \u{ac00}")])
        #expect(try fixture.open(SealedFixture.passphrase("cafe\u{301} \u{1100}\u{1161}")).openedSlot == 0)
        #expect(sealedError { _ = try fixture.open(SealedFixture.passphrase("cafe \u{ac00}")) } == .wrongSecret)
    }

    @Test("after a change the old secret opens neither copy, and the new one both")
    func changeSecret() throws {
        let fixture = SealedFixture()
        let sealed = try fixture.create(notes: 3)
        try sealed.changeSecret(slot: 0, to: NewSlot(SealedFixture.key(9)))
        #expect(try SealedFixture.count(sealed) == 3)
        #expect(try sealed.header().generation == 2)
        let header = Array(fixture.bytes[..<8192])
        #expect(header[..<4096] == header[4096...])
        for keep in 0...1 {
            var bytes = fixture.bytes
            bytes.replaceSubrange((1 - keep) * 4096..<(2 - keep) * 4096, with: [UInt8](repeating: 0, count: 4096))
            fixture.replace(bytes)
            #expect(sealedError { _ = try fixture.open(SealedFixture.key(), mode: .readOnly) } == .wrongSecret)
            #expect(try SealedFixture.count(fixture.open(SealedFixture.key(9), mode: .readOnly)) == 3)
            _ = try fixture.open(SealedFixture.key(9))
            #expect(Array(fixture.bytes[..<8192]) == header)
        }
    }

    @Test("eight slots fit, a ninth does not, and the last one stays")
    func bounds() throws {
        let fixture = SealedFixture()
        let sealed = try fixture.create()
        for number in 1..<8 { #expect(try sealed.addSlot(NewSlot(SealedFixture.key(UInt8(number)))) == number) }
        #expect(sealedError { _ = try sealed.addSlot(NewSlot(SealedFixture.key(8))) } == .noFreeSlot)
        #expect(try sealed.header().slots.map(\.number) == Array(0..<8))
        for number in (1..<8).reversed() { try sealed.removeSlot(number) }
        #expect(sealedError { try sealed.removeSlot(0) } == .lastSlot)
        #expect(sealedError { try sealed.removeSlot(1) } == .noSuchSlot(1))
        #expect(sealedError { try sealed.removeSlot(8) } == .noSuchSlot(8))
        #expect(sealedError { try sealed.removeSlot(-1) } == .noSuchSlot(-1))
        #expect(sealedError { try sealed.changeSecret(slot: 3, to: NewSlot(SealedFixture.key(3))) } == .noSuchSlot(3))
        #expect(sealedError { _ = try fixture.open(SealedFixture.key(5)) } == .wrongSecret)
        #expect(try fixture.open().openedSlot == 0)
    }

    @Test("a removed slot's secret opens nothing, and its number is used again")
    func removal() throws {
        let fixture = SealedFixture()
        let sealed = try fixture.create(slots: [NewSlot(SealedFixture.key(1)), NewSlot(SealedFixture.key(2))])
        try sealed.removeSlot(0)
        #expect(sealedError { _ = try fixture.open(SealedFixture.key(1)) } == .wrongSecret)
        #expect(try sealed.addSlot(NewSlot(SealedFixture.key(3))) == 0)
        #expect(try fixture.open(SealedFixture.key(2)).openedSlot == 1)
    }

    @Test("the costs of all slots together are bounded, when made and when read")
    func totalCost() throws {
        let cost = try Argon2id.Parameters(memoryKiB: 1 << 20, passes: 16, lanes: 1)
        let slot = NewSlot(try SealedFixture.passphrase("x"), cost: cost)
        let fixture = SealedFixture()
        #expect(
            sealedError { _ = try fixture.create(slots: [slot, SealedFixture.cheapSlot("y")]) }
                == .totalCost(maximumKiB: 16 << 20, foundKiB: (16 << 20) + (19 << 10)))
        #expect(fixture.folder.names == [])
        let sealed = try fixture.create(slots: [SealedFixture.cheapSlot("y")])
        #expect(
            sealedError { _ = try sealed.addSlot(slot) }
                == .totalCost(maximumKiB: 16 << 20, foundKiB: (16 << 20) + (19 << 10)))
    }

    @Test("a file opened for reading, or locked by somebody, keeps its slots")
    func refused() throws {
        let fixture = SealedFixture()
        _ = try fixture.create()
        let before = fixture.bytes
        let reader = try fixture.open(mode: .readOnly)
        #expect(sealedError { _ = try reader.addSlot(NewSlot(SealedFixture.key(2))) } == .database(.readOnly))
        let writer = try fixture.open()
        try reader.database.transaction(.read) { () throws(DatabaseError) in
            _ = try reader.database.first("SELECT count(*) FROM note") { row throws(DatabaseError) in row.integer(0) }
            #expect(sealedError { _ = try writer.addSlot(NewSlot(SealedFixture.key(2))) } == .database(.locked))
        }
        #expect(fixture.bytes == before)
        _ = try writer.addSlot(NewSlot(SealedFixture.key(2)))
        // The lock is given back, and no lock of the process was lost on the way.
        #expect(try SealedFixture.count(reader) == 0)
    }

    @Test("keys for use inside differ by label, and stay when a secret changes")
    func derivedKeys() throws {
        let fixture = SealedFixture()
        let sealed = try fixture.create()
        let key = try sealed.deriveKey(label: "one")
        #expect(key.count == 32)
        let differs = !same(key, try sealed.deriveKey(label: "two"))
        #expect(differs)
        try sealed.changeSecret(slot: 0, to: NewSlot(SealedFixture.key(9)))
        let isSame = same(key, try fixture.open(SealedFixture.key(9)).deriveKey(label: "one"))
        #expect(isSame)
    }
}
