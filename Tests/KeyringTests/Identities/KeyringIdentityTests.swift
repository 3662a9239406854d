import CryptoPrimitives
import SQLiteDatabase
import SophaxCore
import TestSupport
import Testing

@testable import Keyring

@Suite("Identities of a keyring")
struct KeyringIdentityTests {
    /// Formats section 12.
    private static let checkFingerprint = "3619e750a2dd52ba978807b2a00df56d9ae3354382899ca7fafa482ca86a3528"

    @Test("an identity comes back with its keys, name and origin, also after the file was closed")
    func roundTrip() throws {
        let made = try MadeKeyring()
        try made.add(0, "  Ana \u{e9} ", at: 1234.5)
        let again = try MadeKeyring.open(made.folder.file("keyring"), .readOnly)
        let identity = try #require(try again.currentIdentity())
        #expect(identity.fingerprint.hex == Self.checkFingerprint)
        #expect(identity.name.bytes == Array("Ana \u{e9}".utf8))
        #expect(identity.origin == "new")
        #expect(identity.createdAt == 1234.5)
        let keys = try again.privateKeys(of: identity)
        #expect(keys.signingSeed.isEqual(to: try secretBytes((0..<32).map { $0 })))
        #expect(keys.dhPrivate.isEqual(to: try secretBytes((32..<64).map { $0 })))
    }

    @Test("the first identity is the current one, and using another changes that and nothing else")
    func current() throws {
        let made = try MadeKeyring()
        let first = try made.add(0, "a")
        let second = try made.add(0x40, "b")
        #expect(first.isCurrent && !second.isCurrent)
        try made.keyring.use(second)
        #expect(try made.keyring.identities().map(\.isCurrent) == [false, true])
        try made.keyring.use(second)
        #expect(try made.keyring.currentIdentity()?.fingerprint == second.fingerprint)
    }

    @Test("the same keys are not added twice, and the keyring is as before")
    func exists() throws {
        let made = try MadeKeyring()
        try made.add(0, "a")
        #expect(throws: KeyringError.identityExists) { try made.add(0, "b") }
        #expect(try made.keyring.identities().map(\.name.text) == ["a"])
    }

    @Test("removing takes the items along and leaves no current identity")
    func removal() throws {
        let made = try MadeKeyring()
        let identity = try made.add(0, "a")
        try made.keyring.remove(identity)
        #expect(try made.keyring.identities() == [])
        #expect(try made.keyring.currentIdentity() == nil)
        #expect(try made.keyring.database.first("SELECT count(*) FROM item") { $0.integer(0) } == 0)
        #expect(throws: KeyringError.noIdentity) { try made.keyring.remove(identity) }
        #expect(throws: KeyringError.noIdentity) { try made.keyring.use(identity) }
    }

    @Test("renaming changes the name and the item that the apps read")
    func renaming() throws {
        let made = try MadeKeyring()
        let identity = try made.add(0, "a")
        try made.keyring.rename(identity, to: testName("Zo\u{eb}"), at: 5)
        let renamed = try #require(try made.keyring.currentIdentity())
        #expect(renamed.name.text == "Zo\u{eb}")
        #expect(try made.keyring.plainItem(.username, of: renamed) == Array("Zo\u{eb}".utf8))
    }

    @Test("an identity is found by its name, or by eight and more hex digits")
    func named() throws {
        let made = try MadeKeyring()
        try made.add(0, "a")
        try made.add(0x40, "3619e750")
        func found(_ word: String) throws -> [String] {
            try made.keyring.identities(named: Array(word.utf8)).map(\.name.text)
        }
        #expect(try found("a") == ["a"])
        #expect(try found("3619e750") == ["3619e750"])
        #expect(try found("3619e750a") == ["a"])
        #expect(try found("3619E750A2DD52BA") == ["a"])
        #expect(try found(Self.checkFingerprint) == ["a"])
        #expect(try found("3619e75") == [])
        #expect(try found("A") == ["a"])
        #expect(try found("b") == [])
    }

    @Test("a row whose keys do not give its fingerprint is damage")
    func damagedRow() throws {
        let made = try MadeKeyring()
        try made.add(0, "a")
        try made.keyring.database.execute("UPDATE identity SET dh_public = zeroblob(32)")
        #expect(throws: KeyringError.damagedRow(table: "identity")) { try made.keyring.identities() }
    }

    @Test("exports are kept with what was proven of them, newest first, and go with the identity")
    func exports() throws {
        let made = try MadeKeyring()
        let identity = try made.add(0, "a")
        let hash = [UInt8](repeating: 9, count: 32)
        let records = [(10.0, nil), (20.0, 21.5)].map { time, proven in
            IdentityExportRecord(
                madeAt: time, kind: "sophaxid-v2", path: [0x61, 0xff], sha256: hash, readBackAt: proven)
        }
        for record in records { try made.keyring.addExport(record, of: identity) }
        #expect(try made.keyring.exports(of: identity) == records.reversed())
        try made.keyring.remove(identity)
        #expect(try made.keyring.database.first("SELECT count(*) FROM identity_export") { $0.integer(0) } == 0)
    }

    @Test("what fails in the middle of a change leaves nothing behind")
    func atomic() throws {
        let made = try MadeKeyring()
        let before = made.fileBytes
        #expect(throws: KeyringError.noPrivateKeys) {
            try made.keyring.changing { () throws(KeyringError) in
                do {
                    try made.add(0, "a")
                } catch { throw .libraryFailure }
                throw .noPrivateKeys
            }
        }
        #expect(try made.keyring.identities() == [])
        #expect(made.fileBytes == before)
    }

    @Test("a newer schema is refused and not touched")
    func newerSchema() throws {
        let made = try MadeKeyring()
        try made.keyring.database.execute("PRAGMA user_version = 2")
        let before = made.fileBytes
        for mode in [Database.OpenMode.readWrite, .readOnly] {
            #expect(throws: KeyringError.database(.newerSchema(found: 2, known: 1))) {
                try MadeKeyring.open(made.folder.file("keyring"), mode)
            }
        }
        #expect(made.fileBytes == before)
    }
}
