import CryptoPrimitives
import JSONCoding
import SystemIO

/// An attachment as messages speak of it.
package struct AttachmentReference: Sendable {
    package let id: ByteText
    package let mimeType: ByteText?
    package let fileName: ByteText?
    package let conversation: ConversationID
    package let time: AppTime?

    init(id: ByteText, mimeType: ByteText?, fileName: ByteText?, conversation: ConversationID, time: AppTime?) {
        self.id = id
        self.mimeType = mimeType
        self.fileName = fileName
        self.conversation = conversation
        self.time = time
    }

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

    private let style: FileNameStyle
    /// Names as they are compared: case-folded and composed.
    private var taken: Set<[UInt8]> = []
    private var nextNumbers: [[UInt8]: Int] = [:]

    package init(_ style: FileNameStyle = .windows) {
        self.style = style
    }

    /// Keeps a name from being given: a file has it already.
    package mutating func take(_ name: FilePath) {
        taken.insert(UnicodeText.searchForm(name.bytes) ?? name.bytes)
    }

    /// The file with this name did not come about.
    package mutating func give(back name: FilePath) {
        taken.remove(UnicodeText.searchForm(name.bytes) ?? name.bytes)
    }

    /// A name from the sender's own, or from the id and the MIME type; with a number where it is taken.
    ///
    /// Names that differ only in case or in the Unicode normal form count as the same: the folder may be copied to a system
    /// that takes them so. With `kind`, which the content says, the ending is one of that kind.
    package mutating func name(
        for attachment: ByteText, reference: AttachmentReference?, kind: AttachmentKind? = nil
    ) -> FilePath {
        var base = reference?.fileName.map { style.safe($0.bytes) } ?? []
        if base.isEmpty {
            base = style.safe(attachment.bytes)
            if base.isEmpty { base = Array("attachment".utf8) }
            if kind == nil || kind == .unknown { base += Self.suffix(for: reference?.mimeType) }
        }
        if let kind { base = Self.ending(base, as: kind) }
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

    /// A name with an ending that its content has: the sender's, where it is one of these; in place of another known one; or
    /// after the name. So nothing looks like a program that is none; and what is a program, or a page with a script in it,
    /// gets no ending that runs it.
    static func ending(_ name: [UInt8], as kind: AttachmentKind) -> [UInt8] {
        let dot = name.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > 0 ? $0 : nil }
        let suffix = dot.map { String(decoding: name[$0...], as: UTF8.self).lowercased() } ?? ""
        if kind.suffixes.contains(suffix) { return name }
        if kind.group == .program || kind.isActive { return name + Array((kind.group == .text ? ".txt" : ".bin").utf8) }
        let own = Array(kind.suffixes[0].utf8)
        guard let dot, suffix.utf8.count > 1 else { return name + own }
        let isRunnable = runnableSuffixes.contains(suffix)
        let isKnown = isRunnable || AttachmentKind.allSuffixes.contains(suffix)
        // Bytes that nobody knows, and text, may have endings that nobody here knows: the sender's word stays, unless a
        // double click would run the file.
        if kind == .unknown { return isRunnable ? name + own : name }
        if kind == .text { return isKnown ? name + own : name }
        return (isKnown ? Array(name[..<dot]) : name) + own
    }

    /// Endings that a desktop runs, or opens in something that runs it.
    private static let runnableSuffixes: Set<String> = [
        ".exe", ".com", ".bat", ".cmd", ".scr", ".pif", ".msi", ".msp", ".cpl", ".hta", ".js", ".jse", ".vbs", ".vbe",
        ".wsf",
        ".wsh", ".ps1", ".psm1", ".sh", ".bash", ".zsh", ".csh", ".command", ".app", ".jar", ".lnk", ".url", ".reg",
        ".dll",
        ".desktop", ".appimage", ".apk", ".deb", ".rpm", ".dmg", ".pkg", ".scpt", ".workflow", ".py", ".pl", ".rb",
        ".html",
        ".htm", ".xhtml", ".shtml", ".mht", ".svg", ".xml", ".xsl", ".swf", ".iso", ".img", ".vhd", ".docm", ".xlsm",
        ".elf",
        ".so", ".macho", ".dylib", ".class", ".gadget", ".inf", ".chm", ".ade", ".scf", ".library-ms", ".search-ms",
    ]

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
