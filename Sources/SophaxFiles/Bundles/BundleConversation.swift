/// One conversation of a backup: the messages that name it, whatever keys they stand under.
package struct BundleConversation: Sendable {
    package let id: ConversationID
    /// Different messages; of those that two lists share, the newer list's copy.
    package private(set) var messages = 0
    /// Messages left out because a newer list has them too.
    package private(set) var merged = 0
    /// Seconds since 1970 of the first and the last message with a plausible date.
    package private(set) var firstTime: Double?
    package private(set) var lastTime: Double?

    /// A list that it stands in.
    struct Part: Sendable {
        let list: BundleMessageList
        /// Where its messages begin in the list; nil when the whole list is its own.
        let places: [UInt32]?
    }

    /// Its messages in a list that names other conversations too.
    struct OwnMessages: Sendable {
        private(set) var places: [UInt32] = []
        private(set) var times: ClosedRange<Double>?

        mutating func add(_ message: StoredMessage) {
            places.append(message.record.offset)
            guard let time = message.time, time.isPlausible else { return }
            let seconds = time.unixSeconds
            times = times.map { min($0.lowerBound, seconds)...max($0.upperBound, seconds) } ?? seconds...seconds
        }
    }

    /// Those of older file names first.
    private(set) var parts: [Part] = []

    init(_ id: ConversationID) {
        self.id = id
    }

    /// The lists that it stands in, in the order of `parts`.
    var lists: [BundleMessageList] { parts.map(\.list) }

    /// The keys of `messages` that it stands under, older file names first.
    package var keys: [ByteText] { parts.map(\.list.key) }

    /// Newer apps decode a whole list or nothing, so they lose all of it (formats section 4.3).
    package var isAtRisk: Bool { parts.contains(where: \.list.isAtRisk) }

    /// Every list was strict JSON.
    package var isStrict: Bool { parts.allSatisfy { $0.list.outcome == .strict } }

    /// Takes over a list that this conversation has alone.
    mutating func take(_ list: BundleMessageList) {
        parts.append(Part(list: list, places: nil))
        messages += list.tally.messages
        take(times: [list.tally.firstTime, list.tally.lastTime])
    }

    /// Takes its messages from a list that names other conversations too.
    mutating func take(_ own: OwnMessages, of list: BundleMessageList) {
        parts.append(Part(list: list, places: own.places))
        messages += own.places.count
        take(times: [own.times?.lowerBound, own.times?.upperBound])
    }

    /// Puts the lists of older file names first.
    mutating func sortParts() {
        let id = self.id
        parts = parts.filter { !$0.list.isCurrent(for: id) } + parts.filter { $0.list.isCurrent(for: id) }
    }

    /// Says that `count` messages stand twice.
    mutating func merge(_ count: Int) {
        messages -= count
        merged += count
    }

    private mutating func take(times: [Double?]) {
        for case let time? in times {
            firstTime = min(firstTime ?? time, time)
            lastTime = max(lastTime ?? time, time)
        }
    }
}
