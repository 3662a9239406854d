import CryptoPrimitives
import SQLiteDatabase
import SophaxCore
import SystemIO
import TestSupport

@testable import Keyring

/// A keyring in a plain file of a temporary folder: what is tested here does not depend on the seal of the file.
struct MadeKeyring {
    let folder = TemporaryFolder()
    let keyring: Keyring

    init() throws {
        keyring = try Self.open(folder.file("keyring"), .create)
    }

    static func open(_ path: String, _ mode: Database.OpenMode) throws -> Keyring {
        try Keyring(
            Database(opening: FilePath(path), mode), itemKey: secretBytes([UInt8](repeating: 7, count: 32)),
            isReadOnly: mode == .readOnly)
    }

    var fileBytes: [UInt8] { TestSupport.fileBytes(folder.file("keyring")) ?? [] }

    @discardableResult
    func add(_ first: UInt8, _ name: String, at time: Double = 1000) throws -> KeyringIdentity {
        try keyring.addIdentity(testIdentity(first), name: testName(name), origin: "new", at: time)
    }
}

extension Keyring {
    /// The value of an item in plain memory.
    func plainItem(_ account: ItemAccount, of identity: KeyringIdentity) throws -> [UInt8]? {
        guard let value = try item(account, of: identity) else { return nil }
        return value.withSpan { span in span.indices.map { span[$0] } }
    }
}

/// The identity whose seed begins with `first` and counts up; the first of the check values is 0. Format: SophaxChat 12.
func testIdentity(_ first: UInt8) throws -> Identity {
    try Identity(
        signingSeed: secretBytes((0..<32).map { first &+ $0 }),
        dhPrivate: secretBytes((0..<32).map { first &+ 32 &+ $0 }), username: "alice")
}

func testName(_ text: String) throws -> IdentityName {
    guard let name = IdentityName(trimming: text) else { throw KeyringError.noIdentity }
    return name
}

func secretBytes(_ bytes: [UInt8]) throws -> SecretBytes { try SecretBytes(copying: bytes.span) }

func account(_ text: String) throws -> ItemAccount {
    guard let account = ItemAccount(bytes: Array(text.utf8)) else { throw KeyringError.noIdentity }
    return account
}
