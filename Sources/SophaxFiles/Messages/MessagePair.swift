import JSONCoding

/// Two messages with one id: whether they are one message at two times, and what is known of it from both.
///
/// They are one message when sender, direction and time are equal and they differ only in what changes in the life of a
/// message. Each part has a rule of its own that gives the same whichever comes first and however often it is applied, so a
/// merge can be repeated:
/// - body, `isEdited` and `editedAt` together, from the one that was edited later;
/// - status: the furthest of sending, failed, delivered, read;
/// - `deliveredBy`, `readBy`: everybody in either;
/// - reactions: everybody's; where one person has two, and for two `expiresAt`, the newer message's: edited later, else
///   further in status, else with more receipts; where that is equal too, the greater value;
/// - `receivedAt`, `hopCount`: the smaller, which is how it first arrived;
/// - what only one has, known or not: from that one.
package struct MessagePair {
    package enum Verdict: Equatable {
        /// The second adds nothing.
        case same
        /// The first with what the second knows better.
        case merged([UInt8])
        /// Two messages with one id; the key in which they differ.
        case conflicting(ByteText)
    }

    private let first: Half
    private let second: Half

    /// Takes two messages in strict JSON; nil when one cannot be taken apart.
    package init?(_ first: [UInt8], _ second: [UInt8], platform: MessagePlatform = .ios) {
        guard let first = Half(first, platform), let second = Half(second, platform) else { return nil }
        self.first = first
        self.second = second
    }

    /// Whether the second has gone further in the life of a message than the first; nil where nothing tells.
    package var secondIsNewer: Bool? {
        if first.newness != second.newness { return first.newness < second.newness }
        let counts = (first.values.count, second.values.count)
        return counts.0 == counts.1 ? nil : counts.0 < counts.1
    }

    package func verdict() -> Verdict {
        var replaced: [[UInt8]: [UInt8]] = [:]
        let secondIsNewer = second.newness > first.newness
        let isTie = second.newness == first.newness
        for key in first.values.keys where second.values[key] != nil && first.values[key] != second.values[key] {
            guard let mine = first.values[key], let other = second.values[key] else { continue }
            switch MessageObject.field(key) {
            case .body, .isEdited, .editedAt:
                if first.edit == second.edit {
                    return .conflicting(ByteText(key))
                }
            case .status:
                let ranks = (first.statusRank, second.statusRank)
                if ranks.1 > ranks.0 || (ranks.0 == ranks.1 && other.isAfter(mine)) { replaced[key] = other }
            case .deliveredBy, .readBy:
                guard let union = union(key) else { return .conflicting(ByteText(key)) }
                if union.adds { replaced[key] = union.text }
            case .reactions:
                guard let union = reactions(key, secondIsNewer: secondIsNewer, isTie: isTie) else {
                    return .conflicting(ByteText(key))
                }
                if union.adds { replaced[key] = union.text }
            case .expiresAt:
                if secondIsNewer || (isTie && JSONNumber.double(other) > JSONNumber.double(mine)) {
                    replaced[key] = other
                }
            case .receivedAt, .hopCount:
                if JSONNumber.double(other) < JSONNumber.double(mine) { replaced[key] = other }
            default: return .conflicting(ByteText(key))
            }
        }
        // Both must say when, and from which side: these are what makes it one message.
        for field in [StoredMessage.Field.direction, first.timeField] {
            let key = Array(field.name.utf8)
            if first.values[key] == nil || second.values[key] == nil { return .conflicting(ByteText(key)) }
        }
        var dropped: Set<[UInt8]> = []
        if second.edit > first.edit {
            for field in [StoredMessage.Field.body, .isEdited, .editedAt] {
                let key = Array(field.name.utf8)
                if let value = second.values[key] {
                    if value != first.values[key] { replaced[key] = value }
                } else if field == .editedAt, first.values[key] != nil {
                    dropped.insert(key)
                }
            }
        }
        var added: [[UInt8]] = []
        for key in second.order where first.values[key] == nil && !dropped.contains(key) {
            if replaced[key] == nil, first.edit > second.edit, Self.isEditKey(key) { continue }
            added.append(key)
        }
        guard !replaced.isEmpty || !added.isEmpty || !dropped.isEmpty else { return .same }
        return .merged(written(replaced, added, dropped))
    }

    /// A message that was edited later has no `editedAt` of an earlier edit.
    private static func isEditKey(_ key: [UInt8]) -> Bool {
        MessageObject.field(key) == .editedAt || MessageObject.field(key) == .isEdited
    }

    // MARK: Rules

    private func union(_ key: [UInt8]) -> (text: [UInt8], adds: Bool)? {
        guard let mine = first.people(key), let others = second.people(key) else { return nil }
        var known = Set(mine.map(\.person))
        let new = others.filter { known.insert($0.person).inserted }
        let texts = (mine + new).map(\.text)
        return (Array("[".utf8) + texts.joined(separator: [UInt8(ascii: ",")]) + Array("]".utf8), !new.isEmpty)
    }

    private func reactions(
        _ key: [UInt8], secondIsNewer: Bool, isTie: Bool
    ) -> (text: [UInt8], adds: Bool)? {
        guard var members = first.reactions(key), let others = second.reactions(key) else { return nil }
        var adds = false
        for other in others {
            guard let index = members.firstIndex(where: { $0.person == other.person }) else {
                members.append(other)
                adds = true
                continue
            }
            let isBetter = secondIsNewer || (isTie && other.emoji.isAfter(members[index].emoji))
            if other.emoji != members[index].emoji, isBetter {
                members[index].emoji = other.emoji
                adds = true
            }
        }
        let texts = members.map { $0.key + [UInt8(ascii: ":")] + $0.emoji }
        return (Array("{".utf8) + texts.joined(separator: [UInt8(ascii: ",")]) + Array("}".utf8), adds)
    }

    private func written(_ replaced: [[UInt8]: [UInt8]], _ added: [[UInt8]], _ dropped: Set<[UInt8]>) -> [UInt8] {
        var copy = JSONCopy(.strict)
        copy.append(UInt8(ascii: "{"))
        var isFirst = true
        func comma() {
            if !isFirst { copy.append(UInt8(ascii: ",")) }
            isFirst = false
        }
        let object = first.object
        for (index, member) in object.members.enumerated() {
            // A null says nothing and may be what the other one fills; of keys that stand twice the last one counts.
            if dropped.contains(member.key) || (added.contains(member.key) && member.value.kind == .null) { continue }
            if let field = object.fields[index], object.fields.lastIndex(of: field) != index { continue }
            if added.contains(member.key), MessageObject.field(member.key) == .reactions { continue }
            comma()
            copy.appendKey(member, of: object.source)
            if let value = replaced[member.key] {
                copy.append(value)
            } else {
                copy.append(object.source[member.text])
            }
        }
        for key in added {
            guard let member = second.object.members.last(where: { $0.key == key }) else { continue }
            comma()
            copy.appendKey(member, of: second.object.source)
            copy.append(second.object.source[member.text])
        }
        // What the first has only as what the app takes a missing key for.
        for key in replaced.keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) where !added.contains(key) {
            guard let value = replaced[key], !object.members.contains(where: { $0.key == key }) else { continue }
            comma()
            var text: [UInt8] = []
            JSONText.appendQuoted(key, to: &text)
            copy.append(text)
            copy.append(UInt8(ascii: ":"))
            copy.append(value)
        }
        copy.append(UInt8(ascii: "}"))
        return copy.output
    }
}

