import CryptoPrimitives

/// Numbers of the bundle file, version 1 (sxkey-formats(5), BUNDLE FILE).
package enum SXBFormat {
    static let magic = Array("SXB2".utf8)
    /// What every such file begins with.
    package static var beginning: [UInt8] { magic }
    package static let version = 1

    /// Magic, version, and the length of the header.
    static let startLength = 9
    /// The JSON header; a file with a longer one is refused before it is read.
    package static let headerCeiling = 65_536
    static let codeLength = 32
    static let digestLength = 32

    static let trailerMagic = Array("SXB2END".utf8)
    static let trailerLength = 16

    static let bundleIDLength = 32
    static let fileKeyLength = 32

    /// Passphrases of one bundle: each try derives all of them.
    package static let passphraseLimit = 4
    /// Recipients of one bundle, those of unknown types included.
    package static let recipientLimit = 64

    /// Bytes of the manifest.
    package static let manifestCeiling = Manifest.ceiling
    /// Entries behind the manifest.
    package static let entryLimit = Manifest.maximumEntries
    /// What entries may be together: this plus `expansion` times the payload. A writer stays below half of both, so that
    /// whatever it writes can be read.
    package static let expansionFloor: UInt64 = 1 << 30
    package static let expansion: UInt64 = 1024
    /// Bytes of one entry: 1 TiB.
    package static let entrySizeCeiling = 1 << 40

    /// The largest window of a frame, as a power of two.
    static let windowLogCeiling = 23
}
