/// What one kind of app does with an export. Format: SophaxChat 1, 3.
package struct AppSupport: Hashable, Sendable {
    /// Whether the app opens the file.
    package enum Verdict: String, Hashable, Sendable {
        case opens
        case refuses
        /// Only if the key was made in its own way, which the file does not tell.
        case depends
    }

    /// Which app, in words that fit behind "in".
    package let app: String
    package let verdict: Verdict
    /// Why not, or on what it depends, or what is lost.
    package let reason: String?

    private init(_ app: String, _ verdict: Verdict, _ reason: String? = nil) {
        self.app = app
        self.verdict = verdict
        self.reason = reason
    }

    /// What the apps do with a file; of a backup this is only certain with the derivation that fits its key.
    package static func of(_ header: BundleHeader, derivation: BundleKeyDerivation? = nil) -> [AppSupport] {
        switch header.kind {
        case .identity where header.version == 1:
            [
                AppSupport("the first iPhone apps with identity export", .opens),
                AppSupport("later iPhone apps", .refuses, "they read version 2 only, and call the file corrupt"),
            ]
        case .identity, .fullExport:
            ofVersioned(header)
        case .backup:
            backupApps.map { app, own in
                guard let derivation else {
                    return AppSupport(app, .depends, "opens if its key is made by \(own.name)")
                }
                let reason = "it would say that the passphrase is wrong"
                return derivation == own ? AppSupport(app, .opens) : AppSupport(app, .refuses, reason)
            }
        case .android:
            [
                AppSupport("the Android app", .opens, "it takes the messages only"),
                AppSupport("iPhone apps", .refuses, "they know no such file"),
            ]
        }
    }

    private static func ofVersioned(_ header: BundleHeader) -> [AppSupport] {
        if header.isBelowIterationFloor, let floor = header.kind.iterationFloor {
            return [AppSupport("every iPhone app", .refuses, "it wants \(floor) iterations at least")]
        }
        if header.kind == .fullExport {
            return [AppSupport("iPhone apps with full export", .opens, "they do not restore its contacts")]
        }
        return [
            AppSupport("iPhone apps with identity export of version 2", .opens),
            AppSupport("the first iPhone apps with identity export", .refuses, "they read version 1 only"),
        ]
    }

    /// Each version of the app knows its own key derivation and no other.
    private static let backupApps: [(String, BundleKeyDerivation)] = [
        ("the first iPhone apps with backup", .hkdf),
        ("the iPhone apps after them", .pbkdf2(iterations: BundleLimits.standard.olderBackupIterations)),
        ("newer iPhone apps", .pbkdf2(iterations: BundleLimits.standard.backupIterations)),
    ]
}
