import SophaxCore
import Testing

@testable import Keyring

@Suite("Contacts of a keyring")
struct ContactIntakeTests {
    private let made: MadeKeyring
    private var keyring: Keyring { made.keyring }

    init() throws {
        made = try MadeKeyring()
        try made.add(0, "me")
    }

    @Test("a person under 16, 32 and 64 digits of the same keys is one contact")
    func forms() throws {
        let keys = try publicKeys(0x40)
        var contact: Contact?
        for (step, form) in [PeerID.Form.hex16, .hex32, .hex64].enumerated() {
            let person = try Self.person(0x40, claims: [PeerID(keys.fingerprint, form: form)])
            contact = try keyring.add(person, name: testName("Bob"), at: 2000 + Double(step))
        }
        #expect(try keyring.contacts().count == 1)
        let key = try #require(contact?.currentKey)
        #expect(key.keys == keys && key.firstSeen == 2000 && key.lastSeen == 2002)
        #expect(Set(key.peerIDs.map(\.form)) == [.hex16, .hex32, .hex64])
        #expect(contact?.name.text == "Bob" && contact?.addedAt == 2000 && key.origin == "prekey-bundle")
        #expect(contact.map { try? keyring.history(of: $0).map(\.kind) } == [.added])
        for word in [
            "Bob", "bOB", "ce04d757588b607d", "CE04D757", "ce04d757588b607db7dd1e31c428b180", keys.fingerprint.hex,
        ] {
            #expect(try keyring.contacts(named: Array(word.utf8)).map(\.id) == [contact?.id], "\(word)")
        }
        for word in ["Bo", "ce04d75", "ce04d758", keys.fingerprint.hex + "0", ""] {
            #expect(try keyring.contacts(named: Array(word.utf8)).isEmpty, "\(word)")
        }
    }

    @Test("one's own identity is no contact")
    func own() throws {
        let me = try testName("me")
        let person = try Self.person(0)
        #expect(try keyring.judge(person) == .ownIdentity(me))
        #expect(try keyring.add(person, name: me, at: 1) == nil)
        let card = Self.card(try publicKeys(0), .hex16)
        #expect(try keyring.judge(card) == .ownIdentity(me))
        #expect(try keyring.contacts().isEmpty)
    }

    @Test("a name links nothing: other keys under a known name are another contact")
    func namesakes() throws {
        let bob = try #require(try keyring.add(try Self.person(0x40), name: testName("Bob"), at: 1))
        let other = try Self.person(0x50)
        #expect(try keyring.judge(other) == .new(namesakes: [bob]))
        let added = try keyring.add(other, name: testName("Bob"), at: 2)
        #expect(added != nil && added?.id != bob.id)
        #expect(try keyring.contacts(named: Array("Bob".utf8)).count == 2)
        #expect(try keyring.refreshed(bob) == bob)
    }

