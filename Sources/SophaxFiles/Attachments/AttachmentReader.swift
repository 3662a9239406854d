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
        // Bytes that nobody knows, and text, may have endings that are not of their kind: the sender's word stays where a
        // double click opens it in something that only shows it.
        if kind == .unknown { return harmlessSuffixes.contains(suffix) ? name : name + own }
        if kind == .text { return harmlessTextSuffixes.contains(suffix) ? name : name + own }
        return (AttachmentKind.allSuffixes.contains(suffix) || suffix == ".exe" ? Array(name[..<dot]) : name) + own
    }

    /// Endings of text that editors show. What a desktop or browser runs changes from year to year, so those that do not are
    /// listed.
    private static let harmlessTextSuffixes: Set<String> = [
        ".txt", ".text", ".md", ".markdown", ".rst", ".tex", ".bib", ".csv", ".tsv", ".json", ".jsonl", ".ndjson",
        ".yaml",
        ".yml", ".toml", ".log", ".srt", ".vtt", ".ics", ".vcf", ".eml", ".gpx", ".geojson", ".asc", ".pem", ".crt",
        ".pub",
        ".sig", ".diff", ".patch", ".c", ".h", ".cc", ".cpp", ".hpp", ".m", ".swift", ".rs", ".go", ".java", ".kt",
        ".cs",
        ".css", ".sql", ".r", ".tcx", ".obj", ".ply", ".dxf", ".gcode", ".nfo", ".lrc", ".m3u", ".adoc", ".org",
    ]

    /// Endings of files whose programs show them, and of files that only programs read.
    private static let harmlessSuffixes: Set<String> = harmlessTextSuffixes.union([
        ".bin", ".dat", ".data", ".raw", ".db", ".sqlite", ".bak", ".tmp", ".part", ".enc", ".gpg", ".age", ".key",
        ".p12",
        ".pfx", ".der", ".cer", ".kdbx", ".sophaxid", ".sophaxbackup", ".sxfe", ".sxb", ".sxdb", ".heic", ".heif",
        ".avif",
        ".jxl", ".tif", ".tiff", ".bmp", ".dng", ".cr2", ".cr3", ".nef", ".arw", ".orf", ".raf", ".rw2", ".psd", ".xcf",
        ".kra", ".ai", ".indd", ".sketch", ".fig", ".blend", ".stl", ".3mf", ".step", ".stp", ".dwg", ".skp", ".opus",
        ".flac", ".amr", ".caf", ".aif", ".aiff", ".wma", ".mid", ".midi", ".mka", ".avi", ".mkv", ".wmv", ".mts",
        ".3gp",
        ".ttf", ".otf", ".woff", ".woff2", ".djvu", ".mobi", ".azw3", ".fb2", ".doc", ".xls", ".ppt", ".docx", ".xlsx",
        ".pptx", ".odt", ".ods", ".odp", ".pages", ".numbers", ".rtf", ".ps", ".eps", ".msg", ".torrent", ".fit",
        ".kmz",
        ".parquet", ".npy", ".npz", ".mat", ".h5", ".rds", ".sav", ".dcm", ".nii", ".mpo", ".lrcat", ".als", ".aep",
    ])

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
