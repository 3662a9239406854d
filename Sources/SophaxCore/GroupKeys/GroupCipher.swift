import CryptoPrimitives

/// The keys of all groups of one identity: opens and seals group messages, and takes in the keys that others hand out.
///
/// All keys lie in one guarded block. Opening a message moves its sender's chain forward and never back; what fails leaves
/// everything as it was. Nothing is stored by itself: after a change `peers(of:)`, `own(of:)` and `skipped()` give the values
/// of the items `skd.peers.<id>`, `skd.mine.<id>` and `skd.skipped.all`. Times are seconds since 2001, passed in.
/// Format: SophaxChat 4.5 and 8.7.
public struct GroupCipher: ~Copyable, Sendable {
    /// A chain whose key lies in `slot`.
    struct Chain: Sendable {
        let slot: Int
        var position: SenderKeyPosition
        var unknown: [SecretField]
        /// Steps over missing messages that messages of this run have cost, whether they opened or not.
        var walked = 0
    }

    /// How far chains are followed, and how many skipped keys are kept.
    public let limits: GroupKeyLimits

    var peerChains = SenderTable<Chain>()
    var ownChains: [GroupID: Chain] = [:]
    /// Slots of the shared keys of the first version.
    var sharedKeys: [GroupID: Int] = [:]
    var skippedKeys = SkippedGroupKeys()
    /// What stands among the stored skipped keys and was not loaded, as it stands there: storing them loses nothing.
    var unloaded: [UnloadedKeys] = []

    var keys: KeySlots
    /// Slots without a key, used from the end.
    private var free: [Int]

    /// The slot of the message key in use.
    static let messageKey = 0
    /// The slot of the chain key that steps forward until the message has proven authentic.
    static let steppingKey = 1
    /// The slot where an offered chain waits until it is taken.
    static let offeredKey = 2
    private static let firstPooled = 3
    /// More keys than this are not held.
    private static let maximumKeys = 1_000_000

    /// Makes one without any keys.
    /// - Throws: `.memory`.
    public init(limits: GroupKeyLimits = .app) throws(GroupKeyError) {
        do throws(SecretMemoryError) {
            keys = try KeySlots(count: KeySlots.onePage)
        } catch {
            throw .memory(error)
        }
        self.limits = limits
        free = Array((Self.firstPooled..<keys.count).reversed())
    }
}

// MARK: - What is known

extension GroupCipher {
    /// The groups that any key is known of, by the bytes of their ids.
    public var groups: [GroupID] {
        let all = Set(peerChains.groups).union(skippedKeys.entries.groups).union(ownChains.keys).union(sharedKeys.keys)
        return all.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }

    /// The members whose chains are known, or skipped keys of whom are kept, by the bytes of their ids.
    public func senders(in group: GroupID) -> [GroupSender] {
        let all = Set(peerChains.senders(in: group)).union(skippedKeys.entries.senders(in: group))
        return all.sorted { $0.peer.bytes.lexicographicallyPrecedes($1.peer.bytes) }
    }

    /// Where the chain of a member stands; nil when none is known.
    public func position(of sender: GroupSender) -> SenderKeyPosition? { peerChains[sender]?.position }

    /// Where one's own chain stands; nil when there is none.
    public func ownPosition(in group: GroupID) -> SenderKeyPosition? { ownChains[group]?.position }

    /// Whether there is a key that all members share: a group of the first version.
    public func hasSharedKey(of group: GroupID) -> Bool { sharedKeys[group] != nil }

    /// The numbers of messages of a member that have not come, whose keys are kept, ascending, and since when.
    public func skippedIterations(of sender: GroupSender) -> [(iteration: UInt32, storedAt: Double)] {
        skippedKeys[sender].map { ($0.iteration, $0.storedAt) }
    }

    /// The member whose chain is that of `sender`: the same one, or the only one whose id is the same fingerprint at another
    /// length.
    func chainOwner(_ sender: GroupSender) -> GroupSender? {
        if peerChains[sender] != nil { return sender }
        guard sender.peer.form != .other else { return nil }
        let others = peerChains.samePerson(as: sender)
        return others.count == 1 ? others.first : nil
    }

    /// The member whose keys open messages of `sender`: the same one, or the only one whose id is the same fingerprint at
    /// another length.
    func known(_ sender: GroupSender) -> GroupSender? {
        if peerChains[sender] != nil || !skippedKeys[sender].isEmpty { return sender }
        guard sender.peer.form != .other else { return nil }
        let others = Set(peerChains.samePerson(as: sender)).union(skippedKeys.entries.samePerson(as: sender))
        return others.count == 1 ? others.first : nil
    }
}

// MARK: - Slots

extension GroupCipher {
    /// Makes sure that `count` slots are free, so that nothing can fail once something has been changed.
    mutating func reserve(_ count: Int) throws(GroupKeyError) {
        guard free.count < count else { return }
        let old = keys.count
        let new = min(max(old * 2, old + count), Self.maximumKeys)
        guard new - old + free.count >= count else { throw .tooMany(limit: Self.maximumKeys) }
        do throws(SecretMemoryError) {
            try keys.grow(to: new)
        } catch {
            throw .memory(error)
        }
        free = Array((old..<new).reversed()) + free
    }

    /// The last `count` free slots, which stay free until `takeSlot`; the first that is taken comes first.
    func nextFree(_ count: Int) -> [Int] { free.suffix(count).reversed() }

    /// Takes a slot that `reserve` has made sure of.
    mutating func takeSlot() throws(GroupKeyError) -> Int {
        guard let slot = free.popLast() else { throw .tooMany(limit: Self.maximumKeys) }
        return slot
    }

    /// Wipes slots and makes them free.
    mutating func release(_ slots: [Int]) {
        for slot in slots { keys.wipe(slot..<slot + 1) }
        free += slots
    }

    /// Copies a key between two different slots.
    mutating func copyKey(_ slot: Int, to target: Int) {
        keys.copy(slot..<slot + 1, to: target)
    }

    /// Wipes what a step needed, whether it succeeded or not.
    mutating func wipeScratch() {
        keys.wipe(0..<Self.firstPooled)
    }
}