// MARK: - One of the two

/// How far a message has gone through its life.
private struct Newness: Comparable {
    let edit: Edit
    let status: Int
    let receipts: Int

    static func < (left: Newness, right: Newness) -> Bool {
        if left.edit != right.edit { return left.edit < right.edit }
        return (left.status, left.receipts) < (right.status, right.receipts)
    }
}

/// When a message was edited last, if ever.
private struct Edit: Comparable {
    let isEdited: Bool
    let time: Double

    static func < (left: Edit, right: Edit) -> Bool {
        if left.isEdited != right.isEdited { return right.isEdited }
        return left.time < right.time
    }
}

private struct Half {
    let object: MessageObject
    /// The canonical text of each value that says something, peer ids in 16 digits.
    private(set) var values: [[UInt8]: [UInt8]] = [:]
    /// The keys of `values` in source order.
    private(set) var order: [[UInt8]] = []
    let timeField: StoredMessage.Field
    private(set) var edit = Edit(isEdited: false, time: -.infinity)
    private(set) var statusRank = -1
    private(set) var newness = Newness(edit: Edit(isEdited: false, time: -.infinity), status: -1, receipts: 0)

    init?(_ source: [UInt8], _ platform: MessagePlatform) {
        guard let object = MessageObject(source) else { return nil }
        self.object = object
        let isAndroid = object.isAndroid(platform)
        timeField = isAndroid ? .timestampMs : .timestamp
        for (index, member) in object.members.enumerated() {
            if let field = object.fields[index] {
                // Nulls say nothing, nor do reactions of nobody.
                if member.value.kind == .null || object.fields.lastIndex(of: field) != index { continue }
                if field == .reactions, member.value.kind == .object, object.pieces(member).isEmpty { continue }
            }
            if values[member.key] == nil { order.append(member.key) }
            values[member.key] = Self.canonical(member, object)
        }
        // What the app takes a missing key for.
        if isAndroid, values[Self.status] == nil { values[Self.status] = Array("\"sending\"".utf8) }
        if !isAndroid, values[Self.isEdited] == nil { values[Self.isEdited] = Array("false".utf8) }
        let time = values[Self.editedAt].map { JSONNumber.double($0) } ?? .nan
        edit = Edit(
            isEdited: values[Self.isEdited] == Array("true".utf8) || (isAndroid && values[Self.editedAt] != nil),
            time: time.isNaN ? -.infinity : time)
        if let status = values[Self.status] {
            statusRank = MessageShape.statuses.firstIndex { [0x22] + $0 + [0x22] == status } ?? -1
        }
        var receipts = 0
        for field in [StoredMessage.Field.deliveredBy, .readBy] {
            receipts += people(Array(field.name.utf8))?.count ?? 0
        }
        newness = Newness(edit: edit, status: statusRank, receipts: receipts)
    }

