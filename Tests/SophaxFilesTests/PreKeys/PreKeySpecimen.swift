import CryptoPrimitives
import SophaxCore

@testable import SophaxFiles

/// Bundles of the format document's first identity, as JSON that tests change.
enum PreKeySpecimen {
    static func identity() throws -> Identity {
        let (signing, dh) = ([UInt8](0..<32), [UInt8](32..<64))
        return try Identity(
            signingSeed: SecretBytes(copying: signing.span), dhPrivate: SecretBytes(copying: dh.span),
            username: "alice")
    }

    /// A bundle signed at `timestamp`.
    static func bundle(
        timestamp: Double = 817_695_221.1040374, form: PreKeySignatureForm = .keysAndTime,
        extras: PreKeyBundle.Extras = PreKeyBundle.Extras(), oneTimeID: UInt64? = 2_117_419_924
    ) throws -> PreKeyBundle {
        let keys = try [UInt8(0x80), 0xA0].map { first in
            let bytes = (0..<32).map { first + UInt8($0) }
            return try X25519.publicKey(of: SecretBytes(copying: bytes.span))
        }
        return try PreKeyBundle(
            signedBy: identity(), signedPreKey: PublicPreKey(id: 1_738_933_701, key: keys[0]),
            oneTimePreKey: oneTimeID.map { try PublicPreKey(id: $0, key: keys[1]) }, timestamp: timestamp,
            extras: extras, form: form)
    }

    static func json(_ bundle: PreKeyBundle) -> String {
        String(decoding: PreKeyBundleText.json(bundle), as: UTF8.self)
    }

    /// The bundle above with one text put in the place of another.
    static func changed(_ old: String, _ new: String) throws -> [UInt8] {
        let text = json(try bundle())
        precondition(text.contains(old), "nothing to change")
        return Array(text.replacing(old, with: new).utf8)
    }

    /// The bundle above as Android writes it, with the older signature.
    static func android(peerID: String = "3619e750a2dd52ba", id: String = "9223372036854775807") throws -> [UInt8] {
        let text = json(try bundle(form: .keyOnly, oneTimeID: nil))
            .replacing(#""timestamp":817695221.1040374"#, with: #""timestamp":"2026-11-30T01:33:41+0000""#)
            .replacing(#""signedPreKeyId":1738933701"#, with: #""signedPreKeyId":\#(id)"#)
        let nulls = #""peerID":"\#(peerID)","oneTimePreKeyPublic":null,"oneTimePreKeyId":null,"tcpAddress":null,"#
        return Array(text.replacing("{", with: "{" + nulls).utf8)
    }
}

/// `bytes` in base64.
func base64(_ bytes: [UInt8]) -> String { Base64.encode(bytes.span) }
