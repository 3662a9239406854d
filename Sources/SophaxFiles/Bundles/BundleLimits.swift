/// What a bundle may ask for before its passphrase is proven, and the work factors that its kind fixes.
///
/// Callers pass `BundleLimits.standard`; tests pass lower numbers, so that thousands of files can be opened.
package struct BundleLimits: Hashable, Sendable {
    /// The most PBKDF2 iterations taken from a file. The apps set no limit: a crafted file makes them compute for
    /// hours. Ten million take about five seconds.
    package var iterationCeiling: UInt32 = 10_000_000

    /// The largest file that is read into memory, in bytes. The formats are one AES-GCM message, so there is no
    /// reading them in pieces; offsets inside are 32-bit.
    package var sizeCeiling = 2_000_000_000

    /// PBKDF2 iterations of a backup between the HKDF version and the newest. Format: SophaxChat 3.3.2.
    package var olderBackupIterations: UInt32 = 600_000

    /// PBKDF2 iterations of the newest backup version.
    package var backupIterations: UInt32 = 720_000

    /// PBKDF2 iterations of an identity export of version 1, which has no field for them. Format: SophaxChat 3.2.1.
    package var firstIdentityIterations: UInt32 = 600_000

    /// PBKDF2 iterations of the Android backup. Format: SophaxChat 3.5.
    package var androidIterations: UInt32 = 100_000

    package init() {}

    /// The limits of the released program.
    package static let standard = BundleLimits()
}
