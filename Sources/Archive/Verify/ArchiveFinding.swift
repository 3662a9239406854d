import SQLiteDatabase
import SophaxFiles

/// How far `verify` looks.
package enum ArchiveDepth: Comparable, Sendable {
    /// The header, and whether every page authenticates.
    case quick
    /// SQLite's checks of structure and references, and the index against the messages, too.
    case standard
    /// Every source JSON and attachment against its hash, and the columns against the source JSON, too.
    case full
}

/// Something that `verify` found.
package enum ArchiveFinding: Hashable, Sendable {
    /// Of the sealed file, or of SQLite.
    case sealed(SealedFinding)
    /// The index does not fit the messages: `rebuildIndex` makes it anew.
    case index
    /// The connection may not write, and SQLite compares an index only for one that may; only a note.
    case indexNotCompared
    /// Messages without their source.
    case missingSources(Int)
    /// Sources of no message.
    case surplusSources(Int)
    /// Pieces of attachments that do not belong to any.
    case surplusPieces(Int)
    /// A source JSON that is not what was stored: the number of its message, and of its row when it is a further one.
    case sourceDigest(message: Int64)
    /// A source JSON that cannot be read as a message.
    case unreadableSource(message: Int64)
    /// A column that is not what the source JSON says.
    case columns(message: Int64)
    /// An attachment whose bytes are not what was stored, by its SHA-256.
    case attachment(sha256: [UInt8])

    /// False for what does no harm.
    package var isDamage: Bool {
        switch self {
        case .sealed(let finding): finding.isDamage
        case .indexNotCompared: false
        case .index, .missingSources, .surplusSources, .surplusPieces, .sourceDigest, .unreadableSource, .columns,
            .attachment:
            true
        }
    }
}

/// What `verify` looked at, and what it found.
package struct ArchiveVerdict: Sendable {
    /// Findings that are kept; the count says how many there were.
    package static let maximumListed = 1_000

    package let depth: ArchiveDepth
    package internal(set) var findings: [ArchiveFinding] = []
    package internal(set) var findingCount = 0
    package internal(set) var damageCount = 0
    package internal(set) var conversations = 0
    package internal(set) var messages = 0
    /// Source JSONs that were compared with their hash.
    package internal(set) var sources = 0
    /// Attachments that were compared with their hash.
    package internal(set) var attachments = 0

    init(_ depth: ArchiveDepth) {
        self.depth = depth
    }

    /// Nothing that was looked at is damaged.
    package var isSound: Bool { damageCount == 0 }

    mutating func add(_ finding: ArchiveFinding) {
        findingCount += 1
        if finding.isDamage { damageCount += 1 }
        if findings.count < Self.maximumListed { findings.append(finding) }
    }
}
