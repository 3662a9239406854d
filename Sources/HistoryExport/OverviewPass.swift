import History
import SophaxFiles
import SystemIO

/// The first pass: counts, names, what is replied to, and the attachment files.
final class OverviewPass: ExportPass {
    private(set) var failure: ExportError?
    private(set) var attachmentLosses: [HistoryLoss] = []
    private var plan: ExportPlan
    private let files: AttachmentFiles?
    private let needsPlaces: Bool
    private var index: [ConversationID: Int] = [:]
    /// Chosen messages since the conversation began last; a store may have one in two files.
    private var chosen = 0
    /// What they refer to, with their numbers: it counts only once it is known which ones the limit leaves.
    private var held: [(number: Int, reference: AttachmentReference)] = []
    /// Hashes of their ids, and of the ids that are replied to.
    private var ids: [Int] = []
    private var replied: Set<Int> = []

    init(_ selection: HistorySelection, _ files: AttachmentFiles?, needsPlaces: Bool) {
        plan = ExportPlan(selection: selection)
        self.files = files
        self.needsPlaces = needsPlaces
    }

    func take(_ people: PeerNames) throws(HistoryError) {
        plan.names = plan.names.joined(with: people)
    }

    func take(_ part: HistoryPart) throws(HistoryError) {
        let id = part.conversation
        if part.isFirst { chosen = 0 }
        if index[id] == nil {
            index[id] = plan.conversations.count
            plan.conversations.append(ConversationSummary(id: id, messages: 0, times: nil))
        }
        guard let place = index[id] else { return }
        for message in part.messages where plan.selection.filter.takes(message, in: id) {
            plan.conversations[place].add(message)
            if let files, let reference = AttachmentReference(message, in: id) {
                if plan.selection.limit == nil { files.note(reference) } else { held.append((chosen, reference)) }
            }
            if needsPlaces {
                ids.append(message.id.map { ReplyPlaces.key($0.byteText, id) } ?? 0)
                if let reply = message.text(.replyToID) { replied.insert(ReplyPlaces.key(reply.byteText, id)) }
            }
            chosen += 1
        }
        if part.isLast { endConversation(place) }
    }

    private func endConversation(_ place: Int) {
        let skipped = max(0, chosen - (plan.selection.limit ?? Int.max))
        plan.skipped.append(skipped)
        plan.conversations[place].messages -= skipped
        let kept = chosen - skipped
        let start = plan.conversations[place].messages - kept
        for (number, key) in ids.enumerated() where number >= skipped && replied.contains(key) {
            let position = plan.selection.newestFirst ? chosen - 1 - number : number - skipped
            if plan.places.places[key] == nil { plan.places.places[key] = Int32(clamping: start + position) }
        }
        ids.removeAll(keepingCapacity: true)
        replied.removeAll(keepingCapacity: true)
        for one in held where one.number >= skipped { files?.note(one.reference) }
        held.removeAll(keepingCapacity: true)
    }

    func begin(attachment id: ByteText, size: Int) throws(HistoryError) -> Bool {
        try writing { (files) throws(ExportError) in try files.begin(id, size: size) } ?? false
    }

    func begin(attachment id: ByteText, size: Int, sha256: [UInt8]) throws(HistoryError) -> Bool {
        try writing { (files) throws(ExportError) in try files.begin(id, size: size, sha256: sha256) } ?? false
    }

    func take(attachment bytes: Span<UInt8>) throws(HistoryError) {
        do throws(FileError) { try files?.take(bytes) } catch { throw refused(.file(error)) }
    }

    func endAttachment() throws(HistoryError) {
        try writing { (files) throws(ExportError) in try files.end() }
    }

    func take(_ loss: HistoryLoss) throws(HistoryError) {
        guard loss.part == .attachments else { return }
        if files?.lose(loss.item) == true { attachmentLosses.append(loss) }
    }

    func finish() throws(ExportError) -> ExportPlan {
        plan.conversations.removeAll { $0.messages == 0 }
        return plan
    }

    private func writing<R>(_ body: (AttachmentFiles) throws(ExportError) -> R) throws(HistoryError) -> R? {
        guard let files else { return nil }
        do throws(ExportError) { return try body(files) } catch { throw refused(error) }
    }

    private func refused(_ error: ExportError) -> HistoryError {
        failure = error
        return .stopped
    }
}

extension ConversationSummary {
    mutating func add(_ message: StoredMessage) {
        messages += 1
        guard let time = message.time, time.isPlausible else { return }
        let seconds = time.unixSeconds
        times = times.map { min($0.lowerBound, seconds)...max($0.upperBound, seconds) } ?? seconds...seconds
    }
}
