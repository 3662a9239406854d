import SophaxFiles
import SystemIO

/// How one file of the changed folder comes about.
///
/// A path without a leading slash is meant from the unit's folder on.
package enum PlannedAction: Sendable {
    /// The bytes as they are, with permissions and time. It is listed, with the reason.
    case carry(from: FilePath, CarriedFile.Reason)
    /// A file of a store, with the same text. Under a new key it is encrypted anew; where the key stays, its bytes stay too.
    ///
    /// It is opened either way. One that does not authenticate is carried over as it is, and listed.
    /// `key` is the key that opens it when that is not the change's old key: a file of another store.
    case reseal(from: StoreFile, key: SharedKey? = nil)
    /// A new text, made from files of the store or from anything else; the files of `replacing` go.
    case write(ProducedText, replacing: [FilePath] = [])
    /// The file that is called as the target does not come along, by the user's wish; why, in a few words.
    case leaveOut(reason: String)
}

/// A text that a verb makes, and how it is proven.
///
/// Both closures run on any thread. Each gets a reader with the old key, which it may use for any file of the old store.
package struct ProducedText: Sendable {
    /// Gives the text; the mechanism encrypts and writes it.
    package let produce: @Sendable (inout StoreFileReader) throws(ChangeStepFailure) -> [UInt8]
    /// Judges the text that was read back from the new file and decrypted: it must hold what the old files do, message by
    /// message. That it is the text that `produce` gave, byte for byte, was compared before.
    package let check: @Sendable (inout StoreFileReader, Span<UInt8>) throws(ChangeStepFailure) -> Void

    package init(
        produce: @escaping @Sendable (inout StoreFileReader) throws(ChangeStepFailure) -> [UInt8],
        check: @escaping @Sendable (inout StoreFileReader, Span<UInt8>) throws(ChangeStepFailure) -> Void = { _, _ in }
    ) {
        self.produce = produce
        self.check = check
    }
}

/// One file of the changed folder.
package struct PlannedFile: Sendable {
    /// Its place in the unit's folder, for example `sophax_messages/notetoself.enc`.
    package let target: FilePath
    package let action: PlannedAction

    package init(_ target: FilePath, _ action: PlannedAction) {
        self.target = target
        self.action = action
    }
}

/// A file that came along as it was, without anything that proves it.
package struct CarriedFile: Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        /// The key does not open it, or it cannot be read as a file of a store.
        case notAuthentic(StoreFileFailure)
        /// Nothing that an app or sxkey makes.
        case unknown
        /// A link; it says what it said.
        case link
        /// A folder as it was before an earlier change: it still opens with the key of its time.
        case keptFolder
        /// A folder of the app that holds no messages (formats section 6.4).
        case appFolder
        /// A verb's own reason, in a few words.
        case other(String)

        /// Whether the old folder may go although it was carried: its meaning is known.
        package var isKnown: Bool {
            switch self {
            case .keptFolder, .appFolder: true
            case .notAuthentic, .unknown, .link, .other: false
            }
        }
    }

    /// From the unit's folder on.
    package let path: FilePath
    package let reason: Reason

    package init(path: FilePath, reason: Reason) {
        self.path = path
        self.reason = reason
    }

    /// A file of a store that could not be opened; of one that no app names nobody knows what it is.
    init(_ file: StoreFile, at path: FilePath, _ failure: StoreFileFailure) {
        self.init(path: path, reason: file.kind == .foreign ? .unknown : .notAuthentic(failure))
    }
}

/// What will be done to a store, file by file. Nothing is written by making one.
package struct ChangePlan: Sendable {
    package let verb: ChangeVerb
    package let unit: ChangeUnit
    /// Everything that the new folder will hold, folders aside; largest first.
    package let files: [PlannedFile]
    /// Sockets, pipes and devices, which cannot be carried over; from the unit's folder on.
    package let notCarried: [FilePath]
    /// The unit as it was when it was found, before the verb read anything.
    let tree: [TreeEntry]
    /// Bytes that are written, by target.
    let sizes: [FilePath: Int]

    /// Completes what a verb wants to do to the files it knows with all that is in the unit's folder: files of the store are
    /// resealed, everything else is carried over.
    ///
    /// Errors: `.mountInside`, `.badTarget`.
    package init(_ verb: ChangeVerb, _ unit: ChangeUnit, _ files: [PlannedFile] = []) throws(ChangeError) {
        self.verb = verb
        self.unit = unit
        let seen = unit.tree
        tree = seen
        let device = seen[0].identity.device
        if let other = seen.first(where: { $0.kind == .folder && $0.identity.device != device }) {
            throw .mountInside(unit.path.appending(other.path))
        }
        // A bind mount may be on the same device: what is in it belongs to another folder, and would go with the old one.
        let beginning = unit.path.bytes + [UInt8(ascii: "/")]
        let mount = MountPoints.all().first { $0.bytes.starts(with: beginning) }
        if let mount { throw .mountInside(mount) }
        var builder = PlanBuilder(unit: unit, tree: seen)
        try builder.add(files)
        builder.complete()
        notCarried = builder.notCarried
        sizes = builder.sizes
        let sizes = builder.sizes
        self.files = builder.files.sorted { (sizes[$0.target] ?? 0) > (sizes[$1.target] ?? 0) }
    }

    /// Bytes that will be written.
    package var bytes: Int { files.reduce(0) { $0 + (sizes[$1.target] ?? 0) } }

    /// Files that come along without being opened; those that turn out not to authenticate are not yet among them.
    package var carried: [CarriedFile] {
        files.compactMap { file in
            if case .carry(let from, let reason) = file.action { CarriedFile(path: from, reason: reason) } else { nil }
        }
    }

    /// Folders of the new tree, each before what is in it.
    var folders: [TreeEntry] { tree.filter { $0.kind == .folder } }
}
