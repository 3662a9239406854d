import JSONCoding

/// Writes a bundle as JSON for the apps. Format: SophaxChat 8.1 and 2.1.
package enum PreKeyBundleText {
    /// One object without spaces, for the iOS apps. Keys that the bundle does not have are left out, as the app leaves them out; `/` is not
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
        text.add("tcpAddress", text: bundle.extras.tcpAddress)
        add(bundle.extras, to: &text)
        return text.finished
    }

    /// The same for the Android apps: the peer id, which has 16 digits there, stands in it, the time is text, and a one-time
    /// prekey or an address that is missing is null. What only iOS has stays, for the apps pass over it.
    package static func androidJSON(_ bundle: PreKeyBundle) -> [UInt8] {
        let none = Array("null".utf8)
        let extras = bundle.extras
        var text = JSONObjectText()
        text.add("peerID", text: (bundle.claimedPeerID ?? PeerID(bundle.fingerprint, form: .hex16)).bytes)
        text.add("username", text: bundle.username)
        text.add("signingKeyPublic", data: bundle.identityKeys.signing)
        text.add("dhIdentityKeyPublic", data: bundle.identityKeys.dh)
        text.add("signedPreKeyPublic", data: bundle.signedPreKey.key)
        text.add("signedPreKeyId", integer: bundle.signedPreKey.id)
        text.add("signedPreKeySignature", data: bundle.signature)
        if let oneTime = bundle.oneTimePreKey {
            text.add("oneTimePreKeyPublic", data: oneTime.key)
            text.add("oneTimePreKeyId", integer: oneTime.id)
        } else {
            text.add("oneTimePreKeyPublic", json: none)
            text.add("oneTimePreKeyId", json: none)
        }
        // A time that no calendar has cannot come from Android's text.
        if let time = WireDate(androidSecondsSince2001: bundle.timestamp) {
            text.add("timestamp", date: time)
        } else {
            text.add("timestamp", number: bundle.timestamp)
        }
        if let address = extras.tcpAddress {
            text.add("tcpAddress", text: address)
        } else {
            text.add("tcpAddress", json: none)
        }
        add(extras, to: &text)
        return text.finished
    }

    /// What only some versions send, without the address.
    private static func add(_ extras: PreKeyBundle.Extras, to text: inout JSONObjectText) {
        text.add("avatarData", data: extras.avatar)
        text.add("mlsKeyPackage", data: extras.mlsKeyPackage)
        text.add("pqPreKeyPublic", data: extras.postQuantumPreKey)
        text.add("pqPreKeyId", integer: extras.postQuantumPreKeyID)
        text.add("mldsaPublicKey", data: extras.mldsaPublicKey)
        text.add("mldsaSPKSignature", data: extras.mldsaSignature)
        text.add("tlsCertFingerprint", data: extras.tlsCertificateFingerprint)
    }

    /// The shortest decimal number that reads back as `value`, whole numbers without a point, as Foundation writes it.
    package static func number(_ value: Double) -> String { JSONObjectText.number(value) }
}
