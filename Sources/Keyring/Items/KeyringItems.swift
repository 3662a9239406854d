import CryptoPrimitives
import SQLiteDatabase
import SophaxCore

/// A private item without its value.
package struct ItemListing: Hashable, Sendable {
    package let account: ItemAccount
    /// Bytes of the value.
    package let length: Int
    /// Unix seconds.
    package let changedAt: Double
}

/// A private item on its way into the keyring or out of it. A class, since its value cannot be copied.
package final class PrivateItem: Sendable {
    package let account: ItemAccount
    package let value: SecretBytes

    package init(_ account: ItemAccount, _ value: consuming SecretBytes) {
        self.account = account
        self.value = value
    }

    /// A plain copy, for items that are public.
    package var publicValue: [UInt8] { value.withSpan { bytes in bytes.indices.map { bytes[$0] } } }
}

extension Keyring {
    /// The items of an identity, by name; nothing is opened.
    package func items(of identity: KeyringIdentity) throws(KeyringError) -> [ItemListing] {
        try database.rows(
            "SELECT account, length(value), changed_at FROM item WHERE identity = ? ORDER BY account",
            .integer(identity.id)
        ) { (row) throws(KeyringError) in
            guard let account = row.text(0).flatMap({ ItemAccount(bytes: $0) }), let length = row.integer(1),
                let changedAt = row.real(2)
            else { throw .damagedRow(table: "item") }
            return ItemListing(account: account, length: Int(length) - AEADSize.overhead, changedAt: changedAt)
        }
    }

    /// The value of an item, nil when there is none.
    package func item(_ account: ItemAccount, of identity: KeyringIdentity) throws(KeyringError) -> SecretBytes? {
        guard let sealed = try sealedItem(account, of: identity) else { return nil }
        return try ItemSeal.open(sealed, account, of: identity.fingerprint, key: itemKey)
    }

    /// Puts a value in place of the one that was there.
    package func setItem(
        _ account: ItemAccount, of identity: KeyringIdentity, to value: borrowing SecretBytes, at time: Double
    ) throws(KeyringError) {
        let sealed = try ItemSeal.seal(value, account, of: identity.fingerprint, key: itemKey)
        try attempt { () throws(DatabaseError) in
            try database.run(
                """
                INSERT INTO item (identity, account, value, changed_at) VALUES (?, ?, ?, ?)
                ON CONFLICT (identity, account) DO UPDATE SET value = excluded.value, changed_at = excluded.changed_at
                """, .integer(identity.id), .text(account.bytes), .blob(sealed), .real(time))
        }
    }

    /// Takes an item out; false when there was none.
    @discardableResult
    package func removeItem(_ account: ItemAccount, of identity: KeyringIdentity) throws(KeyringError) -> Bool {
        try attempt { () throws(DatabaseError) in
            try database.run(
                "DELETE FROM item WHERE identity = ? AND account = ?", .integer(identity.id), .text(account.bytes))
            return database.changes > 0
        }
    }

    /// What a merge of these items would do.
    ///
    /// An account that comes twice counts once; with two values it is different, and neither is taken. What
    /// belongs to one owner (`ItemAccount.unit`) is taken as a whole or not at all: of a unit that differs nothing is added.
    package func compare(
        _ items: [PrivateItem], with identity: KeyringIdentity
    ) throws(KeyringError) -> ItemMerge {
        var merge = ItemMerge()
        var first: [ItemAccount: PrivateItem] = [:]
        var split: Set<ItemAccount> = []
        for item in items {
            if let other = first[item.account] {
                if !other.value.isEqual(to: item.value) { split.insert(item.account) }
            } else {
                first[item.account] = item
            }
        }
        var seen: Set<ItemAccount> = []
        for item in items where seen.insert(item.account).inserted {
            guard let present = try self.item(item.account, of: identity) else {
                if split.contains(item.account) {
                    merge.different.append(item.account)
                } else {
                    merge.added.append(item.account)
                }
                continue
            }
            if present.isEqual(to: item.value), !split.contains(item.account) {
                merge.equal.append(item.account)
            } else {
                merge.different.append(item.account)
            }
        }
        merge.keepUnits()
        return merge
    }

    /// Adds the items that are missing, and says which are there with another value; those are left as they are.
    package func merge(
        _ items: [PrivateItem], into identity: KeyringIdentity, at time: Double
    ) throws(KeyringError) -> ItemMerge {
        try changing { () throws(KeyringError) in
            let merge = try compare(items, with: identity)
            var missing = Set(merge.added)
            for item in items where missing.remove(item.account) != nil {
                try setItem(item.account, of: identity, to: item.value, at: time)
            }
            return merge
        }
    }

    /// Seals every value under another key: for a copy of this keyring that has a master key of its own.
    package func resealItems(to newKey: borrowing SecretBytes) throws(KeyringError) {
        for identity in try identities() {
            for listing in try items(of: identity) {
                guard let value = try item(listing.account, of: identity) else { continue }
                let sealed = try ItemSeal.seal(value, listing.account, of: identity.fingerprint, key: newKey)
                try attempt { () throws(DatabaseError) in
                    try database.run(
                        "UPDATE item SET value = ? WHERE identity = ? AND account = ?", .blob(sealed),
                        .integer(identity.id), .text(listing.account.bytes))
                }
            }
        }
    }

    private func sealedItem(_ account: ItemAccount, of identity: KeyringIdentity) throws(KeyringError) -> [UInt8]? {
        try database.first(
            "SELECT value FROM item WHERE identity = ? AND account = ?", .integer(identity.id), .text(account.bytes)
        ) { (row) throws(KeyringError) in
            guard let sealed = row.blob(0) else { throw .damagedRow(table: "item") }
            return sealed
        }
    }
}

/// What a merge of items did.
package struct ItemMerge: Hashable, Sendable {
    package var added: [ItemAccount] = []
    package var equal: [ItemAccount] = []
    /// There with another value, and left as they are; or of an owner of whom something else is there.
    package var different: [ItemAccount] = []

    package init() {}

    /// Takes nothing of a unit of which something differs.
    fileprivate mutating func keepUnits() {
        let foreign = Set(different.compactMap(\.unit))
        guard !foreign.isEmpty else { return }
        different += added.filter { $0.unit.map(foreign.contains) ?? false }
        added.removeAll { $0.unit.map(foreign.contains) ?? false }
    }
}
