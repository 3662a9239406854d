import CryptoPrimitives
import SQLiteDatabase

/// Why the keyring could not do what it was asked for, whatever the noun.
package enum KeyringError: Error, Equatable, Sendable {
    /// The database below: locked, full, damaged, of a newer version.
    case database(DatabaseError)
    /// The sealed file around it: a wrong secret, damage, a newer version.
    case sealed(SealedError)
    /// A private value whose seal does not open although the keyring does: changed by something else than sxkey.
    case damagedItem(account: [UInt8])
    /// A private value that opens and is not what it is kept as: a key of another length, a seed beside another hash.
    case unfitItem(account: [UInt8])
    /// A row that the schema would not have let in.
    case damagedRow(table: String)
    /// The identity is there already.
    case identityExists
    /// The keyring holds no such identity (any more).
    case noIdentity
    /// The keyring holds no such contact (any more), or its key is another one by now.
    case noContact
    /// An identity without one of its two private keys.
    case noPrivateKeys
    case memory(SecretMemoryError)
    /// The crypto library failed although its arguments were right.
    case libraryFailure
}

extension KeyringError: SealedErrorCarrier {
    package init(_ error: DatabaseError) { self = .database(error) }
    package init(_ error: SealedError) { self = .sealed(error) }
}
