import CryptoPrimitives
import SophaxCore

/// X-Wing as btmessage uses it, with the errors of this folder.
///
/// The stored private key is seed ‖ SHA3-256 of the public key: Apple's integrity-checked form.
enum BTMessageXWing {
    static let publicKeyLength = XWing.publicKeyLength
    static let ciphertextLength = XWing.ciphertextLength

    /// The secret in a ciphertext. One that was made for another key gives another secret, not an error.
    static func secret(_ ciphertext: [UInt8], seed: borrowing SecretBytes) throws(RelatedFailure) -> SecretBytes {
        do throws(PostQuantumError) {
            return try XWing.decapsulate(ciphertext.span, seed: seed)
        } catch {
            throw RelatedFailure(error)
        }
    }

    /// A fresh secret for the owner of a public key, and the ciphertext that brings it to him.
    static func encapsulate(
        to publicKey: [UInt8], _ random: RandomSource
    ) throws(RelatedFailure) -> (secret: RelatedSecret, ciphertext: [UInt8]) {
        do throws(PostQuantumError) {
            let made = try XWing.encapsulate(to: publicKey.span, random: random)
            do throws(SecretMemoryError) {
                return (RelatedSecret(try made.secret.copy()), made.ciphertext)
            } catch {
                throw .memory(error)
            }
        } catch {
            throw RelatedFailure(error)
        }
    }

    /// The seed of the stored form, and its public key, whose hash stands behind it.
    static func read(
        _ stored: borrowing SecretBytes
    ) throws(RelatedKeyError) -> (seed: RelatedSecret, publicKey: [UInt8]) {
        let seed: RelatedSecret
        do throws(CheckedSeedError) {
            seed = RelatedSecret(try CheckedSeed.read(stored, as: .xwing))
        } catch {
            switch error {
            case .length(let expected, let found): throw .keyLength(.xwing, expected: expected, found: found)
            case .mismatch: throw .hashDiffers
            case .memory: throw .memory
            case .libraryFailure: throw .libraryFailure
            }
        }
        do throws(PostQuantumError) {
            return (seed, try XWing.publicKey(ofSeed: seed.bytes))
        } catch {
            throw .libraryFailure
        }
    }
}

extension RelatedFailure {
    fileprivate init(_ error: PostQuantumError) {
        switch error {
        case .smallOrder, .publicKeyNotReduced, .publicKeyLength: self = .badPublicKey
        case .memory: self = .memory
        default: self = .libraryFailure
        }
    }
}
