import CommandKit
import SophaxCore
import SophaxFiles
import SystemIO

/// What a command is asked about messages.
enum WireQuestion: String, Sendable {
    case inspect, verify, open
}

/// Goes through files of messages and presents one after the other, so that their number does not matter.
final class WireRun {
    private let question: WireQuestion
    private let arguments: WireArguments
    private let keys: OpenedKeys?
    private let context: Context
    private let opener: WireOpener?
    private let presenter: WirePresenter
    /// Opens what is of related apps; made when there is something.
    private var related: RelatedOpener?
    /// What of related apps no key opened yet, and where it is.
    private var waiting: [(path: FilePath, item: RelatedItem)] = []
    /// So many keys were known when the first of them did not open.
    private var keysAtWait = 0
    private(set) var counts = WireCounts()
    /// Of files that could not be read at all.
    private var failed: ExitStatus?

    init(
        _ question: WireQuestion, _ arguments: WireArguments, _ keys: OpenedKeys?, _ context: Context
    ) throws(CommandError) {
        self.question = question
        self.arguments = arguments
        self.keys = keys
        self.context = context
        opener =
            question == .open ? try keys.map { (keys) throws(CommandError) in try WireOpener(keys) } : nil
        presenter = WirePresenter(question, context)
    }

    /// Reads all files. Of several, one that cannot be read is told and the others are read all the same.
    func run() throws(CommandError) -> ExitStatus {
        for path in arguments.paths {
            do throws(CommandError) {
                try read(path)
            } catch {
                guard arguments.paths.count > 1, !error.isOfOutput else { throw error }
                context.console.report(error.message)
                counts.failedFiles += 1
                failed = failed.map { $0.combined(with: error.message.exit) } ?? error.message.exit
            }
        }
        tryAgain()
        let own = counts.status(question)
        // Files that were read prove the rest.
        let status = failed.map { counts.read > 0 ? own.combined(with: .someDamaged) : $0 } ?? own
        presenter.finish(counts, status)
        return status
    }

    private func read(_ path: FilePath) throws(CommandError) {
        var file = try arguments.look(path)
        if let document = try arguments.document(&file, path) { return try read(document, path) }
        var reader = try arguments.reader(file, path, keys, context)
        // What one file brings says nothing of another.
        let looker = WireLooker(
            SenderBook(keys?.senderKeys ?? []), names: keys, opener: opener, opens: question == .open)
        presenter.begin(path, reader.kind ?? .message, isEncrypted: reader.isEncrypted)
        var items = 0
        while true {
            let item: CapturedItem?
            do throws(CaptureError) { item = try reader.nextItem() } catch { throw .capture(error, path) }
            guard let item else { break }
            items += 1
            present(item, looker)
            if let failure = context.console.output.failure { throw .output(failure) }
        }
        presenter.end(items: items, beginsWithHello: reader.beginsWithHello)
    }

    /// What is of a related app.
    private func read(_ document: RelatedDocument, _ path: FilePath) throws(CommandError) {
        if question == .open, related == nil {
            related = RelatedOpener(try arguments.related?.read(keys, context) ?? RelatedKeys())
        }
        related?.learn(from: document)
        presenter.begin(path, document.kind.title)
        let looker = WireRelated(path, related, context)
        for item in document.items {
            let shown = looker.look(at: item)
            counts.add(shown)
            if shown.mayOpenLater {
                if waiting.isEmpty { keysAtWait = related?.keys.keys.count ?? 0 }
                waiting.append((path, item))
            }
            presenter.show(shown, looker)
            if let failure = context.console.output.failure { throw .output(failure) }
        }
        presenter.end(items: document.items.count, beginsWithHello: nil)
    }

    /// What did not open for want of a key, with the keys that later files brought.
    private func tryAgain() {
        guard let related, !waiting.isEmpty, related.keys.keys.count > keysAtWait else { return }
        var path: FilePath?
        for (place, item) in waiting {
            let looker = WireRelated(place, related, context)
            let shown = looker.look(at: item)
            guard case .opened = shown.outcome else { continue }
            if path != place { presenter.begin(place, "opened with keys that came later") }
            path = place
            counts.addLater(shown)
            presenter.show(shown, looker)
        }
    }

    private func present(_ item: CapturedItem, _ looker: WireLooker) {
        switch item.content {
        case .message(let message):
            let shown = looker.look(at: message, size: item.size ?? 0)
            counts.add(shown, question)
            presenter.show(shown, at: item, looker)
        case .held(let held):
            let inner = looker.look(atHeld: held)
            counts.add(held: inner, question)
            presenter.show(held, inner, at: item, looker)
        case .unreadable(let problem):
            counts.read += 1
            counts.unreadable += 1
            presenter.show(problem, at: item, looker)
        }
    }
}

extension CommandError {
    fileprivate var isOfOutput: Bool {
        if case .output = self { return true }
        return false
    }
}

/// How many messages came to what.
struct WireCounts {
    /// Of verify each message, those inside others too; else those of the file. The counts of what became of them add up to it.
    var read = 0
    var unreadable = 0
    // Of open, by the messages of the file.
    var opened = 0
    var clear = 0
    /// Nothing says whether something in them is encrypted.
    var unknownType = 0
    var notOpened = 0
    /// Of those not opened: the key may be the wrong one.
    var notAuthentic = 0
    /// How strongly each message that can be read was proven, those inside others too.
    var senders = SenderCounts()
    /// Messages with a finding.
    var findings = 0
    var failedFiles = 0

    mutating func add(_ shown: ShownMessage, _ question: WireQuestion) {
        let all = shown.allMessages
        for message in all where !message.hasUnreadablePayload {
            senders.add(message.proof)
            if !message.findings.isEmpty { findings += 1 }
        }
        switch question {
        case .inspect:
            read += 1
            if shown.isUnreadable { unreadable += 1 }
        case .verify:
            read += all.count
            unreadable += all.count(where: \.hasUnreadablePayload)
        case .open:
            read += 1
            if shown.isUnreadable {
                unreadable += 1
            } else if let failure = shown.failure {
                add(failure)
            } else if shown.isOfUnknownType {
                unknownType += 1
            } else if shown.hasOpened {
                opened += 1
            } else {
                clear += 1
            }
        }
    }

    private mutating func add(_ failure: WireOpenFailure) {
        notOpened += 1
        if failure.isNotAuthentic { notAuthentic += 1 }
    }

    /// A sealed message without an envelope says nothing of its sender, unless it was opened.
    mutating func add(held: InnerMessage?, _ question: WireQuestion) {
        if question == .open, case .success(let shown) = held?.content {
            let before = clear
            add(shown, question)
            // It was sealed, whatever is in it.
            if clear > before { (clear, opened) = (before, opened + 1) }
            return
        }
        read += 1
        senders.add(SenderProof(nil))
        if question == .open, case .failure(let failure) = held?.content { add(failure) }
    }

    func status(_ question: WireQuestion) -> ExitStatus {
        guard read > 0 else { return .success }
        if unreadable == read { return .unreadable }
        // Not one opened, and nothing says that the keys are the right ones.
        if notOpened == read, notAuthentic == read, !senders.hasVouchedFor { return .wrongSecret }
        var status = senders.status(judging: question == .verify)
        if unreadable > 0 || notOpened > 0 || unknownType > 0 { status = status.combined(with: .someDamaged) }
        if findings > 0 { status = status.combined(with: .finding) }
        return status
    }
}
