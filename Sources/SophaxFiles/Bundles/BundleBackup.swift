import SophaxCore

/// Messages and contacts of an export. Format: SophaxChat 4.1, for Android 3.5.
package struct BundleBackup: Sendable {
    /// The number inside the text. iOS always writes 1, whatever the version byte of the file; Android `"1"`.
    package let version: Int?
    /// nil on Android.
    package let createdAt: AppTime?
    package let username: String
    /// The fingerprint of the identity that made the backup; absent in the first version, and on Android.
    package let fingerprint: Fingerprint?
    package let peers: [KnownPeer]
    package let messages: BundleMessages

    static let jsonKeys: [BundleObject.Key] = [
        version, createdAt, username, peers, messages, identityFingerprint,
    ]
    private static let version = BundleObject.Key.required("version")
    private static let createdAt = BundleObject.Key.required("createdAt")
    private static let username = BundleObject.Key.required("username")
    private static let peers = BundleObject.Key.required("peers")
    private static let messages = BundleObject.Key.required("messages")
    private static let identityFingerprint = BundleObject.Key.optional("identityFingerprint")

    /// Reads a SophaxBackup object.
    static func read(
        _ object: inout BundleObject, now: Double, workers: Int, findings: inout BundleFindings
    ) throws(BundleContentError) -> BundleBackup {
        let version = object.integer(Self.version)
        let createdAt = object.date(Self.createdAt)
        let username = object.text(Self.username).map { String(decoding: $0, as: UTF8.self) } ?? ""
        var fingerprint: Fingerprint?
        if let text = object.text(identityFingerprint) {
            fingerprint = try? Fingerprint(hex: text.span)
            if fingerprint == nil { object.note(.fingerprintMismatch, identityFingerprint, detail: "no fingerprint") }
        }
        var peers: [KnownPeer] = []
        if let list = object.value(Self.peers, .array) {
            peers = try KnownPeer.readList(object.buffer, list.value, path: object.path + "peers", findings: &findings)
        }
        var messages = BundleMessages(none: object.buffer)
        if let lists = object.value(Self.messages, .object) {
            messages = try BundleMessages(
                object.buffer, lists.value, now: now, workers: workers, findings: &findings.list)
        }
        return BundleBackup(
            version: version, createdAt: createdAt, username: username, fingerprint: fingerprint, peers: peers,
            messages: messages)
    }
}
