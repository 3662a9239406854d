/// The name under which an app knows a person: the first 16, 32 or 64 hex digits of the fingerprint.
///
/// App versions disagree about the length, so a value keeps the text exactly as found and compares by bytes; use
/// `matches(_:)` and `isSamePerson(as:)` to look across the lengths. Ids in files are not trustworthy: any text can stand
/// there, also conversation ids such as `group.<id>`; those have the form `.other`. Format: SophaxChat 7.1.
public struct PeerID: Hashable, Sendable {
    /// How much of the fingerprint an id holds.
    public enum Form: Hashable, Sendable {
        /// 8 bytes: some iOS versions, Android always.
        case hex16
        /// 16 bytes: most iOS versions.
        case hex32
        /// All 32 bytes: the DHT node id.
        case hex64
        /// Not the beginning of a fingerprint.
        case other

        /// Count of hex digits, nil for `.other`.
        public var digits: Int? {
            switch self {
            case .hex16: 16
            case .hex32: 32
            case .hex64: 64
            case .other: nil
            }
        }
    }

    /// The id as UTF-8, not normalised and not checked.
    public let bytes: [UInt8]

    /// Which of the three lengths this is.
    public let form: Form

    /// Takes any text; what is not 16, 32 or 64 lower-case hex digits gets the form `.other`.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
        guard bytes.allSatisfy({ HexDigit.value($0) != nil }) else {
            form = .other
            return
        }
        switch bytes.count {
        case 16: form = .hex16
        case 32: form = .hex32
        case 64: form = .hex64
        default: form = .other
        }
    }

    /// Takes any text; see `init(bytes:)`.
    public init(_ text: String) {
        self.init(bytes: Array(text.utf8))
    }

    /// The id of a fingerprint in one of the three lengths; `.other` has no length of its own and gives all 64 digits.
    public init(_ fingerprint: Fingerprint, form: Form) {
        self.init(bytes: Array(fingerprint.hexBytes.prefix(form.digits ?? Fingerprint.length * 2)))
    }

    /// The id as text; bytes that are not UTF-8 are repaired, so compare ids and not texts.
    public var text: String {
        String(decoding: bytes, as: UTF8.self)
    }

    /// Whether this id, in its own length, is the beginning of `fingerprint`.
    public func matches(_ fingerprint: Fingerprint) -> Bool {
        form != .other && fingerprint.hexBytes.starts(with: bytes)
    }

    /// Whether two ids, perhaps of different length, begin the same fingerprint; ids of the form `.other` only equal
    /// themselves.
    ///
    /// 16 digits are 64 bits: enough to group history, not enough to trust a key. Compare fingerprints for that.
    public func isSamePerson(as other: PeerID) -> Bool {
        guard form != .other, other.form != .other else {
            return self == other
        }
        return bytes.count <= other.bytes.count ? other.bytes.starts(with: bytes) : bytes.starts(with: other.bytes)
    }
}
