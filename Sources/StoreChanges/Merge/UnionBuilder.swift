import SophaxCore
import SophaxFiles

/// Finds which files of two stores are one conversation.
///
/// A conversation of the second store belongs to the file of the first that has it: by its id, by the name that the app
/// gives it, or by the person, whose id may have the other length there. A file that an older name rule left behind goes
/// together with the newer one (formats section 6.1.1).
struct UnionBuilder {
    private(set) var unions: [ConversationUnion] = []
    private var byID: [ConversationID: Int] = [:]
    private var byStem: [ByteText: Int] = [:]
    private var byPerson: [ConversationID: Int] = [:]
    private let peerIDs: PeerIDForm?

    init(_ first: StoreReport, _ second: StoreReport) {
        peerIDs = Self.peerIDs(first, second)
        for summary in first.conversations {
            let files = Self.readable(summary)
            guard let newest = files.last else { continue }
            let stem = newest.isOrphan ? StoreNameRule.v1.stem(for: Self.id(summary)) : newest.file.stem
            if let place = byStem[stem] {
                unions[place].first += files.map(\.file)
            } else {
                add(summary, stem, first: files.map(\.file), second: [])
            }
        }
        for summary in second.conversations {
            let files = Self.readable(summary)
            guard let newest = files.last else { continue }
            let id = peerIDs?.conversation(Self.id(summary)) ?? Self.id(summary)
            let renamed = newest.isOrphan || id != Self.id(summary)
            let stem = renamed ? StoreNameRule.v1.stem(for: id) : newest.file.stem
            let place = byID[Self.id(summary)] ?? byStem[stem] ?? place(ofPerson: id)
            if let place {
                unions[place].second += files.map(\.file)
            } else {
                add(summary, stem, first: [], second: files.map(\.file))
            }
        }
    }

    private mutating func add(
        _ summary: ConversationSummary, _ stem: ByteText, first: [StoreFile], second: [StoreFile]
    ) {
        let id = Self.id(summary)
        let place = unions.count
        unions.append(
            ConversationUnion(
                stem: stem, conversation: first.isEmpty ? peerIDs?.conversation(id) ?? id : id, first: first,
                second: second, peerIDs: peerIDs))
        if byID[id] == nil { byID[id] = place }
        byStem[stem] = place
        let person = PeerIDForm.short.conversation(id)
        if byPerson[person] == nil { byPerson[person] = place }
    }

    /// Where the person stands under an id of the other length. Two long ids that only begin alike are two people, one of
    /// whom may want to pass for the other.
    private func place(ofPerson id: ConversationID) -> Int? {
        guard let place = byPerson[PeerIDForm.short.conversation(id)] else { return nil }
        return unions[place].conversation.text.bytes.count == id.text.bytes.count ? nil : place
    }

    /// Files with a list of messages in them.
    private static func readable(_ summary: ConversationSummary) -> [StoreFileReport] {
        summary.files.filter { $0.isAuthentic && $0.outcome != .notMessages }
    }

    /// The conversation that most of the messages name.
    private static func id(_ summary: ConversationSummary) -> ConversationID {
        var counts: [ConversationID: Int] = [:]
        for file in summary.files {
            for entry in file.tally.conversations { counts[entry.id, default: 0] += entry.messages }
        }
        let most = counts.max { $0.value != $1.value ? $0.value < $1.value : $0.key > $1.key }
        return most?.key ?? summary.id
    }

    /// The length of peer ids in the first store, if it has one only.
    private static func peerIDs(_ first: StoreReport, _ second: StoreReport) -> PeerIDForm? {
        func ids(_ report: StoreReport) -> [PeerID] {
            report.conversations.map(id).filter { $0.kind == .direct }.map { PeerID(bytes: $0.text.bytes) }
        }
        switch Set(ids(first).compactMap(\.form.digits)) {
        case [16]: return .short
        case [32]: return .long(known: ids(first) + ids(second))
        default: return nil
        }
    }
}
