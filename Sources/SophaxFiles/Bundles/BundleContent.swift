import SophaxCore

/// Everything inside an opened bundle, and everything about it that its owner should know.
///
/// Reading is tolerant: an authentic file is read as far as it can be, and what the apps would refuse is a finding.
package struct BundleContent: Sendable {
    package let bundle: OpenedBundle

    /// Of identity and full exports.
    package let identity: BundleIdentity?

    /// Of backups, full exports and Android backups.
    package let backup: BundleBackup?

    /// Counts and examples, those of messages included.
    package let findings: FindingList

    /// Reads the text of a bundle.
    ///
    /// - Parameters:
    ///   - now: seconds since 1970, for messages that should have disappeared.
    ///   - workers: threads that read lists of messages.
    package static func read(
        _ bundle: OpenedBundle, now: Double, workers: Int = 1
    ) throws(BundleContentError) -> BundleContent {
        var findings = BundleFindings()
        let content: (identity: BundleIdentity?, backup: BundleBackup?)
        switch bundle.header.kind {
        case .identity:
            var object = try top(bundle, keys: BundleIdentity.jsonKeys)
            content.identity = try BundleIdentity.read(&object)
            content.backup = nil
            findings.take(object)
        case .backup:
            var object = try top(bundle, keys: BundleBackup.jsonKeys)
            content.identity = nil
            content.backup = try BundleBackup.read(&object, now: now, workers: workers, findings: &findings)
            findings.take(object)
        case .fullExport:
            var object = try top(bundle, keys: BundleIdentity.jsonKeys + [backup])
            content.identity = try BundleIdentity.read(&object)
            content.backup = try nested(&object, now: now, workers: workers, findings: &findings)
            findings.take(object)
        case .android:
            content.identity = nil
            content.backup = try AndroidBackup.read(bundle, now: now, workers: workers, findings: &findings)
        }
        var judge = BundleJudge(bundle: bundle, findings: findings)
        judge.judge(identity: content.identity, backup: content.backup)
        return BundleContent(
            bundle: bundle, identity: content.identity, backup: content.backup, findings: judge.findings.list)
    }

    private static let backup = BundleObject.Key.required("backup")

    private static func top(
        _ bundle: OpenedBundle, keys: [BundleObject.Key]
    ) throws(BundleContentError) -> BundleObject {
        do {
            return try BundleObject(bundle.text, 0..<bundle.text.count, path: "", keys: keys)
        } catch {
            throw BundleContentError(error)
        }
    }

    /// The backup inside of a full export.
    private static func nested(
        _ object: inout BundleObject, now: Double, workers: Int, findings: inout BundleFindings
    ) throws(BundleContentError) -> BundleBackup? {
        guard let member = object.value(backup, .object) else { return nil }
        var inner: BundleObject
        do {
            inner = try BundleObject(object.buffer, member.value, path: "backup.", keys: BundleBackup.jsonKeys)
        } catch {
            throw BundleContentError(error)
        }
        let content = try BundleBackup.read(&inner, now: now, workers: workers, findings: &findings)
        findings.take(inner)
        return content
    }
}
