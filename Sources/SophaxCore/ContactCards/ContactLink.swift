/// A link that introduces a person: `sophaxchat://add` or `sophaxchat://meet`, as text, in a file or in a QR code.
///
/// Format: SophaxChat 7.5 and 7.6.
public enum ContactLink: Equatable, Sendable {
    /// An address to reach a peer id at; no keys.
    case card(ContactCard)
    /// A name and both public keys.
    case invite(InviteLink)

    /// The most bytes that a link is read from. The apps have no limit; the longest that they write has fewer than 600.
    public static let longestText = 4096

    static let scheme = "sophaxchat"

    /// Whether a text claims to be one of the app's links or codes, whatever is wrong with it.
    public static func isLikely(_ text: [UInt8]) -> Bool {
        let beginning = trimmed(text).prefix(scheme.utf8.count + 1).map(lowered)
        return beginning.elementsEqual((scheme + ":").utf8) || beginning.starts(with: "sxph-".utf8)
    }

    /// Reads a link; white space and line endings round it are passed over.
    public init(parsing text: [UInt8]) throws(ContactLinkError) {
        guard text.count <= Self.longestText else { throw .tooLong(limit: Self.longestText) }
        let link = Self.trimmed(text)
        guard !link.map(Self.lowered).starts(with: "sxph-".utf8) else { throw .inviteCode }
        let start = Array((Self.scheme + "://").utf8)
        guard link.prefix(start.count).map(Self.lowered).elementsEqual(start) else { throw .notALink }
        if let bad = link.firstIndex(where: { $0 <= 0x20 || $0 >= 0x7f }) {
            throw .forbiddenByte(link[bad], offset: bad)
        }
        let scheme = link.prefix(Self.scheme.utf8.count)
        let rest = link.dropFirst(start.count)
        // What comes after "#" never reaches a query.
        let whole = rest.prefix { $0 != UInt8(ascii: "#") }
        let place = whole.prefix { $0 != UInt8(ascii: "?") }
        let query = whole.dropFirst(place.count + 1)
        let host = place.last == UInt8(ascii: "/") ? place.dropLast() : place
        let spelling = Spelling(
            isSchemeExact: scheme.elementsEqual(Self.scheme.utf8),
            isHostExact: host.allSatisfy { $0 == Self.lowered($0) })
        switch String(decoding: host.map(Self.lowered), as: UTF8.self) {
        case "add": self = .card(try ContactCard(query: query, spelling))
        case "meet": self = .invite(try InviteLink(query: query, spelling))
        default: throw .notALink
        }
    }

    /// iOS compares scheme and host without case, its NFC reader and Android exactly.
    struct Spelling {
        let isSchemeExact: Bool
        let isHostExact: Bool
    }

    /// Which readers of the apps take a link.
    public enum Reader: String, Hashable, Sendable, CaseIterable {
        /// A link that is opened or a QR code that is scanned on iOS.
        case ios = "ios"
        /// A tag that is read by NFC on iOS.
        case iosNFC = "ios-nfc"
        case android = "android"
    }

    /// What is odd about a link that can be read all the same.
    public enum Defect: Hashable, Sendable {
        /// `pid` or `id` is written with capital digits; the apps compare it exactly.
        case capitalDigits
        /// `onion` has the port inside, as the Android app writes it; no app reads that.
        case portInsideOnion
        /// The address is no onion address, so it was not taken.
        case notAnOnion
        /// `.onion`, but not 56 letters of base32 and version 3; Android refuses it.
        case notVersion3
        /// The checksum inside the address is wrong: nobody can be reached there.
        case onionChecksum
        /// Not a number above 1023 of 16 bits: iOS refuses the card, Android takes 25519.
        case port
        /// `pid` is not the hash of the keys.
        case idMismatch
        /// Base64 without its padding, which the app refuses.
        case padding
        /// The name has control, bidi or invisible characters.
        case hiddenCharacters
    }

    /// Without white space, line endings and a byte order mark round it.
    private static func trimmed(_ text: [UInt8]) -> ArraySlice<UInt8> {
        var text = text[...]
        if text.starts(with: [0xef, 0xbb, 0xbf]) { text = text.dropFirst(3) }
        while let first = text.first, isSpace(first) { text.removeFirst() }
        while let last = text.last, isSpace(last) { text.removeLast() }
        return text
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0d).contains(byte)
    }

    static func lowered(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    /// The peer id of a link, in lower case.
    static func peerID(_ text: [UInt8], _ defects: inout [Defect]) throws(ContactLinkError) -> PeerID {
        let id = PeerID(bytes: text.map(lowered))
        guard id.form != .other else { throw .badPeerID(text) }
        if id.bytes != text { defects.append(.capitalDigits) }
        return id
    }
}
