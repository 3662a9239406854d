import CryptoPrimitives
import JSONCoding

/// What became of skipped keys that were loaded.
public struct SkippedKeysLoaded: Hashable, Sendable {
    /// Keys that are held now.
    public var kept = 0
    /// Older than 7 days, and dropped.
    public var expired = 0
    /// Beyond the most of one sender, and dropped: the earliest ones.
    public var beyondLimit = 0
    /// Lists under a name that is no group and member, which nothing can open: an app took a key for a group without a name.
    public var withoutOwner = 0

    public init() {}
}

// MARK: - Loading

extension GroupCipher {
    /// Loads the value of `skd.peers.<id>`: where the members' chains stand. Chains that are known already are replaced.
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
            if let old = peerChains.updateValue(chain, forKey: sender) { release([old.slot]) }
        }
    }

    /// Loads the value of `skd.mine.<id>`: where one's own chain stands. One that is known already is replaced.
    /// - Throws: `.format`, `.tooMany`, `.memory`; nothing has changed then.
    public mutating func loadOwn(_ json: borrowing SecretBytes, of group: GroupID) throws(GroupKeyError) {
        let state = try SenderKeyState(json: json)
        try reserve(1)
        let chain = Chain(slot: try takeSlot(state.chainKey), position: state.position, unknown: state.unknown)
        if let old = ownChains.updateValue(chain, forKey: group) { release([old.slot]) }
    }

    /// Loads the value of `group.key.<id>`, 32 bytes: the key of a group of the first version.
    /// - Throws: `.keyLength`, `.tooMany`, `.memory`; nothing has changed then.
    public mutating func loadShared(_ key: borrowing SecretBytes, of group: GroupID) throws(GroupKeyError) {
        _ = try receiveShared(key, of: group)
    }

    /// Loads the value of `skd.skipped.all`: keys of messages that had not come. What is older than 7 days is dropped.
    /// - Throws: `.format`, `.tooMany`, `.memory`; nothing has changed then.
    @discardableResult
    public mutating func loadSkipped(
        _ json: borrowing SecretBytes, at now: Double
    ) throws(GroupKeyError) -> SkippedKeysLoaded {
        var result = SkippedKeysLoaded()
        var loaded: [(sender: GroupSender, entry: SkippedGroupKeys.Entry)] = []
        do throws(GroupKeyError) {
            let object = try Self.object(json)
            let scopes = try Self.reading { () throws(FormatError) in
                try object.entries(limit: GroupKeyLimits.senders)
            }
            for scope in scopes {
                let name = String(decoding: scope.key, as: UTF8.self)
                guard let sender = GroupSender(scope: scope.key) else {
                    result.withoutOwner += 1
                    continue
                }
                try loadSkipped(object, scope, name, of: sender, at: now, into: &loaded, &result)
            }
        } catch {
            release(loaded.map(\.entry.slot))
            throw error
        }
        for (sender, entry) in loaded {
            let freed = skippedKeys.add(entry, of: sender, limit: limits.cache)
            result.beyondLimit += freed.count
            release(freed)
        }
        result.kept = loaded.count - result.beyondLimit
        return result
    }

    private mutating func loadSkipped(
        _ object: JSONObject, _ scope: JSONMember, _ name: String, of sender: GroupSender, at now: Double,
        into loaded: inout [(sender: GroupSender, entry: SkippedGroupKeys.Entry)], _ result: inout SkippedKeysLoaded
    ) throws(GroupKeyError) {
        let list = try Self.reading { () throws(FormatError) in try object.object(scope, name) }
        let members = try Self.reading { () throws(FormatError) in
            try list.entries(limit: GroupKeyLimits.highestCache)
        }
        for member in members {
            let number = String(decoding: member.key, as: UTF8.self)
            guard member.key.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
                let iteration = UInt32(number)
            else { throw .format(.field("\(name).\(number)", .outOfRange)) }
            let entry = try Self.reading { () throws(FormatError) in try list.object(member, number) }
            let storedAt = try Self.reading { () throws(FormatError) in
                try entry.required("storedAt", entry.time("storedAt"))
            }
            let key = try Self.reading { () throws(FormatError) in
                try entry.required("keyData", entry.secret("keyData", length: SenderKeyState.keyLength))
            }
            guard now - storedAt <= GroupKeyLimits.skippedKeyAge else {
                result.expired += 1
                continue
            }
            try reserve(1)
            loaded.append(
                (sender, SkippedGroupKeys.Entry(iteration: iteration, slot: try takeSlot(key), storedAt: storedAt)))
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
    /// delete the item.
    public func skipped(of groups: Set<GroupID>? = nil) throws(GroupKeyError) -> SecretBytes? {
        try skipped { groups?.contains($0.group) ?? true }
    }

    /// The same of the senders that are chosen.
    package func skipped(where isChosen: (GroupSender) -> Bool) throws(GroupKeyError) -> SecretBytes? {
        let senders = skippedKeys.entries.keys.filter(isChosen)
            .sorted { $0.scope.lexicographicallyPrecedes($1.scope) }
        guard !senders.isEmpty else { return nil }
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
                try text.endObject()
            }
            return try text.finish()
        } catch {
            throw .memory(error)
        }
    }
}
