import CryptoPrimitives
import SQLiteDatabase
import SophaxCore

extension Keyring {
    /// All identities in the order in which they came.
    package func identities() throws(KeyringError) -> [KeyringIdentity] {
        try database.rows(
            """
            SELECT id, signing_public, dh_public, name, origin, created_at, is_current, fingerprint FROM identity
            ORDER BY id
            """
        ) { (row) throws(KeyringError) in
            guard let id = row.integer(0), let signing = row.blob(1), let dh = row.blob(2),
                let name = row.text(3).flatMap({ IdentityName(stored: $0) }), let origin = row.string(4),
                let createdAt = row.real(5), let keys = try? IdentityPublicKeys(signing: signing, dh: dh),
                keys.fingerprint.bytes == row.blob(7)
            else { throw .damagedRow(table: "identity") }
            return KeyringIdentity(
                id: id, keys: keys, name: name, origin: origin, createdAt: createdAt, isCurrent: row.integer(6) == 1)
        }
    }

    /// The one that commands use when none is named; nil in an empty keyring.
    package func currentIdentity() throws(KeyringError) -> KeyringIdentity? {
        try identities().first { $0.isCurrent }
    }

    /// The identity with these keys.
    package func identity(_ fingerprint: Fingerprint) throws(KeyringError) -> KeyringIdentity? {
        try identities().first { $0.fingerprint == fingerprint }
    }

    /// The identities that a user may mean: those of this name, else of this name in other capitals, else those whose
    /// fingerprint begins with these eight or more hex digits.
    package func identities(named word: [UInt8]) throws(KeyringError) -> [KeyringIdentity] {
        let all = try identities()
        let named = all.filter { $0.name.bytes == word }
        if !named.isEmpty { return named }
        let similar = all.filter { $0.name.isSimilar(to: word) }
        if !similar.isEmpty { return similar }
        guard word.count >= Self.shortestPrefix else { return [] }
        let lower = word.map { (UInt8(ascii: "A")...UInt8(ascii: "F")).contains($0) ? $0 | 0x20 : $0 }
        return all.filter { $0.fingerprint.hexBytes.starts(with: lower) }
    }

    /// Hex digits that name a key at least.
    package static let shortestPrefix = 8

    /// Adds an identity with its private keys and name. The first one becomes the current one.
    /// - Throws: `.identityExists`.
    package func addIdentity(
        _ keys: borrowing Identity, name: IdentityName, origin: String, at time: Double
    ) throws(KeyringError) -> KeyringIdentity {
        let (publicKeys, fingerprint) = (keys.publicKeys, keys.fingerprint)
        let seed = try secret { () throws(SecretMemoryError) in try keys.signingSeed.copy() }
        let dhPrivate = try secret { () throws(SecretMemoryError) in try keys.dhPrivate.copy() }
        let username = try secret { () throws(SecretMemoryError) in try SecretBytes(copying: name.bytes.span) }
        let items = [
            PrivateItem(.signing, seed), PrivateItem(.dh, dhPrivate), PrivateItem(.username, username),
        ]
        return try changing { () throws(KeyringError) in
            let isFirst = try identities().isEmpty
            guard try identity(fingerprint) == nil else { throw .identityExists }
            try attempt { () throws(DatabaseError) in
                try database.run(
                    """
                    INSERT INTO identity (fingerprint, signing_public, dh_public, name, origin, created_at, is_current)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """, .blob(fingerprint.bytes), .blob(publicKeys.signing), .blob(publicKeys.dh), .text(name.bytes),
                    .text(Array(origin.utf8)), .real(time), .integer(isFirst ? 1 : 0))
            }
            guard let added = try identity(fingerprint) else { throw .noIdentity }
            for item in items { try setItem(item.account, of: added, to: item.value, at: time) }
            return added
        }
    }

    /// The private keys of an identity, proven to belong to its public ones.
    package func privateKeys(of identity: KeyringIdentity) throws(KeyringError) -> Identity {
        guard let seed = try item(.signing, of: identity), let dhPrivate = try item(.dh, of: identity) else {
            throw .noPrivateKeys
        }
        let keys: Identity
        do throws(IdentityError) {
            keys = try Identity(
                signingSeed: seed, dhPrivate: dhPrivate, username: String(decoding: identity.name.bytes, as: UTF8.self))
        } catch {
            switch error {
            case .memory(let memory): throw .memory(memory)
            case .libraryFailure: throw .libraryFailure
            case .wrongLength, .notHexadecimal: throw .damagedItem(account: ItemAccount.signing.bytes)
            }
        }
        guard keys.publicKeys == identity.keys else { throw .damagedRow(table: "identity") }
        return keys
    }

    /// Makes an identity the current one.
    package func use(_ identity: KeyringIdentity) throws(KeyringError) {
        try changing { () throws(KeyringError) in
            try attempt { () throws(DatabaseError) in
                try database.run(
                    "UPDATE identity SET is_current = 0 WHERE is_current = 1 AND id <> ?", .integer(identity.id))
                try database.run("UPDATE identity SET is_current = 1 WHERE id = ?", .integer(identity.id))
            }
            guard database.changes == 1 else { throw .noIdentity }
        }
    }

    /// Gives an identity another name; its item `user.username` follows.
    package func rename(
        _ identity: KeyringIdentity, to name: IdentityName, at time: Double
    ) throws(KeyringError) {
        let value = try secret { () throws(SecretMemoryError) in try SecretBytes(copying: name.bytes.span) }
        try changing { () throws(KeyringError) in
            try attempt { () throws(DatabaseError) in
                try database.run("UPDATE identity SET name = ? WHERE id = ?", .text(name.bytes), .integer(identity.id))
            }
            guard database.changes == 1 else { throw .noIdentity }
            try setItem(.username, of: identity, to: value, at: time)
        }
    }

    /// Takes an identity and all its items out. When it was the current one, none is current.
    package func remove(_ identity: KeyringIdentity) throws(KeyringError) {
        try changing { () throws(KeyringError) in
            try attempt { () throws(DatabaseError) in
                try database.run("DELETE FROM identity WHERE id = ?", .integer(identity.id))
            }
            guard database.changes == 1 else { throw .noIdentity }
        }
    }
}

/// Makes a secret and says its error in the keyring's words.
func secret(_ make: () throws(SecretMemoryError) -> SecretBytes) throws(KeyringError) -> SecretBytes {
    do throws(SecretMemoryError) { return try make() } catch { throw .memory(error) }
}
