import CryptoPrimitives

/// Puts a text together in wiped memory, in one step: its length is known before a byte is written.
enum SecretText {
    static func joined(_ pieces: [[UInt8]]) throws(EncodingError) -> SecretBytes {
        let empty: SecretBytes
        do throws(SecretMemoryError) { empty = try SecretBytes(count: 0) } catch { throw .memory(error) }
        return try joined(first: empty, dropping: 0, pieces)
    }

    /// `first` without its last `dropping` bytes, then the pieces.
    static func joined(
        first: borrowing SecretBytes, dropping: Int, _ pieces: [[UInt8]]
    ) throws(EncodingError) -> SecretBytes {
        let head = first.count - dropping
        var count = head
        for piece in pieces {
            let (sum, overflow) = count.addingReportingOverflow(piece.count)
            guard !overflow else { throw .memory(.exhausted(requested: Int.max)) }
            count = sum
        }
        do throws(SecretMemoryError) {
            var text = try SecretBytes(count: count)
            first.withSpan { source in
                text.withMutableSpan { target in
                    for index in 0..<head { target[index] = source[index] }
                }
            }
            unsafe text.withUnsafeMutableBytes { target in
                var position = head
                for piece in pieces where !piece.isEmpty {
                    unsafe UnsafeMutableRawBufferPointer(rebasing: target[position..<position + piece.count])
                        .copyBytes(from: piece)
                    position += piece.count
                }
            }
            return text
        } catch {
            throw .memory(error)
        }
    }
}
