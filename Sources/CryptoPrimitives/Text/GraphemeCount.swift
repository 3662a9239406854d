import CUtf8proc

/// Counts the characters of a text as Swift and the apps do: extended grapheme clusters (Unicode Annex 29).
package enum GraphemeCount {
    /// The number of characters in UTF-8 text; a byte that is not UTF-8 counts as one character.
    package static func count(in text: Span<UInt8>) -> Int {
        var count = 0
        var previous: Int32?
        var state: Int32 = 0
        var place = 0
        while place < text.count {
            var scalar: Int32 = -1
            let length = unsafe text.extracting(place..<text.count).withUnsafeBufferPointer { bytes in
                unsafe utf8proc_iterate(bytes.baseAddress, bytes.count, &scalar)
            }
            guard length > 0, scalar >= 0 else {
                (place, count, previous, state) = (place + 1, count + 1, nil, 0)
                continue
            }
            place += length
            if let previous, unsafe !utf8proc_grapheme_break_stateful(previous, scalar, &state) {
                // The same character goes on.
            } else {
                count += 1
            }
            previous = scalar
        }
        return count
    }

    /// The number of characters of a secret; only the number leaves it.
    package static func count(in secret: borrowing SecretBytes) -> Int {
        secret.withSpan { count(in: $0) }
    }
}
