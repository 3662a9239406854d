import CryptoPrimitives

/// The same with pairs that are there: a value that cannot be copied is not lent as an optional one.
extension X3DH {
    /// Answers the request of a first message that names no one-time prekey, see `respond`.
    public static func respond(
        identity: borrowing Identity, to request: SessionRequest, signedPreKey: borrowing PreKeyPair,
        requirements: BundleRequirements, expected: Fingerprint? = nil,
        postQuantumKey: borrowing PostQuantumPreKeyPair? = nil, requiresPostQuantum: Bool = false
    ) throws(X3DHError) -> AcceptedSession {
        let signed: PreKeyPair? = try copy(of: signedPreKey)
        return try respond(
            identity: identity, to: request, signedPreKey: signed, oneTimePreKey: nil, requirements: requirements,
            expected: expected, postQuantumKey: postQuantumKey, requiresPostQuantum: requiresPostQuantum)
    }

    /// Answers the request of a first message with both prekeys that it names, see `respond`.
    public static func respond(
        identity: borrowing Identity, to request: SessionRequest, signedPreKey: borrowing PreKeyPair,
        oneTimePreKey: borrowing PreKeyPair, requirements: BundleRequirements, expected: Fingerprint? = nil,
        postQuantumKey: borrowing PostQuantumPreKeyPair? = nil, requiresPostQuantum: Bool = false
    ) throws(X3DHError) -> AcceptedSession {
        let signed: PreKeyPair? = try copy(of: signedPreKey)
        let oneTime: PreKeyPair? = try copy(of: oneTimePreKey)
        return try respond(
            identity: identity, to: request, signedPreKey: signed, oneTimePreKey: oneTime,
            requirements: requirements, expected: expected, postQuantumKey: postQuantumKey,
            requiresPostQuantum: requiresPostQuantum)
    }

    private static func copy(of pair: borrowing PreKeyPair) throws(X3DHError) -> PreKeyPair {
        do throws(PreKeyError) {
            return try pair.copy()
        } catch {
            if case .memory(let memory) = error { throw .memory(memory) }
            throw .libraryFailure
        }
    }
}
