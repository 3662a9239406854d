import History
import SophaxFiles

/// A source with names of people that somebody knows better: the keyring's go before the source's own.
struct NamedHistory: HistorySource {
    private let source: any HistorySource
    private let names: PeerNames

    init(_ source: any HistorySource, names: PeerNames) {
        self.source = source
        self.names = names
    }

    var origin: HistoryOrigin { source.origin }

    func send(_ request: HistoryRequest, to sink: any HistorySink) throws(HistoryError) {
        try source.send(request, to: NamingSink(sink, names: names))
    }

    func holdingStill(_ body: () throws(HistoryError) -> Void) throws(HistoryError) {
        try source.holdingStill(body)
    }
}

/// Hands everything on, and the names before the first message.
private final class NamingSink: HistorySink {
    private let sink: any HistorySink
    private let names: PeerNames
    private var isSent = false

    init(_ sink: any HistorySink, names: PeerNames) {
        self.sink = sink
        self.names = names
    }

    private func sendNames(with others: PeerNames = PeerNames()) throws(HistoryError) {
        guard !isSent || !others.isEmpty else { return }
        isSent = true
        try sink.take(names.joined(with: others))
    }

    func take(_ people: PeerNames) throws(HistoryError) { try sendNames(with: people) }

    func take(_ part: HistoryPart) throws(HistoryError) {
        try sendNames()
        try sink.take(part)
    }

    func take(_ removed: [RemovedMessage]) throws(HistoryError) { try sink.take(removed) }

    func begin(attachment id: ByteText, size: Int) throws(HistoryError) -> Bool {
        try sink.begin(attachment: id, size: size)
    }

    func begin(attachment id: ByteText, size: Int, sha256: [UInt8]) throws(HistoryError) -> Bool {
        try sink.begin(attachment: id, size: size, sha256: sha256)
    }

    func take(attachment bytes: Span<UInt8>) throws(HistoryError) { try sink.take(attachment: bytes) }

    func endAttachment() throws(HistoryError) { try sink.endAttachment() }

    func take(_ loss: HistoryLoss) throws(HistoryError) { try sink.take(loss) }
}
