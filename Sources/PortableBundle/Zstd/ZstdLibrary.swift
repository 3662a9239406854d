import CZstd

/// The compression library that is linked.
package enum ZstdLibrary {
    /// Its version, such as "1.5.4".
    package static var version: String {
        let number = ZSTD_versionNumber()
        return "\(number / 10_000).\(number / 100 % 100).\(number % 100)"
    }
}
