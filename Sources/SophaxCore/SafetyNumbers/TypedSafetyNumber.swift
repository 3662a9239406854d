/// The digits of a safety number that somebody typed, pasted or scanned: any Unicode digits, with spaces, dashes, line
/// breaks and invisible characters between them.
public struct TypedSafetyNumber: Equatable, Sendable {
    /// Why a text is no number.
    public enum Problem: Error, Equatable, Sendable {
        case empty
        /// More bytes than `longestText`.
        case tooLong(limit: Int)
        case notUTF8
        /// A letter or another sign that no number has.
        case foreign(Unicode.Scalar)
        /// 16, 32 or 64 hex digits: a peer id or fingerprint.
        case peerID(PeerID)
    }

    /// The most bytes that a number is read from.
    public static let longestText = 4096
    static let digitsOfGroup = 5

    /// ASCII, any count of at least one.
    public let digits: [UInt8]

    /// Joins the words of a command line, or takes the text of a QR code.
    public init(cleaning words: [[UInt8]]) throws(Problem) {
        let bytes = Array(words.joined(separator: [UInt8(ascii: " ")]))
        guard bytes.count <= Self.longestText else { throw .tooLong(limit: Self.longestText) }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
        var digits: [UInt8] = []
        var foreign: Unicode.Scalar?
        var letters: [UInt8] = []
        for scalar in text.unicodeScalars {
            if let digit = Self.digit(scalar) {
                digits.append(UInt8(ascii: "0") + digit)
                letters.append(UInt8(ascii: "0") + digit)
            } else if scalar.isASCII, let hex = Self.hexLetter(scalar) {
                foreign = foreign ?? scalar
                letters.append(hex)
            } else if !Self.isSeparator(scalar) {
                throw .foreign(scalar)
            }
        }
        if let foreign {
            let id = PeerID(bytes: letters)
            if id.form != .other { throw .peerID(id) }
            throw .foreign(foreign)
        }
        guard !digits.isEmpty else { throw .empty }
        self.digits = digits
    }

    /// In groups of five, the last one perhaps shorter.
    public var groups: [[UInt8]] {
        stride(from: 0, to: digits.count, by: Self.digitsOfGroup).map {
            Array(digits[$0..<min($0 + Self.digitsOfGroup, digits.count)])
        }
    }

    /// 0–9 for every character of the general category Nd.
    private static func digit(_ scalar: Unicode.Scalar) -> UInt8? {
        guard scalar.properties.generalCategory == .decimalNumber, let value = scalar.properties.numericValue else {
            return nil
        }
        return UInt8(exactly: value)
    }

    private static func hexLetter(_ scalar: Unicode.Scalar) -> UInt8? {
        switch UInt8(ascii: scalar) | 0x20 {
        case let letter where (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(letter): letter
        default: nil
        }
    }

    /// White space, dashes of all kinds, and what nobody sees.
    private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.properties.isWhitespace { return true }
        switch scalar.value {
        // Minus signs and bullets that stand for dashes.
        case 0x2212, 0x2043, 0xfe63, 0xff0d: return true
        default: break
        }
        switch scalar.properties.generalCategory {
        case .dashPunctuation, .format: return true
        default: return false
        }
    }
}
