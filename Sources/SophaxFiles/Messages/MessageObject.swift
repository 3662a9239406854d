import JSONCoding

/// One message's own object, taken apart; of each field the value that counts.
struct MessageObject {
    let source: [UInt8]
    /// All members in source order, known and unknown.
    let members: [JSONPiece]
    /// For each member, which field of a message its key names.
    let fields: [StoredMessage.Field?]

    private static let byName: [[UInt8]: StoredMessage.Field] = {
        var names: [[UInt8]: StoredMessage.Field] = [:]
        for field in StoredMessage.Field.allCases { names[Array(field.name.utf8)] = field }
        return names
    }()

    static func field(_ key: [UInt8]) -> StoredMessage.Field? { byName[key] }

    /// Nil when the brackets, keys or colons cannot be understood.
    init?(_ source: [UInt8]) {
        guard let members = JSONPieces.of(source, at: 0, keyed: true) else { return nil }
        self.source = source
        self.members = members
        fields = members.map { Self.field($0.key) }
    }

    /// The member of a field that counts: the last one, as everywhere here.
    func member(_ field: StoredMessage.Field) -> JSONPiece? {
        fields.lastIndex(of: field).map { members[$0] }
    }

    /// The members of `reactions`, or the elements of a list of people.
    func pieces(_ member: JSONPiece) -> [JSONPiece] {
        JSONPieces.of(source, at: member.text.lowerBound, keyed: member.value.kind == .object) ?? []
    }

    /// The text of a string.
    func text(_ piece: JSONPiece) -> [UInt8]? {
        guard piece.value.kind == .string else { return nil }
        let content = Array(source[piece.value.range])
        return piece.value.escaped ? JSONText.unescape(content.span).bytes : content
    }

    /// Whether it has Android's shape, as `StoredMessage.isAndroid` says.
    func isAndroid(_ platform: MessagePlatform) -> Bool {
        func has(_ field: StoredMessage.Field) -> Bool { member(field).map { $0.value.kind != .null } ?? false }
        return !has(.timestamp) && (platform == .android || has(.timestampMs))
    }
}

extension StoredMessage.Field {
    /// Fields that hold a peer id, or several.
    var holdsPeers: Bool {
        switch self {
        case .peerID, .senderID, .reactions, .deliveredBy, .readBy: true
        default: false
        }
    }
}
