/// The numbers of messages that have not come, and where their keys lie; the keys are in the block of the cipher.
///
/// Entries of a sender are in ascending order. Format: SophaxChat 4.5 and 8.7.
struct SkippedGroupKeys: Sendable {
    struct Entry: Equatable, Sendable {
        let iteration: UInt32
        let slot: Int
        /// Seconds since 2001.
        let storedAt: Double

        /// Whether it is older than `age`; one of exactly that age is not.
        func isOlder(than age: Double, at now: Double) -> Bool { now - storedAt > age }
    }

    private(set) var entries = SenderTable<[Entry]>()
    /// Keys of all senders.
    private(set) var count = 0

    var isEmpty: Bool { entries.isEmpty }

    subscript(sender: GroupSender) -> [Entry] { entries[sender] ?? [] }

    /// The key of one message.
    func entry(_ iteration: UInt32, of sender: GroupSender) -> Entry? {
        guard let list = entries[sender] else { return nil }
        let place = Self.firstPlace(from: iteration, in: list)
        return place < list.count && list[place].iteration == iteration ? list[place] : nil
    }

    /// Files a key and gives the slots that hold nothing needed any more: of a key with the same number, and of the earliest
    /// beyond `limit`. Wiping them is the caller's.
    mutating func add(_ entry: Entry, of sender: GroupSender, limit: Int) -> [Int] {
        var freed: [Int] = []
        let (before, after) = entries.update(sender, from: []) { list in
            let before = list.count
            let place = Self.firstPlace(from: entry.iteration, in: list)
            if place < list.count, list[place].iteration == entry.iteration {
                freed.append(list[place].slot)
                list[place] = entry
            } else {
                list.insert(entry, at: place)
            }
            let excess = max(list.count - limit, 0)
            freed += list.prefix(excess).map(\.slot)
            list.removeFirst(excess)
            return (before, list.count)
        }
        count += after - before
        if after == 0 { entries.removeValue(forKey: sender) }
        return freed
    }

    /// Takes a key out of the files and gives its slot.
    mutating func remove(_ iteration: UInt32, of sender: GroupSender) -> Int? {
        guard var list = entries[sender] else { return nil }
        let place = Self.firstPlace(from: iteration, in: list)
        guard place < list.count, list[place].iteration == iteration else { return nil }
        let slot = list.remove(at: place).slot
        count -= 1
        entries[sender] = list.isEmpty ? nil : list
        return slot
    }

    /// Takes all keys of a sender out of the files and gives their slots.
    mutating func removeAll(of sender: GroupSender) -> [Int] {
        let removed = entries.removeValue(forKey: sender) ?? []
        count -= removed.count
        return removed.map(\.slot)
    }

    /// Takes the keys that are older than `age` at `now` out of the files and gives their slots.
    mutating func removeAll(olderThan age: Double, at now: Double) -> [Int] {
        removeAll { $0.isOlder(than: age, at: now) }
    }

    /// When there are more than `limit` keys in all, takes those out that were put aside first, until a tenth of the places
    /// is free, so that this is not to be done with the next key again. Gives their slots.
    mutating func removeOldest(above limit: Int) -> [Int] {
        guard count > limit else { return [] }
        let excess = count - (limit - limit / 10)
        let slots = entries.values.joined().sorted { ($0.storedAt, $0.iteration) < ($1.storedAt, $1.iteration) }
            .prefix(excess).map(\.slot)
        let chosen = Set(slots)
        return removeAll { chosen.contains($0.slot) }
    }

    private mutating func removeAll(where isChosen: (Entry) -> Bool) -> [Int] {
        var freed: [Int] = []
        for sender in Array(entries.senders) {
            let list = self[sender]
            let removed = list.filter(isChosen).map(\.slot)
            guard !removed.isEmpty else { continue }
            freed += removed
            let kept = list.filter { !isChosen($0) }
            entries[sender] = kept.isEmpty ? nil : kept
        }
        count -= freed.count
        return freed
    }

    private static func firstPlace(from iteration: UInt32, in list: [Entry]) -> Int {
        var range = 0..<list.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = list[middle].iteration < iteration ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}
