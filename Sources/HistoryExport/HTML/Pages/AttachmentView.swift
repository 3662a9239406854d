import SophaxFiles
import SystemIO

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
        if let fileName, !fileName.isEmpty { return DisplayText.beginning(fileName, limit: 255) }
        return Array((duration != nil ? "Voice message" : "\(noun)").utf8)
    }
}

extension AttachmentView {
    func append(to output: inout Markup) {
        switch way {
        case .picture: appendPicture(to: &output)
        case .sound, .film: appendPlayer(to: &output)
        case .link: appendFile(to: &output)
        case .absent: appendAbsence(to: &output)
        }
    }

    private func href(_ file: ExportedFile, _ output: inout Markup) {
        output.path(file.path.bytes, below: "../")
    }

    private func appendPicture(to output: inout Markup) {
        guard case .file(let file) = outcome else { return }
        let isLinked = file.isInert
        if isLinked {
            output.add("<a class=\"pic\" href=\"")
            href(file, &output)
            output.add("\">")
        } else {
            output.add("<span class=\"pic\">")
        }
        output.add("<img src=\"")
        href(file, &output)
        output.add("\" loading=\"lazy\" decoding=\"async\" alt=\"Picture: ")
        output.line(label)
        output.add(isLinked ? "\"></a>" : "\"></span>")
    }

    private func appendPlayer(to output: inout Markup) {
        guard case .file(let file) = outcome else { return }
        let isFilm = file.kind.group == .video
        output.add(isFilm ? "<video controls preload=\"none\" src=\"" : "<audio controls preload=\"none\" src=\"")
        href(file, &output)
        output.add("\" aria-label=\"")
        output.line(label)
        output.add(isFilm ? "\"></video>" : "\"></audio>")
        output.add("<span class=\"cap\">")
        if let duration {
            let seconds = Int(duration.rounded())
            output.number(seconds / 60)
            output.add(":")
            output.twoDigits(seconds % 60)
            output.add(" · ")
        }
        let isLinked = file.isInert
        if isLinked {
            output.add("<a href=\"")
            href(file, &output)
            output.add("\" download>")
        }
        output.name(label)
        output.add(isLinked ? "</a> · " : " · ")
        output.size(file.bytes)
        output.add("</span>")
    }

    private func appendFile(to output: inout Markup) {
        guard case .file(let file) = outcome else { return }
        let isLinked = file.isInert
        if isLinked {
            output.add("<a class=\"file\" href=\"")
            href(file, &output)
            output.add("\" download><span class=\"ico\" aria-hidden=\"true\">↓")
        } else {
            output.add("<span class=\"file\"><span class=\"ico\" aria-hidden=\"true\">⚠︎")
        }
        output.add("</span><span class=\"fn\">")
        output.name(label)
        output.add("</span><span class=\"cap\">")
        output.add(noun)
        output.add(" · ")
        output.size(file.bytes)
        if !isLinked {
            output.add(" · no link, for a browser might run it: ")
            output.name(file.path.bytes)
        }
        output.add(isLinked ? "</span></a>" : "</span></span>")
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
