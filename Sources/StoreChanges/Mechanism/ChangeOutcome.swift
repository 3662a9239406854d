import SophaxFiles
import SystemIO

/// What a change came to. Each number is of files.
package struct ChangeOutcome: Sendable {
    package let verb: ChangeVerb
    /// The folder that stands under the name now.
    package let folder: FilePath
    /// The folder as it was; nil when it is gone, or there was none.
    package let kept: FilePath?
    /// Files of the old folder that were read.
    package var read = 0
    /// Files with the same text: under a new key, or with the same bytes where the key stays. Each was opened.
    package var resealed = FileCounts()
    /// Files with a text that the verb made.
    package var written = 0
    /// Files that do not come along: left out, or replaced by others.
    package var leftOut = 0
    /// Files that came along without being proven, and why.
    package var carried: [CarriedFile] = []
    /// Sockets, pipes and devices that could not come along.
    package var notCarried: [FilePath] = []
    /// Bytes written.
    package var bytes = 0

    package init(verb: ChangeVerb, folder: FilePath, kept: FilePath?) {
        self.verb = verb
        self.folder = folder
        self.kept = kept
    }

    /// All came along proven, but for what is known to need no proof.
    package var isWhole: Bool { notCarried.isEmpty && carried.allSatisfy(\.reason.isKnown) }
}

/// Files of a store by what they are.
package struct FileCounts: Hashable, Sendable {
    package var conversations = 0
    package var blobs = 0
    package var attachments = 0

    package init() {}

    package var all: Int { conversations + blobs + attachments }

    mutating func add(_ file: StoreFile) {
        switch file.kind {
        case .blob, .foreign: blobs += 1
        case .conversation:
            if file.path.parent.lastComponent == StoreFolder.attachmentsName {
                attachments += 1
            } else {
                conversations += 1
            }
        }
    }
}

/// What an interrupted change had left, and what was made of it.
package enum Recovery: Hashable, Sendable {
    /// The folder as it was before stands under its name; the half-made new one is gone.
    case undone(ChangeVerb)
    /// The changed folder stands under the name; the old one was kept as it should be, or removed.
    case finished(ChangeVerb, kept: FilePath?)
    /// Only the journal was left.
    case cleared(ChangeVerb)

    package var verb: ChangeVerb {
        switch self {
        case .undone(let verb), .finished(let verb, _), .cleared(let verb): verb
        }
    }
}
