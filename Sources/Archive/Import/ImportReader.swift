import CryptoPrimitives
import History
import JSONCoding
import SophaxFiles
import SystemIO

/// Reads a source on a thread of its own, and derives there what needs no database.
final class ImportReader: HistorySink {
    /// Messages that are handed over at a time.
    private static let batchSize = 512

    /// What goes to the other thread and is used there alone.
    final class Work: @unchecked Sendable {
        let source: any HistorySource
        let request: HistoryRequest
        let queue: ImportQueue

        init(_ source: any HistorySource, _ request: HistoryRequest, _ queue: ImportQueue) {
            self.source = source
            self.request = request
            self.queue = queue
        }

        func run() {
            var failure: HistoryError?
            do throws(HistoryError) {
                try source.send(request, to: ImportReader(queue))
            } catch {
                failure = error
            }
            _ = queue.put(.end(failure))
        }
    }

    private let queue: ImportQueue
    private var hash: SHA256?

    init(_ queue: ImportQueue) {
        self.queue = queue
    }

    private func put(_ item: ImportItem) throws(HistoryError) {
        guard queue.put(item) else { throw .stopped }
    }

    func take(_ people: PeerNames) throws(HistoryError) { try put(.people(people)) }
    func take(_ loss: HistoryLoss) throws(HistoryError) { try put(.loss(loss)) }
    func take(_ removed: [RemovedMessage]) throws(HistoryError) { try put(.removed(removed)) }

    func take(_ part: HistoryPart) throws(HistoryError) {
        var start = 0
        repeat {
            let end = min(part.messages.count, start + Self.batchSize)
            var rows: [ImportBatch.Row] = []
            rows.reserveCapacity(end - start)
            for place in start..<end {
                rows.append(row(part.messages[place], part, isCounted: true))
                for other in part.others[place] ?? [] { rows.append(row(other, part, isCounted: false)) }
            }
            let isLast = end == part.messages.count && part.isLast
            try put(
                .batch(
                    ImportBatch(
                        conversation: part.conversation, rows: rows, item: part.item, fileDigest: part.sha256,
                        endsConversation: isLast)))
            start = end
        } while start < part.messages.count
    }

    private func row(_ message: StoredMessage, _ part: HistoryPart, isCounted: Bool) -> ImportBatch.Row {
        let isStrict = (part.isStrict && isCounted) || StrictJSON.isObject(message.sourceJSON)
        return ImportBatch.Row(
            message: message, columns: MessageColumns(message, in: part.conversation),
            sha256: message.withSourceJSON { SHA256.hash($0) }, isStrict: isStrict, isCounted: isCounted)
    }

    func begin(attachment id: ByteText, size: Int) throws(HistoryError) -> Bool {
        hash = SHA256()
        try put(.beginAttachment(id, size: size))
        return true
    }

    func take(attachment bytes: Span<UInt8>) throws(HistoryError) {
        hash?.update(bytes)
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + AttachmentChunk.size)
            let piece = bytes.extracting(start..<end)
            try put(.attachment(Array(copying: piece)))
            start = end
        }
    }

    func endAttachment() throws(HistoryError) {
        guard let hash = hash.take() else { return }
        try put(.endAttachment(hash.finish()))
    }
}

extension Array<UInt8> {
    init(copying bytes: Span<UInt8>) {
        self = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
    }
}
