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
                WHERE identity = ? AND (account GLOB 'spk.*' OR account GLOB 'otpk.*' OR account GLOB 'pqspk.*'
                    OR account = 'identity.pq' OR account = 'identity.mldsa')
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
            let postQuantumID = try plainNumber(.postQuantumPreKeyID, of: identity) { LittleEndian.uint32($0) }
            return PreKeyInventory(
                rows, currentID: currentID, postQuantumID: postQuantumID,
                currentMadeAt: date.flatMap { $0.isFinite ? $0 + PreKeyBundle.epoch2001 : nil })
        }
    }

    /// An ML-KEM key with its private half: the prekey of a number, or the identity's own for nil; nil when the keyring does
    /// not have it.
    package func postQuantumPair(
        _ id: UInt32?, of identity: KeyringIdentity
    ) throws(KeyringError) -> PostQuantumPreKeyPair? {
        let account = id.map { .postQuantumPreKey($0) } ?? ItemAccount.mlKEM
        guard let stored = try item(account, of: identity) else { return nil }
        do throws(CheckedSeedError) {
            return try PostQuantumPreKeyPair(id: id, stored: stored)
        } catch {
            throw KeyringError(error, of: account)
        }
    }

    /// The seed of the X-Wing key that bundle files are encrypted for; nil when there is none.
    package func recipientSeed(of identity: KeyringIdentity) throws(KeyringError) -> SecretBytes? {
        guard let stored = try item(.xWing, of: identity) else { return nil }
        do throws(CheckedSeedError) {
            return try CheckedSeed.read(stored, as: .xwing)
        } catch {
            throw KeyringError(error, of: .xWing)
        }
    }

    /// The public key of the same.
    package func recipientKey(of identity: KeyringIdentity) throws(KeyringError) -> [UInt8]? {
        guard let seed = try recipientSeed(of: identity) else { return nil }
        do throws(CheckedSeedError) {
            return try CheckedSeed.publicKey(of: seed, as: .xwing)
        } catch {
            throw KeyringError(error, of: .xWing)
        }
    }

    /// The ML-DSA key; nil when there is none, or its layout is not known.
    package func postQuantumSigningKey(
        of identity: KeyringIdentity
    ) throws(KeyringError) -> PostQuantumSigningKey? {
        guard let stored = try item(.mlDSA, of: identity) else { return nil }
        let known = try knownSigningKeys(of: identity)
        do throws(CheckedSeedError) {
            return try PostQuantumSigningKey.read(stored, known: known)
        } catch {
            throw KeyringError(error, of: .mlDSA)
        }
    }

    /// ML-DSA public keys that bundles of the identity proved to be its own.
    func knownSigningKeys(of identity: KeyringIdentity) throws(KeyringError) -> [[UInt8]] {
        guard let key = try item(.mlDSAPublic, of: identity) else { return [] }
        return [key.withSpan { bytes in bytes.indices.map { bytes[$0] } }]
    }

    /// An X25519 prekey with its private half; nil when the keyring does not have it.
    package func preKeyPair(
        _ kind: PreKeyRecord.Kind, _ id: UInt32, of identity: KeyringIdentity
    ) throws(KeyringError) -> PreKeyPair? {
        let account = PreKeyRecord(kind: kind, id: id, madeAt: nil, replacedAt: nil, publishedAt: nil).account
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
        case .wrongLength, .idTooLarge, .timestampNotFinite: self = .unfitItem(account: account.bytes)
        }
    }
}

extension KeyringError {
    init(_ error: CheckedSeedError, of account: ItemAccount) {
        switch error {
        case .memory(let memory): self = .memory(memory)
        case .libraryFailure: self = .libraryFailure
        case .length, .mismatch: self = .unfitItem(account: account.bytes)
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
        for (prefix, kind, expected) in [
            ("spk.", PreKeyRecord.Kind.signed, PublicPreKey.keyLength), ("otpk.", .oneTime, PublicPreKey.keyLength),
            ("pqspk.", .postQuantum, CheckedSeed.Form.mlkem768.storedLength),
        ] where text.hasPrefix(prefix) {
            let digits = String(text.unicodeScalars.dropFirst(prefix.unicodeScalars.count))
            // Only the one spelling that the name is made with again: no sign, no zeros before.
            guard let id = UInt32(digits), "\(id)" == digits, length == expected else { return nil }
            return PreKeyRecord(
                kind: kind, id: id, madeAt: madeAt, replacedAt: replacedAt, publishedAt: publishedAt)
        }
        return nil
    }
}

extension PreKeyInventory {
    /// Items that say which prekey is which, and are none.
    private static let numbers: [ItemAccount] = [.signedPreKeyID, .signedPreKeyDate, .postQuantumPreKeyID]

    fileprivate init(_ rows: [PreKeyRow], currentID: UInt32?, postQuantumID: UInt32?, currentMadeAt: Double?) {
        for row in rows where !Self.numbers.contains(row.account) {
            if row.account == .mlKEM { hasPostQuantumKey = true }
            if row.account == .mlDSA { hasPostQuantumSigningKey = true }
            if row.account == .mlKEM || row.account == .mlDSA { continue }
            guard let record = row.record else {
                unusable.append(row.account)
                continue
            }
            switch record.kind {
            case .postQuantum where record.id == postQuantumID: currentPostQuantum = record
            case .postQuantum: earlierPostQuantum.append(record)
            case .oneTime: oneTime.append(record)
            case .signed where record.id == currentID: current = record
            case .signed: earlier.append(record)
            }
        }
        let hasPreKeys = rows.contains { $0.account.isPostQuantumPreKey }
        if hasPreKeys, currentPostQuantum == nil {
            lostPostQuantum = postQuantumID.map { .postQuantumPreKey($0) } ?? .postQuantumPreKeyID
        }
        self.currentMadeAt = current == nil ? nil : currentMadeAt ?? current?.madeAt
    }
}
