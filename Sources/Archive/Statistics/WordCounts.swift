/// Counts words, with memory that has a ceiling: when there are too many different ones, the rarest are forgotten.
///
/// The most used words are counted right as long as each is used more often than words were forgotten (lossy counting, Manku
/// and Motwani 2002); `isExact` says whether any were.
struct WordCounts {
    /// So many different words are kept.
    static let capacity = 262_144

    private struct Entry {
        var hash: UInt64 = 0
        var start: UInt32 = 0
        var length: UInt32 = 0
        var count: UInt32 = 0
    }

    private var entries: [Entry]
    private var bytes: [UInt8] = []
    private var used = 0
    private let capacity: Int
    private(set) var isExact = true
    /// Words in all.
    private(set) var total = 0

    /// - Parameter capacity: a power of two.
    init(capacity: Int = WordCounts.capacity) {
        self.capacity = capacity
        entries = Array(repeating: Entry(), count: capacity * 2)
    }

    /// `word`: at most 128 bytes.
    mutating func add(_ word: ArraySlice<UInt8>) {
        total += 1
        add(word, count: 1)
    }

    private mutating func add(_ word: ArraySlice<UInt8>, count: UInt32) {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in word { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        let mask = entries.count - 1
        var place = Int(truncatingIfNeeded: hash ^ hash >> 32) & mask
        while entries[place].count > 0 {
            if entries[place].hash == hash, isWord(entries[place], word) {
                entries[place].count &+= count
                return
            }
            place = (place + 1) & mask
        }
        if used >= capacity {
            forgetRarest()
            return add(word, count: count)
        }
        entries[place] = Entry(
            hash: hash, start: UInt32(truncatingIfNeeded: bytes.count),
            length: UInt32(truncatingIfNeeded: word.count), count: count)
        bytes.append(contentsOf: word)
        used += 1
    }

    private func isWord(_ entry: Entry, _ word: ArraySlice<UInt8>) -> Bool {
        guard Int(entry.length) == word.count else { return false }
        let start = Int(entry.start)
        var offset = 0
        for byte in word {
            if bytes[start + offset] != byte { return false }
            offset += 1
        }
        return true
    }

    /// Forgets at least half of the words, the rarest: all that are used no more often than some number of times.
    private mutating func forgetRarest() {
        isExact = false
        var histogram = [Int](repeating: 0, count: 256)
        for entry in entries where entry.count > 0 { histogram[Int(min(entry.count, 255))] += 1 }
        var limit = 1
        var left = used - histogram[1]
        while left > capacity / 2, limit < 254 {
            limit += 1
            left -= histogram[limit]
        }
        var kept = entries.filter { $0.count > UInt32(limit) }
        if kept.count > capacity / 2 { kept = Array(kept.sorted { $0.count > $1.count }.prefix(capacity / 2)) }
        let old = bytes
        entries = Array(repeating: Entry(), count: capacity * 2)
        bytes = []
        used = 0
        for entry in kept {
            let start = Int(entry.start)
            add(old[start..<start + Int(entry.length)], count: entry.count)
        }
    }

    /// The most used words, the first in the order of bytes where two are used alike.
    func top(_ limit: Int) -> [(word: [UInt8], count: Int)] {
        let found = entries.filter { $0.count > 0 }.map { entry in
            (entry: entry, word: bytes[Int(entry.start)..<Int(entry.start) + Int(entry.length)])
        }
        let sorted = found.sorted { first, second in
            first.entry.count != second.entry.count
                ? first.entry.count > second.entry.count : first.word.lexicographicallyPrecedes(second.word)
        }
        return sorted.prefix(limit).map { (word: Array($0.word), count: Int($0.entry.count)) }
    }
}
