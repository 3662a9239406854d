import SophaxCore

/// What can be said of a bundle from outside: whose it is, what its signature is over, how old it is by a clock.
package struct PreKeyJudgement: Sendable {
    /// Nil when the signature is none.
    package let signatureForm: PreKeySignatureForm?
    /// Of the ML-DSA key in the bundle itself.
    package let postQuantumSignature: PostQuantumSignatureState
    /// Whether the message around the bundle is signed by the bundle's own key; nil without a message.
    package let messageIsSigned: Bool?
    package let age: PreKeyBundleAge
    /// Ids that the text claims, and whether they belong to the keys.
    package let peerIDs: [(name: String, id: PeerID, fits: Bool)]
    package let findings: [PreKeyFinding]

    /// The most bytes of a picture that the apps send along.
    package static let avatarCeiling = 8_192

    /// Judges `file` at `now`, seconds since 1970.
    package init(of file: PreKeyBundleFile, now: Double) {
        let bundle = file.bundle
        signatureForm = bundle.signatureForm
        postQuantumSignature = bundle.postQuantumSignature
        messageIsSigned = file.message?.isSigned(
            by: bundle.identityKeys.signing, neighbouringSeconds: true)
        age = PreKeyBundleAge(of: bundle.unixTime, at: now)
        peerIDs = file.claimedPeerIDs.map { (name: $0.name, id: $0.id, fits: bundle.fits($0.id)) }
        var findings: [PreKeyFinding] = []
        if signatureForm == nil { findings.append(PreKeyFinding(.signatureInvalid)) }
        if messageIsSigned == false { findings.append(PreKeyFinding(.messageSignatureInvalid)) }
        for peerID in peerIDs where !peerID.fits {
            findings.append(PreKeyFinding(.peerIDMismatch, "\(peerID.name) \(peerID.id.text)"))
        }
        for key in bundle.weakKeys {
            findings.append(PreKeyFinding(.weakKey, bundle.name(of: key)))
        }
        findings += Self.postQuantum(bundle.extras, postQuantumSignature)
        findings += Self.time(file, age)
        if signatureForm == .keyOnly { findings.append(PreKeyFinding(.timeNotSigned)) }
        if bundle.oneTimePreKey == nil { findings.append(PreKeyFinding(.noOneTimePreKey)) }
        if bundle.signedPreKey.id == 0 || bundle.oneTimePreKey?.id == 0 {
            findings.append(PreKeyFinding(.idNotMadeByApps, "0"))
        }
        findings += Self.lengths(bundle.extras)
        self.findings = findings
    }

    private static func time(_ file: PreKeyBundleFile, _ age: PreKeyBundleAge) -> [PreKeyFinding] {
        var findings: [PreKeyFinding] = []
        if age.isInFuture { findings.append(PreKeyFinding(.clockSkew)) }
        if file.bundle.platform == .ios {
            if age.isRefusedByAll {
                findings.append(PreKeyFinding(.stale))
            } else if !age.isAccepted(.hour, .pastOnly) {
                findings.append(PreKeyFinding(.staleForLaterApps))
            }
        }
        let now = file.bundle.unixTime + age.seconds
        if let expiry = file.linkExpiry, expiry + PreKeyBundle.epoch2001 <= now {
            findings.append(PreKeyFinding(.linkExpired))
        }
        return findings
    }

    private static func postQuantum(
        _ extras: PreKeyBundle.Extras, _ signature: PostQuantumSignatureState
    ) -> [PreKeyFinding] {
        var findings: [PreKeyFinding] = []
        if signature == .half {
            let present =
                extras.mldsaPublicKey == nil ? "the signature without the key" : "the key without the signature"
            findings.append(PreKeyFinding(.halfPostQuantumSignature, present))
        }
        if signature == .invalid { findings.append(PreKeyFinding(.postQuantumSignatureInvalid)) }
        if let key = extras.postQuantumPreKey {
            findings.append(
                PreKeyFinding(
                    PostQuantumPreKeyPair.isPublicKey(key.span) ? .postQuantumNotSigned : .postQuantumKeyInvalid))
        } else if extras.postQuantumPreKeyID != nil {
            findings.append(PreKeyFinding(.postQuantumKeyInvalid, "a number without a key"))
        } else if signature == .valid {
            findings.append(PreKeyFinding(.postQuantumKeyMissing))
        }
        return findings
    }

    private static func lengths(_ extras: PreKeyBundle.Extras) -> [PreKeyFinding] {
        let lengths: [(String, [UInt8]?, Int)] = [
            ("ML-KEM prekey", extras.postQuantumPreKey, PostQuantumPreKeyPair.publicKeyLength),
            ("ML-DSA key", extras.mldsaPublicKey, PostQuantumSigningKey.publicKeyLength),
            ("ML-DSA signature", extras.mldsaSignature, PostQuantumSigningKey.signatureLength),
            ("TLS certificate fingerprint", extras.tlsCertificateFingerprint, 32),
        ]
        var findings = lengths.compactMap { name, bytes, expected in
            bytes.flatMap { $0.count == expected ? nil : $0.count }.map { found in
                PreKeyFinding(.unusualLength, "\(name): \(found) bytes in place of \(expected)")
            }
        }
        if let avatar = extras.avatar, avatar.count > avatarCeiling {
            findings.append(PreKeyFinding(.unusualLength, "picture: \(avatar.count) bytes, more than \(avatarCeiling)"))
        }
        return findings
    }
}

extension PreKeyBundle {
    /// Which of the bundle's X25519 keys it is.
    fileprivate func name(of key: [UInt8]) -> String {
        if key == identityKeys.dh { return "DH identity key" }
        return key == signedPreKey.key ? "signed prekey" : "one-time prekey"
    }
}
