/// Why a secret was not shared, or not put together again.
package enum ShamirError: Error, Equatable, Sendable {
    /// Fewer than two shares would be enough: then each of them is the secret.
    case thresholdTooSmall(found: Int)
    /// More shares are needed than there are.
    case thresholdAboveTotal(threshold: Int, total: Int)
    /// More shares than the field has places beside the secret's.
    case tooManyShares(found: Int, limit: Int)
    /// A share at 0 would be the secret itself.
    case indexZero
    /// Two shares with the same index.
    case repeatedIndex(UInt8)
    /// A share of another length than the first.
    case wrongLength(expected: Int, found: Int)
    /// No share, or a secret without a byte.
    case empty
    /// The guarded memory could not be had.
    case memory(SecretMemoryError)
}
