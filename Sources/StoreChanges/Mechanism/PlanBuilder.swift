import SophaxFiles
import SystemIO

/// Puts a plan together: what the verb says, and for the rest what the folder shows.
struct PlanBuilder {
    let unit: ChangeUnit
    let tree: [TreeEntry]
    private(set) var files: [PlannedFile] = []
    private(set) var notCarried: [FilePath] = []
    private(set) var sizes: [FilePath: Int] = [:]
    /// Places of the old tree that the verb spoke of.
    private var mentioned: Set<FilePath> = []
    private var targets: Set<FilePath> = []
    private let entries: [FilePath: TreeEntry]

    init(unit: ChangeUnit, tree: [TreeEntry]) {
        self.unit = unit
        self.tree = tree
        entries = Dictionary(tree.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Takes what a verb says. Errors: `.badTarget` for a name that comes twice or leaves the folder.
    mutating func add(_ planned: [PlannedFile]) throws(ChangeError) {
        for file in planned {
            guard Self.isInside(file.target) else { throw .badTarget(file.target) }
            var size = 0
            switch file.action {
            case .carry(let from, _):
                mentioned.insert(from)
                size = entries[from]?.size ?? 0
            case .reseal(let from, _):
                if from.path.bytes.starts(with: unit.path.bytes) { mentioned.insert(unit.place(of: from)) }
                size = from.size
            case .write(_, let replacing):
                mentioned.formUnion(replacing)
                // What it will be is not known yet; what it replaces is a fair guess.
                size = replacing.reduce(0) { $0 + (entries[$1]?.size ?? 0) }
            case .leaveOut:
                mentioned.insert(file.target)
                files.append(file)
                continue
            }
            guard targets.insert(file.target).inserted else { throw .badTarget(file.target) }
            sizes[file.target] = size
            files.append(file)
        }
        for target in targets where entries[target] != nil && !mentioned.contains(target) { throw .badTarget(target) }
    }

    /// Adds all that the verb did not speak of.
    mutating func complete() {
        // Beside the messages and attachments a name that no app gives says little: the key tells what is of the store.
        let known = unit.store.conversations + unit.store.blobs + unit.store.attachments + unit.store.foreign
        let store = Dictionary(known.map { (unit.place(of: $0), $0) }, uniquingKeysWith: { first, _ in first })
        for entry in tree where entry.kind != .folder && !mentioned.contains(entry.path) {
            switch entry.kind {
            case .regular, .link:
                if let file = store[entry.path], entry.kind == .regular {
                    files.append(PlannedFile(entry.path, .reseal(from: file)))
                } else {
                    files.append(PlannedFile(entry.path, .carry(from: entry.path, reason(entry))))
                }
                sizes[entry.path] = entry.size
            case .pipe, .device, .socket, .unknown, .folder: notCarried.append(entry.path)
            }
        }
    }

    private func reason(_ entry: TreeEntry) -> CarriedFile.Reason {
        if entry.kind == .link { return .link }
        guard let slash = entry.path.bytes.firstIndex(of: UInt8(ascii: "/")) else { return .unknown }
        let top = FilePath(bytes: Array(entry.path.bytes[..<slash]))
        if Self.appFolders.contains(top) { return .appFolder }
        return ChangeVerb.isKeptName(top) ? .keptFolder : .unknown
    }

    /// Formats section 6.4.
    private static let appFolders: Set<FilePath> = ["sophax_crash_logs", "tor_data"]

    static func isInside(_ path: FilePath) -> Bool {
        let parts = path.bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return !path.bytes.contains(0)
            && parts.allSatisfy { !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) }
    }
}
