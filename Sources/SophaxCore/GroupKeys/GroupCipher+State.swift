import CryptoPrimitives
import JSONCoding

/// What became of skipped keys that were loaded.
public struct SkippedKeysLoaded: Hashable, Sendable {
    /// Keys that are held now.
    public var kept = 0
    /// Older than `GroupKeyLimits.keyAge`, and dropped.
    public var expired = 0
    /// Beyond the most of one sender, and dropped: the earliest ones.
    public var beyondLimit = 0
    /// Lists under a name that is no group and member, which nothing can open: an app took a key for a group without a name.
    public var withoutOwner = 0
    /// Keys, and lists of a sender's keys, that are not what the format says. They hide none of the others.
    public var unreadable = 0

    public init() {}
}

// MARK: - Loading

extension GroupCipher {
    /// Loads the value of `skd.peers.<id>`: where the members' chains stand. Of a member whose chain is known already, the
    /// loaded one takes the place unless it stands at a lower number: no chain moves back.
    /// - Throws: `.format`, `.tooMany`, `.memory`; nothing has changed then.
    public mutating func loadPeers(_ json: borrowing SecretBytes, of group: GroupID) throws(GroupKeyError) {
        var loaded: [(sender: GroupSender, chain: Chain)] = []
        do throws(GroupKeyError) {
            let object = try Self.object(json)
            let members = try Self.reading { () throws(FormatError) in
                try object.entries(limit: GroupKeyLimits.senders)
            }
            for member in members {
                let state = try Self.reading { () throws(FormatError) in
                    try SenderKeyState(object.object(member, String(decoding: member.key, as: UTF8.self)))
                }
                try reserve(1)
                let chain = Chain(
                    slot: try takeSlot(state.chainKey), position: state.position, unknown: state.unknown)
                loaded.append((GroupSender(group: group, peer: PeerID(bytes: member.key)), chain))
            }
            let new = loaded.count { peerChains[$0.sender] == nil }
            guard peerChains.count + new <= GroupKeyLimits.senders else {
                throw .tooMany(limit: GroupKeyLimits.senders)
            }
        } catch {
            release(loaded.map(\.chain.slot))
            throw error
        }
        for (sender, chain) in loaded {
            if let known = peerChains[sender], known.position.iteration > chain.position.iteration {
                release([chain.slot])
            } else if let old = peerChains.updateValue(chain, forKey: sender) {
                release([old.slot])
            }
        }
    }

    /// Loads the value of `skd.mine.<id>`: where one's own chain stands. One that is known already is treated as in
    /// `receiveOwn`, so that no key is used twice.
    /// - Throws: `.format`, `.tooMany`, `.memory`, `.backwards`, `.ownKeyExists`; nothing has changed then.
    public mutating func loadOwn(_ json: borrowing SecretBytes, of group: GroupID) throws(GroupKeyError) {
        let state = try SenderKeyState(json: json)
        guard ownChains[group] == nil else {
            _ = try receiveOwn(state, of: group)
            return
        }
        try reserve(1)
        ownChains[group] = Chain(slot: try takeSlot(state.chainKey), position: state.position, unknown: state.unknown)
    }

    /// Loads the value of `group.key.<id>`, 32 bytes: the key of a group of the first version.
    /// - Throws: `.keyLength`, `.tooMany`, `.memory`; nothing has changed then.
    public mutating func loadShared(_ key: borrowing SecretBytes, of group: GroupID) throws(GroupKeyError) {
        _ = try receiveShared(key, of: group)
    }

