import JSONCoding
import SophaxFiles

/// Text of a page, or of a file of data, under way.
///
/// Only what this program's own source spells is markup. A value gets in through a function for the place where it goes, so
/// nothing of a message can become markup or script, and nothing can be forgotten.
struct Markup: Sendable {
    private(set) var bytes: [UInt8] = []

    init() {}

    /// Markup of ours.
    mutating func add(_ markup: StaticString) {
        markup.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
    }

    /// Markup that was made by another one of these.
    mutating func add(_ other: Markup) {
        bytes.append(contentsOf: other.bytes)
    }

    mutating func reserve(_ count: Int) {
        bytes.reserveCapacity(count)
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    /// A number in ASCII digits.
    mutating func number(_ value: Int) {
        if (0..<10).contains(value) {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value))
        } else {
            bytes.append(contentsOf: String(value).utf8)
        }
    }

    /// `12,345`, for people.
    mutating func grouped(_ value: Int) {
        let digits = Array(String(value.magnitude).utf8)
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { bytes.append(UInt8(ascii: ",")) }
            bytes.append(digit)
        }
    }

    /// Two digits.
    mutating func twoDigits(_ value: Int) {
        if value < 10 { bytes.append(UInt8(ascii: "0")) }
        number(value)
    }

    private mutating func copy(_ text: Span<UInt8>, _ range: Range<Int>) {
        guard !range.isEmpty else { return }
        unsafe text.extracting(range).withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
    }
}

// MARK: - Element text and attributes

extension Markup {
    /// Text of an element, or the value of an attribute between double quotes. Line ends stay (CR and CR LF as LF).
    ///
    /// Other control characters become the pictures of them, U+2400 and on; bytes that are no UTF-8 become U+FFFD.
    mutating func text(_ value: [UInt8]) {
        text(value.span)
    }

    mutating func text(_ value: String) {
        text(Array(value.utf8).span)
    }

    mutating func text(_ value: Span<UInt8>) {
        guard JSONText.firstInvalidUTF8(value) == nil else {
            let repaired = DisplayText.repaired(value)
            escape(repaired.span, isLine: false)
            return
        }
        escape(value, isLine: false)
    }

    /// A name, a file name, or other text of one line: what would change the look of its neighbours (line ends, controls of
    /// direction, what is invisible) is spelled out. For text of an element or an attribute's value.
    mutating func line(_ value: [UInt8]) {
        let safe = DisplayText.line(value)
        escape(safe.span, isLine: true)
    }

    /// What is not copied as it is: `&<>"'`, control characters but tab and line feed, and the first byte of U+0080 and on.
    /// A table would be shared by all threads that make pages, and its count of references with it.
    private static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x0A, 0x20, 0x21: false
        case ..<0x20, UInt8(ascii: "\""), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "<"), UInt8(ascii: ">"):
            true
        default: byte == 0x7F || byte == 0xC2
        }
    }

    private mutating func escape(_ text: Span<UInt8>, isLine: Bool) {
        var start = 0
        var index = 0
        while index < text.count {
            guard Self.isSpecial(text[index]) else {
                index += 1
                continue
            }
            copy(text, start..<index)
            let byte = text[index]
            index += 1
            switch byte {
            case UInt8(ascii: "&"): add("&amp;")
            case UInt8(ascii: "<"): add("&lt;")
            case UInt8(ascii: ">"): add("&gt;")
            case UInt8(ascii: "\""): add("&quot;")
            case UInt8(ascii: "'"): add("&#39;")
            case 0x0D:
                if index == text.count || text[index] != 0x0A { bytes.append(0x0A) }
            case 0x7F: add("\u{2421}")
            case 0xC2:
                // U+0080…U+009F; the rest of the block is text.
                if index < text.count, text[index] < 0xA0 {
                    add("\\u{")
                    bytes.append(contentsOf: String(text[index], radix: 16).utf8)
                    add("}")
                    index += 1
                } else {
                    bytes.append(0xC2)
                }
            default:
                bytes.append(contentsOf: [0xE2, 0x90, 0x80 + byte])
            }
            start = index
        }
        copy(text, start..<text.count)
    }
}

// MARK: - Links and script data

extension Markup {
    private static let hexDigits = Array("0123456789ABCDEF".utf8)

    /// A path for `href` or `src`, its bytes percent-encoded but for letters, digits and `-._~/`; `base` is ours.
    mutating func path(_ path: [UInt8], below base: StaticString = "") {
        add(base)
        for byte in path {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"), UInt8(ascii: "/"):
                bytes.append(byte)
            default:
                bytes.append(UInt8(ascii: "%"))
                bytes.append(Self.hexDigits[Int(byte >> 4)])
                bytes.append(Self.hexDigits[Int(byte & 15)])
            }
        }
    }

    /// A string of JavaScript with its quotes: safe in a file of script and between script tags as well.
    mutating func script(_ value: [UInt8]) {
        guard JSONText.firstInvalidUTF8(value.span) == nil else {
            let repaired = DisplayText.repaired(value.span)
            script(repaired)
            return
        }
        let text = value.span
        bytes.append(UInt8(ascii: "\""))
        var start = 0
        var index = 0
        while index < text.count {
            let byte = text[index]
            let isSeparator =
                byte == 0xE2 && text.count - index > 2 && text[index + 1] == 0x80
                && text[index + 2] & 0xFE == 0xA8
            guard
                byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "<")
                    || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "&") || byte == 0x7F || isSeparator
            else {
                index += 1
                continue
            }
            copy(text, start..<index)
            if isSeparator {
                add(text[index + 2] == 0xA8 ? "\\u2028" : "\\u2029")
                index += 3
            } else {
                switch byte {
                case 0x0A: add("\\n")
                case UInt8(ascii: "\""): add("\\\"")
                case UInt8(ascii: "\\"): add("\\\\")
                default:
                    add("\\u00")
                    bytes.append(Self.hexDigits[Int(byte >> 4)])
                    bytes.append(Self.hexDigits[Int(byte & 15)])
                }
                index += 1
            }
            start = index
        }
        copy(text, start..<text.count)
        bytes.append(UInt8(ascii: "\""))
    }

    private static func digit64(_ value: UInt) -> UInt8 {
        let value = UInt8(truncatingIfNeeded: value)
        return switch value {
        case ..<26: UInt8(ascii: "A") + value
        case ..<52: UInt8(ascii: "a") + (value - 26)
        case ..<62: UInt8(ascii: "0") + (value - 52)
        default: value == 62 ? UInt8(ascii: "-") : UInt8(ascii: "_")
        }
    }

    /// A number ≥ 0 in digits of five bits, the least one first; a digit of 32 or more says that another one follows.
    mutating func packed(_ value: Int) {
        var rest = UInt(max(0, value))
        while rest >= 32 {
            bytes.append(Self.digit64(rest & 31 | 32))
            rest >>= 5
        }
        bytes.append(Self.digit64(rest))
    }
}
