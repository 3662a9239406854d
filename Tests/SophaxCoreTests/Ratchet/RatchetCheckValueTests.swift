import CryptoPrimitives
import Testing

@testable import SophaxCore

/// The check values of the format document, 12, for the secret that its X3DH gives.
@Suite("Check values of the ratchet")
struct RatchetCheckValueTests {
    private static let secretText = "7f695515ba7c3f116f8c9d18b6d849db2314e9a1016f05670a4fb79e08cfbf77"

    private func key(_ keys: borrowing KeySlots, _ key: RatchetKey) -> [UInt8] {
        keys.withKey(RatchetSlots.slot(key, bank: 0)) { span in span.indices.map { span[$0] } }
    }

    @Test("the first header keys, of initiator and responder")
    func headerKeys() throws {
        let shared = try secret(bytes(hex: Self.secretText))
        let pair = try PreKeyPair(id: 1, privateKey: secret(Parties.signedPreKey))
        let initiator = try AppState(
            RatchetSession(initiatorSecret: shared, signedPreKey: pair.publicPreKey.key, random: nil).stateText())
        let responder = try AppState(RatchetSession(responderSecret: shared, signedPreKey: pair).stateText())
        let alice = bytes(hex: "50bbdadbe265f9d401922f0ff6418525a12535606a61b7709adb88addb9e5d13")
        let bob = bytes(hex: "d3f98ac14dc2ca7a6a239d038c5972e4aac6eca466ecf7df90035ff44552c42e")
        #expect(initiator.sendingHeaderKey.map { Array($0.rawData) } == alice)
        #expect(responder.nextReceivingHeaderKey.map { Array($0.rawData) } == alice)
        #expect(initiator.nextReceivingHeaderKey.map { Array($0.rawData) } == bob)
        #expect(responder.nextSendingHeaderKey.map { Array($0.rawData) } == bob)
        #expect(Array(responder.rootKey.rawData) == bytes(hex: Self.secretText))
    }

    @Test("KDF_RK gives root, chain and header key, KDF_CK the message key and the next chain key")
    func derivations() throws {
        var keys = try KeySlots(count: 8)
        let (root, agreed) = (bytes(hex: Self.secretText), Array(UInt8(0)...0x1F))
        keys.set(0, to: root.span)
        keys.set(1, to: agreed.span)
        let info = RatchetInfo.root
        keys.derive(2..<5, inputKey: 1..<2, salt: 0, info: info.span)
        let derived = keys.withKeys(2..<5) { span in span.indices.map { span[$0] } }
        #expect(
            derived
                == bytes(
                    hex: "f7c39c33f67a34bac6528026ace41ac73a41155a531b91419a7b16649daa4792"
                        + "dd2e093318854e6f247085d7cdbdca18a2e3fb43149666ce58266bfefe13cc8d"
                        + "bf3602d2e718a86413dc5b4af9808816982af0a4f7e6c4a85fc81da733c73f7e"))
        RatchetSession.advance(&keys, chain: 3, message: 5)
        let message = keys.withKey(5) { span in span.indices.map { span[$0] } }
        let next = keys.withKey(3) { span in span.indices.map { span[$0] } }
        #expect(message == bytes(hex: "e9596a3511e1dfb729f73e5723eb44344b4547fa036e5e01f503731a47a5aedc"))
        #expect(next == bytes(hex: "9bd07566e2d7f0b581d8bc89928b3196029fe06a1bbdf15364666aa11051dada"))
    }

    @Test("a step writes root, chain and header key to their places, and no header key in v0")
    func places() throws {
        var keys = try KeySlots(count: RatchetSlots.firstPooled)
        let root = bytes(hex: Self.secretText)
        let remote = try CheckIdentity.second.publicKeys().dh
        for nextHeader in [RatchetKey.nextSendingHeader, nil] {
            keys.wipe(0..<RatchetSlots.firstPooled)
            keys.set(RatchetKey.root.rawValue, to: root.span)
            try keys.set(RatchetKey.ratchetPrivate.rawValue, to: secret(CheckIdentity.first.dhPrivate))
            try RatchetSession.step(&keys, remote, bank: 0, chain: .sendingChain, nextHeader: nextHeader)
            let shared = try X25519.sharedSecret(
                privateKey: secret(CheckIdentity.first.dhPrivate), publicKey: remote.span)
            let info = Array("SophaxChat_RootKey_v1".utf8)
            let expected = try HKDF.derive(
                inputKey: shared, salt: root.span, info: info.span, length: 96,
                using: .sha256
            ).exposed
            #expect(key(keys, .root) == Array(expected[..<32]))
            #expect(key(keys, .sendingChain) == Array(expected[32..<64]))
            let zeros = [UInt8](repeating: 0, count: 32)
            #expect(key(keys, .nextSendingHeader) == (nextHeader == nil ? zeros : Array(expected[64...])))
        }
    }

    @Test("message keys, what a step leaves behind, and the bank that is not in use are wiped")
    func wiped() throws {
        var parties = try Parties()
        func unused(_ session: borrowing RatchetSession) -> [UInt8] {
            let slots = [RatchetSlots.bank(1 - session.bank), RatchetSlots.scratch]
            return slots.flatMap { slots in
                session.keys.withKeys(slots) { span in span.indices.map { span[$0] } }
            }
        }
        let message = try parties.aliceSends("one")
        let lost = try parties.aliceSends("lost")
        #expect(unused(parties.alice).allSatisfy { $0 == 0 })
        _ = try parties.bobReads(parties.aliceSends("two"))
        #expect(unused(parties.bob).allSatisfy { $0 == 0 })
        func pooled(_ session: borrowing RatchetSession) -> Int {
            let pool = RatchetSlots.firstPooled..<session.keys.count
            return pool.count { slot in session.keys.withKey(slot) { span in span.indices.contains { span[$0] != 0 } } }
        }
        // Two keys and the header key that they are filed under.
        #expect(pooled(parties.bob) == 3)
        _ = try parties.bobReads(message)
        #expect(pooled(parties.bob) == 2)
        let forged = RatchetMessage(encryptedHeader: lost.encryptedHeader, ciphertext: message.ciphertext)
        #expect(
            failure { () throws(RatchetError) in _ = try parties.bob.decrypt(forged, ad: [Parties.ad]) }
                == .notAuthentic)
        _ = try parties.bobReads(lost)
        #expect(pooled(parties.bob) == 0)
        let (far, other) = (try parties.aliceSends("far"), try parties.aliceSends("other"))
        let broken = RatchetMessage(encryptedHeader: other.encryptedHeader, ciphertext: far.ciphertext)
        #expect(
            failure { () throws(RatchetError) in _ = try parties.bob.decrypt(broken, ad: [Parties.ad]) }
                == .notAuthentic)
        #expect(unused(parties.bob).allSatisfy { $0 == 0 })
        #expect(pooled(parties.bob) == 0)
    }
}
