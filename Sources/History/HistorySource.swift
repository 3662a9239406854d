import PortableBundle
import SophaxFiles
import SystemIO

/// Somewhere that messages come from: a store, a bundle of any kind, an archive, or lines that sxkey wrote.
///
/// What archives and exports is written against this alone, so each of them takes all of these.
package protocol HistorySource {
    var origin: HistoryOrigin { get }

    /// One pass: people, then the messages of each conversation in its own order, then attachments.
    ///
    /// A source may be read several times and gives the same each time. Throws where nothing more can be read; what fails
    /// alone goes to the sink as a loss.
    func send(_ request: HistoryRequest, to sink: any HistorySink) throws(HistoryError)

    /// Runs `body`, which may read it several times: each sees the same state of a source that others may change meanwhile,
    /// where the source can promise that.
    func holdingStill(_ body: () throws(HistoryError) -> Void) throws(HistoryError)
}

extension HistorySource {
    /// Files that others write cannot be held.
    package func holdingStill(_ body: () throws(HistoryError) -> Void) throws(HistoryError) { try body() }
}

/// What a source is, as far as it is known before it is read.
package struct HistoryOrigin: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case store, sxb, archive, jsonl
        case fullExport = "sxfe"
        case backup = "sophaxbackup"
        case identity = "sophaxid"
        case android
        // Of the related apps.
        case btmessage, lchat, conet, openpgp
    }

    package let kind: Kind
    package let path: FilePath
    /// SHA-256 of the file, where the source is one file and somebody has computed it.
    package var sha256: [UInt8]?
    /// Whose history it is: UTF-8, nil when the source does not say.
    package var ownerName: ByteText?
    /// Lower-case hex digits of the owner's fingerprint, all 64.
    package var ownerFingerprint: String?
    /// What there is to read, for progress; a guess from file sizes where nothing better is known.
    package var bytes: Int
    /// As the manifest of a bundle or an archive says.
    package var messages: Int?

    package init(
        _ kind: Kind, path: FilePath, ownerName: ByteText? = nil, ownerFingerprint: String? = nil, bytes: Int,
        messages: Int? = nil
    ) {
        self.kind = kind
        self.path = path
        self.ownerName = ownerName
        self.ownerFingerprint = ownerFingerprint
        self.bytes = bytes
        self.messages = messages
    }
}

/// What of a source is wanted.
package struct HistoryRequest {
    package enum Attachments {
        case none, all
        case these((ByteText) -> Bool)
    }

    package let conversations: (ConversationID) -> Bool
    package let attachments: Attachments
    /// Parts tell the SHA-256 of the file that they come from.
    package let wantsDigests: Bool
    /// Conversations that the source reads at the same time.
    package let workers: Int
    /// Bytes that were read, on any thread.
    package let progress: @Sendable (Int) -> Void

    package init(
        conversations: @escaping (ConversationID) -> Bool = { _ in true }, attachments: Attachments = .none,
        wantsDigests: Bool = false, workers: Int = 1, progress: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        self.conversations = conversations
        self.attachments = attachments
        self.wantsDigests = wantsDigests
        self.workers = workers
        self.progress = progress
    }

    package func takes(attachment id: ByteText) -> Bool {
        switch attachments {
        case .none: false
        case .all: true
        case .these(let chosen): chosen(id)
        }
    }

    package var wantsAttachments: Bool {
        if case .none = attachments { false } else { true }
    }
}

/// Takes history as it comes.
package protocol HistorySink: AnyObject {
    /// Names of people; may come once, before any message.
    func take(_ people: PeerNames) throws(HistoryError)
    /// Some messages of one conversation.
    func take(_ part: HistoryPart) throws(HistoryError)
    /// The bytes of an attachment follow, if this gives true. `size`: bytes, as far as the source knows.
    func begin(attachment id: ByteText, size: Int) throws(HistoryError) -> Bool
    /// The same from a source that knows the SHA-256 of the bytes beforehand.
    func begin(attachment id: ByteText, size: Int, sha256: [UInt8]) throws(HistoryError) -> Bool
    func take(attachment bytes: Span<UInt8>) throws(HistoryError)
    /// The attachment is whole and proven as far as its source proves anything.
    func endAttachment() throws(HistoryError)
    /// Something of the source cannot be read, or is not all that it should be.
    func take(_ loss: HistoryLoss) throws(HistoryError)
    /// Messages that somebody removed from an archive, and that no import shall bring back: only an archive knows.
    func take(_ removed: [RemovedMessage]) throws(HistoryError)
}

