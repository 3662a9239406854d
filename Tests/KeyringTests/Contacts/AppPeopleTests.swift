import CryptoPrimitives
import SophaxCore
import Testing

@testable import Keyring

@Suite("What an app's keychain says of people")
struct AppPeopleTests {
    private let made: MadeKeyring
    private let bob: Contact
    private var keyring: Keyring { made.keyring }
    private let me: IdentityPublicKeys

    /// The second identity of the check values. Format: SophaxChat 12.
    private static let bobID = "ce04d757588b607db7dd1e31c428b180"
    private static let bobNumber = "10549 10610 40971 22178 49695 74064"

    init() throws {
        made = try MadeKeyring()
        me = try made.add(0, "me").keys
        bob = try #require(try made.keyring.add(try ContactIntakeTests.person(0x40), name: testName("Bob"), at: 1))
    }

    private func people(_ items: [(ItemAccount, String)]) throws -> AppPeople {
        AppPeople(try items.map { PrivateItem($0.0, try secretBytes(Array($0.1.utf8))) })
    }

    @Test("a mark is taken where the number is that of the contact's key, with its form; names and blocks go with it")
    func take() throws {
        let people = try people([
            (.verifiedPeers, #"{"\#(Self.bobID)":"\#(Self.bobNumber)","0000000000000000":"1"}"#),
            (.peerAliases, #"{"\#(Self.bobID.prefix(16))":"Bobby","x":"Nobody"}"#),
            (.blockedPeers, #"{"ids":["\#(Self.bobID)"],"names":{}}"#),
        ])
        let plan = try keyring.plan(for: people, of: me, at: 50)
        #expect(plan.marks.count == 1 && plan.names.count == 1 && plan.blocks.count == 1)
        #expect(plan.left == 2 && plan.equal == 0 && plan.unfitting.isEmpty)
        #expect(try keyring.contacts().first == bob)
        try keyring.take(plan, at: 51)
        let after = try #require(try keyring.contacts().first)
        #expect(after.name.text == "Bobby" && after.isBlocked)
        #expect(
            after.currentKey?.mark
                == VerifiedMark(form: .iosStored, number: Self.bobNumber, markedAt: 50, byIdentity: me.fingerprint))
        #expect(try keyring.history(of: after).map(\.kind) == [.added, .marked, .renamed, .blocked])
        let again = try keyring.plan(for: people, of: me, at: 60)
        #expect(again.isEmpty && again.equal == 3 && again.left == 2)
    }

    @Test("a number of another key marks nobody, and is told")
    func otherKey() throws {
        let people = try people([(.verifiedPeers, #"{"\#(Self.bobID)":"\#(Self.bobNumber.dropLast())5"}"#)])
        let plan = try keyring.plan(for: people, of: me, at: 50)
        #expect(plan.isEmpty && plan.unfitting == [bob])
    }

    @Test("the earlier form of the blocked list is read, and an item that cannot be read says nothing")
    func forms() throws {
        let first = try people([(.blockedPeers, #"{"ids":["\#(Self.bobID)"],"names_keys":[],"names_vals":[]}"#)])
        #expect(first.blocked == [PeerID(Self.bobID)])
        let broken = try people([(.blockedPeers, "[]"), (.verifiedPeers, "{"), (.peerAliases, #"{"a":1}"#)])
        #expect(broken.isEmpty)
    }
}
