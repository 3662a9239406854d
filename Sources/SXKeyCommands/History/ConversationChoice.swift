import CommandKit
import History
import SophaxCore
import SophaxFiles

extension PeerNames {
    /// The fingerprint, all 64 digits, of the one person with this name, whatever its case; nil when nobody is called so.
    func person(named name: [UInt8]) throws(CommandError) -> ByteText? {
        let wanted = Self.comparable(name)
        let found = known.filter { Self.comparable($0.name) == wanted }
        guard let first = found.first else { return nil }
        if found.count > 1 { throw .severalPeople(name, found.map(\.fingerprint)) }
        return ByteText(first.fingerprint.hex)
    }

    private static func comparable(_ name: [UInt8]) -> [UInt8] {
        MessageSelection.folded(name) ?? name
    }
}

/// Words on the command line that stand for conversations: an id of either length, its beginning, the name of a contact, or
/// `notes`.
struct ConversationChoice {
    let known: [ConversationID]
    let names: PeerNames

    func conversations(named words: [[UInt8]]) throws(CommandError) -> [ConversationID] {
        var chosen: [ConversationID] = []
        for word in words { chosen.append(try conversation(named: word)) }
        return chosen
    }

    private func conversation(named word: [UInt8]) throws(CommandError) -> ConversationID {
        let wanted = word == Array("notes".utf8) ? ConversationID.notesToSelf : ConversationID(ByteText(word))
        if known.contains(wanted) { return wanted }
        let short = PeerIDForm.short.conversation(wanted)
        let alike = known.filter { PeerIDForm.short.conversation($0) == short }
        if alike.count == 1 { return alike[0] }
        let beginning = known.filter {
            $0.text.bytes.starts(with: word) || $0.text.bytes.starts(with: Array("group.".utf8) + word)
        }
        if beginning.count > 1 { throw .severalConversations(word, matching: beginning) }
        if let one = beginning.first { return one }
        if let person = try names.person(named: word) {
            let short = PeerIDForm.short.conversation(ConversationID(person))
            if let one = known.first(where: { PeerIDForm.short.conversation($0) == short }) { return one }
        }
        throw .noConversation(word, known: Array(known.prefix(5)))
    }
}

/// Finds out whose conversations a source has, and what people are called.
final class HistoryLook: HistorySink {
    private(set) var names = PeerNames()
    private(set) var conversations: [ConversationID] = []

    static func look(at source: any HistorySource) throws(HistoryError) -> HistoryLook {
        let look = HistoryLook()
        let request = HistoryRequest(conversations: { id in
            if !look.conversations.contains(id) { look.conversations.append(id) }
            return false
        })
        try source.send(request, to: look)
        return look
    }

    func take(_ people: PeerNames) throws(HistoryError) { names = names.joined(with: people) }
    func take(_ part: HistoryPart) throws(HistoryError) {}
    func begin(attachment id: ByteText, size: Int) throws(HistoryError) -> Bool { false }
    func take(attachment bytes: Span<UInt8>) throws(HistoryError) {}
    func endAttachment() throws(HistoryError) {}
    func take(_ loss: HistoryLoss) throws(HistoryError) {}
}
