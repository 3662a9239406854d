import Testing

@testable import CryptoPrimitives

@Suite("SecretSlab")
struct SecretSlabTests {
    private func key(_ byte: UInt8) -> [UInt8] { [UInt8](repeating: byte, count: 32) }

    @Test("keys are lent from their slots")
    func lent() throws {
        var slab = try SecretSlab(keyLength: 32, capacity: 3)
        let first = key(1)
        let second = key(2)
        let slotOne = try slab.insert(first.span)
        let secondSecret = try SecretBytes(copying: second.span)
        let slotTwo = try slab.insert(secondSecret)
        #expect(slab.count == 2)
        let one = slab.withKey(slotOne) { span in span.indices.map { span[$0] } }
        #expect(one == first)
        let two = try #require(try slab.key(in: slotTwo)?.exposed)
        #expect(two == second)
    }

    @Test("a removed key is wiped where it lay, its slot is dead, and its neighbours stay")
    func removed() throws {
        var slab = try SecretSlab(keyLength: 32, capacity: 3)
        let keys = [key(1), key(2), key(3)]
        var slots: [SecretSlab.Slot] = []
        for plain in keys { slots.append(try slab.insert(plain.span)) }
        #expect(slab.withBlock { span in span.indices.map { span[$0] } } == keys[0] + keys[1] + keys[2])
        let wasRemoved = slab.remove(slots[1])
        #expect(wasRemoved)
        #expect(slab.withBlock { span in span.indices.map { span[$0] } } == keys[0] + key(0) + keys[2])
        #expect(slab.withKey(slots[1]) { _ in true } == nil)
        let isGone = try slab.key(in: slots[1]) == nil
        #expect(isGone)
        let wasRemovedAgain = slab.remove(slots[1])
        #expect(!wasRemovedAgain)
        #expect(slab.count == 2)
    }

    @Test("a slot stays dead after its place was taken by another key")
    func staleSlot() throws {
        var slab = try SecretSlab(keyLength: 32, capacity: 1)
        let old = key(1)
        let new = key(2)
        let oldSlot = try slab.insert(old.span)
        slab.remove(oldSlot)
        let newSlot = try slab.insert(new.span)
        #expect(slab.withKey(oldSlot) { _ in true } == nil)
        let wasRemoved = slab.remove(oldSlot)
        #expect(!wasRemoved)
        #expect(slab.withKey(newSlot) { $0[0] } == 2)
    }

    @Test("a slot of a larger slab is unknown to a smaller one")
    func foreignSlot() throws {
        var large = try SecretSlab(keyLength: 32, capacity: 2)
        let plain = key(1)
        _ = try large.insert(plain.span)
        let foreign = try large.insert(plain.span)
        var small = try SecretSlab(keyLength: 32, capacity: 1)
        #expect(small.withKey(foreign) { _ in true } == nil)
        let wasRemoved = small.remove(foreign)
        #expect(!wasRemoved)
    }

    @Test("a full slab, a key of another length and a slab without room are refused")
    func refusals() throws {
        var slab = try SecretSlab(keyLength: 32, capacity: 1)
        let plain = key(1)
        let short = [UInt8](repeating: 1, count: 31)
        #expect(throws: SecretSlabError.keyLength(expected: 32, found: 31)) { _ = try slab.insert(short.span) }
        _ = try slab.insert(plain.span)
        #expect(throws: SecretSlabError.full(capacity: 1)) { _ = try slab.insert(plain.span) }
        #expect(throws: SecretMemoryError.invalidLength(0)) { _ = try SecretSlab(keyLength: 0, capacity: 1) }
        #expect(throws: SecretMemoryError.invalidLength(-5)) { _ = try SecretSlab(keyLength: 1, capacity: -5) }
        #expect(throws: SecretMemoryError.exhausted(requested: Int.max)) {
            _ = try SecretSlab(keyLength: Int.max / 2, capacity: 3)
        }
    }

    @Test("far more keys than the system has blocks for fit into one slab")
    func many() throws {
        let capacity = 50_000
        var slab = try SecretSlab(keyLength: 32, capacity: capacity)
        var slots: [SecretSlab.Slot] = []
        for number in 0..<capacity {
            let plain = key(UInt8(truncatingIfNeeded: number))
            slots.append(try slab.insert(plain.span))
        }
        let isRight = slots.indices.allSatisfy { number in
            slab.withKey(slots[number]) { $0[31] } == UInt8(truncatingIfNeeded: number)
        }
        #expect(isRight)
    }
}
