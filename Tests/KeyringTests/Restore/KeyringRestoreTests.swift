import CryptoPrimitives
import SophaxCore
import Testing

@testable import Keyring

@Suite("Restoring contacts")
struct KeyringRestoreTests {
    private func keys(_ first: UInt8) throws -> IdentityPublicKeys { try testIdentity(first).publicKeys }

    private func key(
        _ keys: IdentityPublicKeys, isCurrent: Bool = true, firstSeen: Double = 10, lastSeen: Double = 20,
        mark: VerifiedMark? = nil
    ) -> RestoredContact.Key {
        .init(
            keys: keys, firstSeen: firstSeen, lastSeen: lastSeen, isCurrent: isCurrent,
            replacedAt: isCurrent ? nil : 15, origin: "card", peerIDs: [PeerID(keys.fingerprint, form: .hex16)],
            mark: mark)
    }

    private func contact(
        _ name: String, _ keys: [RestoredContact.Key], onion: String? = nil, cardPeerID: PeerID? = nil,
        events: [ContactEvent] = []
    ) -> RestoredContact {
        RestoredContact(
            name: Array(name.utf8), isBlocked: true, addedAt: 5, onion: onion, port: onion == nil ? nil : 25519,
            cardPeerID: cardPeerID, keys: keys, events: events)
    }

    private let mark = VerifiedMark(form: .iosOwn, number: "12345 67890", markedAt: 18, byIdentity: nil)

    @Test("a new person gets keys, times, marks and history as they were")
    func new() throws {
        let made = try MadeKeyring()
        let (old, new) = (try keys(1), try keys(2))
        let events = [
            ContactEvent(at: 5, kind: .added, detail: .init(to: [0x41], origin: [0x42])),
            ContactEvent(at: 15, kind: .keyReplaced, detail: .init(from: [0x43], to: [0x44])),
        ]
        let onion = OnionAddress(of: new).text
        let restored = contact(
            "Bob", [key(new, mark: mark), key(old, isCurrent: false)], onion: onion, events: events)
        guard case .added = try made.keyring.restore(restored, at: 1000) else {
            Issue.record("not added")
            return
        }
        let found = try #require(try made.keyring.contacts().first)
        #expect(found.name.bytes == Array("Bob".utf8) && found.isBlocked && found.addedAt == 5)
        #expect(found.onion == onion && found.port == 25519)
        #expect(found.keys.map(\.keys) == [new, old])
        #expect(found.keys.map(\.isCurrent) == [true, false])
        #expect(found.keys.map(\.firstSeen) == [10, 10] && found.keys.map(\.lastSeen) == [20, 20])
        #expect(found.keys[0].mark == mark && found.keys[1].replacedAt == 15 && found.keys[0].origin == "card")
        #expect(try made.keyring.history(of: found) == events)
        // The same again changes nothing.
        guard case .same = try made.keyring.restore(restored, at: 2000) else {
            Issue.record("not the same")
            return
        }
        #expect(try made.keyring.contacts() == [found])
    }

    @Test("a contact that is there gets what it lacks and loses nothing")
    func completed() throws {
        let made = try MadeKeyring()
        let (old, new) = (try keys(1), try keys(2))
        let person = NewContact(origin: .card, name: try testName("Bobby"), keys: new, claimedPeerIDs: [])
        _ = try made.keyring.add(person, name: testName("Bobby"), at: 100)
        let restored = contact("Bob", [key(new, mark: mark), key(old, isCurrent: false)])
        guard case .completed(let found) = try made.keyring.restore(restored, at: 1000) else {
            Issue.record("not completed")
            return
        }
        #expect(found.name.bytes == Array("Bobby".utf8) && !found.isBlocked)
        #expect(found.keys.map(\.keys) == [new, old])
        #expect(found.keys[0].firstSeen == 10 && found.keys[0].lastSeen == 100 && found.keys[0].mark == mark)
    }

    @Test("a card gets its keys; a key that was replaced since does not come back")
    func order() throws {
        let made = try MadeKeyring()
        let (old, new) = (try keys(1), try keys(2))
        let id = PeerID(old.fingerprint, form: .hex32)
        let card = NewContact(origin: .card, name: try testName("Bob"), keys: nil, claimedPeerIDs: [id])
        _ = try made.keyring.add(card, name: testName("Bob"), at: 1)
        guard case .completed(let found) = try made.keyring.restore(contact("B", [key(old, mark: mark)]), at: 2) else {
            Issue.record("not completed")
            return
        }
        #expect(found.currentKey?.keys == old && found.isVerified && found.cardPeerID == nil)
        let person = NewContact(origin: .bundle, name: nil, keys: new, claimedPeerIDs: [])
        _ = try made.keyring.replaceKey(of: found, by: person, at: 3)
        guard case .outdated(let after) = try made.keyring.restore(contact("B", [key(old, mark: mark)]), at: 4) else {
            Issue.record("not outdated")
            return
        }
        #expect(after.currentKey?.keys == new && !after.isVerified)
    }

    @Test("one's own identity, somebody else's id, and a foreign address are refused; nothing is changed")
    func refused() throws {
        let made = try MadeKeyring()
        let own = try made.add(1, "Me")
        let (theirs, other) = (try keys(2), try keys(3))
        guard case .refused(.ownIdentity) = try made.keyring.restore(contact("Me", [key(own.keys)]), at: 1) else {
            Issue.record("oneself is no contact")
            return
        }
        _ = try made.keyring.restore(contact("Bob", [key(theirs)]), at: 1)
        let before = try made.keyring.contacts()
        let card = contact(
            "Eve", [],
            cardPeerID: PeerID(
                bytes: Array(
                    (PeerID(theirs.fingerprint, form: .hex16).text + String(repeating: "0", count: 16)).utf8)))
        guard case .refused(.impersonation) = try made.keyring.restore(card, at: 2) else {
            Issue.record("an id of somebody else was taken")
            return
        }
        #expect(try made.keyring.contacts() == before)
        // An address that is not that of the key is not taken along.
        guard
            case .added(let found) = try made.keyring.restore(
                contact("Carl", [key(other)], onion: OnionAddress(of: theirs).text), at: 3)
        else {
            Issue.record("not added")
            return
        }
        #expect(found.onion == nil && found.port == nil)
        guard case .unusable = try made.keyring.restore(contact("", [key(try keys(4))]), at: 4) else {
            Issue.record("an empty name was taken")
            return
        }
    }

    @Test("an earlier key that somebody else has is not taken from him")
    func earlierKeys() throws {
        let made = try MadeKeyring()
        let (one, two) = (try keys(1), try keys(2))
        _ = try made.keyring.restore(contact("Bob", [key(one)]), at: 1)
        _ = try made.keyring.restore(contact("Carl", [key(two), key(one, isCurrent: false)]), at: 2)
        let found = try made.keyring.contacts()
        #expect(found.map { $0.keys.map(\.keys) } == [[one], [two]])
    }

    @Test("times of prekeys come back, and those that are known stay")
    func preKeyTimes() throws {
        let made = try MadeKeyring()
        let identity = try made.add(1, "Me")
        let key = try account("otpk.7")
        try made.keyring.setItem(key, of: identity, to: secretBytes([UInt8](repeating: 1, count: 32)), at: 1)
        let times = PreKeyTimes(madeAt: 1, replacedAt: nil, publishedAt: 3)
        try made.keyring.restoreTimes(times, of: key, of: identity)
        try made.keyring.restoreTimes(PreKeyTimes(madeAt: 9), of: key, of: identity)
        #expect(try made.keyring.preKeyTimes(of: identity) == [key: times])
    }
}
