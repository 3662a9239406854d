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

/// What is to be shown of an attachment.
struct AttachmentView {
    let outcome: ExportedAttachments.Outcome
    /// As the sender called it.
    let fileName: [UInt8]?
    let mimeType: [UInt8]?
    /// Seconds, of sound.
    let duration: Double?

    init?(_ message: StoredMessage, _ conversation: ConversationID, _ attachments: ExportedAttachments) {
        guard let reference = AttachmentReference(message, in: conversation) else { return nil }
        outcome = attachments.outcome(of: reference.id)
        fileName = reference.fileName?.bytes
        mimeType = reference.mimeType?.bytes
        duration = message.number(.audioDuration).flatMap { $0.isFinite && $0 >= 0 && $0 < 1e6 ? $0 : nil }
    }

    enum Way {
        case picture, sound, film, link, absent
    }

    /// Kinds that every browser shows, told by content. All else is only linked.
    private static let pictures: Set = [
        "image/jpeg", "image/png", "image/gif", "image/webp", "image/avif", "image/bmp",
    ]

    var way: Way {
        guard case .file(let file) = outcome else { return .absent }
        if file.kind.isActive { return .link }
        switch file.kind.group {
        case .image: return Self.pictures.contains(file.kind.mediaType) ? .picture : .link
        case .audio: return .sound
        case .video: return .film
        case .document, .text, .archive, .program, .other: return .link
        }
    }

    /// What it is to people, by the content or by what the sender says.
    var noun: StaticString {
        if case .file(let file) = outcome {
            switch file.kind.group {
            case .image: return "Picture"
            case .audio: return "Audio"
            case .video: return "Video"
            case .document: return "Document"
            case .text: return "Text"
            case .archive: return "Archive"
            case .program: return "Program"
            case .other: return "File"
            }
        }
        let type = mimeType ?? []
        if type.starts(with: "image/".utf8) { return "Picture" }
        if type.starts(with: "audio/".utf8) { return "Audio" }
        if type.starts(with: "video/".utf8) { return "Video" }
        return "File"
    }

    /// The sender's name for it, else what it is: without one the app gives an id for a name.
    var label: [UInt8] {
        if let fileName, !fileName.isEmpty { return fileName }
        return Array((duration != nil ? "Voice message" : "\(noun)").utf8)
    }
}

extension AttachmentView {
    func append(to output: inout Markup) {
        switch way {
        case .picture: appendPicture(to: &output)
        case .sound, .film: appendPlayer(to: &output)
        case .link: appendLink(to: &output)
        case .absent: appendAbsence(to: &output)
        }
    }

    private func href(_ file: ExportedFile, _ output: inout Markup) {
        output.path(file.path.bytes, below: "../")
    }

    private func appendPicture(to output: inout Markup) {
        guard case .file(let file) = outcome else { return }
        output.add("<a class=\"pic\" href=\"")
        href(file, &output)
        output.add("\"><img src=\"")
        href(file, &output)
        output.add("\" loading=\"lazy\" decoding=\"async\" alt=\"Picture: ")
        output.line(label)
        output.add("\"></a>")
    }

    private func appendPlayer(to output: inout Markup) {
        guard case .file(let file) = outcome else { return }
        let isFilm = file.kind.group == .video
        output.add(isFilm ? "<video controls preload=\"none\" src=\"" : "<audio controls preload=\"none\" src=\"")
        href(file, &output)
        output.add("\" aria-label=\"")
        output.line(label)
        output.add(isFilm ? "\"></video>" : "\"></audio>")
        appendCaption(file, to: &output)
    }

    private func appendCaption(_ file: ExportedFile, to output: inout Markup) {
        output.add("<span class=\"cap\">")
        if let duration {
            let seconds = Int(duration.rounded())
            output.number(seconds / 60)
            output.add(":")
            output.twoDigits(seconds % 60)
            output.add(" · ")
        }
        output.add("<a href=\"")
        href(file, &output)
        output.add("\" download>")
        output.name(label)
        output.add("</a> · ")
        output.size(file.bytes)
        output.add("</span>")
    }

    private func appendLink(to output: inout Markup) {
        guard case .file(let file) = outcome else { return }
        output.add("<a class=\"file\" href=\"")
        href(file, &output)
        output.add("\" download><span class=\"ico\" aria-hidden=\"true\">")
        output.add(file.kind.isActive || file.kind.group == .program ? "⚠︎" : "↓")
        output.add("</span><span class=\"fn\">")
        output.name(label)
        output.add("</span><span class=\"cap\">")
        output.add(noun)
        output.add(" · ")
        output.size(file.bytes)
        if file.kind.isActive || file.kind.group == .program { output.add(" · can run, open with care") }
        output.add("</span></a>")
    }

    private func appendAbsence(to output: inout Markup) {
        output.add("<span class=\"file none\"><span class=\"ico\" aria-hidden=\"true\">∅</span><span class=\"fn\">")
        output.name(label)
        output.add("</span><span class=\"cap\">")
        output.add(noun)
        switch outcome {
        case .missing, .file: output.add(" · missing: the source does not have it")
        case .damaged: output.add(" · damaged: it could not be read")
        case .notWritten: output.add(" · not part of this export")
        }
        output.add("</span></span>")
    }
}
