import CryptoPrimitives
import History
import SophaxFiles

/// What the archive keeps of a message in columns, all of it derived from the source JSON.
struct MessageColumns: Hashable, Sendable {
    /// What a message is told by, within its conversation.
    enum Key: Hashable, Sendable {
        case id([UInt8])
        /// SHA-256 of the canonical form of a message without an id, or with an empty one.
        case nameless([UInt8])
    }

    /// What stands in `time_unit`.
    enum TimeUnit: Int64, Sendable {
        case none = 0
        case secondsSince2001 = 1
        case millisecondsSince1970 = 2
    }

    let key: Key
    let direction: MessageDirection
    /// The peer id of who sent a received message, as it stands; nil where nobody says.
    let sender: [UInt8]?
    let time: Int64?
    let timeUnit: TimeUnit
    let receivedAt: Int64?
    let editedAt: Int64?
    let expiresAt: Int64?
    let isEdited: Bool
    let body: [UInt8]?
    let status: [UInt8]?
    let replyTo: [UInt8]?
    let attachment: [UInt8]?
    let attachmentType: [UInt8]?
    let attachmentName: [UInt8]?

    init(_ message: StoredMessage, in conversation: ConversationID) {
        if let id = message.id?.bytes, !id.isEmpty {
            key = .id(id)
        } else {
            key = .nameless(SHA256.hash(CanonicalMessage(message, peerIDs: .short).bytes.span))
        }
        let word = message.text(.direction)?.bytes
        direction = word == Self.sent ? .sent : word == Self.received ? .received : .unknown
        if direction == .sent {
            sender = nil
        } else if let id = message.text(.senderID)?.bytes, !id.isEmpty {
            sender = id
        } else {
            sender = conversation.kind == .direct && direction == .received ? conversation.text.bytes : nil
        }
        let time = message.time
        self.time = Self.milliseconds(time)
        timeUnit =
            switch time?.unit {
            case nil: .none
            case .secondsSince2001: .secondsSince2001
            case .millisecondsSince1970: .millisecondsSince1970
            }
        receivedAt = Self.milliseconds(message.time(.receivedAt))
        editedAt = Self.milliseconds(message.time(.editedAt))
        expiresAt = Self.milliseconds(message.time(.expiresAt))
        isEdited = message.isEdited
        body = message.body?.bytes
        status = message.status?.bytes
        replyTo = message.text(.replyToID)?.bytes
        attachment = message.text(.attachmentID)?.bytes
        attachmentType = message.text(.attachmentMimeType)?.bytes
        attachmentName = message.text(.attachmentFilename)?.bytes
    }

    private static let sent = Array("sent".utf8)
    private static let received = Array("received".utf8)

    /// Milliseconds since 1970, rounded; nil for what no 64-bit integer holds.
    static func milliseconds(_ time: AppTime?) -> Int64? {
        time.flatMap { Int64(exactly: ($0.unixSeconds * 1_000).rounded()) }
    }
}

/// The numbers of messages, which are their places in time.
enum MessageNumber {
    /// So many messages have room in one millisecond; further ones go into the next.
    private static let bits: Int64 = 20

    /// 2010 until 2100, as `AppTime.plausible`: other dates are a clock's or a unit's fault and no place.
    private static let plausible: Range<Int64> =
        Int64(AppTime.plausible.lowerBound) * 1_000..<Int64(AppTime.plausible.upperBound) * 1_000

    /// The first number of a millisecond; nil where the time is none that places a message.
    static func first(at time: Int64?) -> Int64? {
        guard let time, plausible.contains(time) else { return nil }
        return time << bits
    }

    /// The first number that is in a later millisecond.
    static func end(of number: Int64) -> Int64 {
        (number >> bits + 1) << bits
    }
}
