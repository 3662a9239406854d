import JSONCoding

/// Unites the messages of one conversation from two places, by message id.
///
/// Merging again adds nothing: each message of the second list is *already there*, and the result is the first list itself.
package struct MessageMerge: Sendable {
    /// What became of a message of the second list.
    package enum Outcome: String, CaseIterable, Sendable {
        case new
        case alreadyThere = "already-there"
        /// One message at two times; what is newer was taken.
        case changed
        /// Another message with the same id: both are kept.
        case conflicting
    }

    /// How many messages of the second list there were of each outcome.
    package struct Counts: Equatable, Sendable {
        package var new = 0
        package var alreadyThere = 0
        package var changed = 0
        package var conflicting = 0

        package init() {}

        package var total: Int { new + alreadyThere + changed + conflicting }

        package mutating func add(_ outcome: Outcome) {
            switch outcome {
            case .new: new += 1
            case .alreadyThere: alreadyThere += 1
            case .changed: changed += 1
            case .conflicting: conflicting += 1
            }
        }

        package static func += (left: inout Counts, right: Counts) {
            left.new += right.new
            left.alreadyThere += right.alreadyThere
            left.changed += right.changed
            left.conflicting += right.conflicting
        }
    }

    /// Messages of one conversation as they were read.
    package struct Side: Sendable {
        package let messages: [StoredMessage]
        /// The scans of their documents were strict.
        package let isStrict: Bool
        /// The conversation of messages that name none.
        package let conversation: ConversationID

        package init(_ messages: [StoredMessage], isStrict: Bool, conversation: ConversationID) {
            self.messages = messages
            self.isStrict = isStrict
            self.conversation = conversation
        }
    }

    /// A message of the result.
    package struct Item: Sendable {
        package let message: StoredMessage
        /// The scan of its document was strict.
        package let isStrict: Bool
        /// Set where it is not the source of `message`: united from two, or with other peer ids.
        package fileprivate(set) var written: [UInt8]?
        /// From the second list alone.
        package let isFromSecond: Bool
        /// Of Android's shape, as it is now.
        package fileprivate(set) var isAndroid: Bool

        fileprivate init(_ message: StoredMessage, isStrict: Bool, isFromSecond: Bool) {
            self.message = message
            self.isStrict = isStrict
            self.isFromSecond = isFromSecond
            isAndroid = message.isAndroid
        }

        package var json: [UInt8] { written ?? message.sourceJSON }

        /// Whether a message says the same, as far as that can be seen without taking either apart.
        fileprivate func isPlainlySame(as other: StoredMessage) -> Bool {
            guard let written else { return message.hasSameSource(as: other) || message.hasSameFields(as: other) }
            return other.sourceJSON == written
        }
    }

    /// Two messages with one id.
    package struct Conflict: Sendable {
        package let conversation: ConversationID
        package let id: ByteText
        /// The key in which they differ; empty where one of them is not strict JSON.
        package let field: ByteText
    }

    package private(set) var counts = Counts()
    /// The outcome of each message that was added, in its order.
    package private(set) var outcomes: [Outcome] = []
    package private(set) var conflicts: [Conflict] = []

    private let peerIDs: PeerIDForm?
    private var stored: [Item] = []
    /// Places in `stored`, in the order of the result.
    private var sequence: [Int] = []
    private var places: [Key: [Int]] = [:]
    /// Canonical forms of messages that have no id.
    private var nameless: Set<CanonicalMessage> = []

    /// The result in order: the first list as it is, the new messages of others put between by time.
    package var items: [Item] { sequence.map { stored[$0] } }

    /// Begins with a list, of which every message is kept. `peerIDs`: the form that ids from others get.
    package init(_ first: Side, peerIDs: PeerIDForm? = nil) {
        self.peerIDs = peerIDs
        stored.reserveCapacity(first.messages.count)
        for message in first.messages {
            file(message, first)
            stored.append(Item(message, isStrict: first.isStrict, isFromSecond: false))
        }
        sequence = Array(stored.indices)
    }

    /// Merges two lists.
    package init(_ first: Side, _ second: Side, peerIDs: PeerIDForm? = nil) {
        self.init(first, peerIDs: peerIDs)
        add(second)
    }

    /// Takes the messages of another list.
    ///
    /// - Parameter isOwn: it belongs to the first list, such as its older file; nothing is counted.
    package mutating func add(_ side: Side, isOwn: Bool = false) {
        let known = stored.count
        var new: [Int] = []
        for (index, message) in side.messages.enumerated() {
            let outcome = take(message, side, isOwn: isOwn)
            if !isOwn {
                outcomes.append(outcome)
                counts.add(outcome)
            }
            if outcome == .new || outcome == .conflicting { new.append(index) }
        }
        if !new.isEmpty { order(known, side.messages, new) }
    }

    /// Who or what a message is about: an id counts in its conversation, under whichever length of the peer id.
    private struct Key: Hashable {
        let conversation: ConversationID
        let id: ByteText

    }

    /// The conversation of the last message as it stood there, and its id in 16 digits: most messages have the same.
    private var lastConversation: (text: ConversationID, short: ConversationID)?

    /// Nil for a message without id.
    private mutating func key(_ message: StoredMessage, _ side: Side) -> Key? {
        guard let id = message.id?.byteText, !id.bytes.isEmpty else { return nil }
        let conversation = message.conversation ?? side.conversation
        if let last = lastConversation, last.text == conversation { return Key(conversation: last.short, id: id) }
        let short = PeerIDForm.short.conversation(conversation)
        lastConversation = (conversation, short)
        return Key(conversation: short, id: id)
    }

    private mutating func file(_ message: StoredMessage, _ side: Side) {
        if let key = key(message, side) {
            places[key, default: []].append(stored.count)
        } else {
            nameless.insert(CanonicalMessage(message, peerIDs: .short))
        }
    }

    private mutating func take(_ message: StoredMessage, _ side: Side, isOwn: Bool) -> Outcome {
        guard let key = key(message, side) else {
            if nameless.contains(CanonicalMessage(message, peerIDs: .short)) { return .alreadyThere }
            append(message, side, isOwn)
            return .new
        }
        guard let candidates = places[key] else {
            append(message, side, isOwn)
            return .new
        }
        for place in candidates where stored[place].isPlainlySame(as: message) { return .alreadyThere }
        var form: CanonicalMessage?
        for place in candidates {
            let own = form ?? CanonicalMessage(message, peerIDs: .short)
            form = own
            let platform: MessagePlatform = stored[place].isAndroid ? .android : .ios
            if CanonicalMessage(source: stored[place].json, platform: platform, peerIDs: .short) == own {
                return .alreadyThere
            }
        }
        var field = ByteText([])
        for place in candidates {
            guard let pair = pair(stored[place], message, side) else { continue }
            switch pair.verdict() {
            case .same: return .alreadyThere
            case .merged(let json):
                stored[place].written = peerIDs.map { PeerIDForm.rewriting(json, $0) } ?? json
                stored[place].isAndroid = stored[place].isAndroid && message.isAndroid
                return .changed
            case .conflicting(let key): field = key
            }
        }
        if !isOwn {
            let conversation = message.conversation ?? side.conversation
            conflicts.append(Conflict(conversation: conversation, id: key.id, field: field))
        }
        append(message, side, isOwn)
        return .conflicting
    }

    /// The two messages side by side; nil where one is not strict JSON. Of two platforms, Android's is taken as iOS has it.
    private func pair(_ item: Item, _ message: StoredMessage, _ side: Side) -> MessagePair? {
        let (mine, other) = (item.json, message.sourceJSON)
        guard isStrict(mine, item.isStrict), isStrict(other, side.isStrict) else { return nil }
        switch (item.isAndroid, message.isAndroid) {
        case (false, false): return MessagePair(mine, other)
        case (true, true): return MessagePair(mine, other, platform: .android)
        case (false, true):
            let converted = PlatformConversion.toIOS().beside(mine).convert(message, isStrict: side.isStrict)
            guard case .changed(let json, _) = converted else { return nil }
            return MessagePair(mine, json)
        case (true, false):
            guard item.written == nil else { return nil }
            let converted = PlatformConversion.toIOS().beside(other).convert(item.message, isStrict: item.isStrict)
            guard case .changed(let json, _) = converted else { return nil }
            return MessagePair(json, other)
        }
    }

    private func isStrict(_ json: [UInt8], _ isKnown: Bool) -> Bool {
        isKnown || StrictJSON.isObject(json)
    }

    private mutating func append(_ message: StoredMessage, _ side: Side, _ isOwn: Bool) {
        file(message, side)
        var item = Item(message, isStrict: side.isStrict, isFromSecond: !isOwn)
        if let peerIDs, !isOwn {
            let json = item.json
            let changed = PeerIDForm.rewriting(json, peerIDs)
            if changed != json { item.written = changed }
        }
        stored.append(item)
    }

    /// Puts the items behind `known`, which are the messages `new` of a list, between those before it.
    private mutating func order(_ known: Int, _ list: [StoredMessage], _ new: [Int]) {
        let times = ArrivalTimes(sequence.map { stored[$0].message })
        let others = ArrivalTimes(list)
        var ordered: [Int] = []
        ordered.reserveCapacity(stored.count)
        var next = 0
        for (number, place) in sequence.enumerated() {
            while next < new.count, others[new[next]] < times[number] {
                ordered.append(known + next)
                next += 1
            }
            ordered.append(place)
        }
        sequence = ordered + ((known + next)..<stored.count)
    }
}

/// Times that never go back along a list, for putting two lists together without changing the order of either.
private struct ArrivalTimes {
    private var times: [Double] = []

    /// A date that is missing, implausible, or stands out from neighbours that agree counts as the one before it: one wrong
    /// clock must not move everything behind it.
    init(_ messages: [StoredMessage]) {
        var own = messages.map { message -> Double in
            guard let time = message.time(.receivedAt) ?? message.time, time.isPlausible else { return .nan }
            return time.unixSeconds
        }
        var last = -Double.infinity
        for index in own.indices {
            if own[index].isNaN { own[index] = last }
            last = own[index]
        }
        times.reserveCapacity(own.count)
        var highest = -Double.infinity
        for index in own.indices {
            var time = own[index]
            if index > 0, index + 1 < own.count, own[index - 1] <= own[index + 1],
                !(own[index - 1]...own[index + 1]).contains(time)
            {
                time = own[index - 1]
            }
            highest = max(highest, time)
            times.append(highest)
        }
    }

    subscript(index: Int) -> Double { times[index] }
}
