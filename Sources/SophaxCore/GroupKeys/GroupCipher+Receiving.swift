import CryptoPrimitives

/// What became of a chain that was offered.
public enum SenderKeyIntake: Hashable, Sendable {
    /// The first one of this member.
    case added
    /// Another chain than the known one, whose place it took; so many keys of messages of the old one were put aside.
    case replaced(putAside: Int)
    /// The known chain, further on: the known position stays, since it opens more.
    case keptEarlier
    /// The known chain where it stands.
    case unchanged
    /// One's own chain, further on: it was moved there, so that no key is used twice.
    case advanced
}

extension GroupCipher {
    /// Takes the sender key that `peer` handed out, which its session must prove.
    ///
    /// A position never moves back: a key that was used would open its message again, and what was deleted would be
    /// readable. The same chain further on changes nothing either, for the known position opens the messages between. When
    /// another chain takes its place, keys of the messages between are put aside, as far as they may be skipped: messages
    /// that were sent before the key was replaced can still come.
    ///
    /// The newest apps begin a new chain at number 0 whenever they rotate, and refuse such a chain themselves when they know
    /// the old one further on, but where it comes in an invitation.
    /// - Parameter acceptsRestart: takes another chain at a lower number too; skipped keys of the old one stay. The same chain
    ///   is never taken further back.
    /// - Throws: `.backwards`, `.chainExhausted`, `.tooMany`, `.memory`, `.format` for an id that no app gives a group; nothing
    ///   has changed then.
    public mutating func receive(
        _ distribution: borrowing SenderKeyDistribution, from peer: PeerID, at now: Double,
        acceptsRestart: Bool = false
    ) throws(GroupKeyError) -> SenderKeyIntake {
        let position = SenderKeyPosition(iteration: distribution.iteration, receivedAt: now)
        return try take(
            distribution.chainKey, position, [], from: GroupSender(group: distribution.groupID, peer: peer), at: now,
            acceptsRestart)
    }

    /// Takes a state that comes from elsewhere by the rules of `receive`; what it says about its age stays.
    public mutating func receive(
        _ state: borrowing SenderKeyState, from sender: GroupSender, at now: Double, acceptsRestart: Bool = false
    ) throws(GroupKeyError) -> SenderKeyIntake {
        try take(state.chainKey, state.position, state.unknown, from: sender, at: now, acceptsRestart)
    }

    private mutating func take(
        _ chainKey: borrowing SecretBytes, _ position: SenderKeyPosition, _ unknown: [SecretField],
        from offerer: GroupSender, at now: Double, _ acceptsRestart: Bool
    ) throws(GroupKeyError) -> SenderKeyIntake {
        try offerer.group.check()
        // At the last number a chain opens nothing, and nothing could ever take its place.
        guard position.iteration < .max else { throw .chainExhausted }
        // The same person's chain under an id of another length is the same chain: it must not begin anew beside it.
        let sender = chainOwner(offerer) ?? offerer
        guard let known = peerChains[sender] else {
            guard peerChains.count < GroupKeyLimits.senders else { throw .tooMany(limit: GroupKeyLimits.senders) }
            try reserve(1)
            peerChains[sender] = Chain(slot: try takeSlot(chainKey), position: position, unknown: unknown)
            return .added
        }
        defer { wipeScratch() }
        keys.set(Self.offeredKey, to: chainKey)
        let (old, new) = (known.position.iteration, position.iteration)
        guard new >= old else {
            let isSame = isOffered(at: new, reaching: known.slot, at: old)
            // Beyond what is stepped through it cannot be told whether it is the same chain.
            let isOther = !isSame && old - new <= UInt32(GroupKeyLimits.highestSkip)
            guard acceptsRestart, isOther else { throw .backwards(known: old, offered: new, sameChain: isSame) }
            copyKey(Self.offeredKey, to: known.slot)
            peerChains[sender] = Chain(slot: known.slot, position: position, unknown: unknown)
            return .replaced(putAside: 0)
        }
        if isKnown(known.slot, at: old, reachingOfferedAt: new) {
            if let received = position.receivedAt { peerChains[sender]?.position.receivedAt = received }
            return new == old ? .unchanged : .keptEarlier
        }
        let distance = Int(new - old)
        let kept = distance <= limits.skip ? min(distance, limits.cache) : 0
        try reserve(kept)
        let places = nextFree(kept)
        copyKey(known.slot, to: Self.steppingKey)
        if kept > 0 { step(distance - kept) }
        for place in places {
            keys.setCode(place, of: 0x01, key: Self.steppingKey)
            step(1)
        }
        try putAside(places, from: new - UInt32(kept), of: sender, at: now)
        copyKey(Self.offeredKey, to: known.slot)
        peerChains[sender] = Chain(slot: known.slot, position: position, unknown: unknown)
        return .replaced(putAside: kept)
    }