    /// Loads the value of `skd.skipped.all`: keys of messages that had not come.
    ///
    /// What cannot be read, or has no owner, is counted and opens nothing: it hides none of the others, and is stored again
    /// as it stands.
    /// - Parameter now: what is older than `limits.keyAge` is dropped, and what is from the future counts from now on.
    /// - Throws: `.format` when the text is no object of lists, `.tooMany`, `.memory`; nothing has changed then.
    @discardableResult
    public mutating func loadSkipped(
        _ json: borrowing SecretBytes, at now: Double
    ) throws(GroupKeyError) -> SkippedKeysLoaded {
        var result = SkippedKeysLoaded()
        var loaded: [(sender: GroupSender, entry: SkippedGroupKeys.Entry)] = []
        var left: [UnloadedKeys] = []
        do throws(GroupKeyError) {
            let object = try Self.object(json)
            let scopes = try Self.reading { () throws(FormatError) in
                try object.entries(limit: GroupKeyLimits.senders)
            }
            for scope in scopes {
                guard let sender = GroupSender(scope: scope.key) else {
                    result.withoutOwner += 1
                    left.append(UnloadedKeys(sender: nil, inList: false, scope, of: object))
                    continue
                }
                guard let list = try Self.readable({ () throws(FormatError) in try object.object(scope, "") }),
                    let members = try Self.readable({ () throws(FormatError) in
                        try list.entries(limit: GroupKeyLimits.highestCache)
                    })
                else {
                    result.unreadable += 1
                    left.append(UnloadedKeys(sender: sender, inList: false, scope, of: object))
                    continue
                }
                for member in members {
                    let isReadable = try loadSkipped(list, member, of: sender, at: now, into: &loaded, &result)
                    if !isReadable { left.append(UnloadedKeys(sender: sender, inList: true, member, of: list)) }
                }
            }
        } catch {
            release(loaded.map(\.entry.slot))
            throw error
        }
        unloaded += left
        let expected = skippedKeys.count + loaded.count { skippedKeys.entry($0.entry.iteration, of: $0.sender) == nil }
        var freed: [Int] = []
        for (sender, entry) in loaded { freed += skippedKeys.add(entry, of: sender, limit: limits.cache) }
        freed += skippedKeys.removeOldest(above: limits.total)
        release(freed)
        result.beyondLimit = expected - skippedKeys.count
        result.kept = loaded.count - result.beyondLimit
        return result
    }

    /// Loads one key; false when it cannot be read.
    private mutating func loadSkipped(
        _ list: JSONObject, _ member: JSONMember, of sender: GroupSender, at now: Double,
        into loaded: inout [(sender: GroupSender, entry: SkippedGroupKeys.Entry)], _ result: inout SkippedKeysLoaded
    ) throws(GroupKeyError) -> Bool {
        let entry = try Self.readable { () throws(FormatError) in try list.object(member, "") }
        guard let iteration = Self.iteration(member.key), let entry,
            let storedAt = try Self.readable({ () throws(FormatError) in
                try entry.required("storedAt", entry.time("storedAt"))
            }),
            let key = try Self.readable({ () throws(FormatError) in
                try entry.required("keyData", entry.secret("keyData", length: SenderKeyState.keyLength))
            })
        else {
            result.unreadable += 1
            return false
        }
        // Where no key is too old, nothing is to be learnt from the clock.
        let time = limits.keyAge.isFinite ? min(storedAt, now) : storedAt
        guard now - time <= limits.keyAge else {
            result.expired += 1
            return true
        }
        try reserve(1)
        loaded.append((sender, SkippedGroupKeys.Entry(iteration: iteration, slot: try takeSlot(key), storedAt: time)))
        return true
    }

    /// The number of a message as a key of JSON: decimal digits.
    private static func iteration(_ key: [UInt8]) -> UInt32? {
        guard key.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return UInt32(String(decoding: key, as: UTF8.self))
    }

    /// A part that may be damaged; nil when it is. That there is no memory is no damage.
    private static func readable<T: ~Copyable>(_ body: () throws(FormatError) -> T) throws(GroupKeyError) -> T? {
        do throws(FormatError) {
            return try body()
        } catch {
            guard error == .outOfMemory else { return nil }
            throw .format(error)
        }
    }

    private static func object(_ json: borrowing SecretBytes) throws(GroupKeyError) -> JSONObject {
        do throws(FormatError) {
            return try JSONObject(secret: json, ceiling: GroupKeyLimits.stateText)
        } catch {
            throw .format(error)
        }
    }

    private static func reading<T: ~Copyable>(_ body: () throws(FormatError) -> T) throws(GroupKeyError) -> T {
        do throws(FormatError) {
            return try body()
        } catch {
            throw .format(error)
        }
    }
}

// MARK: - Storing

extension GroupCipher {
    /// The value of `skd.peers.<id>`; nil when no chain of a member is known.
    public func peers(of group: GroupID) throws(GroupKeyError) -> SecretBytes? {
        let chains = senders(in: group).compactMap { sender in peerChains[sender].map { (sender, $0) } }
        guard !chains.isEmpty else { return nil }
        do throws(SecretMemoryError) {
            var text = try SecretObjectText(capacity: 192 * chains.count)
            for (sender, chain) in chains {
                try text.beginObject(sender.peer.bytes)
                try keys.withKey(chain.slot) { key throws(SecretMemoryError) in
                    try text.add(chainKey: key, chain.position, chain.unknown)
                }
                try text.endObject()
            }
            return try text.finish()
        } catch {
            throw .memory(error)
        }
    }

