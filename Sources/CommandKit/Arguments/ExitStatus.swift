/// How a command ended; the numbers are promised to scripts.
package enum ExitStatus: Int32, Hashable, Sendable, CaseIterable {
    case success = 0
    case failure = 1
    case usage = 2
    case someDamaged = 3
    case unreadable = 4
    case wrongSecret = 5
    case newerVersion = 6
    case locked = 7
    case finding = 8
    case wouldOverwrite = 9
    case notFound = 10
    case interrupted = 130
    case closedPipe = 141
    case terminated = 143

    /// The word for it in JSON.
    package var name: String {
        switch self {
        case .success: "success"
        case .failure: "failure"
        case .usage: "usage"
        case .someDamaged: "some-damaged"
        case .unreadable: "unreadable"
        case .wrongSecret: "wrong-secret"
        case .newerVersion: "newer-version"
        case .locked: "locked"
        case .finding: "finding"
        case .wouldOverwrite: "would-overwrite"
        case .notFound: "not-found"
        case .interrupted: "interrupted"
        case .closedPipe: "closed-pipe"
        case .terminated: "terminated"
        }
    }

    /// What it means, for help and man pages.
    package var meaning: String {
        switch self {
        case .success: "all is well"
        case .failure: "it failed for a reason that has no number of its own"
        case .usage: "the command line is wrong"
        case .someDamaged: "some items are damaged, missing or skipped, and the rest is proven; the counts say which"
        case .unreadable: "nothing is readable: damaged, truncated, or not a known format"
        case .wrongSecret: "wrong passphrase or key, or damage that cannot be told from it"
        case .newerVersion: "made by a newer version"
        case .locked: "locked by another process"
        case .finding: "all is authentic, but something is wrong with it"
        case .wouldOverwrite: "the output exists already"
        case .notFound: "not found"
        case .interrupted: "interrupted (SIGINT)"
        case .closedPipe: "the reader of the output went away"
        case .terminated: "terminated (SIGTERM)"
        }
    }

    /// The one to exit with when both apply: a wrong secret, then nothing readable, then damage, then a finding, then the rest.
    package func combined(with other: ExitStatus) -> ExitStatus {
        rank <= other.rank ? self : other
    }

    private var rank: Int {
        switch self {
        case .interrupted, .terminated, .closedPipe: 0
        case .usage: 1
        case .wrongSecret: 2
        case .unreadable: 3
        case .someDamaged: 4
        case .finding: 5
        case .newerVersion, .locked, .wouldOverwrite, .notFound: 6
        case .failure: 7
        case .success: 8
        }
    }
}
