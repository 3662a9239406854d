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
        let canOpen = question == .open && keys?.publicKeys != nil
        opener = canOpen ? try keys.map { (keys) throws(CommandError) in try WireOpener(keys) } : nil
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
        let own = counts.status(question)
        // Files that were read prove the rest.
        let status = failed.map { counts.read > 0 ? own.combined(with: .someDamaged) : $0 } ?? own
        presenter.finish(counts, status)
        return status
    }

    private func read(_ path: FilePath) throws(CommandError) {
        var reader = try arguments.reader(path, keys, context)
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

/// How many messages came to what. Each number but `read` is part of it, and they add up to it.
struct WireCounts {
    var read = 0
    var unreadable = 0
    // Of verify, messages inside relays included.
    var good = 0
    /// Signed by keys that messages of the file brought, which nobody vouches for.
    var possession = 0
    var bad = 0
    var unknownSender = 0
    // Of open, by the messages of the file.
    var opened = 0
    var clear = 0
    var notOpened = 0
    /// Of those not opened: the key may be the wrong one.
    var notAuthentic = 0
    /// Messages with a finding.
    var findings = 0
    var failedFiles = 0

    mutating func add(_ shown: ShownMessage, _ question: WireQuestion) {
        switch question {
        case .inspect:
            read += 1
            if shown.isUnreadable { unreadable += 1 }
        case .verify:
            for message in shown.allMessages { judge(message) }
        case .open:
            read += 1
            for message in shown.allMessages {
                if case .bad = message.verdict { bad += 1 }
                if !message.findings.isEmpty { findings += 1 }
            }
            if shown.isUnreadable {
                unreadable += 1
            } else if let failure = shown.failure {
                notOpened += 1
                if failure.isNotAuthentic { notAuthentic += 1 }
            } else if shown.hasOpened {
                opened += 1
            } else {
                clear += 1
            }
        }
    }

    /// A sealed message without an envelope says nothing of its sender, unless it was opened.
    mutating func add(held: InnerMessage?, _ question: WireQuestion) {
        guard question == .open else {
            read += 1
            if question == .verify { unknownSender += 1 }
            return
        }
        switch held?.content {
        case .success(let shown):
            let before = clear
            add(shown, question)
            // It was sealed, whatever is in it.
            if clear > before { (clear, opened) = (before, opened + 1) }
        case .failure(let failure):
            read += 1
            notOpened += 1
            if failure.isNotAuthentic { notAuthentic += 1 }
        case nil: read += 1
        }
    }

    private mutating func judge(_ message: ShownMessage) {
        read += 1
        if case .failure = message.payload {
            unreadable += 1
            return
        }
        if !message.findings.isEmpty { findings += 1 }
        switch message.verdict {
        case .good: good += 1
        case .possession, .learned: possession += 1
        case .bad: bad += 1
        case .unknownSender: unknownSender += 1
        }
    }

    func status(_ question: WireQuestion) -> ExitStatus {
        guard read > 0 else { return .success }
        if unreadable == read { return .unreadable }
        // Not one opened, and nothing says that the keys are the right ones.
        if notOpened > 0, notAuthentic == notOpened, opened == 0 { return .wrongSecret }
        var status = ExitStatus.success
        if unreadable > 0 || notOpened > 0 || question == .verify && unknownSender > 0 { status = .someDamaged }
        if bad > 0 || findings > 0, question != .inspect { status = status.combined(with: .finding) }
        return status
    }
}
