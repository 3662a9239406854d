import SQLiteDatabase

/// What the keyring knows of a prekey besides its private half. Unix seconds.
package struct PreKeyTimes: Hashable, Sendable {
    package var madeAt: Double?
    package var replacedAt: Double?
    /// When a bundle with it was made.
    package var publishedAt: Double?

    package init(madeAt: Double? = nil, replacedAt: Double? = nil, publishedAt: Double? = nil) {
        self.madeAt = madeAt
        self.replacedAt = replacedAt
        self.publishedAt = publishedAt
    }
}

extension Keyring {
    /// The times of an identity's prekeys, by the names of their items.
    package func preKeyTimes(of identity: KeyringIdentity) throws(KeyringError) -> [ItemAccount: PreKeyTimes] {
        let rows = try database.rows(
            "SELECT account, made_at, replaced_at, published_at FROM prekey WHERE identity = ? ORDER BY account",
            .integer(identity.id)
        ) { (row) throws(KeyringError) in
            guard let account = row.text(0).flatMap({ ItemAccount(bytes: $0) }) else {
                throw .damagedRow(table: "prekey")
            }
            return (
                account,
                PreKeyTimes(madeAt: row.real(1), replacedAt: row.real(2), publishedAt: row.real(3))
            )
        }
        return Dictionary(rows, uniquingKeysWith: { first, _ in first })
    }

    /// Keeps the times of a prekey whose item is there; those that are known already stay.
    package func restoreTimes(
        _ times: PreKeyTimes, of account: ItemAccount, of identity: KeyringIdentity
    ) throws(KeyringError) {
        guard times != PreKeyTimes() else { return }
        try attempt { () throws(DatabaseError) in
            try database.run(
                """
                INSERT INTO prekey (identity, account, made_at, replaced_at, published_at) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (identity, account) DO NOTHING
                """, .integer(identity.id), .text(account.bytes), .real(orNull: times.madeAt),
                .real(orNull: times.replacedAt), .real(orNull: times.publishedAt))
        }
    }
}
