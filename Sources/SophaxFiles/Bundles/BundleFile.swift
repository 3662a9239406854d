import SystemIO

/// An export as it lies on the disk: its bytes, with a header that was found good.
///
/// The bytes are ciphertext and lie in ordinary memory; only what is decrypted from them is guarded.
package struct BundleFile: Sendable {
    /// The whole file.
    package let bytes: [UInt8]
    package let header: BundleHeader

    /// Takes bytes that were read already.
    package init(
        bytes: [UInt8],
        forcedKind: BundleKind? = nil,
        fileName: [UInt8] = [],
        limits: BundleLimits = .standard
    ) throws(BundleError) {
        header = try BundleHeader.parse(bytes.span, forcedKind: forcedKind, fileName: fileName, limits: limits)
        self.bytes = bytes
    }

    /// Reads a file, or a pipe, to its end; what is no export is refused after its first bytes.
    ///
    /// The file name that may tell an Android backup is the last component of the input's path.
    /// - Throws: `.file` and the errors of `BundleHeader.parse`.
    package init(
        reading input: inout InputFile,
        forcedKind: BundleKind? = nil,
        limits: BundleLimits = .standard
    ) throws(BundleError) {
        let fileName = input.path.lastComponent.bytes
        var bytes = try Self.read(&input, upTo: BundleHeader.longest)
        if bytes.count == BundleHeader.longest {
            // A pipe's size is not known yet, and a file's may change: the header is judged again at the end.
            _ = try BundleHeader.parse(
                bytes.span, fileSize: max(input.size ?? limits.sizeCeiling, bytes.count), forcedKind: forcedKind,
                fileName: fileName, limits: limits)
            bytes.reserveCapacity((input.size ?? Self.pieceSize) + 1)
            while true {
                let piece = try Self.read(&input, upTo: Self.pieceSize)
                guard !piece.isEmpty else { break }
                guard bytes.count <= limits.sizeCeiling - piece.count else {
                    throw .tooLarge(found: bytes.count + piece.count, ceiling: limits.sizeCeiling)
                }
                bytes.append(contentsOf: piece)
            }
        }
        try self.init(bytes: bytes, forcedKind: forcedKind, fileName: fileName, limits: limits)
    }

    private static let pieceSize = 1 << 20

    private static func read(_ input: inout InputFile, upTo count: Int) throws(BundleError) -> [UInt8] {
        do {
            return try input.read(upTo: count)
        } catch {
            throw .file(error)
        }
    }
}