    @Test("a name that only looks like a known one is a namesake too, and the very bytes come first")
    func canonicalEquivalence() throws {
        let known = try #require(
            try keyring.add(try Self.person(0x40, name: "Zo\u{eb}"), name: testName("Zo\u{eb}"), at: 1))
        for name in ["Zoe\u{308}", "ZO\u{cb}"] {
            #expect(try keyring.judge(try Self.person(0x50, name: name)) == .new(namesakes: [known]), "\(name)")
            #expect(try keyring.contacts(named: Array(name.utf8)) == [known])
        }
        let other = try keyring.add(try Self.person(0x50), name: testName("Zoe\u{308}"), at: 2)
        #expect(try keyring.contacts(named: Array("Zo\u{eb}".utf8)) == [known])
        #expect(try keyring.contacts(named: Array("Zoe\u{308}".utf8)).map(\.id) == [other?.id])
        #expect(try keyring.contacts(named: Array("zo\u{eb}".utf8)).count == 2)
    }

    @Test("who claims the id of somebody known with other keys is an impersonator, and nothing is changed")
    func impersonation() throws {
        let bob = try #require(try keyring.add(try Self.person(0x40), name: testName("Bob"), at: 1))
        for form in [PeerID.Form.hex16, .hex32, .hex64] {
            let id = PeerID(try publicKeys(0x40).fingerprint, form: form)
            let person = try Self.person(0x50, claims: [id])
            #expect(try keyring.judge(person) == .impersonation(id, of: .contact(bob)))
            #expect(try keyring.add(person, name: testName("Bob"), at: 2) == nil)
        }
        // The first 16 digits only.
        let beginning = "ce04d757588b607d" + String(repeating: "0", count: 16)
        let person = try Self.person(0x50, claims: [PeerID(beginning)])
        #expect(try keyring.judge(person) == .impersonation(PeerID(beginning), of: .contact(bob)))
        let mine = PeerID(try publicKeys(0).fingerprint, form: .hex16)
        #expect(
            try keyring.judge(try Self.person(0x50, claims: [mine]))
                == .impersonation(mine, of: .identity(testName("me"), publicKeys(0).fingerprint)))
        #expect(try keyring.contacts() == [bob])
        #expect(try keyring.history(of: bob).count == 1)
        // An id of nobody, and conversation ids, are no alarm.
        let odd = try Self.person(0x50, claims: [PeerID("0123456789abcdef"), PeerID("group.x"), PeerID("")])
        #expect(try keyring.judge(odd) == .new(namesakes: [bob]))
    }

    @Test("a card makes a contact that waits for its keys, which later complete it")
    func cards() throws {
        let keys = try publicKeys(0x40)
        let card = Self.card(keys, .hex16)
        let id = PeerID(keys.fingerprint, form: .hex16)
        let waiting = try #require(try keyring.add(card, name: testName(id.text), at: 1))
        #expect(waiting.currentKey == nil && waiting.cardPeerID == id && !waiting.isVerified)
        #expect(waiting.onion == OnionAddress(of: keys).text && waiting.port == 25_519)
        #expect(try keyring.judge(card) == .known(waiting))
        #expect(try keyring.judge(Self.card(keys, .hex32)) == .known(waiting))
        #expect(try keyring.contacts(named: id.bytes) == [waiting])
        // Other keys with the same 16 digits, as far as a test can make them.
        let wrong = NewContact(
            origin: .card, name: nil, keys: nil,
            claimedPeerIDs: [PeerID(String(id.text + "0000000000000000"))])
        #expect(try keyring.judge(wrong) == .known(waiting))
        let person = try Self.person(0x50, claims: [id])
        #expect(try keyring.judge(person) == .impersonation(id, of: .contact(waiting)))

        let bob = try Self.person(0x40)
        #expect(try keyring.judge(bob) == .completes(waiting))
        let complete = try #require(try keyring.add(bob, name: testName("Bob"), at: 2))
        #expect(complete.id == waiting.id && complete.name.text == "Bob" && complete.cardPeerID == nil)
        #expect(complete.currentKey?.keys == keys && complete.onion == waiting.onion)
        let history = try keyring.history(of: complete)
        #expect(history.map(\.kind) == [.added, .keysLearned])
        #expect(
            history[1].detail
                == .init(from: id.bytes, to: keys.fingerprint.hexBytes, origin: Array("prekey-bundle".utf8)))
        // A card that agrees with 16 digits and not with 32 is somebody else.
        #expect(try keyring.judge(wrong) == .impersonation(wrong.claimedPeerIDs[0], of: .contact(complete)))
    }

    @Test("a name that the user gave to a card stays when the keys come")
    func namedCard() throws {
        _ = try keyring.add(Self.card(try publicKeys(0x40), .hex32), name: testName("Robert"), at: 1)
        #expect(try keyring.add(try Self.person(0x40), name: testName("Bob"), at: 2)?.name.text == "Robert")
    }

    @Test("the address of another signing key is not taken")
    func foreignAddress() throws {
        let keys = try publicKeys(0x40)
        let bob = try #require(try keyring.add(try Self.person(0x40), name: testName("Bob"), at: 1))
        let other = NewContact(
            origin: .card, name: nil, keys: nil, claimedPeerIDs: [PeerID(keys.fingerprint, form: .hex32)],
            onion: OnionAddress(of: try publicKeys(0x50)).text, port: 25_519)
        #expect(try keyring.judge(other) == .foreignAddress(bob))
        #expect(try keyring.add(other, name: testName("Bob"), at: 2) == nil)
        let seen = try #require(try keyring.add(Self.card(keys, .hex32), name: testName("x"), at: 3))
        #expect(seen.onion == OnionAddress(of: keys).text && seen.name.text == "Bob")
        let event = try #require(try keyring.history(of: seen).last)
        #expect(event.kind == .addressChanged && event.at == 3 && event.detail.from == nil)
        #expect(event.detail.to == Array("\(OnionAddress(of: keys).text):25519".utf8))
    }

    @Test("people who come together are judged one after the other, and nothing of them is kept when one cannot be")
    func many() throws {
        let bob = PeerID(try publicKeys(0x40).fingerprint, form: .hex32)
        let people = [
            Self.card(try publicKeys(0x40), .hex16), try Self.person(0x40), try Self.person(0x40, claims: [bob]),
            try Self.person(0x50, claims: [bob]), try Self.person(0x60), try Self.person(0),
        ]
        let named = try people.map { (person: $0, name: try testName("Bob")) }
        let results = try keyring.add(named, at: 1)
        let words = results.map { result in
            switch result.judgement {
            case .new(let namesakes): "new \(namesakes.count)"
            case .completes: "completes"
            case .known: "known"
            case .impersonation: "impersonation"
            case .ownIdentity: "own"
            case .replaced, .foreignAddress: "other"
            }
        }
        #expect(words == ["new 0", "completes", "known", "impersonation", "new 1", "own"])
        #expect(results.map { $0.contact != nil } == [true, true, true, false, true, false])
        let contacts = try keyring.contacts()
        #expect(contacts.count == 2 && contacts[0] == results[2].contact && contacts[1] == results[4].contact)
        let reader = try MadeKeyring.open(made.folder.file("keyring"), .readOnly)
        #expect(throws: KeyringError.self) { try reader.add(named, at: 2) }
        #expect(try keyring.contacts() == contacts)
    }

    static func person(_ first: UInt8, name: String = "Bob", claims: [PeerID] = []) throws -> NewContact {
        NewContact(
            origin: .bundle, name: try testName(name), keys: try publicKeys(first), claimedPeerIDs: claims)
    }

    static func card(_ keys: IdentityPublicKeys, _ form: PeerID.Form) -> NewContact {
        NewContact(
            origin: .card, name: nil, keys: nil, claimedPeerIDs: [PeerID(keys.fingerprint, form: form)],
            onion: OnionAddress(of: keys).text, port: 25_519)
    }
}

func publicKeys(_ first: UInt8) throws -> IdentityPublicKeys { try testIdentity(first).publicKeys }
