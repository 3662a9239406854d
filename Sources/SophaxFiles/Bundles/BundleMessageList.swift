import JSONCoding

/// One list of a backup's `messages`: what stands under one key.
package struct BundleMessageList: Sendable {
    /// The key, as in the file: the name of a store file, not a conversation id.
    package let key: ByteText
    /// The array in the text.
    package let range: Range<Int>
    /// How it read: strict JSON, or with repairs and losses.
    package let outcome: ScanOutcome
    /// Counts and findings.
    package let tally: MessageTally
    /// Messages that say they have a picture, sound or file.
    package let withAttachment: Int

    /// The conversation that every message names, nil when they do not agree or one names none.
    var onlyConversation: ConversationID? {
        guard tally.conversations.count == 1, tally.conversations[0].messages == tally.messages else { return nil }
        return tally.conversations[0].id
    }

    /// The conversation of messages that name none: the key taken as its id.
    var idOfKey: ConversationID {
        ConversationID(guessedFrom: key)
    }

    /// One of the store's files that are no conversations.
    package var isBlob: Bool {
        tally.messages == 0 && BlobKind.allCases.contains { ByteText($0.rawValue) == key }
    }

    /// Messages that could not be read, as far as they could be told apart.
    package var lost: Int {
        guard case .tolerant(let problems) = outcome else { return outcome == .notMessages ? 1 : 0 }
        return problems.losses
    }

    /// Newer apps decode a whole list or nothing.
    var isAtRisk: Bool {
        !outcome.isSound || tally.unreadableByApps > 0
    }

    /// Whether the key is what newer apps, or Android, make of the id.
    func isCurrent(for id: ConversationID) -> Bool {
        key == StoreNameRule.v1.stem(for: id) || key == id.text
    }

    /// Whether the key is what the first apps made of the id.
    func isOlder(for id: ConversationID) -> Bool {
        !isCurrent(for: id) && key == StoreNameRule.v0.stem(for: id)
    }

    init(
        _ key: ByteText, _ range: Range<Int>, in buffer: PlaintextBuffer, audit: MessageAudit,
        scanner: inout MessageScanner
    ) throws(OutOfMemory) {
        var sink = Sink(audit: audit)
        let outcome = try scanner.scan(buffer, range, into: &sink)
        var tally = sink.audit.tally
        switch outcome {
        case .strict, .stopped: break
        case .notMessages: tally.findings.add(Finding(.notMessages, item: key))
        case .tolerant(let problems): tally.findings.add(problems, item: key, base: range.lowerBound)
        }
        self.outcome = outcome
        self.key = key
        self.range = range
        self.tally = tally
        withAttachment = sink.withAttachment
    }

    private struct Sink: MessageSink {
        var audit: MessageAudit
        var withAttachment = 0

        mutating func restart() {
            audit.restart()
            withAttachment = 0
        }

        mutating func take(_ batch: borrowing MessageBatch) -> Bool {
            let signs = StoredMessage.Field.attachmentID.bit | StoredMessage.Field.attachmentMimeType.bit
            withAttachment += batch.withRecords { records, _ in
                records.indices.reduce(0) { $0 + (records[$1].present & signs == 0 ? 0 : 1) }
            }
            return audit.take(batch)
        }
    }
}
