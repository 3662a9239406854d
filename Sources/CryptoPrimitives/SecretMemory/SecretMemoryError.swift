/// Why secret memory could not be had or lent.
public enum SecretMemoryError: Error, Equatable, Sendable {
    /// The system gave no guarded memory for `requested` bytes.
    ///
    /// Each live block takes guard pages, so the system's limit of mappings ends at about 16,000 blocks: use
    /// `SecretSlab` for many keys.
    case exhausted(requested: Int)

    /// A length below zero, or a slab without room.
    case invalidLength(Int)

    /// A part that does not lie inside the secret of `count` bytes.
    case outOfBounds(requested: Range<Int>, count: Int)
}
