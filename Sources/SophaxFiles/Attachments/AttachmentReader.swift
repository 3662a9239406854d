import CryptoPrimitives
import SystemIO

/// An attachment as messages speak of it.
package struct AttachmentReference: Sendable {
    package let id: ByteText
    package let mimeType: ByteText?
    package let fileName: ByteText?
    package let conversation: ConversationID
    package let time: AppTime?

    package init?(_ message: StoredMessage, in conversation: ConversationID) {
        guard let id = message.text(.attachmentID) else { return nil }
        self.id = id.byteText
        mimeType = message.text(.attachmentMimeType)?.byteText
        fileName = message.text(.attachmentFilename)?.byteText
        self.conversation = conversation
        time = message.time
    }
}

/// A file name that is safe to make, unique in its folder.
package struct AttachmentNames {
    /// Bytes of a name on Linux file systems.
    static let maximumBytes = 255

    private var taken: Set<[UInt8]> = []
    private var nextNumbers: [[UInt8]: Int] = [:]

    package init() {}

    /// A name from the sender's own, or from the id and the MIME type; with a number where it is taken.
    ///
    /// Names that differ only in case count as the same: the folder may be copied to a system that folds case.
    package mutating func name(for attachment: ByteText, reference: AttachmentReference?) -> FilePath {
        let proposed = reference?.fileName.map { Self.safe($0.bytes) } ?? []
        let fallback = Self.safe(attachment.bytes) + Self.suffix(for: reference?.mimeType)
        let base = proposed.isEmpty ? (fallback.isEmpty ? Array("attachment".utf8) : fallback) : proposed
        var name = Self.shortened(base, number: nil)
        let first = UnicodeText.searchForm(name) ?? name
        // A phone has thousands of "image.jpg": each looks on where the last one found a number.
        var number = nextNumbers[first] ?? 2
        while !taken.insert(UnicodeText.searchForm(name) ?? name).inserted {
            name = Self.shortened(base, number: number)
            number += 1
        }
        nextNumbers[first] = number
        return FilePath(bytes: name)
    }

    /// What is left of a name without folders, control characters, characters that Windows refuses, and marks that turn
    /// the direction of text; never hidden, never `.` or `..`.
    static func safe(_ name: [UInt8]) -> [UInt8] {
        var kept = String.UnicodeScalarView()
        for scalar in String(decoding: name, as: UTF8.self).unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse: continue
            default: break
            }
            kept.append("/\\:*?\"<>|".unicodeScalars.contains(scalar) ? "_" : scalar)
        }
        while let last = kept.last, last == "." || last == " " { kept.removeLast() }
        // Not one by one from the front: that would move the rest each time, and a sender may write a million dots.
        kept = String.UnicodeScalarView(kept.drop { $0 == "." || $0 == " " || $0 == "-" })
        let stem = String(kept.prefix { $0 != "." }).uppercased()
        let isDevice =
            ["CON", "PRN", "AUX", "NUL"].contains(stem)
            || (stem.utf8.count == 4 && (stem.hasPrefix("COM") || stem.hasPrefix("LPT")))
        return Array((isDevice ? "_" : "").utf8) + Array(String(kept).utf8)
    }

    /// Cuts at 255 bytes, between scalars, and keeps the ending.
    static func shortened(_ name: [UInt8], number: Int?) -> [UInt8] {
        let dot = name.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > 0 && name.count - $0 <= 16 ? $0 : nil }
        let ending = dot.map { Array(name[$0...]) } ?? []
        let mark = number.map { Array(" (\($0))".utf8) } ?? []
        var stem = Array(name[..<(dot ?? name.count)])
        let room = maximumBytes - ending.count - mark.count
        if stem.count > room {
            stem = Array(stem[..<room])
            while JSONText.firstInvalidUTF8(stem.span) != nil { stem.removeLast() }
        }
        return stem + mark + ending
    }

    private static func suffix(for mimeType: ByteText?) -> [UInt8] {
        let known = [
            "image/jpeg": ".jpg", "image/png": ".png", "image/gif": ".gif", "image/heic": ".heic",
            "image/webp": ".webp",
            "video/mp4": ".mp4", "video/quicktime": ".mov", "audio/m4a": ".m4a", "audio/mp4": ".m4a",
            "audio/mpeg": ".mp3", "application/pdf": ".pdf", "text/plain": ".txt",
        ]
        return Array((mimeType.flatMap { known[$0.string] } ?? ".bin").utf8)
    }
}
