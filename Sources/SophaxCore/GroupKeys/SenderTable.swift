/// Values by sender that are found by group as well, and by the digits that ids of every length of one person share.
///
/// A file of keys may name any number of groups and members: nothing that is asked of one goes through all.
struct SenderTable<Value: Sendable>: Sendable {
    private var table: [GroupSender: Value] = [:]
    /// The members of each group by the first digits of their ids.
    private var people: [GroupID: [[UInt8]: Set<PeerID>]] = [:]
    /// Digits of the shortest id.
    private static var digits: Int { 16 }

    var count: Int { table.count }
    var isEmpty: Bool { table.isEmpty }
    var values: Dictionary<GroupSender, Value>.Values { table.values }
    var senders: Dictionary<GroupSender, Value>.Keys { table.keys }
    var groups: Dictionary<GroupID, [[UInt8]: Set<PeerID>]>.Keys { people.keys }

    /// The senders of one group, in no order.
    func senders(in group: GroupID) -> [GroupSender] {
        (people[group] ?? [:]).values.joined().map { GroupSender(group: group, peer: $0) }
    }

    /// The senders of the same group that are the same person, whatever the length of the ids.
    func samePerson(as sender: GroupSender) -> [GroupSender] {
        let found = people[sender.group]?[Self.key(sender)] ?? []
        return found.filter { $0.isSamePerson(as: sender.peer) }.map { GroupSender(group: sender.group, peer: $0) }
    }

    subscript(sender: GroupSender) -> Value? {
        get { table[sender] }
        set {
            let had = table[sender] != nil
            table[sender] = newValue
            if had != (newValue != nil) { file(sender, isThere: newValue != nil) }
        }
    }

    /// Changes a value where it lies; one that was not there begins as `empty`.
    mutating func update<R>(_ sender: GroupSender, from empty: Value, _ body: (inout Value) -> R) -> R {
        if table[sender] == nil { file(sender, isThere: true) }
        return body(&table[sender, default: empty])
    }

    @discardableResult
    mutating func removeValue(forKey sender: GroupSender) -> Value? {
        guard let value = table.removeValue(forKey: sender) else { return nil }
        file(sender, isThere: false)
        return value
    }

    @discardableResult
    mutating func updateValue(_ value: Value, forKey sender: GroupSender) -> Value? {
        let old = table.updateValue(value, forKey: sender)
        if old == nil { file(sender, isThere: true) }
        return old
    }

    private static func key(_ sender: GroupSender) -> [UInt8] { Array(sender.peer.bytes.prefix(digits)) }

    private mutating func file(_ sender: GroupSender, isThere: Bool) {
        let key = Self.key(sender)
        guard !isThere else {
            people[sender.group, default: [:]][key, default: []].insert(sender.peer)
            return
        }
        people[sender.group]?[key]?.remove(sender.peer)
        if people[sender.group]?[key]?.isEmpty == true { people[sender.group]?[key] = nil }
        if people[sender.group]?.isEmpty == true { people[sender.group] = nil }
    }
}
