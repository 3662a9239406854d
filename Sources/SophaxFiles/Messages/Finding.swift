import JSONCoding

/// Something about a store, a bundle or a message that its owner should know.
package struct Finding: Equatable, Sendable {
    /// How bad it is; decides the exit status.
    package enum Severity: Int, Comparable, Sendable {
        /// Worth knowing, nothing to do.
        case note
        /// All authentic, but something to act on (exit status 8).
        case risk
        /// Damaged, missing or left out (exit status 3).
        case damage

        package static func < (left: Severity, right: Severity) -> Bool { left.rawValue < right.rawValue }
    }

    /// What was found; the raw value is the code in JSON output.
    package enum Kind: String, CaseIterable, Hashable, Sendable {
        // Messages
        case missingIsEdited = "missing-is-edited"
        case unreadableByApps = "unreadable-by-apps"
        case duplicateID = "duplicate-id"
        case missingField = "missing-field"
        case wrongType = "wrong-type"
        case unknownValue = "unknown-value"
        case repeatedKey = "repeated-key"
        case unknownKeys = "unknown-keys"
        case implausibleDate = "implausible-date"
        case otherConversation = "other-conversation"
        case expired = "expired"
        case repairedText = "repaired-text"
        case unreadableMessage = "unreadable-message"
        // Files of a store
        case damagedFile = "damaged-file"
        case unreadableFile = "unreadable-file"
        case notMessages = "not-messages"
        case orphanedFile = "orphaned-file"
        case nameCollision = "name-collision"
        case unexpectedName = "unexpected-name"
        case foreignFile = "foreign-file"
        case keptAside = "kept-aside"
        case nonceReuse = "nonce-reuse"
        case identicalCopy = "identical-copy"
        case missingAttachment = "missing-attachment"
        case orphanedAttachment = "orphaned-attachment"
        case damagedAttachment = "damaged-attachment"
        case noAttachmentFolder = "no-attachment-folder"
        // Bundles
        case attachmentsNotIncluded = "attachments-not-included"
        case peerIDMismatch = "peer-id-mismatch"
        case peerKeyInvalid = "peer-key-invalid"
        case safetyNumberMismatch = "safety-number-mismatch"
        case fingerprintMismatch = "fingerprint-mismatch"
        case pseudoConversation = "pseudo-conversation"
        case conversationKeyMismatch = "conversation-key-mismatch"
        case weakIterations = "weak-iterations"
        case versionByteMismatch = "version-byte-mismatch"
        case passphraseForm = "passphrase-form"
        case refusedByApps = "refused-by-apps"
        case unreadableContent = "unreadable-content"

        package var severity: Severity {
            switch self {
            case .damagedFile, .unreadableFile, .notMessages, .unreadableMessage, .missingAttachment,
                .damagedAttachment,
                .unreadableContent:
                .damage
            case .missingIsEdited, .unreadableByApps, .duplicateID, .nameCollision, .nonceReuse, .peerIDMismatch,
                .peerKeyInvalid, .fingerprintMismatch, .safetyNumberMismatch, .otherConversation, .weakIterations,
                .refusedByApps, .unexpectedName:
                .risk
            case .missingField, .wrongType, .unknownValue, .repeatedKey, .unknownKeys, .implausibleDate, .expired,
                .repairedText, .orphanedFile, .foreignFile, .keptAside, .identicalCopy,
                .orphanedAttachment, .noAttachmentFolder, .attachmentsNotIncluded, .pseudoConversation,
                .conversationKeyMismatch,
                .versionByteMismatch, .passphraseForm:
                .note
            }
        }
    }

    package let kind: Kind
    /// The conversation it is about, if one.
    package var conversation: ConversationID?
    /// The message, file, peer or attachment it is about. Text from elsewhere: escape it on a terminal.
    package var item: ByteText?
    /// Bytes from the start of the decrypted text, where that says something.
    package var offset: Int?
    /// More about it, in our own words.
    package var detail: String?

    package init(
        _ kind: Kind, conversation: ConversationID? = nil, item: ByteText? = nil, offset: Int? = nil,
        detail: String? = nil
    ) {
        self.kind = kind
        self.conversation = conversation
        self.item = item
        self.offset = offset
        self.detail = detail
    }
}

/// Findings with exact counts and some examples of each kind, so that a million of one kind do not fill the memory.
package struct FindingList: Equatable, Sendable {
    /// Examples kept of each kind and list.
    package static let maximumExamples = 50

    package private(set) var counts: [Finding.Kind: Int] = [:]
    package private(set) var examples: [Finding.Kind: [Finding]] = [:]

    package init() {}

    package var isEmpty: Bool { counts.isEmpty }

    package func count(_ kind: Finding.Kind) -> Int { counts[kind] ?? 0 }

    /// The worst severity there is.
    package var worst: Finding.Severity? { counts.keys.map(\.severity).max() }

    /// All examples, worst first, then in the order of kinds and of finding.
    package var all: [Finding] {
        Finding.Kind.allCases.filter { counts[$0] != nil }
            .sorted { $0.severity > $1.severity }
            .flatMap { examples[$0] ?? [] }
    }

    /// Counts one; the finding itself is only made while examples are wanted.
    package mutating func add(_ kind: Finding.Kind, _ finding: () -> Finding) {
        counts[kind, default: 0] += 1
        if examples[kind, default: []].count < Self.maximumExamples { examples[kind, default: []].append(finding()) }
    }

    package mutating func add(_ finding: Finding) {
        add(finding.kind) { finding }
    }

    /// Counts `number` more without an example.
    package mutating func add(_ kind: Finding.Kind, number: Int) {
        if number > 0 { counts[kind, default: 0] += number }
    }

    /// What was not strict JSON in a list of messages; `item` is the list, `base` where it begins in the text.
    package mutating func add(
        _ problems: TextProblems, conversation: ConversationID? = nil, item: ByteText, base: Int = 0
    ) {
        for problem in problems {
            add(
                Finding(
                    problem.losesMessage ? .unreadableMessage : .repairedText, conversation: conversation, item: item,
                    offset: base + problem.offset, detail: problem.kind.rawValue))
        }
        add(.unreadableMessage, number: problems.unlistedLosses)
        add(.repairedText, number: problems.unlistedRepairs)
    }

    /// Takes over another list, counts and examples.
    package mutating func add(contentsOf other: FindingList) {
        for (kind, count) in other.counts {
            counts[kind, default: 0] += count
            let room = Self.maximumExamples - examples[kind, default: []].count
            if room > 0 { examples[kind, default: []].append(contentsOf: (other.examples[kind] ?? []).prefix(room)) }
        }
    }

    /// The same without some kinds.
    package func without(_ kinds: Set<Finding.Kind>) -> FindingList {
        var list = self
        for kind in kinds {
            list.counts[kind] = nil
            list.examples[kind] = nil
        }
        return list
    }

    /// Names the conversation in every example that does not name one.
    package func inConversation(_ conversation: ConversationID) -> FindingList {
        var list = self
        list.examples = examples.mapValues { findings in
            findings.map { finding in
                var finding = finding
                finding.conversation = finding.conversation ?? conversation
                return finding
            }
        }
        return list
    }
}
