import CryptoPrimitives
import SophaxCore
import SophaxFiles
import SystemIO

/// Plans what makes a store readable for the newest apps: `isEdited` in every message, file names of the newest rule, older
/// group files merged, lists that decode as a whole, and peer ids in one length where that is asked for.
package struct StoreMigration: Sendable {
    /// Why it is not done.
    package enum Refusal: Error, Sendable {
        /// Ids of 16 digits whose other 16 nobody knows.
        case unknownPeers([ByteText])
        /// Ids of 32 digits of several peers, each of which begins as another one: with 16 digits they would be one.
        case alikePeers([ByteText])
        case step(ChangeStepFailure)
    }

    package let unit: ChangeUnit
    package let report: StoreReport
    package let rebuild: RebuildPlan
    /// Files that are authentic and no list of messages; they stay as they are.
    package let noLists: [StoreFile]

    /// - Parameters:
    ///   - report: a survey of the unit's store.
    ///   - peerDigits: 16 or 32; nil leaves peer ids.
    ///   - known: ids whose digits are known from elsewhere, such as a keyring.
    package init(
        _ unit: ChangeUnit, _ report: StoreReport, peerDigits: Int?, known: [PeerID], key: SharedKey, workers: Int
    ) throws(Refusal) {
        self.unit = unit
        self.report = report
        let files = report.conversations.flatMap(\.files)
        let lists = files.filter { $0.isAuthentic && $0.outcome != .notMessages }
        noLists = files.filter { $0.isAuthentic && $0.outcome == .notMessages }.map(\.file)
        let form = try Self.form(peerDigits, lists, known, key, workers)
        let placements = lists.map { Self.placement($0, form) }
        let others = files.filter { !$0.isAuthentic || $0.outcome == .notMessages }
        do throws(ChangeStepFailure) {
            rebuild = try RebuildPlan(
                placements, RebuildRules(forNewestApp: true, peerIDs: form), in: unit,
                taken: Set(others.map(\.file.stem)), key: key, workers: workers)
        } catch {
            throw .step(error)
        }
    }

    package var files: [PlannedFile] { rebuild.files }
    /// There is nothing to write.
    package var isDone: Bool { files.isEmpty }

    // MARK: - Names

    private static func placement(_ report: StoreFileReport, _ form: PeerIDForm?) -> Placement {
        let own = report.file.stem
        let (conversation, stem) = home(of: report)
        let changed = form?.conversation(conversation) ?? conversation
        // An id that got another length takes its file along, if the file is called after it.
        let isCalledSo = StoreNameRule.v1.stem(for: conversation) == stem
        let target = changed != conversation && isCalledSo ? StoreNameRule.v1.stem(for: changed) : stem
        return Placement(
            report: report, stem: target, conversation: conversation,
            needsWork: report.isAtRisk || report.outcome?.isSound == false || form != nil
                || report.tally.findings.count(.duplicateID) > 0 || report.isOrphan && target != own)
    }

    /// The conversation that a file is of, and the name that it has by the newest rule, if the one it has is of an older.
    private static func home(of report: StoreFileReport) -> (ConversationID, ByteText) {
        let own = report.file.stem
        let named = report.tally.conversations.map(\.id)
        let guess = ConversationID(guessedFrom: own)
        guard named.count <= 1 else { return (guess, own) }
        let conversation = named.first ?? guess
        let newest = StoreNameRule.v1.stem(for: conversation)
        let isOlderName = StoreNameRule.v0.stem(for: conversation) == own && !newest.bytes.isEmpty
        return (conversation, isOlderName ? newest : own)
    }

    // MARK: - Peer ids

    private static func form(
        _ digits: Int?, _ lists: [StoreFileReport], _ known: [PeerID], _ key: SharedKey, _ workers: Int
    ) throws(Refusal) -> PeerIDForm? {
        guard let digits else { return nil }
        let ids: Set<ByteText>
        do throws(ChangeStepFailure) {
            ids = try PeerIDs.all(in: lists.map(\.file), key, workers)
        } catch {
            throw .step(error)
        }
        let names = lists.map { home(of: $0).0.text }
        let all = ids.union(names)
        if digits == PeerIDForm.short.digits {
            let alike = PeerIDs.alike(in: all)
            if !alike.isEmpty { throw .alikePeers(alike) }
            return .short
        }
        let form = PeerIDForm.long(known: known + all.map { PeerID(bytes: $0.bytes) })
        let unknown = all.filter { form.answer(for: $0.bytes) == .unknown }
        if !unknown.isEmpty { throw .unknownPeers(unknown.sorted()) }
        return form
    }
}

/// Every peer id that messages name.
enum PeerIDs {
    static func all(
        in files: [StoreFile], _ key: SharedKey, _ workers: Int
    ) throws(ChangeStepFailure) -> Set<ByteText> {
        let sets = try parallelMap(
            files, workers: workers,
            makeState: { () throws(ChangeStepFailure) in try RebuildPlan.reader(key) },
            { (reader, file) throws(ChangeStepFailure) -> Set<ByteText> in
                let read: FileMessages
                do throws(StoreFileFailure) { read = try reader.messages(of: file) } catch {
                    throw .source(file, error)
                }
                return read.messages.reduce(into: []) { ids, message in add(message, to: &ids) }
            })
        return sets.reduce(into: []) { $0.formUnion($1) }
    }

    /// Long ids of two peers or more that share their first 16 digits; of 32 and 64 digits may be one peer.
    static func alike(in ids: Set<ByteText>) -> [ByteText] {
        var byBeginning: [ByteText: [ByteText]] = [:]
        for id in ids where (PeerID(bytes: id.bytes).form.digits ?? 0) > 16 {
            byBeginning[ByteText(Array(id.bytes.prefix(16))), default: []].append(id)
        }
        return byBeginning.values.filter { Set($0.map { Array($0.bytes.prefix(32)) }).count > 1 }.flatMap { $0 }
            .sorted()
    }

    private static func add(_ message: StoredMessage, to ids: inout Set<ByteText>) {
        for field in [StoredMessage.Field.peerID, .senderID] {
            if let id = message.text(field)?.byteText { ids.insert(id) }
        }
        for field in [StoredMessage.Field.deliveredBy, .readBy] where message.has(field) {
            ids.formUnion(message.list(field))
        }
        if message.has(.reactions) { ids.formUnion(message.reactions.map(\.sender)) }
    }
}
