/// One message of the sample, in the shape of the newest app unless `isEdited` is left out.
struct SampleMessage {
    let id: String
    let conversation: String
    /// Nil for one's own.
    var sender: String?
    let body: String
    /// Seconds since 2001.
    let time: Double
    var status = "read"
    /// Nil as in the first apps, which newer ones cannot read.
    var isEdited: Bool? = false
    var editedAfter: Double?
    var replyTo: String?
    var reactions: [(String, String)] = []
    var expiresAt: Double?
    var attachment: (id: String, type: String, name: String?)?
    var readBy: [String]?
    var isGroup = false

    var json: SampleJSON {
        var members: [(String, SampleJSON)] = [
            ("id", .text(id)), ("peerID", .text(conversation)),
            ("direction", .text(sender == nil ? "sent" : "received")), ("body", .text(body)),
            ("timestamp", Self.number(time)), ("status", .text(status)),
        ]
        if let isEdited { members.append(("isEdited", .flag(isEdited))) }
        if let editedAfter { members.append(("editedAt", Self.number(time + editedAfter))) }
        if let replyTo { members.append(("replyToID", .text(replyTo))) }
        if !reactions.isEmpty {
            members.append(("reactions", .object(reactions.map { ($0, .text($1)) })))
        }
        if let expiresAt { members.append(("expiresAt", Self.number(expiresAt))) }
        if let attachment {
            members.append(("attachmentID", .text(attachment.id)))
            members.append(("attachmentMimeType", .text(attachment.type)))
            if let name = attachment.name { members.append(("attachmentFilename", .text(name))) }
        }
        if isGroup, let sender {
            members.append(("senderID", .text(sender)))
            members.append(("receivedAt", Self.number(time + 1.25)))
        }
        if let readBy { members.append(("readBy", .list(readBy.map { .text($0) }))) }
        return .object(members)
    }

    /// Whole numbers without a fraction, as Foundation's encoder writes them.
    static func number(_ value: Double) -> SampleJSON {
        guard let whole = Int(exactly: value) else { return .number("\(value)") }
        return .number("\(whole)")
    }
}
