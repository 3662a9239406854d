/// What a file is that an identity may be taken from, told by its first bytes.
package enum IdentityFileKind: Hashable, Sendable {
    /// An encrypted export of the apps.
    case bundle(BundleKind)
    /// Keychain items as JSON. Format: SophaxChat 5.1.
    case keychain
    /// A key of a Tor onion service. Format: SophaxChat 6.4.
    case torKey(TorKeyFile)
    case unknown

    /// Bytes that are enough to tell.
    package static let needed = 64

    /// - Parameters:
    ///   - beginning: the first `needed` bytes, or all when there are fewer.
    ///   - size: bytes of the whole file.
    package init(beginning: [UInt8], size: Int) {
        if let kind = BundleKind.allCases.first(where: { kind in
            kind.magic.map { beginning.starts(with: $0) } ?? false
        }) {
            self = .bundle(kind)
        } else if let key = TorKeyFile(beginning: beginning, size: size) {
            self = .torKey(key)
        } else if beginning.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) == UInt8(ascii: "{") {
            self = .keychain
        } else {
            self = .unknown
        }
    }
}

/// A key file of Tor, as the app writes it for its onion service, or as Tor does. Format: SophaxChat 6.4.
///
/// The secret file has the expanded key: SHA-512 of the seed, clamped. The seed cannot be got back from it, and without
/// the seed the apps have no identity.
package struct TorKeyFile: Hashable, Sendable {
    package enum Half: Hashable, Sendable {
        case secret, `public`
    }

    package let half: Half

    /// Bytes of the public file: header 32, public key 32. The secret one has 96.
    private static let publicLength = 64

    /// The app writes the header of the secret file into its public one too, so there only the length tells them apart.
    init?(beginning: [UInt8], size: Int) {
        if beginning.starts(with: "== ed25519v1-secret: type0 ==".utf8) {
            half = size == Self.publicLength ? .public : .secret
        } else if beginning.starts(with: "== ed25519v1-public: type0 ==".utf8) {
            half = .public
        } else {
            return nil
        }
    }
}
