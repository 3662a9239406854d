import CryptoPrimitives
import JSONCoding
import SophaxCore

/// A key that several owners share. A class, since `SecretBytes` cannot be copied.
package final class RelatedSecret: Sendable {
    package let bytes: SecretBytes

    package init(_ bytes: consuming SecretBytes) {
        self.bytes = bytes
    }
}

/// Why a file gives no key of a related app.
package enum RelatedKeyError: Error, Equatable, Sendable {
    case empty
    case tooLarge(limit: Int)
    /// A property list, binary or XML.
    case propertyList
    /// None of the known forms.
    case unknownForm
    /// JSON without anything that is known.
    case noKeys
    case format(FormatError)
    /// The peer id is no upper-case UUID of version 4.
    case notAPeerID
    case keyLength(RelatedKeyKind, expected: Int, found: Int)
    /// The hash behind the seed is not that of its public key: the item is damaged.
    case hashDiffers
    /// The public key beside a private one is another's.
    case publicKeyDiffers
    /// The number is no private key of the curve.
    case notAPrivateKey
    case notPKCS8
    case otherCurve
    /// `EC PRIVATE KEY` or another structure than PKCS#8.
    case otherPEM
    /// PKCS#8 under a passphrase.
    case encryptedPEM
    case tooMany(limit: Int)
    case memory
    case libraryFailure

    init(_ error: P256Error) {
        switch error {
        case .privateKeyLength(let found):
            self = .keyLength(.privateKey, expected: P256.privateKeyLength, found: found)
        case .notAPrivateKey: self = .notAPrivateKey
        case .notPKCS8: self = .notPKCS8
        case .otherCurve: self = .otherCurve
        case .publicKeyDiffers: self = .publicKeyDiffers
        case .memory: self = .memory
        case .notAPoint, .libraryFailure: self = .libraryFailure
        }
    }
}
