import JSONCoding
import SophaxFiles

/// A file's text as it came out without its tag. **Not authenticated**: any byte of it may have been changed.
package struct SalvagedText: Sendable {
    package let file: StoreFile
    package let damage: SalvageDamage
    package let buffer: PlaintextBuffer
    /// Where in the buffer text is: a tag that is still there is none.
    package let text: Range<Int>
    /// Messages that are whole, in the order of the text.
    package var messages: [StoredMessage] = []
    /// The list of messages is strict JSON.
    package var isStrict = false
    /// What stands between and behind the messages and is part of none: what is left of those that are not whole.
    package var fragments: [Range<Int>] = []
}

/// An attachment's content as it came out without its tag.
package struct SalvagedContent: Sendable {
    package let file: StoreFile
    package let damage: SalvageDamage
    package let bytes: [UInt8]
    /// What it begins as; nil when it is no kind of file that is known here.
    package let fileType: ContentType?
}

/// Kinds of files that are known by their first bytes, as the apps send them.
package enum ContentType: String, CaseIterable, Sendable {
    case jpg, png, gif, webp, heic, mp4, m4a, mov, mp3, pdf

    package init?(_ bytes: [UInt8]) {
        func has(_ text: StaticString, at offset: Int = 0) -> Bool {
            bytes.count - offset >= text.utf8CodeUnitCount
                && text.withUTF8Buffer { unsafe bytes[offset...].starts(with: $0) }
        }
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpg
        } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if has("GIF87a") || has("GIF89a") {
            self = .gif
        } else if has("RIFF"), has("WEBP", at: 8) {
            self = .webp
        } else if has("ftyp", at: 4) {
            if has("hei", at: 8) || has("mif1", at: 8) {
                self = .heic
            } else if has("M4A", at: 8) {
                self = .m4a
            } else {
                self = has("qt  ", at: 8) ? .mov : .mp4
            }
        } else if has("ID3") {
            self = .mp3
        } else if has("%PDF-") {
            self = .pdf
        } else {
            return nil
        }
    }

    /// Where the content ends for certain when these are its last bytes.
    var ending: [UInt8]? {
        switch self {
        case .jpg: [0xFF, 0xD9]
        case .png: [0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]
        case .gif: [0x00, 0x3B]
        default: nil
        }
    }
}
