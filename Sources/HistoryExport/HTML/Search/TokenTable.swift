/// Words and the messages that have them, in memory: a piece of an index.
///
/// Numbers of messages come in ascending order. Hashing is seeded, so no text makes it slow.
struct TokenTable: Sendable {
    private struct Entry {
        let start: Int
        let length: Int
        let hash: Int
        var first: UInt32
        var last: UInt32
        var count: UInt32
    }

    private struct Node {
        let message: UInt32
        var next: UInt32
    }

    private static let none = UInt32.max

    private var keys: [UInt8] = []
    private var entries: [Entry] = []
    /// Place in `entries` plus one; 0 is free. Always a power of two, at most half full.
    private var slots = [UInt32](repeating: 0, count: 1_024)
    private var nodes: [Node] = []

    /// Bytes of memory that hold something.
    var bytes: Int {
        keys.count + entries.count * MemoryLayout<Entry>.stride + slots.count * 4
            + nodes.count * MemoryLayout<Node>.stride
    }

    var isEmpty: Bool { entries.isEmpty }

    /// The word stands in the message.
    mutating func add(_ word: Span<UInt8>, _ message: UInt32) {
        let place = place(of: word, hash: Self.hash(word))
        add(message, at: place)
    }

    /// All of another table, whose messages are numbered from `base` on here.
    mutating func add(_ other: TokenTable, base: UInt32) {
        let keySpan = other.keys.span
        for entry in other.entries {
            let place = place(of: keySpan.extracting(entry.start..<entry.start + entry.length), hash: entry.hash)
            var node = entry.first
            while node != Self.none {
                add(base + other.nodes[Int(node)].message, at: place)
                node = other.nodes[Int(node)].next
            }
        }
    }

    mutating func removeAll() {
        keys.removeAll(keepingCapacity: true)
        entries.removeAll(keepingCapacity: true)
        nodes.removeAll(keepingCapacity: true)
        slots = [UInt32](repeating: 0, count: 1_024)
    }

    /// Lends each word, in the order of the bytes, with its messages' numbers.
    func visit<E: Error>(_ body: (Span<UInt8>, [UInt32]) throws(E) -> Void) throws(E) {
        let keySpan = keys.span
        var messages: [UInt32] = []
        for index in sorted() {
            let entry = entries[index]
            messages.removeAll(keepingCapacity: true)
            var node = entry.first
            while node != Self.none {
                messages.append(nodes[Int(node)].message)
                node = nodes[Int(node)].next
            }
            try body(keySpan.extracting(entry.start..<entry.start + entry.length), messages)
        }
    }

    private func sorted() -> [Int] {
        // The first eight bytes decide most comparisons.
        var order: [(prefix: UInt64, index: Int)] = []
        order.reserveCapacity(entries.count)
        for (index, entry) in entries.enumerated() {
            var prefix: UInt64 = 0
            for offset in 0..<8 {
                prefix = prefix << 8 | (offset < entry.length ? UInt64(keys[entry.start + offset]) : 0)
            }
            order.append((prefix, index))
        }
        order.sort { left, right in
            if left.prefix != right.prefix { return left.prefix < right.prefix }
            let (one, two) = (entries[left.index], entries[right.index])
            return keys[one.start..<one.start + one.length].lexicographicallyPrecedes(
                keys[two.start..<two.start + two.length])
        }
        return order.map(\.index)
    }

    private mutating func add(_ message: UInt32, at place: Int) {
        let last = entries[place].last
        if last != Self.none, nodes[Int(last)].message == message { return }
        let node = UInt32(truncatingIfNeeded: nodes.count)
        nodes.append(Node(message: message, next: Self.none))
        if last == Self.none {
            entries[place].first = node
        } else {
            nodes[Int(last)].next = node
        }
        entries[place].last = node
        entries[place].count += 1
    }

    private static func hash(_ word: Span<UInt8>) -> Int {
        var hasher = Hasher()
        unsafe word.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        return hasher.finalize()
    }

    private mutating func place(of word: Span<UInt8>, hash: Int) -> Int {
        if entries.count * 2 >= slots.count { grow() }
        let mask = slots.count - 1
        var slot = hash & mask
        while slots[slot] != 0 {
            let place = Int(slots[slot]) - 1
            let entry = entries[place]
            if entry.hash == hash, entry.length == word.count, isEqual(word, at: entry.start) { return place }
            slot = (slot + 1) & mask
        }
        let start = keys.count
        unsafe word.withUnsafeBufferPointer { unsafe keys.append(contentsOf: $0) }
        entries.append(
            Entry(start: start, length: word.count, hash: hash, first: Self.none, last: Self.none, count: 0))
        slots[slot] = UInt32(truncatingIfNeeded: entries.count)
        return entries.count - 1
    }

    private func isEqual(_ word: Span<UInt8>, at start: Int) -> Bool {
        for index in word.indices where keys[start + index] != word[index] { return false }
        return true
    }

    private mutating func grow() {
        slots = [UInt32](repeating: 0, count: slots.count * 2)
        let mask = slots.count - 1
        for (index, entry) in entries.enumerated() {
            var slot = entry.hash & mask
            while slots[slot] != 0 { slot = (slot + 1) & mask }
            slots[slot] = UInt32(truncatingIfNeeded: index + 1)
        }
    }
}
