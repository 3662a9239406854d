import CryptoPrimitives
import Testing

@testable import SophaxCore

@Suite("pairs of prekeys")
struct PreKeyPairTests {
    @Test("the public half is the one that another library computes")
    func publicHalf() throws {
        let privateKey = Array(UInt8(0x80)...0x9F)
        let pair = try PreKeyPair(id: 3, privateKey: SecretBytes(copying: privateKey.span))
        #expect(pair.publicPreKey.key == PreKeyBundleTests.signedPreKey)
        #expect(pair.publicPreKey.id == 3)
    }

    @Test("an id is never 0 and never one that is taken")
    func ids() throws {
        var draws: [[UInt8]] = [[0, 0, 0, 0], [5, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF]]
        let pair = try PreKeyPair.make(excluding: [5]) { count in
            #expect(count == 4)
            return draws.removeFirst()
        }
        #expect(pair.id == .max)
        #expect(draws.isEmpty)
    }

    @Test("ids use all 32 bits")
    func range() throws {
        var seen: UInt32 = 0
        for _ in 0..<64 { seen |= try PreKeyPair.make(excluding: []).id }
        #expect(seen == .max)
    }

    @Test("a private key of another length is refused", arguments: [0, 31, 33])
    func length(count: Int) throws {
        #expect(throws: PreKeyError.wrongLength(.signedPreKey, expected: 32, found: count)) {
            _ = try PreKeyPair(id: 1, privateKey: SecretBytes(count: count))
        }
    }

    @Test("numbers are little-endian, and only of their length")
    func numbers() {
        // fixtures/march/keychain-alice.json: spk.current_id and spk.created_at.
        #expect(LittleEndian.uint32(bytes(hex: "c505a667").span) == 1_738_933_701)
        #expect(LittleEndian.bytes(of: UInt32(1_738_933_701)) == bytes(hex: "c505a667"))
        // Python: struct.pack("<d", 817695221.1040374)
        #expect(LittleEndian.bytes(of: 817_695_221.1040374) == bytes(hex: "19518dfa845ec841"))
        #expect(LittleEndian.double(bytes(hex: "19518dfa845ec841").span) == 817_695_221.1040374)
        for count in [0, 3, 5, 7, 9] {
            let wrong = [UInt8](repeating: 1, count: count)
            #expect(LittleEndian.uint32(wrong.span) == nil && LittleEndian.double(wrong.span) == nil)
        }
    }
}
