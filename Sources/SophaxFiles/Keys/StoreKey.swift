import CryptoPrimitives

/// Reads the key of a message store from a key file.
///
/// Four forms are taken, told apart by length, so that there is no guessing: 32 raw bytes (whatever they look like);
/// 64 hex digits of either case; 44 characters of base64; a JSON object of keychain items, account → base64, that holds
/// `storage.master`. The text forms may end in one line ending. Format: SophaxChat 5.1.
package enum StoreKey {
    /// Length of the AES-256 key in bytes.
    package static let length = 32

    /// Length of the key in base64, with its padding.
    private static let base64Length = 44

    /// The account of the keychain item.
    package static let account = "storage.master"

    /// The largest key file: a keychain with thousands of one-time prekeys and session states.
    package static let fileSizeCeiling = 16 << 20

    /// Takes the key from the bytes of a key file.
    ///
    /// `allowsKeychain` is false where a keychain's storage.master is not the key that is meant.
    package static func read(
        _ file: borrowing SecretBytes, allowsKeychain: Bool = true
    ) throws(StoreKeyError) -> SecretBytes {
        guard file.count > 0 else { throw .empty }
        guard file.count <= fileSizeCeiling else { throw .tooLarge(found: file.count, ceiling: fileSizeCeiling) }
        if file.count == length { return try memory { () throws(SecretMemoryError) in try file.copy() } }
        switch file.withSpan({ Text(in: $0) }) {
        case .hex(let range):
            return try file.withSpan { bytes throws(StoreKeyError) in
                try decode(bytes.extracting(range), malformed: .notHexadecimal, SecretEncoding.decodeHex)
            }
        case .base64(let range):
            let key = try file.withSpan { bytes throws(StoreKeyError) in
                try decode(bytes.extracting(range), malformed: .notBase64, SecretEncoding.decodeBase64)
            }
            guard key.count == length else { throw .wrongKeyLength(found: key.count) }
            return key
        case .json where !allowsKeychain: throw .wrongLength(found: file.count)
        case .json:
            return try KeychainItems(file).storageMaster()
        case nil:
            throw .wrongLength(found: file.count)
        }
    }

    /// The forms that are text.
    private enum Text {
        case hex(Range<Int>)
        case base64(Range<Int>)
        case json

        /// Looks at the first byte that is no JSON white space, then at the length without one line ending.
        init?(in bytes: Span<UInt8>) {
            let first = bytes.indices.first { ![0x20, 0x09, 0x0A, 0x0D].contains(bytes[$0]) }
            if let first, bytes[first] == UInt8(ascii: "{") {
                self = .json
                return
            }
            var end = bytes.count
            if bytes[end - 1] == UInt8(ascii: "\n") {
                end -= 1
                if end > 0, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
            }
            switch end {
            case StoreKey.length * 2: self = .hex(0..<end)
            case StoreKey.base64Length: self = .base64(0..<end)
            default: return nil
            }
        }
    }

    static func decode(
        _ text: Span<UInt8>,
        malformed: StoreKeyError,
        _ decoder: (Span<UInt8>) throws(EncodingError) -> SecretBytes
    ) throws(StoreKeyError) -> SecretBytes {
        do {
            return try decoder(text)
        } catch {
            switch error {
            case .malformed: throw malformed
            case .memory: throw .outOfMemory(requested: text.count)
            }
        }
    }

    static func memory(_ make: () throws(SecretMemoryError) -> SecretBytes) throws(StoreKeyError) -> SecretBytes {
        do {
            return try make()
        } catch {
            switch error {
            case .exhausted(let requested): throw .outOfMemory(requested: requested)
            case .invalidLength(let length): throw .outOfMemory(requested: length)
            case .outOfBounds(let range, _): throw .outOfMemory(requested: range.count)
            }
        }
    }
}
