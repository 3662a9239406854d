import CryptoPrimitives
import SQLiteDatabase
import SystemIO

extension Keyring {
    /// Makes a keyring with empty tables at `path`, where nothing may be, and opens it.
    package static func make(at path: FilePath, slots: [NewSlot]) throws(KeyringError) -> Keyring {
        let file = try sealing { () throws(SealedError) in
            try SealedDatabase.create(at: path, kind: .keyring, slots: slots) { (database) throws(DatabaseError) in
                try KeyringSchema.migrator.migrate(database)
            }
        }
        return try Keyring(file)
    }

    /// Opens a keyring with one of its secrets. Reading changes nothing on the disk.
    package convenience init(
        opening path: FilePath, _ mode: SealedDatabase.AccessMode, unlocking secret: UnlockSecret
    ) throws(KeyringError) {
        let file = try sealing { () throws(SealedError) in
            try SealedDatabase(opening: path, kind: .keyring, mode: mode, unlocking: secret)
        }
        try self.init(file, isReadOnly: mode == .readOnly)
    }

    /// Takes a sealed database that is open.
    package convenience init(_ file: SealedDatabase, isReadOnly: Bool = false) throws(KeyringError) {
        let itemKey = try sealing { () throws(SealedError) in try file.deriveKey(label: Self.itemKeyLabel) }
        try self.init(file.database, itemKey: itemKey, isReadOnly: isReadOnly)
    }
}

/// Runs work on the sealed file and says its error in the keyring's words.
private func sealing<R: ~Copyable>(_ body: () throws(SealedError) -> R) throws(KeyringError) -> R {
    do throws(SealedError) {
        return try body()
    } catch {
        throw .sealed(error)
    }
}
