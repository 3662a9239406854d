import CryptoPrimitives
import History
import SophaxFiles

/// A person as pages show one.
struct PagePerson: Sendable {
    /// What counts as the same person: the first 16 digits of a peer id, or all of what is none; empty for the owner.
    let key: ByteText
    /// UTF-8, never empty. Hostile as any text of a message.
    let name: [UInt8]
    /// Of the `p…` classes of the style sheet.
    let colour: Int
    let initials: [UInt8]
    let isOwner: Bool
}

/// Names, colours and initials of the people of an export. Asked again and again for the same few; not for two threads.
struct PagePeople {
    static let colours = 12
    /// Characters of a name that are shown.
    static let longestName = 100
    /// So many people are remembered; others are looked up each time.
    private static let maximumKept = 10_000

    let owner: PagePerson
    private let names: PeerNames
    private var kept: [ByteText: PagePerson] = [:]

    init(_ origin: HistoryOrigin, _ names: PeerNames) {
        self.names = names
        let name = origin.ownerName?.bytes ?? []
        let shown =
            name.allSatisfy({ $0 == 0x20 })
            ? Array("Me".utf8) : DisplayText.beginning(name, limit: Self.longestName)
        owner = PagePerson(
            key: ByteText([]), name: shown, colour: 0, initials: DisplayText.initials(shown), isOwner: true)
    }

    /// Who sent a message. `nil` in place of an id: the source does not say.
    mutating func sender(of message: StoredMessage, in conversation: ConversationID) -> PagePerson {
        if message.isSent { return owner }
        if let sender = message.text(.senderID)?.byteText, !sender.bytes.isEmpty { return person(sender) }
        switch conversation.kind {
        case .direct: return person(conversation.text)
        case .notes: return owner
        case .group: return Self.unknown
        }
    }

    static let unknown = PagePerson(
        key: ByteText("?"), name: Array("Unknown member".utf8), colour: 1, initials: Array("?".utf8), isOwner: false)

    mutating func person(_ id: ByteText) -> PagePerson {
        if let known = kept[id] { return known }
        let known = names.name(of: id.bytes).flatMap { $0.allSatisfy({ $0 == 0x20 }) ? nil : $0 }
        let key = PeerIDForm.short.id(id.bytes)
        let name = known.map { DisplayText.beginning($0, limit: Self.longestName) } ?? Self.shortened(key)
        let person = PagePerson(
            key: ByteText(key), name: name, colour: Self.colour(of: key), initials: DisplayText.initials(name),
            isOwner: false)
        if kept.count < Self.maximumKept { kept[id] = person }
        return person
    }

    /// `3fa9 44c1 …`: enough of an id to tell people apart.
    private static func shortened(_ id: [UInt8]) -> [UInt8] {
        guard !id.isEmpty else { return Array("Unknown".utf8) }
        return DisplayText.beginning(id, limit: 16)
    }

    /// What the heading of a conversation says.
    mutating func title(of conversation: ConversationID) -> [UInt8] {
        switch conversation.kind {
        case .notes: return Array("Notes to self".utf8)
        case .direct: return person(conversation.text).name
        case .group:
            let id = Array(conversation.text.bytes.dropFirst("group.".utf8.count))
            return Array("Group ".utf8) + DisplayText.beginning(id, limit: 8)
        }
    }

    /// The same person has the same colour everywhere, in every export.
    static func colour(of key: [UInt8]) -> Int {
        // FNV-1a; whoever wants a certain colour may have it.
        var hash: UInt32 = 2_166_136_261
        for byte in key { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        return Int((hash ^ hash >> 16) % UInt32(colours))
    }
}
