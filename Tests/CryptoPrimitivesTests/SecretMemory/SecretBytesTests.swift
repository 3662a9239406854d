import Glibc
import Testing

@testable import CryptoPrimitives

@Suite("SecretBytes")
struct SecretBytesTests {
    @Test("a new secret is zero, whatever lay in the memory before")
    func newSecretIsZero() throws {
        let fresh = try SecretBytes(count: 4096)
        #expect(fresh.exposed == [UInt8](repeating: 0, count: 4096))
        let wasZero = Mutable(false)
        let filled = try unsafe SecretBytes(count: 3) { memory in
            wasZero.value = unsafe memory.allSatisfy { $0 == 0 }
            unsafe memory.copyBytes(from: [1, 2, 3])
        }
        #expect(wasZero.value)
        #expect(filled.exposed == [1, 2, 3])
    }

    @Test("bytes can be written through a lent span and read back")
    func mutableSpan() throws {
        var secret = try SecretBytes(count: 3)
        secret.withMutableSpan { span in
            span[0] = 7
            span[2] = 9
        }
        #expect(secret.exposed == [7, 0, 9])
    }

    @Test("the bytes are wiped before the memory is given back", arguments: [1, 32, 5000])
    func wipedBeforeRelease(count: Int) throws {
        let seen = Mutable<[UInt8]?>(nil)
        do {
            var secret = try unsafe SecretBytes(
                count: count, observer: { released in seen.value = unsafe Array(released) })
            secret.withMutableSpan { span in for index in 0..<count { span[index] = 0xA5 } }
            let isNotYetReleased = seen.value == nil
            #expect(isNotYetReleased)
            #expect(secret.exposed == [UInt8](repeating: 0xA5, count: count))
        }
        let isAllZero = seen.value == [UInt8](repeating: 0, count: count)
        #expect(isAllZero)
    }

    @Test("the bytes are wiped when an error is thrown past them")
    func wipedOnError() throws {
        struct Refusal: Error {}
        let seen = Mutable<[UInt8]?>(nil)
        #expect(throws: Refusal.self) {
            var secret = try unsafe SecretBytes(count: 8, observer: { released in seen.value = unsafe Array(released) })
            try secret.withMutableSpan { span in
                span[0] = 1
                throw Refusal()
            }
        }
        #expect(seen.value == [UInt8](repeating: 0, count: 8))
    }

    @Test("equal is equal, and one different bit, byte or length is not")
    func equality() throws {
        let plain = (0..<64).map { UInt8($0) }
        let one = try SecretBytes(copying: plain.span)
        let same = try one.copy()
        let equalSecret = one.isEqual(to: same)
        let equalSpan = one.isEqual(to: plain.span)
        #expect(equalSecret && equalSpan)
        try forEachBitFlip(of: plain) { flipped, bit in
            let other = try SecretBytes(copying: flipped.span)
            let secretDiffers = !one.isEqual(to: other)
            let spanDiffers = !one.isEqual(to: flipped.span)
            #expect(secretDiffers && spanDiffers, "bit \(bit)")
        }
        let shorter = try one.prefix(63)
        let longer = plain + [64]
        let differFromOtherLengths = !one.isEqual(to: shorter) && !one.isEqual(to: longer.span)
        #expect(differFromOtherLengths)
    }

    @Test("an empty secret can be made, lent, compared, copied and joined")
    func empty() throws {
        let nothing: [UInt8] = []
        let empty = try SecretBytes(count: 0)
        let alsoEmpty = try SecretBytes(copying: nothing.span)
        let equal = empty.isEqual(to: alsoEmpty) && empty.isEqual(to: nothing.span)
        #expect(equal)
        #expect(empty.exposed == [])
        let joined = try empty.appending(try secret("0102"))
        #expect(joined.exposed == [1, 2])
        #expect(try empty.copy().exposed == [])
    }

    @Test("parts are copied, and parts outside are refused")
    func parts() throws {
        let five = try secret("0001020304")
        #expect(try five.prefix(2).exposed == [0, 1])
        #expect(try five.prefix(0).exposed == [])
        #expect(try five.slice(1..<4).exposed == [1, 2, 3])
        #expect(try five.slice(5..<5).exposed == [])
        #expect(try five.appending(five.slice(3..<5)).exposed == [0, 1, 2, 3, 4, 3, 4])
        #expect(throws: SecretMemoryError.outOfBounds(requested: 0..<6, count: 5)) { _ = try five.prefix(6) }
        #expect(throws: SecretMemoryError.outOfBounds(requested: -1..<2, count: 5)) { _ = try five.slice(-1..<2) }
        #expect(throws: SecretMemoryError.invalidLength(-1)) { _ = try five.prefix(-1) }
        #expect(throws: SecretMemoryError.invalidLength(-1)) { _ = try SecretBytes(count: -1) }
    }

    @Test("random secrets differ from each other and from zero")
    func random() throws {
        let one = try SecretBytes(randomCount: 32)
        let other = try SecretBytes(randomCount: 32)
        #expect(one.exposed != other.exposed)
        #expect(one.exposed != [UInt8](repeating: 0, count: 32))
    }

    @Test("more memory than there is is refused with its size, not a trap", arguments: [1 << 60, Int.max])
    func tooMuch(count: Int) {
        #expect(throws: SecretMemoryError.exhausted(requested: count)) { _ = try SecretBytes(count: count) }
    }

    @Test("a secret of hundreds of MiB can be used to its last byte")
    func large() throws {
        let count = 300 << 20
        var secret = try SecretBytes(count: count)
        secret.withMutableSpan { span in span[count - 1] = 42 }
        let last = secret.withSpan { span in span[count - 1] }
        #expect(last == 42)
    }

    @Test("one secret too many is refused, the others stay whole, and room that was given back is used again")
    func tooManyBlocks() async {
        // In a process of its own, as the limit is one of the whole process.
        await #expect(processExitsWith: .success) {
            let pattern = [UInt8](repeating: 7, count: 32)
            var holders: [Holder] = []
            for _ in 0..<LiveBlocks.maximum { holders.append(try Holder(pattern)) }
            do {
                _ = try SecretBytes(count: 1)
                exit(10)
            } catch SecretMemoryError.exhausted(requested: 1) {
            }
            guard holders.allSatisfy({ $0.secret.exposed == pattern }) else { exit(11) }
            holders = []
            for _ in 0..<(2 * LiveBlocks.maximum) { _ = try SecretBytes(count: 1) }
        }
    }
}

/// One secret in an array, which cannot hold it directly.
private final class Holder {
    let secret: SecretBytes
    init(_ plain: [UInt8]) throws { secret = try SecretBytes(copying: plain.span) }
}

/// A place that a closure can write to.
private final class Mutable<Value>: @unchecked Sendable {
    var value: Value
    init(_ value: Value) { self.value = value }
}
