import CryptoPrimitives
import SophaxFiles

/// A small export of each kind and version, with key derivations that cost nothing.
struct BundleSpecimen: CustomStringConvertible, Sendable {
    let description: String
    let fileName: String
    let recipe: BundleRecipe
    /// What errors call it.
    let title: String
    let text: String
    /// Where the version byte is trusted: the newest that this sxkey knows.
    let newestVersion: UInt8?
    /// Bytes before the text: magic, version, iterations, salt, nonce. Format: SophaxChat 3.2 to 3.5.
    let headerLength: Int
    let hasIterations: Bool

    static let passphrase = "correct horse battery staple"

    /// Header, one byte of text, tag.
    var minimum: Int { headerLength + 17 }

    func bytes(passphrase: String = passphrase) throws -> [UInt8] {
        let (text, passphrase) = (Array(text.utf8), Array(passphrase.utf8))
        return try BundleWriter.seal(text.span, as: recipe, passphrase: SecretBytes(copying: passphrase.span))
    }

    private static let keys =
        #""signingKeyPrivate":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=","#
        + #""dhKeyPrivate":"ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8=","username":"alice","exportedAt":796000000"#
    private static let message =
        #"{"id":"A1","peerID":"08c4cab788bd5f92","direction":"sent","body":"hello","timestamp":795000001,"#
        + #""status":"read","isEdited":false}"#
    private static let backup =
        #"{"version":1,"createdAt":796000000,"username":"alice","peers":[],"messages":{"08c4cab788bd5f92":["#
        + message + "]}}"

    static let firstIdentity = BundleSpecimen(
        description: "SXID v1", fileName: "a.sophaxid", recipe: .firstIdentity(CommandRun.quick),
        title: "identity export", text: "{\(keys)}", newestVersion: 2, headerLength: 49, hasIterations: false)
    static let identity = BundleSpecimen(
        description: "SXID v2", fileName: "a.sophaxid", recipe: .identity(iterations: 9), title: "identity export",
        text: "{\(keys)}", newestVersion: 2, headerLength: 53, hasIterations: true)
    static let hkdfBackup = BundleSpecimen(
        description: "SXBK with HKDF", fileName: "a.sophaxbackup", recipe: .backup(version: 1, .hkdf),
        title: "message backup", text: backup, newestVersion: nil, headerLength: 49, hasIterations: false)
    static let olderBackup = BundleSpecimen(
        description: "SXBK with the older count", fileName: "a.sophaxbackup",
        recipe: .backup(version: 1, .pbkdf2(iterations: CommandRun.quick.olderBackupIterations)),
        title: "message backup", text: backup, newestVersion: nil, headerLength: 49, hasIterations: false)
    static let backup2 = BundleSpecimen(
        description: "SXBK of today", fileName: "a.sophaxbackup", recipe: .backup(CommandRun.quick),
        title: "message backup", text: backup, newestVersion: nil, headerLength: 49, hasIterations: false)
    static let fullExport = BundleSpecimen(
        description: "SXFE v1", fileName: "a.sxfe", recipe: .fullExport(iterations: 9), title: "full export",
        text: "{\(keys),\"backup\":\(backup)}", newestVersion: 1, headerLength: 53, hasIterations: true)
    static let android = BundleSpecimen(
        description: "Android backup", fileName: "sophaxchat-backup.bin", recipe: .android(CommandRun.quick),
        title: "Android backup",
        text: #"{"version":"1","username":"alice","peers":"[]","conversationIDs":"[]","messages":"{}"}"#,
        newestVersion: nil, headerLength: 28, hasIterations: false)

    static let all = [firstIdentity, identity, hkdfBackup, olderBackup, backup2, fullExport, android]
}
