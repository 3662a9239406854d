import CryptoPrimitives
import SQLiteDatabase
import SophaxCore

/// A bundle that was made, and what was done about the prekeys before.
package struct PublishedBundle: Sendable {
    package let bundle: PreKeyBundle
    package let upkeep: PreKeyPlan
    /// One-time prekeys that are left for other bundles.
    package let available: Int
}

extension Keyring {
    /// Makes a new signed prekey, which is the current one from then on.
    ///
    /// The earlier ones are kept for the grace period of the policy, and the last few whatever their age: those who have a
    /// bundle with one of them may still begin a session. An identity with ML-KEM keys gets a new ML-KEM prekey with it.
    /// - Parameter time: now, Unix seconds.
    @discardableResult
    package func rotateSignedPreKey(
        of identity: KeyringIdentity, at time: Double, _ policy: PreKeyPolicy = .standard
    ) throws(KeyringError) -> PreKeyPlan {
        try changing { () throws(KeyringError) in
            let plan = try preKeys(of: identity).rotation(policy, at: time)
            try carryOut(plan, of: identity, at: time)
            return plan
        }
    }

    /// Fills the one-time prekeys up to the target of the policy when few are left, or `always`; those whose bundle was
    /// made longer ago than the grace period are removed.
    @discardableResult
    package func replenishPreKeys(
        of identity: KeyringIdentity, at time: Double, always: Bool = false, _ policy: PreKeyPolicy = .standard
    ) throws(KeyringError) -> PreKeyPlan {
        try changing { () throws(KeyringError) in
            let plan = try preKeys(of: identity).refilling(policy, at: time, always: always)
            try carryOut(plan, of: identity, at: time)
            return plan
        }
    }

    /// What the app does at each launch: a new signed prekey when the current one is old or missing, and one-time prekeys
    /// when few are left. For a new identity it makes the first ones.
    @discardableResult
    package func maintainPreKeys(
        of identity: KeyringIdentity, at time: Double, _ policy: PreKeyPolicy = .standard
    ) throws(KeyringError) -> PreKeyPlan {
        try changing { () throws(KeyringError) in
            let plan = try preKeys(of: identity).upkeep(policy, at: time)
            try carryOut(plan, of: identity, at: time)
            return plan
        }
    }

    /// Makes the ML-KEM, ML-DSA and X-Wing keys of an identity as far as it has none, or has something else in their place, which
    /// is put aside (an ML-DSA key of a layout that is not known stays): prekeys made from then on have an ML-KEM
    /// prekey beside them, bundles of prekeys an ML-DSA signature, and bundle files can be encrypted for the X-Wing key.
    package func addPostQuantumKeys(
        to identity: KeyringIdentity, at time: Double, random: RandomSource
    ) throws(KeyringError) {
        try changing { () throws(KeyringError) in
            let present = try preKeys(of: identity)
            if try clear(.mlKEM, as: .mlkem768, of: identity, at: time) {
                try store(.mlKEM, of: identity, at: time) { () throws(CheckedSeedError) in
                    try PostQuantumPreKeyPair.makeForIdentity(random: random).stored()
                }
            }
            if !present.hasPostQuantumSigningKey {
                try store(.mlDSA, of: identity, at: time) { () throws(CheckedSeedError) in
                    try PostQuantumSigningKey.make(random: random).stored()
                }
            }
            guard try clear(.xWing, as: .xwing, of: identity, at: time) else { return }
            try store(.xWing, of: identity, at: time) { () throws(CheckedSeedError) in
                try CheckedSeed.makeXWing(random: random)
            }
        }
    }

    private func store(
        _ account: ItemAccount, of identity: KeyringIdentity, at time: Double,
        _ make: () throws(CheckedSeedError) -> SecretBytes
    ) throws(KeyringError) {
        let value: SecretBytes
        do throws(CheckedSeedError) { value = try make() } catch { throw KeyringError(error, of: account) }
        try setItem(account, of: identity, to: value, at: time)
    }

