import History
import SophaxFiles

/// One message of a page.
struct MessageView {
    let message: StoredMessage
    let conversation: ConversationPlace
    /// Messages of the conversation before it.
    let position: Int
    let sender: PagePerson
    let time: PageTime?
    /// The time is one that a clock may have shown: only then does it count.
    let isPlausible: Bool
    let body: StoredMessage.Text?
    let attachment: AttachmentView?
    let direction: Direction

    enum Direction {
        case sent, received
        /// The source says neither: a message of the system, or of an app that nobody knows.
        case unknown
    }

    /// What the source says that a page has no place for: it is shown as data, not as somebody's words.
    var isData: Bool { direction == .unknown || (body == nil && attachment == nil) }

    /// Minutes since 1970 and by how many local time is ahead of UTC; nil where the time does not count.
    var minute: (minute: Int32, offset: Int16)? {
        guard isPlausible, let time,
            let minute = Int32(exactly: (Double(time.utc.wholeUnixSeconds) / 60).rounded(.down)),
            let offset = Int16(exactly: time.offsetSeconds / 60)
        else { return nil }
        return (minute, offset)
    }

    static func direction(of message: StoredMessage) -> Direction {
        if message.isSent { return .sent }
        return message.text(.direction)?.bytes == Array("received".utf8) ? .received : .unknown
    }

    /// The texts that apps put in place of a caption; shown only where the file is not.
    static func isStandIn(_ body: [UInt8], fileName: [UInt8]?) -> Bool {
        let fixed = ["📷 Photo", "🎤 Voice message", "[image]"]
        if fixed.contains(where: { body.elementsEqual($0.utf8) }) { return true }
        guard let fileName else { return false }
        return body.elementsEqual("📎 ".utf8 + fileName)
    }
}
