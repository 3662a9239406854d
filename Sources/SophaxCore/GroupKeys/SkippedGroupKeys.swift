/// The numbers of messages that have not come, and where their keys lie; the keys are in the block of the cipher.
///
/// Entries of a sender are in ascending order. Format: SophaxChat 4.5 and 8.7.
struct SkippedGroupKeys: Sendable {
    struct Entry: Equatable, Sendable {
        let iteration: UInt32
        let slot: Int
        /// Seconds since 2001.
        let storedAt: Double
    }

    private(set) var entries: [GroupSender: [Entry]] = [:]

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
        var list = entries[sender] ?? []
        let place = Self.firstPlace(from: entry.iteration, in: list)
        var freed: [Int] = []
        if place < list.count, list[place].iteration == entry.iteration {
            freed.append(list[place].slot)
            list[place] = entry
        } else {
            list.insert(entry, at: place)
        }
        let excess = max(list.count - limit, 0)
        freed += list.prefix(excess).map(\.slot)
        list.removeFirst(excess)
        entries[sender] = list.isEmpty ? nil : list
        return freed
    }

    /// Takes a key out of the files and gives its slot.
    mutating func remove(_ iteration: UInt32, of sender: GroupSender) -> Int? {
        guard var list = entries[sender] else { return nil }
        let place = Self.firstPlace(from: iteration, in: list)
        guard place < list.count, list[place].iteration == iteration else { return nil }
        let slot = list.remove(at: place).slot
        entries[sender] = list.isEmpty ? nil : list
        return slot
    }

    /// Takes all keys of a sender out of the files and gives their slots.
    mutating func removeAll(of sender: GroupSender) -> [Int] {
        (entries.removeValue(forKey: sender) ?? []).map(\.slot)
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
