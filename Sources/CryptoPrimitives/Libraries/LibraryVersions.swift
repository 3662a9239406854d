import CArgon2
import CLibcrypto
import CSodium
import CUtf8proc

/// Versions of the C libraries in use, as each tells them at run time.
package enum LibraryVersions {
    /// For example `1.0.18`.
    package static var sodium: String { unsafe text(sodium_version_string()) }

    /// OpenSSL's libcrypto, for example `3.0.17`.
    package static var openssl: String { unsafe text(OpenSSL_version(OPENSSL_VERSION_STRING)) }

    /// The version of the Argon2 algorithm, `0x13`: libargon2 does not tell its own release.
    package static var argon2: String { "0x" + String(ARGON2_VERSION_NUMBER.rawValue, radix: 16) }

    /// For example `2.6.0`.
    package static var utf8proc: String { unsafe text(utf8proc_version()) }

    private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
        guard let pointer = unsafe pointer else { return "unknown" }
        return unsafe String(cString: pointer)
    }
}
