import CryptoPrimitives
import SophaxCore

/// Writes a bundle as JSON for the iOS apps. Format: SophaxChat 8.1 and 2.1.
package enum PreKeyBundleText {
    /// One object without spaces. Keys that the bundle does not have are left out, as the app leaves them out; `/` is not
    /// escaped, which the app's decoder takes as well. The number of the timestamp reads back as the same double.
    package static func json(_ bundle: PreKeyBundle) -> [UInt8] {
        var text = Members()
        text.add("signingKeyPublic", data: bundle.identityKeys.signing)
        text.add("dhIdentityKeyPublic", data: bundle.identityKeys.dh)
        text.add("signedPreKeyPublic", data: bundle.signedPreKey.key)
        text.add("signedPreKeyId", number: String(bundle.signedPreKey.id))
        text.add("signedPreKeySignature", data: bundle.signature)
        if let oneTime = bundle.oneTimePreKey {
            text.add("oneTimePreKeyPublic", data: oneTime.key)
            text.add("oneTimePreKeyId", number: String(oneTime.id))
        }
        text.add("username", text: bundle.username)
        text.add("timestamp", number: number(bundle.timestamp))
        let extras = bundle.extras
        if let address = extras.tcpAddress { text.add("tcpAddress", text: address) }
        text.add("avatarData", data: extras.avatar)
        text.add("mlsKeyPackage", data: extras.mlsKeyPackage)
        text.add("pqPreKeyPublic", data: extras.postQuantumPreKey)
        if let id = extras.postQuantumPreKeyID { text.add("pqPreKeyId", number: String(id)) }
        text.add("mldsaPublicKey", data: extras.mldsaPublicKey)
        text.add("mldsaSPKSignature", data: extras.mldsaSignature)
        text.add("tlsCertFingerprint", data: extras.tlsCertificateFingerprint)
        return text.finished
    }

    /// The shortest decimal number that reads back as `value`, whole numbers without a point, as Foundation writes it.
    static func number(_ value: Double) -> String {
        let text = value.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    private struct Members {
        private var bytes: [UInt8] = [UInt8(ascii: "{")]

        var finished: [UInt8] { bytes + [UInt8(ascii: "}")] }

        mutating func add(_ key: String, data: [UInt8]?) {
            if let data { add(key, text: Array(Base64.encode(data.span).utf8)) }
        }

        mutating func add(_ key: String, text: [UInt8]) {
            begin(key)
            JSONText.appendQuoted(text, to: &bytes)
        }

        mutating func add(_ key: String, number: String) {
            begin(key)
            bytes += Array(number.utf8)
        }

        private mutating func begin(_ key: String) {
            if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
            JSONText.appendQuoted(Array(key.utf8), to: &bytes)
            bytes.append(UInt8(ascii: ":"))
        }
    }
}
