import CryptoPrimitives
import SQLiteDatabase
import SophaxCore

extension Keyring {
    /// The prekeys of an identity; no private half is opened.
    package func preKeys(of identity: KeyringIdentity) throws(KeyringError) -> PreKeyInventory {
        try reading { () throws(KeyringError) in
            let rows = try database.rows(
                """
                SELECT account, length(value), made_at, replaced_at, published_at
                FROM item LEFT JOIN prekey USING (identity, account)
                WHERE identity = ? AND (account GLOB 'spk.*' OR account GLOB 'otpk.*' OR account GLOB 'pqspk.*')
                ORDER BY account
                """, .integer(identity.id)
            ) { (row) throws(KeyringError) in
                guard let account = row.text(0).flatMap({ ItemAccount(bytes: $0) }), let length = row.integer(1) else {
                    throw .damagedRow(table: "item")
                }
                return PreKeyRow(
                    account: account, length: Int(length) - AEADSize.overhead, madeAt: row.real(2),
                    replacedAt: row.real(3), publishedAt: row.real(4))
            }
            let currentID = try plainNumber(.signedPreKeyID, of: identity) { LittleEndian.uint32($0) }
            let date = try plainNumber(.signedPreKeyDate, of: identity) { LittleEndian.double($0) }
            return PreKeyInventory(
                rows, currentID: currentID,
                currentMadeAt: date.flatMap { $0.isFinite ? $0 + PreKeyBundle.epoch2001 : nil })
        }
    }

    /// A prekey with its private half; nil when the keyring does not have it.
    package func preKeyPair(
        _ kind: PreKeyRecord.Kind, _ id: UInt32, of identity: KeyringIdentity
    ) throws(KeyringError) -> PreKeyPair? {
        let account = kind == .signed ? ItemAccount.signedPreKey(id) : .oneTimePreKey(id)
        guard let privateKey = try item(account, of: identity) else { return nil }
        do throws(PreKeyError) {
            return try PreKeyPair(id: id, privateKey: privateKey)
        } catch {
            throw KeyringError(error, of: account)
        }
    }

    /// A number that is no secret, in an item; nil when there is none, or it is of another length.
    private func plainNumber<R>(
        _ account: ItemAccount, of identity: KeyringIdentity, _ read: (Span<UInt8>) -> R?
    ) throws(KeyringError) -> R? {
        guard let value = try item(account, of: identity) else { return nil }
        return value.withSpan { read($0) }
    }
}

extension KeyringError {
    /// An error of a prekey whose item is `account`.
    init(_ error: PreKeyError, of account: ItemAccount) {
        switch error {
        case .memory(let memory): self = .memory(memory)
        case .libraryFailure: self = .libraryFailure
        case .wrongLength, .idTooLarge, .timestampNotFinite: self = .damagedItem(account: account.bytes)
        }
    }
}

/// A row of prekeys as it is read.
private struct PreKeyRow {
    let account: ItemAccount
    let length: Int
    let madeAt: Double?
    let replacedAt: Double?
    let publishedAt: Double?

    /// The prekey that it is; nil when the name or the length is not that of one.
    var record: PreKeyRecord? {
        let text = account.text
        for (prefix, kind) in [("spk.", PreKeyRecord.Kind.signed), ("otpk.", .oneTime)] where text.hasPrefix(prefix) {
            let digits = String(text.unicodeScalars.dropFirst(prefix.unicodeScalars.count))
            // Only the one spelling that the name is made with again: no sign, no zeros before.
            guard let id = UInt32(digits), "\(id)" == digits, length == PublicPreKey.keyLength else { return nil }
            return PreKeyRecord(
                kind: kind, id: id, madeAt: madeAt, replacedAt: replacedAt, publishedAt: publishedAt)
        }
        return nil
    }
}

extension PreKeyInventory {
    fileprivate init(_ rows: [PreKeyRow], currentID: UInt32?, currentMadeAt: Double?) {
        for row in rows where row.account != .signedPreKeyID && row.account != .signedPreKeyDate {
            guard let record = row.record else {
                if row.account.text.hasPrefix("pqspk.") {
                    if row.account.text != "pqspk.current_id" { postQuantum += 1 }
                } else {
                    unusable.append(row.account)
                }
                continue
            }
            switch record.kind {
            case .oneTime: oneTime.append(record)
            case .signed where record.id == currentID: current = record
            case .signed: earlier.append(record)
            }
        }
        self.currentMadeAt = current == nil ? nil : currentMadeAt ?? current?.madeAt
    }
}
