import CryptoPrimitives
import SystemIO
import TestSupport
import Testing

@testable import SQLiteDatabase

@Suite("the header of a sealed database")
struct SealedHeaderTests {
    private let fixture = SealedFixture()

    /// A copy with other bytes and a digest that fits, which anybody can make.
    private func forged(_ copy: [UInt8], _ change: (inout [UInt8]) -> Void) -> [UInt8] {
        var bytes = copy
        change(&bytes)
        bytes.replaceSubrange(4064..., with: SHA256.hash(bytes.span.extracting(first: 4064)))
        return bytes
    }

    private func openError(_ first: [UInt8], _ second: [UInt8]) -> SealedError? {
        fixture.overwrite(first + second, at: 0)
        return sealedError { _ = try fixture.open(mode: .readOnly) }
    }

    @Test("it says without a secret what the file is")
    func inspect() throws {
        _ = try fixture.create(slots: [SealedFixture.cheapSlot("a"), NewSlot(SealedFixture.key())], notes: 20)
        let header = try SealedDatabase.inspect(fixture.path)
        #expect(header.version == 1)
        #expect(header.kind == .keyring)
        #expect(header.generation == 1)
        #expect(
            header.slots == [
                .init(number: 0, form: .passphrase(SealedFixture.cheap)), .init(number: 1, form: .keyFile),
            ])
        #expect(header.copies == [.whole, .whole])
        #expect(header.fileSize == 8192 + 4 * 4096)
        #expect(header.pages == 4)
    }

    @Test("another kind and a newer version are refused before the secret is used")
    func kindAndVersion() throws {
        _ = try fixture.create()
        let copy = Array(fixture.bytes[..<4096])
        #expect(
            sealedError {
                _ = try SealedDatabase(
                    opening: fixture.path, kind: .archive, mode: .readOnly, unlocking: SealedFixture.key(9))
            } == .wrongKind(expected: .archive, found: .keyring))
        let newer = forged(copy) { $0[5] = 2 }
        let error = SealedError.newerVersion(found: 2, known: 1)
        #expect(openError(newer, newer) == error)
        // Also while somebody with the newer version is changing the header.
        #expect(openError(newer, copy) == error)
        #expect(openError(copy, newer) == error)
        let unknownKind = forged(copy) { $0[7] = 3 }
        #expect(openError(unknownKind, unknownKind) == .headerDamaged)
        let otherLayout = forged(copy) { $0[10] = 0x20 }
        #expect(openError(otherLayout, otherLayout) == .headerDamaged)
    }

    @Test("costs outside of the bounds are refused before anything is derived")
    func costs() throws {
        _ = try fixture.create(slots: [SealedFixture.cheapSlot("a"), NewSlot(SealedFixture.key())])
        let copy = Array(fixture.bytes[..<4096])
        func with(_ memory: UInt64, _ passes: UInt64, _ lanes: UInt64, slots: Int = 1) -> SealedError? {
            let bytes = forged(copy) { bytes in
                for slot in 0..<slots {
                    let place = 64 + 256 * slot
                    bytes[place] = 1
                    bytes.setNumber(memory, at: place + 4, bytes: 4)
                    bytes.setNumber(passes, at: place + 8, bytes: 4)
                    bytes.setNumber(lanes, at: place + 12, bytes: 4)
                }
            }
            return openError(bytes, bytes)
        }
        let memory: ClosedRange<UInt32> = 19456...2_097_152
        #expect(with(19455, 1, 1) == .slotCost(slot: 0, .memoryKiB(allowed: memory, found: 19455)))
        #expect(with(2_097_153, 1, 1) == .slotCost(slot: 0, .memoryKiB(allowed: memory, found: 2_097_153)))
        #expect(with(0xffff_ffff, 1, 1) == .slotCost(slot: 0, .memoryKiB(allowed: memory, found: 0xffff_ffff)))
        #expect(with(19456, 0, 1) == .slotCost(slot: 0, .passes(allowed: 1...16, found: 0)))
        #expect(with(19456, 17, 1) == .slotCost(slot: 0, .passes(allowed: 1...16, found: 17)))
        #expect(with(19456, 1, 0) == .slotCost(slot: 0, .lanes(allowed: 1...16, found: 0)))
        #expect(with(19456, 1, 17) == .slotCost(slot: 0, .lanes(allowed: 1...16, found: 17)))
        #expect(
            with(2_097_152, 9, 1) == .slotCost(slot: 0, .work(maximumKiB: 16_777_216, found: 18_874_368)))
        #expect(
            with(2_097_152, 3, 1, slots: 3) == .totalCost(maximumKiB: 16_777_216, foundKiB: 3 * 3 * 2_097_152))
        // One copy with such costs is only a copy that is of no use.
        let high = forged(copy) { $0.setNumber(0xffff_ffff, at: 68, bytes: 4) }
        #expect(openError(high, copy) == nil)
        #expect(openError(copy, high) == nil)
    }

    @Test("a copy that anybody could make is tampering: the other one counts, and without one nothing opens")
    func tampering() throws {
        _ = try fixture.create(slots: [NewSlot(SealedFixture.key()), NewSlot(SealedFixture.key(1))], notes: 2)
        let copy = Array(fixture.bytes[..<4096])
        let moreGenerations = forged(copy) { $0[23] = 9 }
        #expect(openError(moreGenerations, moreGenerations) == .headerTampered)
        for forgery in [
            moreGenerations, forged(copy) { $0[64] = 0 },
            forged(copy) {
                $0[64 + 256 + 70] ^= 1; $0[23] = 9
            },
        ] {
            for pair in [[forgery, copy], [copy, forgery]] {
                #expect(openError(pair[0], pair[1]) == nil)
                let number = pair[0] == forgery ? 1 : 2
                #expect(try fixture.open(mode: .readOnly).verify(depth: .header) == [.headerCopyTampered(number)])
                #expect(try fixture.open().verify(depth: .header) == [])
                #expect(Array(fixture.bytes[..<8192]) == copy + copy)
            }
        }
        // Slots that do not open are a wrong secret, whoever wrote them.
        let broken = forged(copy) { bytes in
            bytes[64 + 70] ^= 1
            bytes[64 + 256 + 70] ^= 1
        }
        #expect(openError(broken, broken) == .wrongSecret)
    }

    @Test("what decides about a slot is bound to it: number, kind of file, costs, salt")
    func slotData() throws {
        _ = try fixture.create(slots: [NewSlot(SealedFixture.key()), SealedFixture.cheapSlot("a")])
        let copy = Array(fixture.bytes[..<4096])
        let elsewhere = forged(copy) { bytes in
            bytes.replaceSubrange(64 + 512..<64 + 768, with: copy[64..<320])
            bytes.replaceSubrange(64..<320, with: [UInt8](repeating: 0, count: 256))
        }
        #expect(openError(elsewhere, elsewhere) == .wrongSecret)
        for place in [64 + 1, 64 + 16, 64 + 47, 64 + 48, 64 + 60, 64 + 107] {
            let changed = forged(copy) { $0[place] ^= 1 }
            #expect(openError(changed, changed) == .wrongSecret, "byte \(place)")
        }
    }

    @Test("a change that stopped between the copies opens with the new secret only, and is finished by who writes next")
    func halfDone() throws {
        do { _ = try fixture.create(notes: 2) }
        let old = Array(fixture.bytes[..<4096])
        do { try fixture.open().changeSecret(slot: 0, to: NewSlot(SealedFixture.key(9))) }
        let new = Array(fixture.bytes[..<4096])
        for (first, second) in [(new, old), (old, new)] {
            fixture.overwrite(first + second, at: 0)
            #expect(sealedError { _ = try fixture.open() } == .wrongSecret)
            let reader = try fixture.open(SealedFixture.key(9), mode: .readOnly)
            #expect(try reader.verify(depth: .header) == [.headerCopyOlder(first == old ? 1 : 2)])
            #expect(try SealedDatabase.inspect(fixture.path).generation == 2)
            #expect(Array(fixture.bytes[..<8192]) == first + second)
            _ = try fixture.open(SealedFixture.key(9))
            #expect(Array(fixture.bytes[..<8192]) == new + new)
        }
        // The first copy was torn: nothing has changed yet.
        var torn = new
        torn.replaceSubrange(2048..., with: old[2048...])
        fixture.overwrite(torn + old, at: 0)
        #expect(sealedError { _ = try fixture.open(SealedFixture.key(9)) } == .wrongSecret)
        _ = try fixture.open()
        #expect(Array(fixture.bytes[..<8192]) == old + old)
    }

    @Test("a slot of a later version is kept, and is no slot that opens the file")
    func laterSlot() throws {
        do { _ = try fixture.create() }
        // Such a header can only be made by who has the master key.
        let sealed = try fixture.open()
        try sealed.changeHeader { header throws(SealedError) in
            var slots = header.slots
            var bytes = [UInt8](repeating: 5, count: 256)
            bytes[0] = 200
            slots[4] = KeySlot(form: .unknown(200), bytes: bytes)
            return slots
        }
        #expect(try sealed.header().slots.last == .init(number: 4, form: .unknown(200)))
        #expect(sealedError { try sealed.removeSlot(0) } == .lastSlot)
        #expect(try sealed.addSlot(NewSlot(SealedFixture.key(1))) == 1)
        #expect(Array(fixture.bytes[(64 + 1025)..<(64 + 1280)]) == [UInt8](repeating: 5, count: 255))
        let error = sealedError {
            try sealed.rekey(secrets: [0: SealedFixture.key(), 1: SealedFixture.key(1)]) { _ throws(SealedError) in }
        }
        #expect(error == .slotsWithoutSecret([4]))
        try sealed.removeSlot(4)
    }
}
