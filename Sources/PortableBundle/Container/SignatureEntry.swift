import CryptoPrimitives
import SophaxCore

/// The text of `signature.json`, and what it is a signature of (sxkey-formats(5), BUNDLE FILE, signature.json).
struct SignatureEntry: Equatable, Sendable {
    let signer: IdentityPublicKeys
    /// In ascending order of their bytes.
    let recipients: [[UInt8]]
    let signature: [UInt8]

    /// Bytes of the text at most; 64 recipients need 3 KiB.
    static let ceiling = 16_384

    private static let domain = Array("sxkey bundle signature v1\u{0}".utf8)
    private static let keys = ["dh", "recipients", "signature", "signing"]

    init(signer: IdentityPublicKeys, recipients: [[UInt8]], signature: [UInt8]) {
        self.signer = signer
        self.recipients = recipients
        self.signature = signature
    }

    init(parsing text: [UInt8]) throws(SXBSignatureFault) {
        guard text.count <= Self.ceiling, let value = try? HeaderValue(parsing: text), value.keys == Self.keys,
            case .list(let list) = value.member("recipients"), list.count <= SXBFormat.recipientLimit,
            let signing = Self.bytes(value.member("signing"), count: IdentityPublicKeys.keyLength),
            let dh = Self.bytes(value.member("dh"), count: IdentityPublicKeys.keyLength),
            let signature = Self.bytes(value.member("signature"), count: Ed25519.signatureLength),
            let signer = try? IdentityPublicKeys(signing: signing, dh: dh)
        else { throw .malformed }
        var recipients: [[UInt8]] = []
        for element in list {
            guard let key = Self.bytes(element, count: X25519.keyLength) else { throw .malformed }
            if let last = recipients.last, !last.lexicographicallyPrecedes(key) { throw .malformed }
            recipients.append(key)
        }
        self.init(signer: signer, recipients: recipients, signature: signature)
    }

    var text: [UInt8] {
        HeaderValue.object([
            "dh": Self.value(signer.dh),
            "recipients": .list(recipients.map(Self.value)),
            "signature": Self.value(signature),
            "signing": Self.value(signer.signing),
        ]).bytes
    }

    /// What is signed; `digest` is the SHA-256 of the archive before the header of this entry.
    static func message(
        context: [UInt8], digest: [UInt8], signer: IdentityPublicKeys, recipients: [[UInt8]]
    ) -> [UInt8] {
        domain + context + digest + signer.signing + signer.dh
            + BigEndian.bytes(UInt64(recipients.count), count: 4) + recipients.joined()
    }

    func isAuthentic(context: [UInt8], digest: [UInt8]) -> Bool {
        let message = Self.message(context: context, digest: digest, signer: signer, recipients: recipients)
        return Ed25519.isValid(signature: signature.span, for: message.span, publicKey: signer.signing.span)
    }

    private static func value(_ bytes: [UInt8]) -> HeaderValue {
        .text(Array(Base64.encode(bytes.span).utf8))
    }

    private static func bytes(_ value: HeaderValue?, count: Int) -> [UInt8]? {
        guard case .text(let text) = value, let bytes = Base64.decode(text.span), bytes.count == count else {
            return nil
        }
        return bytes
    }
}
