import CryptoPrimitives
import SystemIO

/// SHA-256 of whole files, in the memory of one piece.
package enum FileDigest {
    private static let pieceSize = 256 << 10

    /// Nil when the file cannot be read to its end.
    package static func sha256(_ path: FilePath) -> [UInt8]? {
        guard var input = try? InputFile(opening: path) else { return nil }
        var hash = SHA256()
        var piece = [UInt8](repeating: 0, count: pieceSize)
        while true {
            guard let count = try? input.fill(&piece) else { return nil }
            hash.update(piece.span.extracting(0..<count))
            if count < piece.count { return hash.finish() }
        }
    }
}
