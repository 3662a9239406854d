/// How much of everything is taken from the related apps. Their documents name no limits: these are far above what an app
/// makes, and low enough that a hostile file costs little.
package enum RelatedLimits {
    /// A file of messages, frames or records.
    package static let fileBytes = 64 << 20
    /// Messages, frames, records or threads of one file.
    package static let items = 1_000_000
    /// The JSON of one message or record, or one sealed box.
    package static let itemBytes = 8 << 20
    /// Members of one object, known and unknown.
    package static let members = 256
    /// An id of a message, group or peer; the apps write 36.
    package static let idBytes = 256
    /// The name of a group.
    package static let nameBytes = 4_096
    /// Members of a group.
    package static let groupMembers = 10_000
    /// Keys of one file, and keys that one run learns.
    package static let keys = 10_000
    /// Keys of one group: whoever sends one is not proven, and each message of the group is tried with all of them.
    package static let groupKeys = 64
    /// Attempts to open something, boxes times keys, of one run: minutes of work.
    package static let attempts = 20_000_000
    /// A file with keys.
    package static let keyFileBytes = 16 << 20
    /// Armoured OpenPGP messages of one file, each of which starts a program.
    package static let openPGPMessages = 10_000
    /// What an OpenPGP message may decrypt to.
    package static let openPGPText = 8 << 20
}
