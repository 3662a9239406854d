import History
import SophaxFiles
import Synchronization
import SystemIO

/// A format that is one text: what stands before the messages, the messages, and what stands after them.
///
/// It keeps nothing from one part to the next, so parts are made on a thread of their own.
package protocol MessageFormat: Sendable {
    var needs: ExportNeeds { get }
    func opening(_ overview: ExportOverview) -> [UInt8]
    func append(_ part: ExportPart, to output: inout [UInt8])
    func closing(_ totals: ExportTotals) -> [UInt8]
    /// Names of people, before the first message that is known to need them.
    func people(_ names: PeerNames, from origin: HistoryOrigin) -> [UInt8]
    /// What an archive remembers of removed messages, behind those of their conversation.
    func removed(_ messages: [RemovedMessage]) -> [UInt8]
}

extension MessageFormat {
    /// Most formats are for people, or say names beside the messages.
    package func people(_ names: PeerNames, from origin: HistoryOrigin) -> [UInt8] { [] }
    package func removed(_ messages: [RemovedMessage]) -> [UInt8] { [] }
}

/// Writes one text piece by piece, made by a `MessageFormat` while the source reads on.
package final class TextWriter<Format: MessageFormat>: HistoryWriter {
    /// Messages that are made into text at a time.
    static var pieceLength: Int { 500 }
    /// Pieces on their way.
    private static var pieces: Int { 4 }

    private let format: Format
    private let output: ([UInt8]) throws(ExportError) -> Void
    private let line: FormattingLine<Format>?
    private var thread: WorkerThread?
    /// What stands before the first message waits for it: until then nothing of the source may be proven.
    private var beginning: [UInt8]? = []
    private var origin: HistoryOrigin?
    private var free: [Int]

    /// - Parameters:
    ///   - isThreaded: a second thread makes the text.
    ///   - output: takes the text in order, on the caller's thread.
    package init(_ format: Format, isThreaded: Bool, output: @escaping ([UInt8]) throws(ExportError) -> Void) {
        self.format = format
        self.output = output
        free = Array(0..<Self.pieces)
        let line = FormattingLine(format, pieces: Self.pieces)
        thread = isThreaded ? WorkerThread { line.run() } : nil
        self.line = thread == nil ? nil : line
    }

    deinit {
        // The thread is waited for when `thread` goes.
        line?.stop()
    }

    package var needs: ExportNeeds { format.needs }

    package func begin(_ overview: ExportOverview) throws(ExportError) {
        beginning = format.opening(overview)
        origin = overview.origin
    }

    package func take(_ people: PeerNames) throws(ExportError) {
        guard let origin else { return }
        if beginning == nil {
            try takeAllFinished()
            try put(format.people(people, from: origin))
        } else {
            beginning? += format.people(people, from: origin)
        }
    }

    package func take(_ removed: [RemovedMessage]) throws(ExportError) {
        try takeAllFinished()
        try put(format.removed(removed))
    }

    package func begin(conversation: ConversationID) throws(ExportError) {}

    package func write(_ part: ExportPart) throws(ExportError) {
        for start in stride(from: 0, to: part.messages.count, by: Self.pieceLength) {
            let slice = part.slice(start..<min(start + Self.pieceLength, part.messages.count))
            guard let line else {
                var text: [UInt8] = []
                format.append(slice, to: &text)
                try put(text)
                continue
            }
            if free.isEmpty { try takeFinished(from: line) }
            line.give(slice, free.removeLast())
        }
    }

    package func end(conversation: ConversationID) throws(ExportError) {}

    package func finish(_ totals: ExportTotals) throws(ExportError) {
        try takeAllFinished()
        try put(format.closing(totals))
    }

    private func takeAllFinished() throws(ExportError) {
        guard let line else { return }
        while free.count < Self.pieces { try takeFinished(from: line) }
    }

    /// Pieces are finished in the order in which they were given, for one thread makes them.
    private func takeFinished(from line: FormattingLine<Format>) throws(ExportError) {
        guard let (number, text) = line.take() else { throw .stopped }
        free.append(number)
        try put(text)
    }

    private func put(_ text: [UInt8]) throws(ExportError) {
        if let first = beginning {
            beginning = nil
            if !first.isEmpty { try output(first) }
        }
        if !text.isEmpty { try output(text) }
    }
}

/// Pieces that go from the reader to the thread that makes text of them, and back.
private final class FormattingLine<Format: MessageFormat>: Sendable {
    private struct Slot {
        var part: ExportPart?
        var text: [UInt8] = []
    }

    private let format: Format
    private let given = PieceRing(pieces: 0)
    private let finished = PieceRing(pieces: 0)
    private let slots: Mutex<[Slot]>

    init(_ format: Format, pieces: Int) {
        self.format = format
        slots = Mutex(Array(repeating: Slot(), count: pieces))
    }

    func give(_ part: ExportPart, _ number: Int) {
        slots.withLock { $0[number].part = part }
        given.give(full: number, count: part.messages.count)
    }

    /// Waits for the next finished piece.
    func take() -> (number: Int, text: [UInt8])? {
        guard let piece = finished.takeFull() else { return nil }
        let text = slots.withLock { slots in
            var text: [UInt8] = []
            swap(&text, &slots[piece.number].text)
            return text
        }
        return (piece.number, text)
    }

    func stop() {
        given.stop()
        finished.stop()
    }

    func run() {
        var expected = 0
        while let piece = given.takeFull() {
            guard let part = slots.withLock({ $0[piece.number].part.take() }) else { continue }
            var text: [UInt8] = []
            text.reserveCapacity(expected + expected / 4)
            format.append(part, to: &text)
            expected = text.count
            slots.withLock { $0[piece.number].text = text }
            finished.give(full: piece.number, count: text.count)
        }
    }
}
