import CryptoPrimitives
import JSONCoding
import Testing

@testable import SophaxCore

@Suite("Shares for their holders")
struct HeldShareTests {
    private func read(_ text: [UInt8]) throws -> HeldShare {
        try HeldShare.read(JSONObject(text, ceiling: HeldShare.maximumText))
    }

    private func sealed() throws -> HeldShare {
        let shares = try IdentityShareSet.split(
            CheckIdentity.first.identity(), name: Array("Ana".utf8), threshold: 2, total: 3, createdAt: 1,
            random: .system)
        let keys = try CheckIdentity.second.publicKeys()
        return try HeldShare.seal(
            shares[1], for: .init(name: Array("Bob".utf8), fingerprint: keys.fingerprint), dh: keys.dh,
            random: .system)
    }

    @Test("a share that another implementation sealed opens with the holder's key")
    func independent() throws {
        let held = try read(Array(MadeShares.held.utf8))
        #expect(held.note == nil && held.senderPeerID == nil)
        let text = try held.open(with: secret(CheckIdentity.second.dhPrivate))
        #expect(text.exposed == Array(MadeShares.sxkey[0].utf8))
        #expect(throws: HeldShareError.notAuthentic) {
            _ = try held.open(with: secret(CheckIdentity.first.dhPrivate))
        }
    }

    @Test("a sealed share says for whom it is, and comes back")
    func roundTrip() throws {
        let held = try read(sealed().text)
        #expect(held.text.allSatisfy { $0 < 0x80 })
        #expect(held.note?.holder.name == Array("Bob".utf8))
        #expect(held.note?.owner.name == Array("Ana".utf8))
        #expect(held.note?.index == 2 && held.threshold == 2 && held.total == 3)
        #expect(held.senderPeerID == PeerID(String(CheckIdentity.first.fingerprint.prefix(32))))
        let share = try IdentityShare.read(held.open(with: secret(CheckIdentity.second.dhPrivate)))
        #expect(share.index == 2 && share.id == held.shareID)
    }

    @Test("the app's own payload of a delivery is read from it")
    func payload() throws {
        let text = try sealed().text
        let payload = try ShareDeliveryPayload(JSONObject(text, ceiling: text.count))
        #expect(payload.threshold == 2 && payload.total == 3 && payload.ephemeralPublicKey.count == 32)
    }

    @Test("every flipped bit is an error before or when it is opened")
    func bitFlips() throws {
        let text = try sealed().text
        for bit in 0..<text.count * 8 {
            var flipped = text
            flipped[bit / 8] ^= 1 << (bit % 8)
            #expect(throws: (any Error).self, "bit \(bit): \(String(decoding: flipped, as: UTF8.self))") {
                _ = try read(flipped).open(with: secret(CheckIdentity.second.dhPrivate))
            }
        }
    }

    @Test("keys of small order and of another length are refused")
    func badKeys() throws {
        let shares = try IdentityShareSet.split(
            CheckIdentity.first.identity(), name: [], threshold: 2, total: 2, createdAt: 1, random: .system)
        let holder = IdentityShare.Owner(name: [], fingerprint: try CheckIdentity.second.publicKeys().fingerprint)
        for key in [[UInt8](repeating: 0, count: 32), [1] + [UInt8](repeating: 0, count: 31), [9]] {
            #expect(throws: HeldShareError.publicKey) {
                _ = try HeldShare.seal(shares[0], for: holder, dh: key, random: .system)
            }
        }
    }
}
