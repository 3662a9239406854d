/// The scalars of bytes that should be UTF-8; each byte that belongs to none comes by itself, so nothing is lost.
struct UTF8Scalars {
    enum Element: Hashable {
        case scalar(Unicode.Scalar)
        case invalid(UInt8)
    }

    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func next() -> Element? {
        guard position < bytes.count else { return nil }
        let first = bytes[position]
        if first < 0x80 {
            position += 1
            return .scalar(Unicode.Scalar(first))
        }
        // The shortest form only, no surrogates, nothing above U+10FFFF (RFC 3629, section 4).
        let (length, least): (Int, UInt32) =
            switch first {
            case 0xc2...0xdf: (2, 0x80)
            case 0xe0...0xef: (3, 0x800)
            case 0xf0...0xf4: (4, 0x1_0000)
            default: (0, 0)
            }
        guard length > 0, bytes.count - position >= length else { return invalid(first) }
        var value = UInt32(first) & (0x7f >> UInt32(length))
        for byte in bytes[position + 1..<position + length] {
            guard byte & 0xc0 == 0x80 else { return invalid(first) }
            value = value << 6 | UInt32(byte & 0x3f)
        }
        guard value >= least, let scalar = Unicode.Scalar(value) else { return invalid(first) }
        position += length
        return .scalar(scalar)
    }

    private mutating func invalid(_ byte: UInt8) -> Element {
        position += 1
        return .invalid(byte)
    }
}
