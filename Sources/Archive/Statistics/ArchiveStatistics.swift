import History
import SophaxFiles
import SystemIO

/// What an archive, or what a filter takes of it, consists of.
package struct ArchiveStatistics: Sendable {
    /// Sent and received messages; those whose source says neither are in neither.
    package struct Count: Hashable, Sendable {
        package var sent = 0
        package var received = 0
        package var unknown = 0
        package var total: Int { sent + received + unknown }

        mutating func add(_ direction: MessageDirection) {
            switch direction {
            case .sent: sent += 1
            case .received: received += 1
            case .unknown: unknown += 1
            }
        }
    }

    package struct Month: Hashable, Sendable {
        package let year: Int
        package let month: Int
        package var count = Count()

        package init(year: Int, month: Int) {
            self.year = year
            self.month = month
        }
    }

    /// Messages of one person, or of one conversation.
    package struct Person: Sendable {
        /// Peer id or conversation id; nil for oneself, and for a sender that nobody knows.
        package let id: [UInt8]?
        package let name: [UInt8]?
        package let isMe: Bool
        package var messages = 0
        package var words = 0
        package var attachments = 0
    }

    package struct Conversation: Sendable {
        package let id: ConversationID
        package let name: [UInt8]?
        package var count = Count()
        package var first: Int64?
        package var last: Int64?

        mutating func include(_ time: Int64) {
            first = min(first ?? time, time)
            last = max(last ?? time, time)
        }
    }

    package struct AttachmentKind: Sendable {
        /// As the message says, such as `image/jpeg`; nil when it does not.
        package let type: [UInt8]?
        package var messages = 0
        /// Attachments that are in the archive, each counted once, and their bytes.
        package var stored = 0
        package var bytes = 0
    }

    /// Stored attachments of a size.
    package struct SizeClass: Hashable, Sendable {
        /// Bytes; nil for the last class.
        package let below: Int?
        package var stored = 0
        package var bytes = 0
    }

    /// Times in milliseconds since 1970.
    package struct Silence: Hashable, Sendable {
        package let from: Int64
        package let until: Int64
    }

    package internal(set) var count = Count()
    package internal(set) var edited = 0
    package internal(set) var replies = 0
    package internal(set) var withAttachment = 0
    package internal(set) var withoutDate = 0
    package internal(set) var first: Int64?
    package internal(set) var last: Int64?
    /// Days on which there is a message.
    package internal(set) var days = 0
    package internal(set) var longestSilence: Silence?
    /// Months that have a message, in order.
    package internal(set) var months: [Month] = []
    /// By weekday, Monday first, and hour of the day: 7 × 24.
    package internal(set) var hours = [Int](repeating: 0, count: 7 * 24)
    /// The most messages first.
    package internal(set) var people: [Person] = []
    package internal(set) var conversations: [Conversation] = []
    package internal(set) var words: [(word: [UInt8], count: Int)] = []
    package internal(set) var wordTotal = 0
    /// Rare words were forgotten on the way, so counts of words may be a little low.
    package internal(set) var areWordsExact = true
    package internal(set) var attachmentKinds: [AttachmentKind] = []
    package internal(set) var attachmentSizes: [SizeClass] = [100_000, 1_000_000, 10_000_000, 100_000_000, nil]
        .map { SizeClass(below: $0) }

    package func hourTotal(_ hour: Int) -> Int { (0..<7).reduce(0) { $0 + hours[$1 * 24 + hour] } }
    package func weekdayTotal(_ day: Int) -> Int { (0..<24).reduce(0) { $0 + hours[day * 24 + $1] } }
}
