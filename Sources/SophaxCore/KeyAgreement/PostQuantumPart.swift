import CryptoPrimitives

/// Whether an agreement is to have a post-quantum part.
public enum PostQuantumChoice: Hashable, Sendable, CaseIterable {
    /// A classical agreement, whatever the bundle offers: for peers with earlier apps.
    case never
    /// A hybrid one with whoever offers an ML-KEM key. Who changes a bundle on its way can take the offer out unseen, for no
    /// signature is over it.
    case whenOffered
    /// No session without one.
    case required
}

/// The post-quantum part of an initiator's agreement: an ML-KEM-768 secret and what the receiver needs to find it.
package struct PostQuantumPart: ~Copyable, Sendable {
    /// 32 bytes.
    let secret: SecretBytes
    /// ML-KEM-768 ciphertext, 1,088 bytes.
    let encapsulatedKey: [UInt8]
    /// The receiver's ML-KEM prekey, as its bundle has it; nil for the identity's own ML-KEM key.
    let preKeyID: UInt32?

    package init(secret: consuming SecretBytes, encapsulatedKey: [UInt8], preKeyID: UInt32?) {
        self.secret = secret
        self.encapsulatedKey = encapsulatedKey
        self.preKeyID = preKeyID
    }

    /// Makes a secret for the ML-KEM key that a bundle offers; nil where none is offered or wanted.
    static func make(
        for bundle: PreKeyBundle, _ choice: PostQuantumChoice, random: RandomSource?
    ) throws(X3DHError) -> PostQuantumPart? {
        guard choice != .never else { return nil }
        guard let key = bundle.extras.postQuantumPreKey else {
            // A number without a key: something of the offer was lost.
            guard bundle.extras.postQuantumPreKeyID == nil else { throw .badPostQuantumKey }
            guard choice != .required else { throw .postQuantumNotOffered }
            return nil
        }
        do throws(PostQuantumError) {
            let made = try MLKEM768.encapsulate(to: key.span, random: random ?? .system)
            let ciphertext = made.ciphertext
            return PostQuantumPart(
                secret: made.takeSecret(), encapsulatedKey: ciphertext, preKeyID: bundle.extras.postQuantumPreKeyID)
        } catch {
            throw X3DHError(error)
        }
    }
}

extension X3DHError {
    init(_ error: PostQuantumError) {
        switch error {
        case .publicKeyLength, .publicKeyNotReduced: self = .badPostQuantumKey
        case .ciphertextLength(_, let found): self = .postQuantumCiphertextLength(found: found)
        case .memory(let memory): self = .memory(memory)
        default: self = .libraryFailure
        }
    }
}
