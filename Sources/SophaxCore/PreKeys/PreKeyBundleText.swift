import JSONCoding

/// Writes a bundle as JSON for the iOS apps. Format: SophaxChat 8.1 and 2.1.
package enum PreKeyBundleText {
    /// One object without spaces. Keys that the bundle does not have are left out, as the app leaves them out; `/` is not
    /// escaped, which the app's decoder takes as well. The number of the timestamp reads back as the same double.
    package static func json(_ bundle: PreKeyBundle) -> [UInt8] {
        var text = JSONObjectText()
        text.add("signingKeyPublic", data: bundle.identityKeys.signing)
        text.add("dhIdentityKeyPublic", data: bundle.identityKeys.dh)
        text.add("signedPreKeyPublic", data: bundle.signedPreKey.key)
        text.add("signedPreKeyId", integer: bundle.signedPreKey.id)
        text.add("signedPreKeySignature", data: bundle.signature)
        text.add("oneTimePreKeyPublic", data: bundle.oneTimePreKey?.key)
        text.add("oneTimePreKeyId", integer: bundle.oneTimePreKey?.id)
        text.add("username", text: bundle.username)
        text.add("timestamp", number: bundle.timestamp)
        let extras = bundle.extras
        text.add("tcpAddress", text: extras.tcpAddress)
        text.add("avatarData", data: extras.avatar)
        text.add("mlsKeyPackage", data: extras.mlsKeyPackage)
        text.add("pqPreKeyPublic", data: extras.postQuantumPreKey)
        text.add("pqPreKeyId", integer: extras.postQuantumPreKeyID)
        text.add("mldsaPublicKey", data: extras.mldsaPublicKey)
        text.add("mldsaSPKSignature", data: extras.mldsaSignature)
        text.add("tlsCertFingerprint", data: extras.tlsCertificateFingerprint)
        return text.finished
    }

    /// The shortest decimal number that reads back as `value`, whole numbers without a point, as Foundation writes it.
    package static func number(_ value: Double) -> String { JSONObjectText.number(value) }
}
