import CryptoPrimitives

/// Keys of messages that have not come yet, filed by the chain that they belong to. Format: SophaxChat 4.6 and 8.3.
///
/// There are never more than the apps read; where there would be, the oldest are given up. The keys themselves lie in the session's block; here are their numbers and places, and which places are free.
struct SkippedKeys: Sendable {
    /// The most keys of a session, as the apps have it.
    static let maximumKeys = 1_000
    /// The most chains with keys of a session, as the newest app has it.
    static let maximumBundles = 50

    /// What a bundle is filed under.
    enum Label: Equatable, Sendable {
        /// v1: the header key of the chain, in this slot.
        case headerKey(slot: Int)
        /// v1: a chain without header key; nothing opens its headers.
        case none
        /// v0: the sender's ratchet key, 32 bytes.
        case ratchetKey([UInt8])
    }

    /// One key; a bundle has them in ascending order.
    struct Entry: Equatable, Sendable {
        let number: UInt32
        let slot: Int
    }

    /// The keys of one chain.
    struct Bundle: Equatable, Sendable {
        let label: Label
        var entries: [Entry]

        /// The place of a message's key among the entries.
        func place(of number: UInt32) -> Int? {
            let place = firstPlace(from: number)
            return place < entries.count && entries[place].number == number ? place : nil
        }

        /// The place of the first entry that is not below `number`.
        func firstPlace(from number: UInt32) -> Int {
            var range = 0..<entries.count
            while !range.isEmpty {
                let middle = range.lowerBound + range.count / 2
                range = entries[middle].number < number ? middle + 1..<range.upperBound : range.lowerBound..<middle
            }
            return range.lowerBound
        }
    }

    private(set) var bundles: [Bundle] = []
    /// Keys in all bundles.
    private(set) var count = 0
    /// Places that hold nothing, used from the end.
    private(set) var free: [Int]

    init(slotCount: Int) {
        free = Array((RatchetSlots.firstPooled..<max(slotCount, RatchetSlots.firstPooled)).reversed())
    }

    /// The last `count` free places, which stay free until `take`.
    func nextFree(_ count: Int) -> ArraySlice<Int> { free.suffix(count) }

    /// Counts new places in, after the block has grown to `slots.upperBound`.
    mutating func addFree(_ slots: Range<Int>) {
        free = Array(slots.reversed()) + free
    }

    /// Takes a place that holds a key now.
    mutating func take() -> Int? { free.popLast() }

    /// Gives a place back that holds nothing any more.
    mutating func giveBack(_ slot: Int) { free.append(slot) }

    /// Opens a bundle at the end, and gives its index.
    mutating func addBundle(_ label: Label) -> Int {
        bundles.append(Bundle(label: label, entries: []))
        return bundles.count - 1
    }

    /// Files a key. False when there is one with its number.
    mutating func add(_ entry: Entry, to bundle: Int) -> Bool {
        let place = bundles[bundle].firstPlace(from: entry.number)
        let entries = bundles[bundle].entries
        guard place == entries.count || entries[place].number != entry.number else { return false }
        bundles[bundle].entries.insert(entry, at: place)
        count += 1
        return true
    }

    /// Takes a key out of the files and gives the places that hold nothing from now on: that of the key, and that of the
    /// header key with the last of its bundle. Wiping them is the caller's.
    mutating func remove(at place: Int, of bundle: Int) -> [Int] {
        var freed = [bundles[bundle].entries.remove(at: place).slot]
        count -= 1
        if bundles[bundle].entries.isEmpty {
            if case .headerKey(let slot) = bundles[bundle].label { freed.append(slot) }
            bundles.remove(at: bundle)
        }
        free += freed
        return freed
    }

    /// Gives up the oldest bundles, then the oldest keys, until the limits hold, as `remove` does with one key.
    ///
    /// Bundles stand in the order of their chains. Without this a session would end with the fiftieth chain in which a
    /// message was lost.
    mutating func trim() -> [Int] {
        var freed: [Int] = []
        while bundles.count > Self.maximumBundles { freed += removeFirstBundle() }
        while count > Self.maximumKeys {
            if bundles[0].entries.isEmpty { freed += removeFirstBundle() } else { freed += remove(at: 0, of: 0) }
        }
        return freed
    }

    /// Takes all keys out of the files, as `remove` does with one.
    mutating func removeAll() -> [Int] {
        var freed: [Int] = []
        while !bundles.isEmpty { freed += removeFirstBundle() }
        return freed
    }

    private mutating func removeFirstBundle() -> [Int] {
        let bundle = bundles.removeFirst()
        var freed = bundle.entries.map(\.slot)
        if case .headerKey(let slot) = bundle.label { freed.append(slot) }
        count -= bundle.entries.count
        free += freed
        return freed
    }
}
