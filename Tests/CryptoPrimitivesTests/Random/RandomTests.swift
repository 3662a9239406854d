import Testing

@testable import CryptoPrimitives

@Suite("Random")
struct RandomTests {
    @Test("as many bytes as were asked for, also none")
    func counts() {
        #expect(Random.bytes(0) == [])
        #expect(Random.bytes(33).count == 33)
    }

    @Test("two draws differ, and every byte value comes up")
    func spread() {
        #expect(Random.bytes(32) != Random.bytes(32))
        // The chance that one of 256 values is missing among 16,384 bytes is below 2^-84.
        #expect(Set(Random.bytes(16_384)).count == 256)
    }

    @Test("a buffer is filled to its ends and not beyond")
    func fillsInside() {
        var buffer = [UInt8](repeating: 0, count: 66)
        for _ in 0..<64 {
            unsafe buffer.withUnsafeMutableBytes { whole in
                unsafe Random.fill(UnsafeMutableRawBufferPointer(rebasing: whole[1..<65]))
            }
            if buffer[1] != 0 && buffer[64] != 0 { break }
        }
        #expect(buffer[0] == 0 && buffer[65] == 0)
        #expect(buffer[1] != 0 && buffer[64] != 0)
    }
}
