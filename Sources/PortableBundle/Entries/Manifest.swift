import SophaxFiles

/// What a bundle says of itself before anything else: every entry, and what was left out. Specified in sxkey-formats(5).
package struct Manifest: Equatable, Sendable {
    package static let format = "sxkey-bundle"
    package static let newestVersion = 1
    package static let entryName = "manifest.json"

    /// Bytes of a manifest at most.
    package static let ceiling = 128 << 20
    /// Entries at most: a message store has one file a conversation and one an attachment.
    package static let maximumEntries = 500_000

    /// Unix seconds.
    package var createdAt: Double
    /// The program that made it, such as `sxkey 0.4.0`.
    package var creator: String
    /// Whose bundle it is, as far as the source tells.
    package var owner: Owner
    /// In the order in which they stand behind the manifest.
    package var entries: [ManifestEntry]
    /// What the source had, or may have had, and the bundle has not.
    package var notIncluded: [Omission]

    package init(
        createdAt: Double, creator: String, owner: Owner = Owner(), entries: [ManifestEntry],
        notIncluded: [Omission] = []
    ) {
        self.createdAt = createdAt
        self.creator = creator
        self.owner = owner
        self.entries = entries
        self.notIncluded = notIncluded
    }

    /// Whose bundle it is.
    package struct Owner: Equatable, Sendable {
        /// UTF-8; nil when the source says none.
        package var name: ByteText?
        /// Lower-case hex digits of the identity's fingerprint.
        package var fingerprint: String?

        package init(name: ByteText? = nil, fingerprint: String? = nil) {
            self.name = name
            self.fingerprint = fingerprint
        }
    }

    /// Something that is not in the bundle.
    package struct Omission: Hashable, Sendable {
        /// Why; the raw values stand in the manifest. An unknown one of a later version is kept as `other`.
        package enum Reason: Hashable, Sendable {
            /// Only taken when asked for.
            case notAsked
            /// The source has none of it.
            case none
            /// The source is of a kind that cannot have it.
            case notInSource
            /// It is there and could not be read, or does not authenticate.
            case unreadable
            case other(String)

            package var text: String {
                switch self {
                case .notAsked: "not-asked"
                case .none: "none"
                case .notInSource: "not-in-source"
                case .unreadable: "unreadable"
                case .other(let text): text
                }
            }

            init(_ text: String) {
                let known: [Reason] = [.notAsked, .none, .notInSource, .unreadable]
                self = known.first { $0.text == text } ?? .other(text)
            }
        }

        package let part: BundlePart
        package let reason: Reason
        /// The file or entry that it is about; nil for the whole part.
        package let item: ByteText?

        package init(_ part: BundlePart, _ reason: Reason, item: ByteText? = nil) {
            self.part = part
            self.reason = reason
            self.item = item
        }
    }

    /// The parts that there are.
    package var parts: Set<BundlePart> { Set(entries.compactMap(\.content.part)) }

    package func entries(of part: BundlePart) -> [ManifestEntry] {
        entries.filter { $0.content.part == part }
    }

    /// Messages of all conversations, as the manifest says.
    package var messages: Int {
        entries.reduce(0) { sum, entry in
            if case .conversation(_, _, let messages) = entry.content { sum + messages } else { sum }
        }
    }

    /// Bytes of all entries.
    package var totalBytes: Int { entries.reduce(0) { $0 + $1.size } }
}

/// One entry of a bundle, as its manifest names it.
package struct ManifestEntry: Hashable, Sendable {
    /// What an entry is.
    package enum Content: Hashable, Sendable {
        /// A document: identity, prekeys, contacts, groups or sessions.
        case document(BundlePart)
        /// One message a line.
        case conversation(ConversationID, MessagePlatform, messages: Int)
        /// A file that stands beside the conversations; the name without `.enc`.
        case blob(ByteText)
        /// The bytes of an attachment; the id is what messages call it.
        case attachment(ByteText)
        /// Of a later version: carried over, not understood.
        case other

        package var part: BundlePart? {
            switch self {
            case .document(let part): part
            case .conversation: .conversations
            case .blob: .blobs
            case .attachment: .attachments
            case .other: nil
            }
        }

        /// Bytes of such an entry at most. What is read as a whole must fit into memory, however well it was compressed.
        package var sizeCeiling: Int {
            switch self {
            case .document: BundlePart.documentCeiling
            case .conversation, .blob: ManifestEntry.textCeiling
            case .attachment, .other: ManifestEntry.sizeCeiling
            }
        }

        /// Carries private keys.
        package var isSecret: Bool { part?.isSecret ?? true }
    }

    /// ASCII; a relative path with `/`.
    package let name: String
    /// Bytes.
    package let size: Int
    /// 32 bytes; nil where it was not known before the entry was read, as of attachments.
    package let sha256: [UInt8]?
    package let content: Content

    /// Bytes of an entry at most, larger than any file that a tar of sxkey's kind may hold; and of the messages of one
    /// conversation: two million of them.
    static let sizeCeiling = 1 << 43
    static let textCeiling = 1 << 30

    package init(name: String, size: Int, sha256: [UInt8]? = nil, content: Content) {
        self.name = name
        self.size = size
        self.sha256 = sha256
        self.content = content
    }

    /// The id that the entry has in its store.
    package var id: ByteText? {
        switch content {
        case .conversation(let id, _, _): id.text
        case .blob(let id), .attachment(let id): id
        case .document, .other: nil
        }
    }
}

extension MessagePlatform {
    /// What the manifest calls it.
    package var name: String {
        switch self {
        case .ios: "ios"
        case .android: "android"
        }
    }

    package init?(name: some StringProtocol) {
        switch name {
        case "ios": self = .ios
        case "android": self = .android
        default: return nil
        }
    }
}
