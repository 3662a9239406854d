import CryptoPrimitives
import SystemIO

/// Why a sealed database could not be made, opened or changed.
package enum SealedError: Error, Equatable, Sendable {
    // What the file is.
    case file(FileError)
    /// It does not begin as a sealed database.
    case notSealed
    /// Bytes that must be there, and bytes that are.
    case truncated(expected: Int, found: Int)
    /// Neither copy of the header is whole.
    case headerDamaged
    /// The secret is right, and no copy of the header has the right code.
    case headerTampered
    case newerVersion(found: Int, known: Int)
    case wrongKind(expected: SealedFileKind, found: SealedFileKind)
    /// A slot asks for more or less than any writer does; nothing was derived.
    case slotCost(slot: Int, Argon2Error)
    /// All slots together ask for too much; nothing was derived.
    case totalCost(maximumKiB: UInt64, foundKiB: UInt64)

    // Secrets and slots.
    /// No slot opens with the secret.
    case wrongSecret
    case keyFileLength(expected: Int, found: Int)
    case passphraseText(UnicodeError)
    case noSuchSlot(Int)
    /// A passphrase for a slot of a key file, or the other way round.
    case wrongSecretForm(slot: Int)
    case slotOfLaterVersion(Int)
    /// The secret given for this slot does not open it.
    case wrongSecretForSlot(Int)
    /// `rekey` cannot wrap the new key in these slots: it needs their secrets, or leave to drop them.
    case slotsWithoutSecret([Int])
    case noFreeSlot
    case noSlots
    case lastSlot

    // What happened on the way.
    case database(DatabaseError)
    /// The name stands for another file than the one that is open: a rekey, or a copy put in its place.
    case replaced
    /// What was written is not what is read back.
    case proof(SealedProof)
    case passphraseDerivation(Argon2Error)
    case keyDerivation(KeyDerivationError)
    case cipher(AEADError)
    case memory(SecretMemoryError)
}

/// What a new file was found to lack before it took its name.
package enum SealedProof: Hashable, Sendable {
    case header
    case page(UInt32)
    case integrity
    /// A table differs between the old and the new file.
    case content(table: [UInt8])
    case schema
}
