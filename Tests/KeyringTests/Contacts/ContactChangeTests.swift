import SophaxCore
import Testing

@testable import Keyring

@Suite("Changing a contact of a keyring")
struct ContactChangeTests {
    private let made: MadeKeyring
    private let bob: Contact
    private var keyring: Keyring { made.keyring }

    init() throws {
        made = try MadeKeyring()
        try made.add(0, "me")
        let person = try ContactIntakeTests.person(0x40)
        bob = try #require(try made.keyring.add(person, name: testName("Bob"), at: 1))
    }

    private func mark(at time: Double) throws -> VerifiedMark {
        let number = SafetyNumber.iosV0(of: try publicKeys(0x40)).text
        return VerifiedMark(
            form: .iosStored, number: number, markedAt: time, byIdentity: try publicKeys(0).fingerprint)
    }

    @Test(
        "a mark belongs to the key: it stays when the name changes, the person is seen again, or the keyring is reopened"
    )
    func marks() throws {
        try keyring.mark(bob, mark(at: 10))
        try keyring.rename(bob, to: testName("Robert"), at: 11)
        _ = try keyring.add(try ContactIntakeTests.person(0x40, name: "Other"), name: testName("Other"), at: 12)
        let reopened = try MadeKeyring.open(made.folder.file("keyring"), .readOnly)
        let contact = try #require(try reopened.contacts().first)
        #expect(contact.name.text == "Robert" && contact.isVerified)
        #expect(contact.currentKey?.mark == (try mark(at: 10)))
        let history = try reopened.history(of: contact)
        #expect(history.map(\.kind) == [.added, .marked, .renamed])
        #expect(history[1].detail.number == Array("10549 10610 40971 22178 49695 74064".utf8))
        #expect(history[1].detail.form == Array("ios-v0".utf8))
        #expect(history[2].detail == .init(from: Array("Bob".utf8), to: Array("Robert".utf8)))
        // The same name with other keys has no mark.
        let other = try keyring.add(try ContactIntakeTests.person(0x50), name: testName("Robert"), at: 13)
        #expect(other?.isVerified == false)
    }

    @Test("unmark takes the mark away, once")
    func unmark() throws {
        try keyring.mark(bob, mark(at: 10))
        try keyring.mark(bob, mark(at: 11))
        #expect(try keyring.contacts().first?.currentKey?.mark?.markedAt == 11)
        #expect(try keyring.unmark(bob, at: 12))
        #expect(try keyring.unmark(bob, at: 13) == false)
        #expect(try keyring.contacts().first?.isVerified == false)
        #expect(try keyring.history(of: bob).map(\.kind) == [.added, .marked, .marked, .unmarked])
    }

    @Test("replacing the key clears the mark, keeps the earlier key, and says so in the history")
    func replaceKey() throws {
        _ = try keyring.add(ContactIntakeTests.card(try publicKeys(0x40), .hex32), name: testName("Bob"), at: 2)
        try keyring.mark(bob, mark(at: 10))
        let person = try ContactIntakeTests.person(0x50)
        guard case .done(let contact) = try keyring.replaceKey(of: bob, by: person, at: 20) else {
            Issue.record("not done")
            return
        }
        #expect(contact.id == bob.id && contact.name == bob.name && !contact.isVerified)
        #expect(contact.keys.map(\.keys) == [try publicKeys(0x50), try publicKeys(0x40)])
        #expect(contact.keys.map(\.isCurrent) == [true, false])
        #expect(contact.keys[1].replacedAt == 20 && contact.keys[1].mark == nil)
        #expect(contact.onion == nil && contact.port == nil)
        let history = try keyring.history(of: contact)
        #expect(history.map(\.kind) == [.added, .addressChanged, .marked, .unmarked, .keyReplaced])
        #expect(
            history[4].detail
                == .init(
                    from: try publicKeys(0x40).fingerprint.hexBytes, to: try publicKeys(0x50).fingerprint.hexBytes,
                    origin: Array("prekey-bundle".utf8)))
        // The earlier key is known as that, and names the contact as long as no other does.
        #expect(try keyring.judge(try ContactIntakeTests.person(0x40)) == .replaced(contact))
        #expect(try keyring.contacts(named: Array("ce04d757588b607d".utf8)) == [contact])
        #expect(try keyring.add(try ContactIntakeTests.person(0x40), name: testName("Bob"), at: 21) == nil)
        // The contact that was looked up before has a key that is no longer the current one.
        #expect(throws: KeyringError.noContact) { try keyring.mark(bob, mark(at: 22)) }

