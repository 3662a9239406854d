import SophaxCore

/// A prekey of the keyring, without its private half.
package struct PreKeyRecord: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
        case signed
        case oneTime = "one-time"
        /// ML-KEM-768, made and replaced together with the signed one.
        case postQuantum = "post-quantum"
    }

    package let kind: Kind
    package let id: UInt32
    /// Unix seconds; nil for one that was imported.
    package let madeAt: Double?
    /// When a signed or post-quantum prekey got a successor here; nil for the current one, and where nothing is known.
    package let replacedAt: Double?
    /// When a bundle with this one-time prekey was made.
    package let publishedAt: Double?

    /// The name of its item.
    package var account: ItemAccount {
        switch kind {
        case .signed: .signedPreKey(id)
        case .oneTime: .oneTimePreKey(id)
        case .postQuantum: .postQuantumPreKey(id)
        }
    }
    package var isImported: Bool { madeAt == nil }
}

/// The prekeys of one identity at one moment.
package struct PreKeyInventory: Hashable, Sendable {
    /// The signed prekey that bundles are made with; nil when there is none.
    package internal(set) var current: PreKeyRecord?
    /// When the current one was made, Unix seconds, by the item `spk.created_at`; nil when nothing says.
    package internal(set) var currentMadeAt: Double?
    /// The others, which may still be in use by those who have a bundle with them.
    package internal(set) var earlier: [PreKeyRecord] = []
    package internal(set) var oneTime: [PreKeyRecord] = []
    /// The ML-KEM prekey that bundles offer; nil when there is none.
    package internal(set) var currentPostQuantum: PreKeyRecord?
    /// The others, which first messages may still name.
    package internal(set) var earlierPostQuantum: [PreKeyRecord] = []
    /// The item at fault where there are ML-KEM prekeys and none that bundles offer: a number that is missing or leads nowhere,
    /// or a key of another length.
    package internal(set) var lostPostQuantum: ItemAccount?
    /// Whether the identity has an ML-KEM key of its own, and one of ML-DSA. What is in these items is not looked at.
    package internal(set) var hasPostQuantumKey = false
    package internal(set) var hasPostQuantumSigningKey = false
    /// Items that are called like a prekey and are none: the id or the length is wrong.
    package internal(set) var unusable: [ItemAccount] = []

    /// Whether ML-KEM prekeys are made together with signed ones.
    package var usesPostQuantum: Bool { hasPostQuantumKey || currentPostQuantum != nil || lostPostQuantum != nil }
    /// One-time prekeys made here that no bundle has yet.
    package var available: [PreKeyRecord] { oneTime.filter { !$0.isImported && $0.publishedAt == nil } }
    /// Those in a bundle, waiting for the session that uses them.
    package var published: [PreKeyRecord] { oneTime.filter { $0.publishedAt != nil } }
    /// Those of an app's keychain. The app makes 20 at each launch, uses only these, and never clears up, so most are dead;
    /// the keyring hands none of them out.
    package var imported: [PreKeyRecord] { oneTime.filter { $0.isImported && $0.publishedAt == nil } }
    /// Imported ones that must be of earlier launches.
    package var deadAtLeast: Int { max(0, imported.count - PreKeyPolicy.standard.oneTimeTarget) }
    /// When the newest bundle with a one-time prekey was made.
    package var lastPublishedAt: Double? { oneTime.compactMap(\.publishedAt).max() }
}

/// What there is to do about prekeys, or what was done.
package struct PreKeyPlan: Hashable, Sendable {
    /// A new signed prekey is made.
    package var rotates = false
    /// A new ML-KEM prekey is made with it.
    package var makesPostQuantum = false
    /// One-time prekeys that are made.
    package var oneTimeMade = 0
    /// Prekeys that are removed: nobody can have a bundle with them that an app still takes.
    package var removed: [PreKeyRecord] = []

    package var isEmpty: Bool { !rotates && oneTimeMade == 0 && removed.isEmpty }

    package init() {}
}

extension PreKeyInventory {
    /// When the signed prekey is due for replacement, Unix seconds; nil for at once.
    package func rotationDue(_ policy: PreKeyPolicy) -> Double? {
        current == nil ? nil : currentMadeAt.map { $0 + policy.rotationAge }
    }

    package func isRotationDue(_ policy: PreKeyPolicy, at time: Double) -> Bool {
        guard current != nil, let currentMadeAt else { return true }
        return policy.isRotationDue(created: currentMadeAt, now: time)
    }

    /// Replacing the signed prekey now, and what goes with it.
    package func rotation(_ policy: PreKeyPolicy, at time: Double) -> PreKeyPlan {
        var plan = PreKeyPlan()
        plan.rotates = true
        let others = earlier + (current.map { [$0] } ?? [])
        let times = others.map { $0 == current ? time : $0.replacedAt }
        plan.removed = policy.expired(replacedAt: times, now: time).map { others[$0] }
        guard usesPostQuantum else { return plan }
        plan.makesPostQuantum = true
        let lattice = earlierPostQuantum + (currentPostQuantum.map { [$0] } ?? [])
        let replaced = lattice.map { $0 == currentPostQuantum ? time : $0.replacedAt }
        plan.removed += policy.expired(replacedAt: replaced, now: time).map { lattice[$0] }
        return plan
    }

    /// Refilling the one-time prekeys up to the target; without `always` only when fewer are left than the policy wants.
    package func refilling(_ policy: PreKeyPolicy, at time: Double, always: Bool = false) -> PreKeyPlan {
        var plan = PreKeyPlan()
        plan.oneTimeMade =
            always
            ? max(0, policy.oneTimeTarget - available.count) : policy.missingOneTime(available: available.count)
        plan.removed = published.filter { record in
            record.publishedAt.map { time - $0 >= policy.gracePeriod } ?? false
        }
        return plan
    }

    /// What the app does at each launch: both of the above, as far as they are due.
    package func upkeep(_ policy: PreKeyPolicy, at time: Double) -> PreKeyPlan {
        var plan = refilling(policy, at: time)
        guard isRotationDue(policy, at: time) else { return plan }
        let rotation = rotation(policy, at: time)
        plan.rotates = true
        plan.makesPostQuantum = rotation.makesPostQuantum
        plan.removed = rotation.removed + plan.removed
        return plan
    }
}