    /// Where the chain of one member stands, with its key.
    /// - Throws: `.noKey`, `.memory`.
    public func state(of sender: GroupSender) throws(GroupKeyError) -> SenderKeyState {
        guard let chain = peerChains[sender] else { throw .noKey }
        return try SenderKeyState(
            chainKey: copy(of: chain.slot), position: chain.position, unknown: chain.unknown)
    }

    /// The value of `skd.mine.<id>`; nil when there is no chain of one's own.
    public func own(of group: GroupID) throws(GroupKeyError) -> SecretBytes? {
        guard let chain = ownChains[group] else { return nil }
        do throws(SecretMemoryError) {
            var text = try SecretObjectText(capacity: 256)
            try keys.withKey(chain.slot) { key throws(SecretMemoryError) in
                try text.add(chainKey: key, chain.position, chain.unknown)
            }
            return try text.finish()
        } catch {
            throw .memory(error)
        }
    }

    /// The value of `group.key.<id>`; nil when there is none.
    public func shared(of group: GroupID) throws(GroupKeyError) -> SecretBytes? {
        guard let slot = sharedKeys[group] else { return nil }
        return try copy(of: slot)
    }

    /// The value of `skd.skipped.all`, of these groups only where any are named; nil when it is empty, for which the apps
    /// delete the item. What was not loaded is written as it stood, that without an owner only where no groups are named.
    public func skipped(of groups: Set<GroupID>? = nil) throws(GroupKeyError) -> SecretBytes? {
        try skipped(withoutOwner: groups == nil) { groups?.contains($0.group) ?? true }
    }

    /// The same of the senders that are chosen.
    package func skipped(
        withoutOwner: Bool = false, where isChosen: (GroupSender) -> Bool
    ) throws(GroupKeyError) -> SecretBytes? {
        let unloaded = unloaded.filter { $0.sender.map(isChosen) ?? withoutOwner }
        let inLists = Dictionary(grouping: unloaded.filter(\.inList)) { $0.sender }
        let senders = Set(skippedKeys.entries.senders.filter(isChosen)).union(inLists.keys.compactMap(\.self))
            .sorted { $0.scope.lexicographicallyPrecedes($1.scope) }
        let others = unloaded.filter { !$0.inList }
        guard !senders.isEmpty || !others.isEmpty else { return nil }
        do throws(SecretMemoryError) {
            var text = try SecretObjectText(capacity: 4096)
            for sender in senders {
                try text.beginObject(sender.scope)
                for entry in skippedKeys[sender] {
                    try text.beginObject(Array(String(entry.iteration).utf8))
                    try keys.withKey(entry.slot) { key throws(SecretMemoryError) in
                        try text.add("keyData", secret: key)
                    }
                    try text.add("storedAt", number: entry.storedAt)
                    try text.endObject()
                }
                for left in inLists[sender] ?? [] { try text.add(key: left.key, json: left.value()) }
                try text.endObject()
            }
            for left in others where left.sender.map({ skippedKeys[$0].isEmpty && inLists[$0] == nil }) ?? true {
                try text.add(key: left.key, json: left.value())
            }
            return try text.finish()
        } catch {
            throw .memory(error)
        }
    }

    /// Members and groups that something is stored of that was not loaded; nil is that without an owner.
    package var unloadedSenders: [GroupSender?] { unloaded.map(\.sender) }
}

/// Something among the stored skipped keys that was not loaded: a list without an owner, or what is damaged.
struct UnloadedKeys: Sendable {
    /// Whose it is.
    let sender: GroupSender?
    /// One key of the list of `sender`; otherwise the list itself.
    let inList: Bool
    let key: [UInt8]
    /// The stored text, in wiped memory; there may be many of them, which share it.
    private let buffer: PlaintextBuffer
    private let range: Range<Int>

    init(sender: GroupSender?, inList: Bool, _ member: JSONMember, of object: JSONObject) {
        let quotes = member.kind == .string ? 1 : 0
        self.sender = sender
        self.inList = inList
        key = member.key
        buffer = object.buffer
        range = member.value.lowerBound - quotes..<member.value.upperBound + quotes
    }

    /// The value's text.
    func value() throws(SecretMemoryError) -> SecretBytes {
        try buffer.withSpan { text throws(SecretMemoryError) in try SecretBytes(copying: text.extracting(range)) }
    }
}
