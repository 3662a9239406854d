/// Points of a polynomial over GF(2^8): a secret row of bytes, all of one length, at each of several places.
///
/// The rows lie in one block of wiped memory. Which places they belong to is no secret; their number is at most 256.
package struct SharePoints: ~Copyable, Sendable {
    /// The place of each row, each once.
    package private(set) var places: [UInt8] = []
    /// Length of each row in bytes.
    package let length: Int
    private var rows: SecretBytes
    private let capacity: Int

    /// Has room for `capacity` rows of `length` bytes.
    package init(capacity: Int, length: Int) throws(ShamirError) {
        guard length > 0, capacity > 0 else { throw .empty }
        guard capacity <= 256 else { throw .tooManyShares(found: capacity, limit: 256) }
        let (size, overflow) = capacity.multipliedReportingOverflow(by: length)
        guard !overflow else { throw .memory(.exhausted(requested: Int.max)) }
        do { rows = try SecretBytes(count: size) } catch { throw .memory(error) }
        self.capacity = capacity
        self.length = length
    }

    package var count: Int { places.count }

    /// Adds a row at a place that has none.
    package mutating func append(_ row: Span<UInt8>, at place: UInt8) throws(ShamirError) {
        guard row.count == length else { throw .wrongLength(expected: length, found: row.count) }
        guard !places.contains(place) else { throw .repeatedIndex(place) }
        guard places.count < capacity else { throw .tooManyShares(found: places.count + 1, limit: capacity) }
        let start = places.count * length
        rows.withMutableSpan { rows in
            for index in 0..<row.count { rows[start + index] = row[index] }
        }
        places.append(place)
    }

    /// Adds a row at a place that has none.
    package mutating func append(_ row: borrowing SecretBytes, at place: UInt8) throws(ShamirError) {
        // Not through the closure of `withSpan`, which may not change what is not copied.
        guard row.count == length else { throw .wrongLength(expected: length, found: row.count) }
        guard !places.contains(place) else { throw .repeatedIndex(place) }
        guard places.count < capacity else { throw .tooManyShares(found: places.count + 1, limit: capacity) }
        let start = places.count * length
        rows.withMutableSpan { rows in
            row.withSpan { row in
                for index in 0..<row.count { rows[start + index] = row[index] }
            }
        }
        places.append(place)
    }

    /// A copy of the row that was added as number `number`, counted from 0; `.tooManyShares` for one that was not added.
    package func row(_ number: Int) throws(ShamirError) -> SecretBytes {
        guard (0..<count).contains(number) else { throw .tooManyShares(found: number, limit: count) }
        do { return try rows.slice(number * length..<(number + 1) * length) } catch { throw .memory(error) }
    }

    /// Lends all rows, one behind the other in the order of `places`.
    package func withRows<R: ~Copyable, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        try rows.withSpan(body)
    }
}
