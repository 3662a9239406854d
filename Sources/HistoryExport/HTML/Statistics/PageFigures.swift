import SophaxFiles

/// Counts for the page of statistics, of a page or of all of them.
struct PageFigures: Sendable {
    struct Person: Sendable {
        let name: [UInt8]
        let colour: Int
        var messages = 0
        var words = 0
    }

    struct Kind: Sendable {
        var files = 0
        var bytes = 0
        var missing = 0
    }

    private(set) var messages = 0
    private(set) var sent = 0
    private(set) var words = 0
    private(set) var edited = 0
    private(set) var reactions = 0
    /// Messages without a plausible date are in none of the counts of time.
    private(set) var undated = 0
    private(set) var months: [Int: Int] = [:]
    /// By weekday from Monday and hour: `weekday * 24 + hour`.
    private(set) var hours = [Int](repeating: 0, count: 7 * 24)
    private(set) var people: [ByteText: Person] = [:]
    /// By noun: Picture, Audio, …
    private(set) var kinds: [String: Kind] = [:]
    private(set) var first: PageTime?
    private(set) var last: PageTime?

    mutating func add(_ view: MessageView, words count: Int) {
        messages += 1
        words += count
        if view.direction == .sent { sent += 1 }
        if view.message.isEdited { edited += 1 }
        if view.message.has(.reactions) { reactions += view.message.reactions.count }
        if view.isPlausible, let time = view.time {
            months[time.month, default: 0] += 1
            hours[time.weekday * 24 + time.local.hour] += 1
            add(time)
        } else {
            undated += 1
        }
        people[view.sender.key, default: Person(name: view.sender.name, colour: view.sender.colour)].add(1, count)
        guard let attachment = view.attachment else { return }
        let noun = "\(attachment.noun)"
        if case .file(let file) = attachment.outcome {
            kinds[noun, default: Kind()].files += 1
            kinds[noun, default: Kind()].bytes += file.bytes
        } else {
            kinds[noun, default: Kind()].missing += 1
        }
    }

    private mutating func add(_ time: PageTime) {
        if first.map({ time.utc.wholeUnixSeconds < $0.utc.wholeUnixSeconds }) ?? true { first = time }
        if last.map({ time.utc.wholeUnixSeconds > $0.utc.wholeUnixSeconds }) ?? true { last = time }
    }

    mutating func add(_ other: PageFigures) {
        messages += other.messages
        sent += other.sent
        words += other.words
        edited += other.edited
        reactions += other.reactions
        undated += other.undated
        for (month, count) in other.months { months[month, default: 0] += count }
        for index in hours.indices { hours[index] += other.hours[index] }
        for (key, person) in other.people {
            people[key, default: Person(name: person.name, colour: person.colour)].add(person.messages, person.words)
        }
        for (noun, kind) in other.kinds {
            kinds[noun, default: Kind()].files += kind.files
            kinds[noun, default: Kind()].bytes += kind.bytes
            kinds[noun, default: Kind()].missing += kind.missing
        }
        if let time = other.first { add(time) }
        if let time = other.last { add(time) }
    }
}

extension PageFigures.Person {
    fileprivate mutating func add(_ messages: Int, _ words: Int) {
        self.messages += messages
        self.words += words
    }
}
