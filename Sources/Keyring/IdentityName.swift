import CryptoPrimitives

/// The name of an identity or a contact: white space at both ends removed, 1 to 64 characters (formats section 7.2).
package struct IdentityName: Hashable, Sendable {
    /// UTF-8 as it is stored; compared byte for byte, never by canonical equivalence.
    package let bytes: [UInt8]

    /// The most characters (grapheme clusters, as the apps count) that a name has.
    package static let maximumCharacters = 64

    /// Nil when nothing is left after trimming, or more than `maximumCharacters`.
    package init?(trimming text: String) {
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { !Self.isTrimmed($0) }),
            let last = scalars.lastIndex(where: { !Self.isTrimmed($0) })
        else { return nil }
        let name = String(scalars[first...last])
        guard name.count <= Self.maximumCharacters else { return nil }
        bytes = Array(name.utf8)
    }

    /// A name that a user typed; also nil when it is not UTF-8 or has control characters, which no name needs.
    package init?(typed bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self),
            !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { return nil }
        self.init(trimming: text)
    }

    /// What the apps call an identity without a name (formats section 7.2).
    package static let anonymous = IdentityName(known: "Anonymous")

    private init(known name: StaticString) {
        bytes = Array(name.description.utf8)
    }

    /// A name that the keyring holds already; nil when it is empty or not UTF-8.
    ///
    /// Nothing is trimmed or counted again: another version of Unicode may count characters in another way.
    init?(stored bytes: [UInt8]) {
        guard !bytes.isEmpty, String(validating: bytes, as: UTF8.self) != nil else { return nil }
        self.bytes = bytes
    }

    /// The same bytes for names that only differ in capitals and Unicode form: what a reader takes for one name.
    var folded: [UInt8] { Self.folded(bytes) }

    /// Whether a user who typed `word` may mean this name.
    package func isSimilar(to word: [UInt8]) -> Bool { folded == Self.folded(word) }

    private static func folded(_ bytes: [UInt8]) -> [UInt8] {
        (try? UnicodeForm.caseFolded.normalized(bytes.span)) ?? bytes
    }

    /// For people; not escaped.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// What the apps trim: `Zs`, tab, U+000A to U+000D, U+0085, U+2028 and U+2029.
    private static func isTrimmed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09...0x0D, 0x85, 0x2028, 0x2029: true
        default: scalar.properties.generalCategory == .spaceSeparator
        }
    }
}
