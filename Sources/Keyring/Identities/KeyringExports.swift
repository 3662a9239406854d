import SQLiteDatabase

extension Keyring {
    /// Keeps that an identity was exported.
    package func addExport(_ record: IdentityExportRecord, of identity: KeyringIdentity) throws(KeyringError) {
        try attempt { () throws(DatabaseError) in
            try database.run(
                """
                INSERT INTO identity_export (identity, made_at, kind, path, sha256, read_back_at)
                VALUES (?, ?, ?, ?, ?, ?)
                """, .integer(identity.id), .real(record.madeAt), .text(Array(record.kind.utf8)), .blob(record.path),
                .blob(record.sha256), .real(orNull: record.readBackAt))
        }
    }

    /// The exports of an identity, the newest first.
    package func exports(of identity: KeyringIdentity) throws(KeyringError) -> [IdentityExportRecord] {
        try database.rows(
            """
            SELECT made_at, kind, path, sha256, read_back_at FROM identity_export WHERE identity = ?
            ORDER BY made_at DESC, id DESC
            """, .integer(identity.id)
        ) { (row) throws(KeyringError) in
            guard let madeAt = row.real(0), let kind = row.string(1), let path = row.blob(2), let sha256 = row.blob(3)
            else { throw .damagedRow(table: "identity_export") }
            return IdentityExportRecord(
                madeAt: madeAt, kind: kind, path: path, sha256: sha256, readBackAt: row.real(4))
        }
    }
}