    private static let status = Array("status".utf8)
    private static let isEdited = Array("isEdited".utf8)
    private static let editedAt = Array("editedAt".utf8)

    private static func canonical(_ member: JSONPiece, _ object: MessageObject) -> [UInt8] {
        var copy = JSONCopy(.canonical)
        if !CanonicalMessage.appendPeers(member, of: object, .short, to: &copy) {
            copy.append(member, of: object.source)
        }
        return copy.output
    }

    /// Each different person of a list, with the text that stands there; nil where it is no list of texts.
    func people(_ key: [UInt8]) -> [(person: [UInt8], text: [UInt8])]? {
        guard let member = object.members.last(where: { $0.key == key }), member.value.kind == .array else {
            return nil
        }
        var known: Set<[UInt8]> = []
        var people: [(person: [UInt8], text: [UInt8])] = []
        for piece in object.pieces(member) {
            guard let id = object.text(piece) else { return nil }
            let person = PeerIDForm.short.id(id)
            if known.insert(person).inserted { people.append((person, Array(object.source[piece.text]))) }
        }
        return people
    }

    func reactions(_ key: [UInt8]) -> [(person: [UInt8], key: [UInt8], emoji: [UInt8])]? {
        guard let member = object.members.last(where: { $0.key == key }), member.value.kind == .object else {
            return nil
        }
        var reactions: [(person: [UInt8], key: [UInt8], emoji: [UInt8])] = []
        for piece in object.pieces(member) {
            guard piece.value.kind == .string else { return nil }
            var copy = JSONCopy(.canonical)
            copy.append(piece, of: object.source)
            let person = PeerIDForm.short.id(piece.key)
            reactions.removeAll { $0.person == person }
            reactions.append((person, Array(object.source[piece.keyText]), copy.output))
        }
        return reactions
    }
}

extension [UInt8] {
    fileprivate func isAfter(_ other: [UInt8]) -> Bool { other.lexicographicallyPrecedes(self) }
}
