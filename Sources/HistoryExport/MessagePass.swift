import History
import SophaxFiles

/// The pass that writes: the chosen messages of each conversation go to the writer, with what belongs to them.
final class MessagePass: ExportPass {
    private(set) var failure: ExportError?
    private(set) var losses: [HistoryLoss] = []
    /// Written messages by conversation, in the order in which they came.
    private(set) var counts: [(id: ConversationID, messages: Int)] = []
    private let plan: ExportPlan
    private let writer: any HistoryWriter
    private var names: PeerNames
    private var totals = ExportTotals()
    private var index: [ConversationID: Int] = [:]
    /// How often a conversation began.
    private var occurrence = -1
    /// Messages of this one that the filter took.
    private var taken = 0
    private var hasBegun = false
    /// A conversation that is written from its end, with the places of chosen messages.
    private var held: [(part: HistoryPart, places: [Int])] = []
    /// The first 16 digits of the peer ids in what was written, where a list of people follows it; else nil.
    private var occurring: Set<ByteText>?

    init(_ plan: ExportPlan, _ writer: any HistoryWriter) {
        self.plan = plan
        self.writer = writer
        names = plan.names
        let isWhole = plan.selection.isEverything && plan.selection.filter.conversations == nil
        occurring = writer.needs.contains(.listsPeople) && !isWhole ? [] : nil
    }

    func take(_ people: PeerNames) throws(HistoryError) {
        names = plan.names.isEmpty ? names.joined(with: people) : plan.names
        guard occurring == nil else { return }
        try writing { () throws(ExportError) in try writer.take(names) }
    }

    func take(_ removed: [RemovedMessage]) throws(HistoryError) {
        // They are no messages that somebody could choose: whoever chooses some wants none of these.
        guard plan.selection.isEverything else { return }
        totals.otherLines += removed.count
        try writing { () throws(ExportError) in try writer.take(removed) }
    }

    private func writing(_ body: () throws(ExportError) -> Void) throws(HistoryError) {
        do throws(ExportError) {
            try body()
        } catch {
            failure = error
            throw .stopped
        }
    }

    func take(_ part: HistoryPart) throws(HistoryError) {
        let id = part.conversation
        if part.isFirst {
            occurrence += 1
            (taken, hasBegun) = (0, false)
        }
        if index[id] == nil {
            index[id] = counts.count
            counts.append((id, 0))
        }
        totals.read += part.messages.count
        try writing { () throws(ExportError) in
            let places = chosen(part)
            if plan.selection.newestFirst {
                held.append((part, places))
                if part.isLast { try writeHeld() }
            } else {
                let dropped = min(places.count, max(0, skipped - taken))
                taken += places.count
                try write(part, Array(places.dropFirst(dropped)), isWhole: part.isFirst && part.isLast)
            }
            if part.isLast, hasBegun { try writer.end(conversation: id) }
        }
    }

    /// Places of the messages that the filter takes.
    private func chosen(_ part: HistoryPart) -> [Int] {
        part.messages.indices.filter { plan.selection.filter.takes(part.messages[$0], in: part.conversation) }
    }

    /// Messages of this conversation that the filter takes and that are too old for the limit.
    private var skipped: Int { plan.skipped.indices.contains(occurrence) ? plan.skipped[occurrence] : 0 }

    private func writeHeld() throws(ExportError) {
        var room = held.reduce(0) { $0 + $1.places.count } - skipped
        let isWhole = held.count == 1
        for (part, places) in held.reversed() {
            let newest = places.suffix(max(0, room))
            room -= newest.count
            try write(part, newest.reversed(), isWhole: isWhole)
        }
        held = []
    }

    private func write(_ part: HistoryPart, _ places: [Int], isWhole: Bool) throws(ExportError) {
        let id = part.conversation
        guard !places.isEmpty, let place = index[id] else { return }
        let isFirst = !hasBegun
        if isFirst {
            hasBegun = true
            try writer.begin(conversation: id)
        }
        try writer.write(
            ExportPart(
                conversation: id, messages: messages(part, at: places), start: counts[place].messages,
                beginsExport: totals.written == 0, beginsConversation: isFirst, isStrict: part.isStrict,
                whole: isWhole ? ExportPart.Whole(read: part.messages.count, chosen: places.count) : nil,
                names: names, attachments: plan.attachments))
        note(part, places)
        if counts[place].messages == 0 { totals.conversations += 1 }
        counts[place].messages += places.count
        totals.written += places.count
    }

    /// Who occurs in written messages.
    private func note(_ part: HistoryPart, _ places: [Int]) {
        guard occurring != nil else { return }
        occurring?.insert(Self.beginning(part.conversation.text))
        guard part.conversation.kind != .direct else { return }
        for place in places {
            if let sender = part.messages[place].text(.senderID) { occurring?.insert(Self.beginning(sender.byteText)) }
        }
    }

    private static func beginning(_ peerID: ByteText) -> ByteText {
        ByteText(Array(peerID.bytes.prefix(16)))
    }

    private func messages(_ part: HistoryPart, at places: [Int]) -> [ExportMessage] {
        let bodies = writer.needs.contains(.replied) ? repliedTo(part, places) : [:]
        return places.map { place in
            var message = ExportMessage(part.messages[place])
            if let reply = message.message.text(.replyToID)?.byteText { message.replied = bodies[reply] }
            message.earlier = part.earlier[place] ?? []
            message.others = part.others[place] ?? []
            message.isConflicting = part.conflicting.contains(place)
            return message
        }
    }

    /// The messages that the chosen ones reply to, by id: of this part, and of others as far as the source says.
    private func repliedTo(_ part: HistoryPart, _ places: [Int]) -> [ByteText: StoredMessage] {
        let wanted = Set(places.compactMap { part.messages[$0].text(.replyToID)?.byteText })
        guard !wanted.isEmpty else { return [:] }
        var found = part.replied.filter { wanted.contains($0.key) }
        for message in part.messages {
            // Of two messages with one id the first is meant, as links mean it and an archive gives it.
            guard let id = message.id?.byteText, wanted.contains(id), found[id] == nil else { continue }
            found[id] = message
        }
        return found
    }

    func begin(attachment id: ByteText, size: Int) throws(HistoryError) -> Bool { false }
    func take(attachment bytes: Span<UInt8>) throws(HistoryError) {}
    func endAttachment() throws(HistoryError) {}

    func take(_ loss: HistoryLoss) throws(HistoryError) {
        if loss.part != .attachments { losses.append(loss) }
    }

    func finish() throws(ExportError) -> ExportTotals {
        if let occurring {
            let chosen = names.known.filter { occurring.contains(ByteText(Array($0.fingerprint.hex.utf8.prefix(16)))) }
            if !chosen.isEmpty { try writer.take(PeerNames(known: chosen)) }
        }
        counts.removeAll { $0.messages == 0 }
        return totals
    }
}
