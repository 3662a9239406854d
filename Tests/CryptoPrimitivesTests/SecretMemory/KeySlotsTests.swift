import Testing

@testable import CryptoPrimitives

@Suite("KeySlots")
struct KeySlotsTests {
    private func key(_ byte: UInt8) -> [UInt8] { [UInt8](repeating: byte, count: 32) }

    private func exposed(_ slots: borrowing KeySlots, _ slot: Int) -> [UInt8] {
        slots.withKey(slot) { span in span.indices.map { span[$0] } }
    }

    private func all(_ slots: borrowing KeySlots) -> [UInt8] {
        slots.withKeys(0..<slots.count) { span in span.indices.map { span[$0] } }
    }

    @Test("keys are set, copied, compared and wiped in their places and nowhere else")
    func places() throws {
        var slots = try KeySlots(count: 4)
        #expect(all(slots) == key(0) + key(0) + key(0) + key(0))
        let (one, two) = (key(1), key(2))
        slots.set(0, to: one.span)
        slots.set(1, to: two.span)
        slots.copy(0..<2, to: 2)
        #expect(all(slots) == one + two + one + two)
        let (same, other) = (slots.areEqual(0, 2), slots.areEqual(0, 3))
        #expect(same)
        #expect(!other)
        slots.wipe(1..<3)
        #expect(all(slots) == one + key(0) + key(0) + two)
        slots.setRandom(1)
        slots.setRandom(2)
        let isRepeated = slots.areEqual(1, 2)
        #expect(!isRepeated)
        #expect(exposed(slots, 0) == one)
        #expect(exposed(slots, 3) == two)
        let copy = try slots.copy(of: 3).exposed
        #expect(copy == two)
    }

    @Test("growing keeps the keys and adds zeros; a smaller number changes nothing")
    func growth() throws {
        var slots = try KeySlots(count: 1)
        let one = key(1)
        slots.set(0, to: one.span)
        try slots.grow(to: 3)
        #expect(all(slots) == one + key(0) + key(0))
        try slots.grow(to: 2)
        #expect(slots.count == 3)
    }

    @Test("no room for keys, or more than memory has, is refused", arguments: [0, -1, Int.max])
    func sizes(count: Int) {
        #expect(throws: SecretMemoryError.self) { _ = try KeySlots(count: count) }
    }

    @Test("codes and derivations are those of HMAC and HKDF, also onto the slot of their key")
    func derivations() throws {
        var slots = try KeySlots(count: 6)
        let (chain, salt, info) = (key(7), key(9), Array("info".utf8))
        let chainSecret = try SecretBytes(copying: chain.span)
        for byte in [UInt8(1), 2] {
            slots.set(0, to: chain.span)
            slots.setCode(1, of: byte, key: 0)
            slots.setCode(0, of: byte, key: 0)
            let message = [byte]
            let expected = HMAC.code(for: message.span, key: chainSecret, using: .sha256)
            #expect(exposed(slots, 1) == expected)
            #expect(exposed(slots, 0) == expected)
        }
        slots.set(0, to: chain.span)
        slots.set(1, to: salt.span)
        slots.derive(2..<5, inputKey: 0..<1, salt: 1, info: info.span)
        let derived = try HKDF.derive(
            inputKey: chainSecret, salt: salt.span, info: info.span, length: 96, using: .sha256
        ).exposed
        let three = slots.withKeys(2..<5) { span in span.indices.map { span[$0] } }
        #expect(three == derived)
        slots.derive(0..<2, inputKey: 0..<1, salt: 1, info: info.span)
        let two = slots.withKeys(0..<2) { span in span.indices.map { span[$0] } }
        #expect(two == Array(derived.prefix(64)))
    }

    @Test("Alice and Bob of RFC 7748, 6.1 find the same secret; a key of small order leaves zeros")
    func agreement() throws {
        var slots = try KeySlots(count: 4)
        let alice = bytes("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a")
        let bob = bytes("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb")
        let expected = bytes("4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742")
        slots.set(0, to: alice.span)
        slots.set(1, to: bob.span)
        let alicePublic = try slots.publicKey(of: 0)
        let bobPublic = try slots.publicKey(of: 1)
        #expect(alicePublic == bytes("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a"))
        #expect(bobPublic == bytes("de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f"))
        try slots.setSharedSecret(2, privateKey: 0, publicKey: bobPublic.span)
        #expect(exposed(slots, 2) == expected)
        let bobSecret = try SecretBytes(copying: bob.span)
        try slots.setSharedSecret(3, privateKey: bobSecret, publicKey: alicePublic.span)
        #expect(exposed(slots, 3) == expected)
        let (zeros, short) = (key(0), [UInt8](repeating: 1, count: 31))
        for (point, refusal) in [(zeros, KeyAgreementError.allZero), (short, .keyLength(expected: 32, found: 31))] {
            var error: KeyAgreementError?
            do throws(KeyAgreementError) {
                try slots.setSharedSecret(2, privateKey: 0, publicKey: point.span)
            } catch let found {
                error = found
            }
            #expect(error == refusal)
        }
        #expect(exposed(slots, 2) == zeros)
        #expect(exposed(slots, 0) == alice)
    }
}
