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

    package init(beginning: [UInt8]) {
        if let kind = BundleKind.allCases.first(where: { kind in
            kind.magic.map { beginning.starts(with: $0) } ?? false
        }) {
            self = .bundle(kind)
        } else if let key = TorKeyFile(beginning: beginning) {
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
    /// Both of the app's files say "secret"; only their lengths differ. Tor's own public file says "public".
    package enum Header: Hashable, Sendable {
        case secret, `public`
    }

    package let header: Header

    /// Bytes of the secret file: header 32, expanded key 64.
    package static let secretLength = 96
    /// Bytes of the public file: header 32, public key 32.
    package static let publicLength = 64

    init?(beginning: [UInt8]) {
        if beginning.starts(with: "== ed25519v1-secret: type0 ==".utf8) {
            header = .secret
        } else if beginning.starts(with: "== ed25519v1-public: type0 ==".utf8) {
            header = .public
        } else {
            return nil
        }
    }
}
