/// Something about a bundle that its reader should know. The code is promised to scripts.
package struct PreKeyFinding: Equatable, Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        // Risk: exit status 8.
        case signatureInvalid = "signature-invalid"
        case messageSignatureInvalid = "message-signature-invalid"
        case peerIDMismatch = "peer-id-mismatch"
        case weakKey = "weak-key"
        case halfPostQuantumSignature = "half-post-quantum-signature"
        case postQuantumSignatureInvalid = "post-quantum-signature-invalid"
        case postQuantumKeyInvalid = "post-quantum-key-invalid"
        case stale
        case linkExpired = "link-expired"
        // Notes: exit status 0.
        case staleForLaterApps = "stale-for-later-apps"
        case clockSkew = "clock-skew"
        case timeNotSigned = "time-not-signed"
        case noOneTimePreKey = "no-one-time-prekey"
        case idNotMadeByApps = "id-not-made-by-apps"
        case postQuantumNotSigned = "post-quantum-not-signed"
        case postQuantumKeyMissing = "post-quantum-key-missing"
        case unusualLength = "unusual-length"

        package var isRisk: Bool {
            switch self {
            case .signatureInvalid, .messageSignatureInvalid, .peerIDMismatch, .weakKey, .halfPostQuantumSignature,
                .postQuantumSignatureInvalid, .postQuantumKeyInvalid, .stale, .linkExpired:
                true
            case .staleForLaterApps, .clockSkew, .timeNotSigned, .noOneTimePreKey, .idNotMadeByApps,
                .postQuantumNotSigned, .postQuantumKeyMissing, .unusualLength:
                false
            }
        }

        /// About the time only: another clock would judge otherwise.
        package var dependsOnClock: Bool {
            switch self {
            case .stale, .linkExpired, .staleForLaterApps, .clockSkew: true
            default: false
            }
        }
    }

    package let kind: Kind
    /// What exactly, in plain words; nil where the kind says it all.
    package let detail: String?

    package init(_ kind: Kind, _ detail: String? = nil) {
        self.kind = kind
        self.detail = detail
    }
}
