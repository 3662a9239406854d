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

    @Test("a box with something else around it than it has inside is refused, what an app sends back is not")
    func exchanged() throws {
        let shares = try IdentityShareSet.split(
            CheckIdentity.first.identity(), name: Array("Ana".utf8), threshold: 2, total: 3, createdAt: 1,
            random: .system)
        let keys = try CheckIdentity.second.publicKeys()
        let bob = IdentityShare.Owner(name: Array("Bob".utf8), fingerprint: keys.fingerprint)
        let held = try HeldShare.seal(shares[0], for: bob, dh: keys.dh, random: .system)
        let other = try HeldShare.seal(shares[1], for: bob, dh: keys.dh, random: .system)
        let owner = IdentityShare.Owner(name: Array("Eve".utf8), fingerprint: keys.fingerprint)
        func around(
            id: [UInt8]? = nil, threshold: UInt8? = 2, total: UInt8? = 3, note: HeldShare.Note?
        ) throws -> HeldShare {
            // Written and read: its check value is right.
            try read(
                HeldShare(
                    shareID: id ?? held.shareID, ephemeralPublicKey: held.ephemeralPublicKey,
                    encryptedShare: held.encryptedShare, senderPeerID: held.senderPeerID, threshold: threshold,
                    total: total, note: note
                ).text)
        }
        func index(_ held: HeldShare) throws -> UInt8 {
            try held.openShare(with: secret(CheckIdentity.second.dhPrivate)).index
        }
        #expect(try index(held) == 1)
        #expect(try index(around(threshold: nil, total: nil, note: nil)) == 1)
        let named = try #require(held.note)
        for changed in [
            try around(note: other.note), try around(threshold: 3, note: named), try around(total: 4, note: named),
            try around(id: Array("other".utf8), note: named),
            try around(note: .init(owner: owner, holder: named.holder, index: 1)),
        ] {
            #expect(throws: HeldShareError.changed) { _ = try index(changed) }
        }
    }

    @Test("a share that an app's message brings is read from the message itself")
    func message() throws {
        let payload = try sealed().text
        func given(_ type: String, _ payload: [UInt8]) throws -> GivenShare {
            let message = WireMessage(
                type: Array(type.utf8), payload: payload, senderID: PeerID("ab"),
                time: try #require(WireDate(secondsSince2001: 1)), signature: [UInt8](repeating: 0, count: 64))
            return try GivenShare.read(ShareText(secret(message.json))).shares[0]
        }
        guard case .sealed(let held) = try given("sssShareDelivery", payload) else {
            Issue.record("not sealed")
            return
        }
        #expect(try held.openShare(with: secret(CheckIdentity.second.dhPrivate)).index == 2)
        #expect(throws: GivenShareError.notAShare) { _ = try given("somethingNew", Array("{}".utf8)) }
        #expect(throws: GivenShareError.self) { _ = try given("sssShareResponse", Array("{}".utf8)) }
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
