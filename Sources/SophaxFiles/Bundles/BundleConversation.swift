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

    /// The lists that it stands in, those of older file names first.
    var lists: [BundleMessageList] = []

    init(_ id: ConversationID) {
        self.id = id
    }

    /// The keys of `messages` that it stands under, older file names first.
    package var keys: [ByteText] { lists.map(\.key) }

    /// Newer apps decode a whole list or nothing, so they lose all of it (formats section 4.3).
    package var isAtRisk: Bool { lists.contains(where: \.isAtRisk) }

    /// Every list was strict JSON.
    package var isStrict: Bool { lists.allSatisfy { $0.outcome == .strict } }

    /// Takes over a list that this conversation has alone.
    mutating func take(_ list: BundleMessageList) {
        lists.append(list)
        messages += list.tally.messages
        take(times: [list.tally.firstTime, list.tally.lastTime])
    }

    /// Takes its messages from a list that names other conversations too.
    mutating func take(_ ownMessages: [StoredMessage], of list: BundleMessageList) {
        lists.append(list)
        messages += ownMessages.count
        take(times: ownMessages.map { $0.time.flatMap { $0.isPlausible ? $0.unixSeconds : nil } })
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