extension HistorySink {
    /// Most have no use for them.
    package func take(_ removed: [RemovedMessage]) throws(HistoryError) {}

    package func begin(attachment id: ByteText, size: Int, sha256: [UInt8]) throws(HistoryError) -> Bool {
        try begin(attachment: id, size: size)
    }
}

/// What an archive remembers of a message that was removed.
package struct RemovedMessage: Hashable, Sendable {
    /// What a message is told by.
    package enum Key: Hashable, Sendable {
        case id(ByteText)
        /// SHA-256 of the canonical form, with peer ids of 16 digits, of a message that has no id.
        case nameless([UInt8])
    }

    package let conversation: ConversationID
    package let key: Key
    package let direction: MessageDirection
    /// Milliseconds since 1970; nil where the message had no time that an integer holds.
    package let time: Int64?
    /// When it was removed, the same way.
    package let removedAt: Int64

    package init(
        conversation: ConversationID, key: Key, direction: MessageDirection, time: Int64?, removedAt: Int64
    ) {
        self.conversation = conversation
        self.key = key
        self.direction = direction
        self.time = time
        self.removedAt = removedAt
    }
}

/// Which way a message went.
package enum MessageDirection: Int64, Hashable, Sendable {
    case sent = 0
    case received = 1
    /// The source says neither.
    case unknown = 2
}

/// Some messages of one conversation, in order.
package struct HistoryPart: Sendable {
    package let conversation: ConversationID
    package let messages: [StoredMessage]
    /// Each of them is strict JSON.
    package let isStrict: Bool
    /// Bytes of the source that this part comes from, nearly.
    package let bytes: Int
    /// The file or entry that it comes from; empty when that is the source itself.
    package var item = ByteText([])
    /// SHA-256 of that file, where the request asks for it.
    package var sha256: [UInt8]?
    /// This is the conversation's first part.
    package var isFirst = true
    /// No further part of this conversation follows.
    package var isLast = true
    /// Messages of the conversation that are in another part and that some of these reply to, by id.
    package var replied: [ByteText: StoredMessage] = [:]
    /// What a message was before it was edited, oldest first, by its place in `messages`: only an archive knows.
    package var earlier: [Int: [StoredMessage]] = [:]
    /// All further sources of a message, those in `earlier` too, in the order in which they came, by its place in
    /// `messages`: only an archive knows. Each may be strict JSON or not.
    package var others: [Int: [StoredMessage]] = [:]
    /// Places in `messages` of those that share their id with another message: only an archive knows.
    package var conflicting: Set<Int> = []

    package init(_ conversation: ConversationID, _ messages: [StoredMessage], isStrict: Bool, bytes: Int) {
        self.conversation = conversation
        self.messages = messages
        self.isStrict = isStrict
        self.bytes = bytes
    }
}

/// Something of a source that did not come.
package struct HistoryLoss: Sendable {
    package enum Reason: Sendable {
        /// The file cannot be read, or does not authenticate.
        case file(StoreFileFailure)
        /// So many messages of a text could not be read.
        case messages(Int)
        /// The source itself says that it has not got this.
        case notInSource
        /// Bytes whose SHA-256, or length, is another one than the source says.
        case wrongContent
        /// So many lines are of a kind that is not known: nothing of them is a message.
        case unknownLines(Int)
        /// So many messages of a related app do not open; why the first of them does not.
        case notOpened(Int, RelatedFailure)
        /// So many messages of a related app name the user as their sender and were made for the user's own key: somebody else
        /// made them. They are taken as received.
        case ownSender(Int)
    }

    /// The file or entry.
    package let item: ByteText
    package let part: BundlePart
    package let reason: Reason

    package init(_ item: ByteText, _ part: BundlePart, _ reason: Reason) {
        self.item = item
        self.part = part
        self.reason = reason
    }
}

/// Why a source could not be read to its end.
package enum HistoryError: Error, Sendable {
    case entries(EntryError)
    case storeFile(FilePath, StoreFileFailure)
    /// No file of the store opens with this key.
    case wrongKey
    case file(FileError)
    case outOfMemory(requested: Int)
    /// Not one message of a related app opens; why the first does not.
    case related(RelatedFailure)
    /// The line, counted from 1, is none that sxkey writes.
    case line(Int, reason: String)
    /// A database's, which this module does not know.
    case other(any Error & Sendable)
    /// The sink wants no more; it knows why.
    case stopped
}
