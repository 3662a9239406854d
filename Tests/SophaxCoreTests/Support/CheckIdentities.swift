import CryptoPrimitives
import Testing

@testable import SophaxCore

/// The two identities of the format document's check values (section 12; made there with Python's `cryptography`). The
/// values that it has of the first one only were computed for the second in the same way.
struct CheckIdentity: Sendable, CustomTestStringConvertible {
    let name: String
    let signingSeed: [UInt8]
    let dhPrivate: [UInt8]
    let signingPublic: String
    let dhPublic: String
    let fingerprint: String
    let iosV0: String
    let iosV1: String
    let androidOwn: String
    let onion: String

    var testDescription: String { name }

    func identity() throws -> Identity {
        try Identity(
            signingSeed: SecretBytes(copying: signingSeed.span),
            dhPrivate: SecretBytes(copying: dhPrivate.span),
            username: name
        )
    }

    func publicKeys() throws -> IdentityPublicKeys {
        try IdentityPublicKeys(signing: bytes(hex: signingPublic), dh: bytes(hex: dhPublic))
    }

    static let first = CheckIdentity(
        name: "first",
        signingSeed: Array(0x00...0x1F),
        dhPrivate: Array(0x20...0x3F),
        signingPublic: "03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8",
        dhPublic: "358072d6365880d1aeea329adf9121383851ed21a28e3b75e965d0d2cd166254",
        fingerprint: "3619e750a2dd52ba978807b2a00df56d9ae3354382899ca7fafa482ca86a3528",
        iosV0: "12559 02102 68762 54115 93340 48812",
        iosV1: "23732 18731 48516 33635 18375 82783",
        androidOwn: "08229 10272 49088 09229 50726 37168 22171 45996 36974 01722 60729 27928",
        onion: "aoqqpp7tzyil4hlq3umoos6atft6jvrqtosq2xy53sdgiesvgg4bqead.onion"
    )

    static let second = CheckIdentity(
        name: "second",
        signingSeed: Array(0x40...0x5F),
        dhPrivate: Array(0x60...0x7F),
        signingPublic: "2543b92ff1095511476adc8369db6ddc933665a11978dda1404ee1066ca9559d",
        dhPublic: "675dd574ed7789310b3d2e7681f3790b466c773b1521fecf36577958371ea52f",
        fingerprint: "ce04d757588b607db7dd1e31c428b180cc5546ab68502fce7c625ad53c19041e",
        iosV0: "10549 10610 40971 22178 49695 74064",
        iosV1: "84442 33258 17951 32283 94459 34128",
        androidOwn: "26739 24978 12490 63881 21961 52980 56114 62191 55641 64940 22479 61317",
        onion: "evb3sl7rbfkrcr3k3sbwtw3n3sjtmznbdf4n3ikaj3qqm3fjkwoqp3ad.onion"
    )

    static let both = [first, second]
}

/// The bytes of a text of hex digits.
func bytes(hex text: String) -> [UInt8] {
    let digits = text.utf8.compactMap { UInt8(String(UnicodeScalar($0)), radix: 16) }
    return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}
