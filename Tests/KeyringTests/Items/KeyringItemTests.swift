import CryptoPrimitives
import SQLiteDatabase
import SophaxCore
import TestSupport
import Testing

@testable import Keyring

@Suite("Private items of a keyring")
struct KeyringItemTests {
    private let made: MadeKeyring
    private let identity: KeyringIdentity

    init() throws {
        made = try MadeKeyring()
        identity = try made.add(0, "a")
    }

    @Test("a value comes back as it was put in, whatever its name and length")
    func roundTrip() throws {
        let values: [(String, [UInt8])] = [
            ("storage.master", [UInt8](repeating: 3, count: 32)), ("empty", []), ("an app's own \u{e9}", [0, 1, 0]),
            ("large", [UInt8](repeating: 0x5a, count: 300_000)),
        ]
        for (name, value) in values {
            try made.keyring.setItem(account(name), of: identity, to: secretBytes(value), at: 2000)
            #expect(try made.keyring.plainItem(account(name), of: identity) == value)
        }
        let listed = try made.keyring.items(of: identity).filter { $0.changedAt == 2000 }
        #expect(Set(listed.map { "\($0.account.text) \($0.length)" }) == Set(values.map { "\($0.0) \($0.1.count)" }))
    }

    @Test("no value and no key is in the file in clear, the name of the item aside")
    func sealed() throws {
        let value = Array("a secret that would be found".utf8)
        try made.keyring.setItem(.storageMaster, of: identity, to: secretBytes(value), at: 1)
        let file = made.fileBytes
        #expect(file.contains(Array("storage.master".utf8)))
        #expect(!file.contains(value))
        #expect(!file.contains((0..<32).map { UInt8($0) }))
    }

    @Test("of an account that comes twice nothing is lost without a word")
    func repeated() throws {
        let twice = try [item("a", [1]), item("a", [1]), item("b", [1]), item("b", [2])]
        let merge = try made.keyring.merge(twice, into: identity, at: 1)
        #expect(merge.added.map(\.text) == ["a"])
        #expect(merge.different.map(\.text) == ["b"])
        #expect(try made.keyring.plainItem(account("b"), of: identity) == nil)
        #expect(try made.keyring.compare(twice, with: identity).equal.map(\.text) == ["a"])
    }

    @Test("peer id and keys of btmessage are one: of another identity nothing is taken")
    func units() throws {
        let (id, xwing, earlier) = (
            "btmessage.identity.peerID", "btmessage.identity.xwing", "btmessage.identity.x25519"
        )
        _ = try made.keyring.merge([item(id, [1]), item(earlier, [2])], into: identity, at: 1)
        let other = try [item(xwing, [4]), item(id, [3]), item("btmessage.groupKey.g", [5])]
        let merge = try made.keyring.merge(other, into: identity, at: 1)
        #expect(merge.added.map(\.text) == ["btmessage.groupKey.g"])
        #expect(Set(merge.different.map(\.text)) == [id, xwing])
        #expect(try made.keyring.plainItem(account(xwing), of: identity) == nil)
        #expect(try made.keyring.merge([item(xwing, [6])], into: identity, at: 1).added.map(\.text) == [xwing])
    }

    private func item(_ name: String, _ value: [UInt8]) throws -> PrivateItem {
        PrivateItem(try account(name), try secretBytes(value))
    }

    @Test("a value does not open for another identity, under another name, with another key, or changed")
    func bound() throws {
        let other = try made.add(0x40, "b")
        let database = made.keyring.database
        for damage in [
            "UPDATE item SET identity = 2 WHERE account = 'storage.master'",
            "UPDATE item SET account = 'session.mac_key' WHERE account = 'storage.master'",
            "UPDATE item SET value = zeroblob(60) WHERE account = 'storage.master'",
        ] {
            try made.keyring.setItem(.storageMaster, of: identity, to: secretBytes([1, 2, 3]), at: 1)
            try database.execute(damage)
            #expect(throws: KeyringError.self, "\(damage)") {
                for identity in [identity, other] {
                    for item in try made.keyring.items(of: identity) {
                        _ = try made.keyring.plainItem(item.account, of: identity)
                    }
                }
            }
            try database.execute("DELETE FROM item WHERE account IN ('storage.master', 'session.mac_key')")
        }
        try made.keyring.setItem(.storageMaster, of: identity, to: secretBytes([1, 2, 3]), at: 1)
        let otherKey = try Keyring(database, itemKey: secretBytes([UInt8](repeating: 8, count: 32)))
        #expect(throws: KeyringError.damagedItem(account: Array("storage.master".utf8))) {
            try otherKey.plainItem(.storageMaster, of: identity)
        }
    }

    @Test("a merge adds what is missing, and leaves and names what differs")
    func merge() throws {
        try made.keyring.setItem(account("same"), of: identity, to: secretBytes([1]), at: 1)
        try made.keyring.setItem(account("other"), of: identity, to: secretBytes([2]), at: 1)
        let items = try ["same", "other", "new"].map { PrivateItem(try account($0), try secretBytes([1])) }
        let merge = try made.keyring.merge(items, into: identity, at: 2)
        #expect(merge.added == [try account("new")])
        #expect(merge.equal == [try account("same")])
        #expect(merge.different == [try account("other")])
        #expect(try made.keyring.plainItem(account("other"), of: identity) == [2])
    }

    @Test("sealed again, every value opens with the new key only")
    func resealing() throws {
        try made.add(0x40, "b")
        try made.keyring.setItem(.storageMaster, of: identity, to: secretBytes([1, 2, 3]), at: 1)
        let newKey = [UInt8](repeating: 8, count: 32)
        try made.keyring.resealItems(to: secretBytes(newKey))
        let again = try Keyring(made.keyring.database, itemKey: secretBytes(newKey))
        for identity in try again.identities() {
            _ = try again.privateKeys(of: identity)
        }
        #expect(try again.plainItem(.storageMaster, of: identity) == [1, 2, 3])
        #expect(throws: KeyringError.self) { try made.keyring.plainItem(.storageMaster, of: identity) }
    }

    @Test("an item goes alone")
    func removal() throws {
        #expect(try made.keyring.removeItem(.username, of: identity))
        #expect(try !made.keyring.removeItem(.username, of: identity))
        #expect(try made.keyring.plainItem(.username, of: identity) == nil)
        #expect(try made.keyring.items(of: identity).map(\.account) == [.dh, .signing])
    }

    @Test("a name of an item is some UTF-8")
    func accounts() {
        #expect(ItemAccount(bytes: []) == nil)
        #expect(ItemAccount(bytes: [0xff]) == nil)
        #expect(ItemAccount(bytes: [UInt8](repeating: 0x61, count: ItemAccount.maximumLength)) != nil)
        #expect(ItemAccount(bytes: [UInt8](repeating: 0x61, count: ItemAccount.maximumLength + 1)) == nil)
        #expect(ItemAccount.signedPreKey(4_294_967_295).text == "spk.4294967295")
    }
}
