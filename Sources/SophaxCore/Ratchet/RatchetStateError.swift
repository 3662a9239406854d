import CryptoPrimitives
import JSONCoding

/// Why a text is not the state of a session. Format: SophaxChat 4.6.
public enum RatchetStateError: Error, Equatable, Sendable {
    /// Not the JSON of a state; the fields named are those of the format, never values.
    case format(FormatError)

    /// A counter that has no next value, which the apps take for damage.
    case counterExhausted(field: String)

    /// The public ratchet key is not that of the private one.
    case keyPairMismatch

    /// The guarded memory could not be had.
    case memory(SecretMemoryError)
}
