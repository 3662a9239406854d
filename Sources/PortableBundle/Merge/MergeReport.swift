import SophaxFiles

/// What a merge of two bundles came to.
package struct MergeReport: Equatable, Sendable {
    /// Things of one part: what only one side had, what both had alike, and what differed.
    package struct Counts: Equatable, Sendable {
        package var fromFirst = 0
        package var fromSecond = 0
        /// Both had it alike.
        package var same = 0
        /// Both had it, and the newer one was taken.
        package var updated = 0
        /// Both had it and neither is the newer one of the other: both are kept.
        package var conflicting = 0

        package init() {}
    }

    /// Something that somebody may want to look at.
    package struct Note: Hashable, Sendable {
        package let part: BundlePart
        /// An account, a person, a message, an attachment. Text from elsewhere.
        package let name: ByteText
        /// In our own words.
        package let detail: String
        package var conversation: ConversationID?
    }

    /// An entry that is not in the new bundle: only a later version of sxkey knows how to merge it.
    package struct NotMerged: Hashable, Sendable {
        package let name: String
        package let bytes: Int
        /// In the first bundle.
        package let isFirst: Bool
    }

    /// Notes kept of each part.
    package static let maximumNotes = 50

    package private(set) var counts: [BundlePart: Counts] = [:]
    package private(set) var notes: [Note] = []
    package internal(set) var notMerged: [NotMerged] = []
    private var noted: [BundlePart: Int] = [:]

    package init() {}

    package subscript(part: BundlePart) -> Counts {
        get { counts[part] ?? Counts() }
        set { counts[part] = newValue }
    }

    package var conflicting: Int { counts.values.reduce(0) { $0 + $1.conflicting } }

    mutating func note(_ part: BundlePart, _ name: ByteText, _ detail: String, in conversation: ConversationID? = nil) {
        noted[part, default: 0] += 1
        guard noted[part] ?? 0 <= Self.maximumNotes else { return }
        notes.append(Note(part: part, name: name, detail: detail, conversation: conversation))
    }
}

/// Why two bundles cannot be merged.
package enum MergeError: Error, Equatable, Sendable {
    /// They belong to two identities, lower-case hex digits of the fingerprints.
    case otherIdentity(String, String)
    case entries(EntryError, isFirst: Bool)
}
