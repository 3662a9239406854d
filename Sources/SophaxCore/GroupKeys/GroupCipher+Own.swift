import CryptoPrimitives

extension GroupCipher {
    /// Makes a sender key of one's own for a group.
    /// - Throws: `.ownKeyExists`, `.memory`.
    public mutating func makeOwn(in group: GroupID, at now: Double) throws(GroupKeyError) {
        try makeOwn(in: group, at: now, random: .system)
    }

    /// The same with randomness that a test has chosen.
    package mutating func makeOwn(in group: GroupID, at now: Double, random: RandomSource) throws(GroupKeyError) {
        guard ownChains[group] == nil else { throw .ownKeyExists }
        try reserve(1)
        let key = try Self.newKey(random)
        ownChains[group] = Chain(
            slot: try takeSlot(key), position: SenderKeyPosition(iteration: 0, messageCount: 0, createdAt: now),
            unknown: [])
    }

    /// Puts a new sender key in place of one's own; whether it is due is for `SenderKeyPolicy` to say.
    ///
    /// The numbers go on where they are: receivers refuse a distribution with a lower one than they know. The old key is
    /// wiped, for it only opens what would have been sent under it.
    /// - Returns: where the old one stood.
    /// - Throws: `.noKey`, `.memory`; nothing has changed then.
    @discardableResult
    public mutating func rotateOwn(in group: GroupID, at now: Double) throws(GroupKeyError) -> SenderKeyPosition {
        try rotateOwn(in: group, at: now, random: .system)
    }

    /// The same with randomness that a test has chosen.
    @discardableResult
    package mutating func rotateOwn(
        in group: GroupID, at now: Double, random: RandomSource
    ) throws(GroupKeyError) -> SenderKeyPosition {
        guard let old = ownChains[group] else { throw .noKey }
        let key = try Self.newKey(random)
        keys.set(old.slot, to: key)
        ownChains[group] = Chain(
            slot: old.slot,
            position: SenderKeyPosition(iteration: old.position.iteration, messageCount: 0, createdAt: now),
            unknown: [])
        return old.position
    }

    /// One's own key as members are told it: good for the next message and all later ones.
    /// - Throws: `.noKey`, `.memory`.
    public func distribution(of group: GroupID) throws(GroupKeyError) -> SenderKeyDistribution {
        guard let chain = ownChains[group] else { throw .noKey }
        return try SenderKeyDistribution(
            groupID: group, chainKey: copy(of: chain.slot), iteration: chain.position.iteration)
    }

    /// One's own key in an invitation, as the later versions read it.
    /// - Throws: `.noKey`, `.memory`.
    public func invite(
        to group: GroupID, name: [UInt8], memberIDs: [PeerID], creatorID: PeerID
    ) throws(GroupKeyError) -> GroupInvite {
        guard let chain = ownChains[group] else { throw .noKey }
        return GroupInvite(
            groupID: group, name: name, memberIDs: memberIDs, creatorID: creatorID,
            sender: try SenderKeyState(
                chainKey: copy(of: chain.slot), position: SenderKeyPosition(iteration: chain.position.iteration)))
    }

    private static func newKey(_ random: RandomSource) throws(GroupKeyError) -> SecretBytes {
        do throws(SecretMemoryError) {
            return try random.secret(SenderKeyState.keyLength)
        } catch {
            throw .memory(error)
        }
    }

    func copy(of slot: Int) throws(GroupKeyError) -> SecretBytes {
        do throws(SecretMemoryError) {
            return try keys.copy(of: slot)
        } catch {
            throw .memory(error)
        }
    }
}
