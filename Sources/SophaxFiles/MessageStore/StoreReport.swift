/// What one file of a store turned out to be.
package struct StoreFileReport: Sendable {
    package let file: StoreFile
    /// Why it could not be read; nil for a file that is authentic.
    package var failure: StoreFileFailure?
    /// Its messages; empty for blobs and attachments.
    package var tally = MessageTally()
    /// How its message list read; nil for blobs and attachments.
    package var outcome: ScanOutcome?
    /// Newer apps do not look at it: an older group file whose messages are all of that group (formats section 6.1.1).
    package internal(set) var isOrphan = false
    /// Entries of a blob, such as messages waiting to be sent.
    package var blobEntries: Int?
    /// 12 bytes, and 16; empty where it is not authentic.
    package internal(set) var nonce: [UInt8] = []
    package internal(set) var tag: [UInt8] = []

    init(_ file: StoreFile) {
        self.file = file
    }

    package var isAuthentic: Bool { failure == nil }
    /// Newer apps decode the whole list or nothing, and then overwrite it (formats section 4.3). What they do not look at
    /// they leave alone.
    package var isAtRisk: Bool {
        guard isAuthentic, !isOrphan, let outcome else { return false }
        return !outcome.isSound || tally.unreadableByApps > 0
    }
}

/// One conversation over all its files.
package struct ConversationSummary: Sendable {
    package let files: [StoreFileReport]
    /// What its messages say; where none can be read, what the file name says.
    package let id: ConversationID
    /// The id is only a guess from the file name.
    package let isGuess: Bool
    /// Different messages over all files.
    package let messages: Int
    /// Messages that stand in an older file only, which newer apps no longer read.
    package let onlyInOrphan: Int

    package var firstTime: Double? { files.compactMap(\.tally.firstTime).min() }
    package var lastTime: Double? { files.compactMap(\.tally.lastTime).max() }
    package var size: Int { files.reduce(0) { $0 + $1.file.size } }
    package var isAtRisk: Bool { files.contains(where: \.isAtRisk) }
    package var messagesAtRisk: Int { files.filter(\.isAtRisk).reduce(0) { $0 + $1.tally.messages } }
    package var isReadable: Bool { files.contains(where: \.isAuthentic) }
}

/// What a store holds, and what is wrong with it.
package struct StoreReport: Sendable {
    package let folder: StoreFolder
    package let conversations: [ConversationSummary]
    package let blobs: [StoreFileReport]
    /// Empty unless attachments were asked for.
    package let attachments: [StoreFileReport]
    /// All findings, those of messages included.
    package let findings: FindingList

    /// Messages that were read, over all conversations.
    package var messages: Int { conversations.reduce(0) { $0 + $1.messages } }
    /// Messages that newer apps would lose.
    package var messagesAtRisk: Int { conversations.reduce(0) { $0 + $1.messagesAtRisk } }
    package var conversationsAtRisk: Int { conversations.count(where: \.isAtRisk) }
    package var attachmentsOK: Int { attachments.count(where: \.isAuthentic) }
    /// Files and messages that could not be read.
    package var damaged: Int {
        [
            Finding.Kind.damagedFile, .unreadableFile, .notMessages, .unreadableMessage, .damagedAttachment,
            .unreadableContent,
        ]
        .reduce(0) { $0 + findings.count($1) }
    }
    package var missing: Int { findings.count(.missingAttachment) }
    package var allFiles: [StoreFileReport] { conversations.flatMap(\.files) + blobs + attachments }
    /// Not one file authenticates, and some only for that reason: the key is another one.
    package var isWrongKey: Bool {
        !allFiles.contains(where: \.isAuthentic) && allFiles.contains { $0.failure == .notAuthentic }
    }
}
