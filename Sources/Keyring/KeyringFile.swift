import CryptoPrimitives
import SQLiteDatabase
import SophaxCore
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

// MARK: - Copies under another master key

extension Keyring {
    /// Encrypts everything anew under a new master key, private items too, and gives the number of these.
    ///
    /// What `file.database` was is of no use afterwards, nor is a `Keyring` on it. Errors: those of `SealedDatabase.rekey`,
    /// and `.damagedItem` for one that does not open: the file is then as it was.
    package static func rekey(
        _ file: SealedDatabase, secrets: [Int: UnlockSecret], dropping: Set<Int>
    ) throws(KeyringError) -> Int {
        var items = 0
        try file.rekey(secrets: secrets, dropping: dropping) { (resealing) throws(KeyringError) in
            items = try reseal(resealing)
        }
        return items
    }

    /// Writes a copy with a master key of its own, and gives the number of private items in it.
    package static func backup(
        _ file: SealedDatabase, to path: FilePath, slots: [NewSlot]
    ) throws(KeyringError) -> Int {
        var items = 0
        try file.backup(to: path, slots: slots) { (resealing) throws(KeyringError) in
            items = try reseal(resealing)
        }
        return items
    }

    /// Seals the items of the copy under its own key, and compares each with the old one.
    private static func reseal(_ resealing: borrowing Resealing) throws(KeyringError) -> Int {
        let old = try Keyring(
            resealing.old, itemKey: try key { () throws(SealedError) in try resealing.oldKey(label: itemKeyLabel) },
            isReadOnly: true)
        let copy = try Keyring(
            resealing.new, itemKey: try key { () throws(SealedError) in try resealing.oldKey(label: itemKeyLabel) })
        let newKey = try key { () throws(SealedError) in try resealing.newKey(label: itemKeyLabel) }
        try copy.changing { () throws(KeyringError) in
            try copy.resealItems(
                to: try key { () throws(SealedError) in try resealing.newKey(label: itemKeyLabel) })
        }
        let new = try Keyring(resealing.new, itemKey: newKey)
        var items = 0
        for identity in try old.identities() {
            for listing in try old.items(of: identity) {
                guard let before = try old.item(listing.account, of: identity),
                    let after = try new.item(listing.account, of: identity), before.isEqual(to: after)
                else { throw .damagedItem(account: listing.account.bytes) }
                items += 1
            }
        }
        return items
    }

    private static func key(
        _ derive: () throws(SealedError) -> SecretBytes
    ) throws(KeyringError) -> SecretBytes {
        do throws(SealedError) { return try derive() } catch { throw .sealed(error) }
    }
}

// MARK: - Judging

extension Keyring {
    /// What `judge` found of the identities and their items.
    package struct Judgement: Sendable {
        package var identities = 0
        package var items = 0
        /// Items that do not open, by the fingerprint of their identity.
        package var damaged: [(identity: Fingerprint, account: ItemAccount)] = []
        /// Items that open and are not what an app reads under their names.
        package var unusual: [(identity: Fingerprint, account: ItemAccount, problem: ItemProblem)] = []
        /// Those of them that are keys, and cannot be used.
        package var unfit: [(identity: Fingerprint, account: ItemAccount, problem: ItemProblem)] {
            unusual.filter { $0.account.kind?.isUnfit($0.problem) == true }
        }
        /// Identities whose private keys are missing, or do not give the public ones.
        package var broken: [Fingerprint] = []
    }

    /// Opens every private item, and computes the public keys of every identity again.
    package func judge() throws(KeyringError) -> Judgement {
        try reading { () throws(KeyringError) in
            var judgement = Judgement()
            for identity in try identities() {
                judgement.identities += 1
                for listing in try items(of: identity) {
                    judgement.items += 1
                    do throws(KeyringError) {
                        guard let value = try item(listing.account, of: identity) else { continue }
                        let macKey = try macKey(for: listing.account, of: identity)
                        let signingKeys = listing.account == .mlDSA ? try knownSigningKeys(of: identity) : []
                        if let problem = ItemInspection.problem(
                            of: value, as: listing.account, macKey: macKey, signingKeys: signingKeys)
                        {
                            judgement.unusual.append((identity.fingerprint, listing.account, problem))
                        }
                    } catch .damagedItem {
                        judgement.damaged.append((identity.fingerprint, listing.account))
                    }
                }
                do throws(KeyringError) {
                    _ = try privateKeys(of: identity)
                } catch .noPrivateKeys, .damagedItem, .damagedRow {
                    judgement.broken.append(identity.fingerprint)
                }
            }
            return judgement
        }
    }

    /// The key for the HMAC of a session; nil for other items, and where it is missing or does not open.
    private func macKey(
        for account: ItemAccount, of identity: KeyringIdentity
    ) throws(KeyringError) -> PrivateItem? {
        guard account.kind?.shape == .session else { return nil }
        for name in account.isStale ? [ItemAccount.staleSessionMACKey, .sessionMACKey] : [.sessionMACKey] {
            do throws(KeyringError) {
                if let key = try item(name, of: identity) { return PrivateItem(name, key) }
            } catch .damagedItem {
                continue
            }
        }
        return nil
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
