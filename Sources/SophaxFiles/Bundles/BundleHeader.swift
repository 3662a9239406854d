/// The unencrypted beginning of an export: what can be known, and refused, without the passphrase.
///
/// Nothing in it is authenticated; the apps leave the header out of the AES-GCM tag. Format: SophaxChat 3.2 to 3.5.
package struct BundleHeader: Hashable, Sendable {
    /// Which export this is.
    package let kind: BundleKind

    /// Byte 4, nil for Android. For a backup it is not to be trusted: it does not tell the key derivation.
    package let version: UInt8?

    /// The PBKDF2 iteration field, nil where the layout has none.
    package let iterations: UInt32?

    /// 32 bytes, 16 on Android.
    package let salt: [UInt8]

    /// AES-GCM nonce, 12 bytes.
    package let nonce: [UInt8]

    /// Offset of the ciphertext.
    package let length: Int

    /// Size of the whole file in bytes.
    package let fileSize: Int

    /// Length of the AES-GCM tag that ends the file.
    package static let tagLength = 16

    /// Count of bytes that `parse` needs to see, at most.
    package static let longest = 53

    /// Size of the ciphertext and of the text inside, in bytes; at least 1.
    package var payloadSize: Int {
        fileSize - length - Self.tagLength
    }

    /// Whether the app itself refuses the file because of its low iteration count.
    package var isBelowIterationFloor: Bool {
        guard let iterations, let floor = kind.iterationFloor else { return false }
        return iterations < floor
    }

    /// Reads the header of an export.
    ///
    /// - Parameters:
    ///   - bytes: the file, or at least its first `longest` bytes.
    ///   - fileSize: size of the whole file; nil when `bytes` is all of it.
    ///   - forcedKind: what the caller says the file is; the only way for an Android backup of another name.
    ///   - fileName: the last component of the path, UTF-8.
    /// - Throws: the outer errors of `BundleError`, in the order magic, version, size, iterations.
    package static func parse(
        _ bytes: Span<UInt8>,
        fileSize: Int? = nil,
        forcedKind: BundleKind? = nil,
        fileName: [UInt8] = [],
        limits: BundleLimits = .standard
    ) throws(BundleError) -> BundleHeader {
        let size = fileSize ?? bytes.count
        guard size > 0, bytes.count > 0 else { throw .empty }
        let kind = try kind(of: bytes, forced: forcedKind, fileName: fileName)
        let layout = try Layout(kind: kind, version: bytes.count > 4 ? bytes[4] : nil)
        let minimum = layout.headerLength + 1 + tagLength
        guard size >= minimum, bytes.count >= layout.headerLength else {
            throw .truncated(kind, minimum: minimum, found: size)
        }
        guard size <= limits.sizeCeiling else {
            throw .tooLarge(found: size, ceiling: limits.sizeCeiling)
        }
        let iterations = try layout.iterations(in: bytes, limits: limits)
        let nonceOffset = layout.saltOffset + layout.saltLength
        return BundleHeader(
            kind: kind,
            version: kind.magic == nil ? nil : bytes[4],
            iterations: iterations,
            salt: copy(bytes, layout.saltOffset..<nonceOffset),
            nonce: copy(bytes, nonceOffset..<layout.headerLength),
            length: layout.headerLength,
            fileSize: size
        )
    }

    private static func kind(
        of bytes: Span<UInt8>,
        forced: BundleKind?,
        fileName: [UInt8]
    ) throws(BundleError) -> BundleKind {
        let found = BundleKind(magicOf: bytes)
        switch forced {
        // A random salt can begin with any four bytes, so the caller's word stands.
        case .android: return .android
        case .some(let expected):
            guard found == expected else { throw .otherKind(expected: expected, found: found) }
            return expected
        case nil:
            if let found { return found }
            guard fileName == Array(BundleKind.androidFileName.utf8) else { throw .notAnExport }
            return .android
        }
    }

    private static func copy(_ bytes: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
        var copied: [UInt8] = []
        copied.reserveCapacity(range.count)
        for index in range {
            copied.append(bytes[index])
        }
        return copied
    }
}

/// Where the fields of one kind and version are.
private struct Layout {
    let kind: BundleKind
    let hasIterations: Bool
    let saltOffset: Int
    let saltLength: Int

    /// `version` is nil when the file ends before byte 4; then the shortest layout decides how much is missing.
    init(kind: BundleKind, version: UInt8?) throws(BundleError) {
        self.kind = kind
        switch kind {
        case .identity:
            try Self.check(version, newest: 2, kind: kind)
            hasIterations = version == 2
        case .fullExport:
            try Self.check(version, newest: 1, kind: kind)
            hasIterations = true
        case .backup, .android:
            hasIterations = false
        }
        saltOffset = kind == .android ? 0 : hasIterations ? 9 : 5
        saltLength = kind == .android ? 16 : 32
    }

    var headerLength: Int { saltOffset + saltLength + 12 }

    private static func check(_ version: UInt8?, newest: UInt8, kind: BundleKind) throws(BundleError) {
        guard let version else { return }
        guard version <= newest else { throw .newerVersion(kind, found: version, newest: newest) }
        guard version > 0 else { throw .unknownVersion(kind, found: version) }
    }

    /// The big-endian field at offset 5, within its limits.
    func iterations(in bytes: Span<UInt8>, limits: BundleLimits) throws(BundleError) -> UInt32? {
        guard hasIterations else { return nil }
        var value: UInt32 = 0
        for index in 5..<9 {
            value = value << 8 | UInt32(bytes[index])
        }
        guard value > 0 else { throw .noIterations(kind) }
        guard value <= limits.iterationCeiling else {
            throw .tooManyIterations(kind, found: value, ceiling: limits.iterationCeiling)
        }
        return value
    }
}