    /// Makes a bundle for others, after the upkeep that is due.
    ///
    /// The apps put any of their one-time prekeys into a bundle and remove it when a session uses it, so two people may get
    /// the same one. Nobody tells an offline tool about sessions: here a one-time prekey goes into one bundle only, and its
    /// private half stays until a session uses it or the grace period is over.
    /// - Parameter withPostQuantum: offers the ML-KEM prekey, or the identity's own ML-KEM key where there is none, and signs
    ///   with the ML-DSA key, as far as the identity has them.
    /// - Throws: `.noPrivateKeys`, `.unfitItem` for an ML-KEM key that is there and cannot be offered, and the errors of the
    ///   database.
    package func publishBundle(
        of identity: KeyringIdentity, at time: Double, extras: PreKeyBundle.Extras = PreKeyBundle.Extras(),
        withOneTime: Bool = true, withPostQuantum: Bool = true, form: PreKeySignatureForm = .keysAndTime,
        _ policy: PreKeyPolicy = .standard
    ) throws(KeyringError) -> PublishedBundle {
        try changing { () throws(KeyringError) in
            let keys = try privateKeys(of: identity)
            let upkeep = try maintainPreKeys(of: identity, at: time, policy)
            let inventory = try preKeys(of: identity)
            guard let current = inventory.current,
                let signed = try preKeyPair(.signed, current.id, of: identity)?.publicPreKey
            else { throw .damagedItem(account: ItemAccount.signedPreKeyID.bytes) }
            let chosen = withOneTime ? inventory.available.randomElement() : nil
            var oneTime: PublicPreKey?
            if let chosen {
                oneTime = try preKeyPair(.oneTime, chosen.id, of: identity)?.publicPreKey
                try keep(chosen, of: identity, setting: "published_at", to: time)
            }
            var extras = extras
            if withPostQuantum {
                // What is damaged must not become a weaker offer, or none.
                if let lost = inventory.lostPostQuantum { throw .unfitItem(account: lost.bytes) }
                switch try postQuantumPair(inventory.currentPostQuantum?.id, of: identity) {
                case .some(let pair): extras.offer(pair)
                case .none: break
                }
            }
            let signingKey = withPostQuantum ? try postQuantumSigningKey(of: identity) : nil
            do throws(PreKeyError) {
                var bundle = try PreKeyBundle(
                    signedBy: keys, signedPreKey: signed, oneTimePreKey: oneTime,
                    timestamp: time - PreKeyBundle.epoch2001, extras: extras, form: form)
                switch signingKey {
                case .some(let key): try bundle.addSignature(by: key, form: form)
                case .none: break
                }
                return PublishedBundle(
                    bundle: bundle, upkeep: upkeep, available: inventory.available.count - (chosen == nil ? 0 : 1))
            } catch {
                throw KeyringError(error, of: current.account)
            }
        }
    }

    private func carryOut(
        _ plan: PreKeyPlan, of identity: KeyringIdentity, at time: Double
    ) throws(KeyringError) {
        let inventory = try preKeys(of: identity)
        if plan.rotates {
            let taken = Set((inventory.earlier + (inventory.current.map { [$0] } ?? [])).map(\.id))
            if let current = inventory.current {
                try keep(current, of: identity, setting: "replaced_at", to: time)
            }
            let id = try add(.signed, excluding: taken, of: identity, at: time)
            try set(.signedPreKeyID, LittleEndian.bytes(of: id), of: identity, at: time)
            try set(
                .signedPreKeyDate, LittleEndian.bytes(of: time - PreKeyBundle.epoch2001), of: identity, at: time)
        }
        if plan.makesPostQuantum { try replacePostQuantum(inventory, of: identity, at: time) }
        var taken = Set(inventory.oneTime.map(\.id))
        for _ in 0..<plan.oneTimeMade {
            taken.insert(try add(.oneTime, excluding: taken, of: identity, at: time))
        }
        for record in plan.removed { try removeItem(record.account, of: identity) }
    }

    /// Makes an ML-KEM prekey, which is the current one from then on.
    private func replacePostQuantum(
        _ inventory: PreKeyInventory, of identity: KeyringIdentity, at time: Double
    ) throws(KeyringError) {
        let others = inventory.earlierPostQuantum + (inventory.currentPostQuantum.map { [$0] } ?? [])
        if let current = inventory.currentPostQuantum {
            try keep(current, of: identity, setting: "replaced_at", to: time)
        }
        let id: UInt32
        let stored: SecretBytes
        do throws(CheckedSeedError) {
            let pair = try PostQuantumPreKeyPair.make(excluding: Set(others.map(\.id)))
            id = pair.id ?? 0
            stored = try pair.stored()
        } catch {
            throw KeyringError(error, of: .postQuantumPreKeyID)
        }
        let record = PreKeyRecord(kind: .postQuantum, id: id, madeAt: time, replacedAt: nil, publishedAt: nil)
        try setItem(record.account, of: identity, to: stored, at: time)
        try keep(record, of: identity, setting: "made_at", to: time)
        try set(.postQuantumPreKeyID, LittleEndian.bytes(of: id), of: identity, at: time)
    }

    /// Makes an X25519 prekey and gives its id.
    private func add(
        _ kind: PreKeyRecord.Kind, excluding taken: Set<UInt32>, of identity: KeyringIdentity, at time: Double
    ) throws(KeyringError) -> UInt32 {
        let pair: PreKeyPair
        do throws(PreKeyError) {
            pair = try PreKeyPair.make(excluding: taken)
        } catch {
            throw KeyringError(error, of: .signedPreKeyID)
        }
        let record = PreKeyRecord(kind: kind, id: pair.id, madeAt: time, replacedAt: nil, publishedAt: nil)
        try setItem(record.account, of: identity, to: pair.privateKey, at: time)
        try keep(record, of: identity, setting: "made_at", to: time)
        return record.id
    }

    /// Notes a time of a prekey; `column` is one of the table's own.
    private func keep(
        _ record: PreKeyRecord, of identity: KeyringIdentity, setting column: StaticString, to time: Double
    ) throws(KeyringError) {
        try attempt { () throws(DatabaseError) in
            try database.run(
                """
                INSERT INTO prekey (identity, account, \(column)) VALUES (?, ?, ?)
                ON CONFLICT (identity, account) DO UPDATE SET \(column) = excluded.\(column)
                """, .integer(identity.id), .text(record.account.bytes), .real(time))
        }
    }

    private func set(
        _ account: ItemAccount, _ bytes: [UInt8], of identity: KeyringIdentity, at time: Double
    ) throws(KeyringError) {
        let value = try secret { () throws(SecretMemoryError) in try SecretBytes(copying: bytes.span) }
        try setItem(account, of: identity, to: value, at: time)
    }
}