        guard case .done(let back) = try keyring.replaceKey(of: contact, by: ContactIntakeTests.person(0x40), at: 30)
        else {
            Issue.record("not done")
            return
        }
        #expect(back.keys.map(\.keys) == [try publicKeys(0x40), try publicKeys(0x50)])
        #expect(back.keys[0].firstSeen == 1 && back.keys[0].lastSeen == 30 && back.keys[0].replacedAt == nil)
        #expect(!back.isVerified)
    }

    @Test("a key that is somebody's cannot be linked to another contact")
    func refusedReplacements() throws {
        let carla = try #require(
            try keyring.add(try ContactIntakeTests.person(0x60, name: "Carla"), name: testName("Carla"), at: 2))
        let all = try keyring.contacts()
        #expect(try keyring.replaceKey(of: bob, by: ContactIntakeTests.person(0x60), at: 3) == .otherContact(carla))
        #expect(try keyring.replaceKey(of: bob, by: ContactIntakeTests.person(0x40), at: 3) == .same)
        #expect(
            try keyring.replaceKey(of: bob, by: ContactIntakeTests.person(0), at: 3) == .ownIdentity(testName("me")))
        let card = ContactIntakeTests.card(try publicKeys(0x50), .hex32)
        #expect(try keyring.replaceKey(of: bob, by: card, at: 3) == .noKeys)
        let id = PeerID(try publicKeys(0x60).fingerprint, form: .hex16)
        let claims = try ContactIntakeTests.person(0x50, claims: [id])
        #expect(try keyring.replaceKey(of: bob, by: claims, at: 3) == .impersonation(id, of: .contact(carla)))
        #expect(try keyring.contacts() == all)
    }

    @Test("blocking says whether it changed anything, and is in the history")
    func blocked() throws {
        #expect(try keyring.setBlocked(bob, true, at: 2))
        let blocked = try #require(try keyring.contacts().first)
        #expect(blocked.isBlocked)
        #expect(try keyring.setBlocked(blocked, true, at: 3) == false)
        #expect(try keyring.setBlocked(blocked, false, at: 4))
        #expect(try keyring.history(of: bob).map(\.kind) == [.added, .blocked, .unblocked])
    }

    @Test("removing takes keys, marks and history along, and makes the keys unknown")
    func removed() throws {
        try keyring.mark(bob, mark(at: 10))
        try keyring.remove(bob)
        #expect(try keyring.contacts().isEmpty)
        for table in ["contact_key", "peer_id_seen", "mark", "contact_event"] {
            #expect(try keyring.database.first("SELECT count(*) FROM \(table)") { row in row.integer(0) } == 0)
        }
        #expect(throws: KeyringError.noContact) { try keyring.remove(bob) }
        #expect(throws: KeyringError.noContact) { try keyring.rename(bob, to: testName("x"), at: 1) }
        #expect(throws: KeyringError.noContact) { try keyring.setBlocked(bob, true, at: 1) }
        #expect(throws: KeyringError.noContact) { try keyring.mark(bob, mark(at: 1)) }
        #expect(try keyring.unmark(bob, at: 1) == false)
        #expect(try keyring.add(try ContactIntakeTests.person(0x40), name: testName("Bob"), at: 20)?.id != bob.id)
    }
}
