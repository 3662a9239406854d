/// Why secret memory could not be had or lent.
public enum SecretMemoryError: Error, Equatable, Sendable {
    /// There is no guarded memory for `requested` bytes, or there are 15,000 blocks already (see `SecretSlab`).
    case exhausted(requested: Int)

    /// A length below zero, or a slab without room.
    case invalidLength(Int)

    /// A part that does not lie inside the secret of `count` bytes.
    case outOfBounds(requested: Range<Int>, count: Int)
}
