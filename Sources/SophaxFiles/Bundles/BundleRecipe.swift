/// Which export is to be written: kind, version byte, and how the key is made.
package struct BundleRecipe: Hashable, Sendable {
    package let kind: BundleKind
    /// Byte 4; Android has none.
    package let version: UInt8
    package let derivation: BundleKeyDerivation

    private init(_ kind: BundleKind, version: UInt8, _ derivation: BundleKeyDerivation) {
        self.kind = kind
        self.version = version
        self.derivation = derivation
    }

    /// SXID v2, the one that apps read.
    package static func identity(_ limits: BundleLimits = .standard) -> BundleRecipe {
        identity(iterations: limits.backupIterations)
    }

    /// SXID v2 with another iteration count; the apps want 600,000 at least.
    package static func identity(iterations: UInt32) -> BundleRecipe {
        BundleRecipe(.identity, version: 2, .pbkdf2(iterations: iterations))
    }

    /// SXID v1, only for the user of an old app.
    package static func firstIdentity(_ limits: BundleLimits = .standard) -> BundleRecipe {
        BundleRecipe(.identity, version: 1, .pbkdf2(iterations: limits.firstIdentityIterations))
    }

    /// SXBK as the newest apps write it.
    package static func backup(_ limits: BundleLimits = .standard) -> BundleRecipe {
        backup(version: 2, .pbkdf2(iterations: limits.backupIterations))
    }

    /// SXBK of an earlier app: any version byte with any key derivation.
    package static func backup(version: UInt8, _ derivation: BundleKeyDerivation) -> BundleRecipe {
        BundleRecipe(.backup, version: version, derivation)
    }

    /// SXFE v1.
    package static func fullExport(_ limits: BundleLimits = .standard) -> BundleRecipe {
        fullExport(iterations: limits.backupIterations)
    }

    /// SXFE v1 with another iteration count; the apps want 100,000 at least.
    package static func fullExport(iterations: UInt32) -> BundleRecipe {
        BundleRecipe(.fullExport, version: 1, .pbkdf2(iterations: iterations))
    }

    /// The Android backup.
    package static func android(_ limits: BundleLimits = .standard) -> BundleRecipe {
        BundleRecipe(.android, version: 0, .pbkdf2(iterations: limits.androidIterations))
    }

    /// Length of the salt of this kind in bytes.
    package var saltLength: Int {
        kind == .android ? 16 : 32
    }

    /// The bytes before the salt: magic, version, and the iteration count where the layout has it.
    var prefix: [UInt8] {
        guard let magic = kind.magic else { return [] }
        var prefix = magic + [version]
        if kind == .fullExport || (kind == .identity && version >= 2), case .pbkdf2(let iterations) = derivation {
            prefix += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: iterations >> $0) }
        }
        return prefix
    }
}