    /// Takes a state of one's own from another device or an earlier export.
    ///
    /// One's own chain never moves back either: a key that was used to send would be used again.
    /// - Throws: `.backwards` with `sameChain`, `.ownKeyExists` for another chain, `.memory`; nothing has changed then.
    public mutating func receiveOwn(
        _ state: borrowing SenderKeyState, of group: GroupID
    ) throws(GroupKeyError) -> SenderKeyIntake {
        try group.check()
        guard let known = ownChains[group] else {
            try reserve(1)
            ownChains[group] = Chain(
                slot: try takeSlot(state.chainKey), position: state.position, unknown: state.unknown)
            return .added
        }
        defer { wipeScratch() }
        keys.set(Self.offeredKey, to: state.chainKey)
        let (old, new) = (known.position.iteration, state.position.iteration)
        if new < old {
            guard isOffered(at: new, reaching: known.slot, at: old) else { throw .ownKeyExists }
            throw .backwards(known: old, offered: new, sameChain: true)
        }
        guard isKnown(known.slot, at: old, reachingOfferedAt: new) else { throw .ownKeyExists }
        guard new > old else { return .unchanged }
        copyKey(Self.offeredKey, to: known.slot)
        ownChains[group] = Chain(slot: known.slot, position: state.position, unknown: state.unknown)
        return .advanced
    }

    /// Takes the key of a group of the first version, 32 bytes.
    /// - Returns: `.added`, `.unchanged`, or `.replaced` when another one was there.
    public mutating func receiveShared(
        _ key: borrowing SecretBytes, of group: GroupID
    ) throws(GroupKeyError) -> SenderKeyIntake {
        guard key.count == SenderKeyState.keyLength else { throw .keyLength(found: key.count) }
        guard let slot = sharedKeys[group] else {
            try reserve(1)
            sharedKeys[group] = try takeSlot(key)
            return .added
        }
        let isEqual = keys.withKey(slot) { key.isEqual(to: $0) }
        keys.set(slot, to: key)
        return isEqual ? .unchanged : .replaced(putAside: 0)
    }

    /// Forgets a member: the chain, and the keys of messages that have not come. The apps do so when a member has left.
    public mutating func remove(_ sender: GroupSender) {
        release(skippedKeys.removeAll(of: sender))
        unloaded.removeAll { $0.sender == sender }
        if let chain = peerChains.removeValue(forKey: sender) { release([chain.slot]) }
    }

    /// Forgets everything about a group.
    public mutating func remove(_ group: GroupID) {
        for sender in senders(in: group) { remove(sender) }
        if let chain = ownChains.removeValue(forKey: group) { release([chain.slot]) }
        if let slot = sharedKeys.removeValue(forKey: group) { release([slot]) }
    }

    /// Takes a slot that `reserve` has made sure of and puts a key into it.
    mutating func takeSlot(_ key: borrowing SecretBytes) throws(GroupKeyError) -> Int {
        let slot = try takeSlot()
        keys.set(slot, to: key)
        return slot
    }

    /// Whether the key in `slot` at `old` is, stepped forward, the offered one at `new`.
    private mutating func isKnown(_ slot: Int, at old: UInt32, reachingOfferedAt new: UInt32) -> Bool {
        guard new - old <= UInt32(GroupKeyLimits.highestSkip) else { return false }
        copyKey(slot, to: Self.steppingKey)
        step(Int(new - old))
        return keys.areEqual(Self.steppingKey, Self.offeredKey)
    }

    /// Whether the offered key at `new` is, stepped forward, the one in `slot` at `old`.
    private mutating func isOffered(at new: UInt32, reaching slot: Int, at old: UInt32) -> Bool {
        guard old - new <= UInt32(GroupKeyLimits.highestSkip) else { return false }
        copyKey(Self.offeredKey, to: Self.steppingKey)
        step(Int(old - new))
        return keys.areEqual(Self.steppingKey, slot)
    }
}
