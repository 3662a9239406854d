/// What a bundle must be for a session to begin with it. App versions differ, so the caller chooses.
public struct BundleRequirements: Hashable, Sendable {
    /// How old a bundle may be, and by which clock.
    public struct AgeLimit: Hashable, Sendable {
        public var limit: PreKeyBundleAge.Limit
        public var rule: PreKeyBundleAge.Rule
        /// Seconds since 1970-01-01T00:00:00Z.
        public var now: Double

        public init(limit: PreKeyBundleAge.Limit, rule: PreKeyBundleAge.Rule, now: Double) {
            self.limit = limit
            self.rule = rule
            self.now = now
        }
    }

    /// What is asked of the ML-DSA signature beside the Ed25519 one.
    public enum PostQuantumSignatureRule: Hashable, Sendable {
        /// Not verified, as app versions do that cannot; key and signature must be there both or neither.
        case bothOrNeither
        /// Verified where it is there.
        case whenPresent
        /// There, and verified. It is the bundle's own key that verifies it: see `PreKeyBundle.postQuantumSignature`.
        case required
    }

    /// What the signature may be over.
    public var signatureForms: Set<PreKeySignatureForm>

    /// Nil takes a bundle of any age, for what was captured.
    public var age: AgeLimit?

    public var postQuantumSignature: PostQuantumSignatureRule

    public init(
        signatureForms: Set<PreKeySignatureForm>, age: AgeLimit?,
        postQuantumSignature: PostQuantumSignatureRule = .whenPresent
    ) {
        self.signatureForms = signatureForms
        self.age = age
        self.postQuantumSignature = postQuantumSignature
    }

    /// What the newest iOS app asks for where a session begins: the time is signed, and not in the future nor an hour ago.
    public static func newest(now: Double) -> BundleRequirements {
        BundleRequirements(
            signatureForms: [.keysAndTime], age: AgeLimit(limit: .hour, rule: .pastOnly, now: now))
    }

    /// A good signature of any form, and any age.
    public static let anyAge = BundleRequirements(signatureForms: Set(PreKeySignatureForm.allCases), age: nil)

    /// Judges a bundle. An ML-DSA key and a signature by it are there both or neither. Format: SophaxChat 8.1.
    func check(_ bundle: PreKeyBundle) throws(X3DHError) {
        // The newest form first: each try costs as much as a DH.
        let isAccepted = PreKeySignatureForm.allCases.reversed().contains { form in
            signatureForms.contains(form) && bundle.isSigned(in: form)
        }
        guard isAccepted else {
            throw bundle.signatureForm.map { .signatureFormRefused($0) } ?? .badSignature
        }
        guard (bundle.extras.mldsaPublicKey == nil) == (bundle.extras.mldsaSignature == nil) else {
            throw .halfPostQuantumSignature
        }
        if postQuantumSignature != .bothOrNeither {
            switch bundle.postQuantumSignature {
            case .valid: break
            case .none: if postQuantumSignature == .required { throw .postQuantumSignatureMissing }
            case .half, .invalid: throw .badPostQuantumSignature
            }
        }
        guard let age else { return }
        let found = PreKeyBundleAge(of: bundle.unixTime, at: age.now)
        guard found.isAccepted(age.limit, age.rule) else { throw .bundleAge(seconds: found.seconds) }
    }
}
