import CryptoPrimitives

/// Keys of messages that have not come yet, filed by the chain that they belong to. Format: SophaxChat 4.6 and 8.3.
///
/// Where keys are added there are never more than the apps read: the oldest are given up. A state from elsewhere may have
/// more, which stay until then. The keys themselves lie in the session's block; here are their numbers and places, and
/// which places are free.
struct SkippedKeys: Sendable {
    /// The most keys of a session, as the apps have it.
    static let maximumKeys = 1_000
    /// The most chains with keys of a session, as the newest app has it (v1).
    static let maximumBundles = 50
    /// The most chains of a v1 state that is read: each is compared with those before it. Apps that had no limit for chains
    /// kept 1,000 keys, so of 1,000 chains at most.
    static let maximumReadBundles = 2_000

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
        // No second reference to the entries: with one, each key would cost a copy of all.
        guard place == bundles[bundle].entries.count || bundles[bundle].entries[place].number != entry.number else {
            return false
        }
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

    /// Gives up the oldest bundles, then the oldest keys, until the limits hold, as `remove` does with one key. Empty bundles
    /// go first, for they keep nothing.
    ///
    /// Bundles stand in the order of their chains. Without this a session would end with the fiftieth chain in which a
    /// message was lost.
    /// - Parameter bundleLimit: nil in v0, whose keys stand in one array.
    mutating func trim(bundleLimit: Int?) -> [Int] {
        var freed: [Int] = []
        if let bundleLimit, bundles.count > bundleLimit {
            for index in bundles.indices.reversed() where bundles[index].entries.isEmpty {
                freed += removeBundle(index)
            }
            while bundles.count > bundleLimit { freed += removeBundle(0) }
        }
        while count > Self.maximumKeys {
            let excess = count - Self.maximumKeys
            guard bundles[0].entries.count > excess else {
                freed += removeBundle(0)
                continue
            }
            let slots = bundles[0].entries.prefix(excess).map(\.slot)
            bundles[0].entries.removeFirst(excess)
            count -= excess
            free += slots
            freed += slots
        }
        return freed
    }

    /// Takes all keys out of the files, as `remove` does with one.
    mutating func removeAll() -> [Int] {
        var freed: [Int] = []
        for index in bundles.indices.reversed() { freed += removeBundle(index) }
        return freed
    }

    private mutating func removeBundle(_ index: Int) -> [Int] {
        let bundle = bundles.remove(at: index)
        var freed = bundle.entries.map(\.slot)
        if case .headerKey(let slot) = bundle.label { freed.append(slot) }
        count -= bundle.entries.count
        free += freed
        return freed
    }
}
