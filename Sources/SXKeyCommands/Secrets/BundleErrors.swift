import CommandKit
import SophaxFiles
import SystemIO

extension CommandError {
    static func bundle(_ error: BundleError, _ path: FilePath) -> ErrorMessage {
        let cannot: TerminalText = "cannot open \(quoted: path): "
        switch error {
        case .file(let failure): return CommandError.file(failure).message
        case .empty: return Self.error(.unreadable, "empty", cannot + "it is empty")
        case .notAnExport:
            return Self.error(
                .unreadable, "not-an-export", cannot + "it is not a known export",
                [
                    "known are .sophaxid, .sophaxbackup and .sxfe files, told by their first bytes",
                    "an Android backup has no mark of its own: say --kind android, or keep its name \(trusted: BundleKind.androidFileName)",
                ])
        case .otherKind(let expected, let found):
            let is_ = found.map { "it is \($0.titleWithArticle)" } ?? "its first bytes say something else"
            return Self.error(
                .unreadable, "other-kind", cannot + "it is no \(trusted: expected.title): \(trusted: is_)",
                ["leave --kind out"])
        case .truncated(let kind, let minimum, let found):
            return Self.error(
                .unreadable, "truncated",
                cannot
                    + "it is cut off: \(found) bytes, where \(trusted: kind.titleWithArticle) has at least \(minimum)",
                ["copy it again from the phone, and compare the sizes"])
        case .newerVersion(let kind, let found, let newest):
            return Self.error(
                .newerVersion, nil,
                cannot
                    + "it is \(trusted: kind.titleWithArticle) of version \(found), and this sxkey knows versions up to \(newest)",
                ["a newer sxkey may open it; nothing was changed"])
        case .unknownVersion(let kind, let found):
            return Self.error(
                .unreadable, "unknown-version",
                cannot + "no app has written \(trusted: kind.titleWithArticle) of version \(found)",
                ["the file is damaged at byte 4"])
        case .noIterations(let kind):
            return Self.error(
                .unreadable, "no-iterations",
                cannot + "its header asks for 0 key derivation iterations, which no \(trusted: kind.title) has",
                ["the file is damaged in bytes 5 to 8"])
        case .tooManyIterations(_, let found, let ceiling):
            return Self.error(
                .unreadable, "too-many-iterations",
                cannot
                    + "its header asks for \(count: Int(found)) key derivation iterations; sxkey does at most \(count: Int(ceiling))",
                ["the apps write 720,000; the file is damaged in bytes 5 to 8, or made to waste your time"])
        case .tooLarge(let found, let ceiling):
            return Self.error(
                .failure, "too-large",
                cannot
                    + "\(size: found) are more than \(size: ceiling), which the format needs in memory"
            )
        case .emptyPassphrase: return Self.error(.usage, "empty-secret", "the passphrase is empty")
        case .notAuthentic(let kind, let attempts):
            return Self.error(
                .wrongSecret, "not-authentic", cannot + "wrong passphrase, or the file is damaged",
                tried(kind, attempts))
        case .outOfMemory(let requested):
            return Self.error(.failure, "no-memory", cannot + "no memory for \(size: requested)")
        case .libraryFailure: return Self.error(.failure, nil, cannot + "libcrypto failed")
        }
    }

    private static func tried(_ kind: BundleKind, _ attempts: Int) -> [TerminalText] {
        let forms: TerminalText = "as typed, trimmed, and in both Unicode normal forms"
        let derivations: TerminalText =
            kind == .backup
            ? "the three key derivations that the app has used (HKDF, PBKDF2 600,000 and 720,000), " : ""
        let minimum = kind == .android ? 8 : 16
        return [
            "tried \(derivations)\(forms): \(count: attempts, "key") in all",
            "the app asks for at least \(minimum) characters and counts spaces",
            "\"sxkey bundle info\" shows what can be seen without the passphrase",
        ]
    }

    static func bundleContent(_ error: BundleContentError, _ path: FilePath) -> ErrorMessage {
        switch error {
        case .notJSON(let offset):
            Self.error(
                .unreadable, "not-json",
                "cannot read \(quoted: path): the passphrase is right, but the text inside is no JSON object (byte \(offset))",
                ["no app writes such a file; it was made or changed by another program that knew the passphrase"])
        case .tooManyMembers(let limit):
            Self.error(
                .unreadable, "too-many-members",
                "cannot read \(quoted: path): an object inside has more than \(limit) members")
        case .outOfMemory: Self.error(.failure, "no-memory", "cannot read \(quoted: path): no memory")
        }
    }
}
