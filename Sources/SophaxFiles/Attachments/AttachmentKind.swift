import JSONCoding

/// What an attachment is, told by its first bytes and never by what its sender calls it.
package struct AttachmentKind: Hashable, Sendable {
    package enum Group: String, Sendable, CaseIterable {
        case image, audio, video, document, text, archive, program
        /// Bytes that are none of the known kinds.
        case other
    }

    /// So many first bytes are enough.
    package static let headLength = 512

    package let group: Group
    /// A media type, for example `image/jpeg`.
    package let mediaType: String
    /// Endings that such files have, with the dot and in lower case; the usual one first.
    package let suffixes: [String]
    /// A browser that opens such a file runs what is in it.
    package let isActive: Bool

    private init(_ group: Group, _ mediaType: String, _ suffixes: [String], isActive: Bool = false) {
        self.group = group
        self.mediaType = mediaType
        self.suffixes = suffixes
        self.isActive = isActive
    }

    package static let unknown = AttachmentKind(.other, "application/octet-stream", [".bin"])
    package static let text = AttachmentKind(
        .text, "text/plain",
        [".txt", ".text", ".csv", ".tsv", ".md", ".log", ".json", ".jsonl", ".vcf", ".ics", ".srt"])
    static let jpeg = AttachmentKind(.image, "image/jpeg", [".jpg", ".jpeg", ".jpe", ".jfif"])
    static let png = AttachmentKind(.image, "image/png", [".png"])
    static let gif = AttachmentKind(.image, "image/gif", [".gif"])
    static let zip = AttachmentKind(
        .archive, "application/zip",
        [".zip", ".docx", ".xlsx", ".pptx", ".odt", ".ods", ".odp", ".epub", ".key", ".numbers", ".pages", ".kmz"])
    static let windowsProgram = AttachmentKind(
        .program, "application/vnd.microsoft.portable-executable", [".exe", ".dll"])
    static let html = AttachmentKind(.text, "text/html", [".html", ".htm", ".xhtml"], isActive: true)
    static let svg = AttachmentKind(.image, "image/svg+xml", [".svg"], isActive: true)

    /// Signatures at the beginning of a file.
    private static let signatures: [(bytes: [UInt8], kind: AttachmentKind)] = [
        ([0xFF, 0xD8, 0xFF], jpeg),
        ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], png),
        (Array("GIF87a".utf8), gif), (Array("GIF89a".utf8), gif),
        (Array("%PDF-".utf8), AttachmentKind(.document, "application/pdf", [".pdf"])),
        ([0x49, 0x49, 0x2A, 0x00], AttachmentKind(.image, "image/tiff", [".tif", ".tiff", ".dng"])),
        ([0x4D, 0x4D, 0x00, 0x2A], AttachmentKind(.image, "image/tiff", [".tif", ".tiff", ".dng"])),
        ([0x50, 0x4B, 0x03, 0x04], zip), ([0x50, 0x4B, 0x05, 0x06], zip),
        ([0x1F, 0x8B], AttachmentKind(.archive, "application/gzip", [".gz", ".tgz"])),
        (Array("BZh".utf8), AttachmentKind(.archive, "application/x-bzip2", [".bz2", ".tbz2"])),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], AttachmentKind(.archive, "application/x-xz", [".xz", ".txz"])),
        ([0x28, 0xB5, 0x2F, 0xFD], AttachmentKind(.archive, "application/zstd", [".zst"])),
        ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], AttachmentKind(.archive, "application/x-7z-compressed", [".7z"])),
        (Array("Rar!\u{1A}\u{07}".utf8), AttachmentKind(.archive, "application/vnd.rar", [".rar"])),
        (Array("OggS".utf8), AttachmentKind(.audio, "audio/ogg", [".ogg", ".oga", ".opus"])),
        (Array("fLaC".utf8), AttachmentKind(.audio, "audio/flac", [".flac"])),
        (Array("#!AMR".utf8), AttachmentKind(.audio, "audio/amr", [".amr"])),
        (Array("caff".utf8), AttachmentKind(.audio, "audio/x-caf", [".caf"])),
        (Array("ID3".utf8), AttachmentKind(.audio, "audio/mpeg", [".mp3"])),
        ([0x1A, 0x45, 0xDF, 0xA3], AttachmentKind(.video, "video/webm", [".webm", ".mkv", ".mka"])),
        (Array("{\\rtf".utf8), AttachmentKind(.document, "application/rtf", [".rtf"])),
        (
            [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1],
            AttachmentKind(.document, "application/x-ole-storage", [".doc", ".xls", ".ppt", ".msg"])
        ),
        ([0x7F, 0x45, 0x4C, 0x46], AttachmentKind(.program, "application/x-elf", [".elf", ".so"])),
        ([0xCF, 0xFA, 0xED, 0xFE], AttachmentKind(.program, "application/x-mach-binary", [".macho", ".dylib"])),
        ([0xCA, 0xFE, 0xBA, 0xBE], AttachmentKind(.program, "application/x-mach-binary", [".macho", ".class"])),
    ]

    /// Every ending of every kind.
    static let allSuffixes: Set<String> = {
        let iso = ["heic", "avif", "M4A ", "qt  ", "3gp4", "mp42"].map { isoMedia(Array($0.utf8)) }
        let others = [text, windowsProgram, html, svg].flatMap(\.suffixes)
        let rest = [".webp", ".wav", ".avi", ".bmp", ".aac", ".mp2", ".jp2", ".jxl", ".wma", ".wmv", ".flv"]
        return Set(signatures.flatMap(\.kind.suffixes) + iso.flatMap(\.suffixes) + others + rest)
    }()

    /// The kind of a file that begins with `head`: its first `headLength` bytes, or all of a shorter one.
    package static func of(_ head: [UInt8]) -> AttachmentKind {
        for (bytes, kind) in signatures where head.starts(with: bytes) { return kind }
        if head.starts(with: Array("RIFF".utf8)), let kind = riff(head) { return kind }
        if head.count >= 12, head[4..<8].elementsEqual("ftyp".utf8) { return isoMedia(Array(head[8..<12])) }
        if head.starts(with: Array("BM".utf8)), head.count >= 14, head[6..<10].allSatisfy({ $0 == 0 }) {
            return AttachmentKind(.image, "image/bmp", [".bmp"])
        }
        if head.starts(with: Array("MZ".utf8)), head.contains(0) { return windowsProgram }
        if head.count >= 4, head[0] == 0xFF, let kind = audioFrame(head) { return kind }
        return textKind(head)
    }

    private static func riff(_ head: [UInt8]) -> AttachmentKind? {
        guard head.count >= 12 else { return nil }
        if head[8..<12].elementsEqual("WEBP".utf8) { return AttachmentKind(.image, "image/webp", [".webp"]) }
        if head[8..<12].elementsEqual("WAVE".utf8) { return AttachmentKind(.audio, "audio/wav", [".wav"]) }
        if head[8..<12].elementsEqual("AVI ".utf8) { return AttachmentKind(.video, "video/x-msvideo", [".avi"]) }
        return nil
    }

    /// ISO 14496-12 files, by their major brand.
    private static func isoMedia(_ brand: [UInt8]) -> AttachmentKind {
        switch String(decoding: brand, as: UTF8.self) {
        case "heic", "heix", "heim", "heis", "mif1", "msf1", "hevc":
            AttachmentKind(.image, "image/heic", [".heic", ".heif"])
        case "avif", "avis": AttachmentKind(.image, "image/avif", [".avif"])
        case "M4A ", "M4B ", "M4P ": AttachmentKind(.audio, "audio/mp4", [".m4a", ".m4b", ".aac"])
        case "qt  ": AttachmentKind(.video, "video/quicktime", [".mov", ".qt"])
        case let brand where brand.hasPrefix("3g"): AttachmentKind(.video, "video/3gpp", [".3gp", ".3g2"])
        default: AttachmentKind(.video, "video/mp4", [".mp4", ".m4v", ".m4a"])
        }
    }

    /// MPEG audio and ADTS frames: eleven or twelve set bits, then fields that have values nobody uses.
    private static func audioFrame(_ head: [UInt8]) -> AttachmentKind? {
        if head[1] & 0xF6 == 0xF0, head[2] & 0x3C != 0x3C { return AttachmentKind(.audio, "audio/aac", [".aac"]) }
        let isMPEG = head[1] & 0xE0 == 0xE0 && head[1] & 0x18 != 0x08 && head[1] & 0x06 != 0
        guard isMPEG, head[2] & 0xF0 != 0xF0, head[2] & 0x0C != 0x0C else { return nil }
        return AttachmentKind(.audio, "audio/mpeg", [".mp3", ".mp2"])
    }

    private static func textKind(_ head: [UInt8]) -> AttachmentKind {
        guard !head.isEmpty else { return unknown }
        for byte in head where byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D && byte != 0x0C {
            return unknown
        }
        // The head may end inside a scalar.
        if let place = JSONText.firstInvalidUTF8(head.span), head.count < headLength || head.count - place > 3 {
            return unknown
        }
        let start = String(decoding: head, as: UTF8.self).lowercased()
        if start.contains("<svg") { return svg }
        if start.contains("<!doctype html") || start.contains("<html") || start.contains("<script") { return html }
        return text
    }
}
