import SophaxFiles
import SystemIO

/// Pushes files into a new folder, for texts that come one after the other, as out of a bundle.
package struct FolderAddition: ~Copyable {
    private let job: BuildJob
    private var writer: SealedFileWriter
    private var folders: Set<FilePath>
    private var open: FilePath?
    /// Files that were added.
    package private(set) var count = 0
    /// Bytes written.
    package private(set) var bytes = 0
    private(set) var newFolders: [FilePath] = []
    private(set) var changedFolders: Set<FilePath> = []

    init(_ job: BuildJob, folders: Set<FilePath>) throws(ChangeError) {
        self.job = job
        self.folders = folders
        writer = try SealedFileWriter(key: (job.newKey ?? job.oldKey).bytes, sync: job.sync)
    }

    /// Begins a file of the store at `target`, for example `sophax_attachments/…`. Errors: `.badTarget` where one is.
    package mutating func begin(_ target: FilePath) throws(ChangeError) {
        guard PlanBuilder.isInside(target), open == nil else { throw .badTarget(target) }
        let missing = Self.missingFolders(for: [target], in: folders)
        do throws(FileError) {
            for folder in missing { try makeFolder(job.draft.appending(folder)) }
        } catch {
            throw .file(error)
        }
        folders.formUnion(missing)
        newFolders += missing
        changedFolders.insert(target.parentInside)
        do throws(ChangeError) {
            try writer.begin(job.draft.appending(target))
        } catch {
            if case .file(let file) = error, file.kind == .exists { throw .badTarget(target) }
            throw error
        }
        open = target
    }

    /// Adds text to the file that was begun.
    package mutating func add(_ text: Span<UInt8>) throws(ChangeError) {
        if let signal = Interrupts.requested { throw .interrupted(signal: signal) }
        try unsafe text.withUnsafeBytes { (raw) throws(ChangeError) in unsafe try writer.add(raw) }
    }

    /// Ends the file that was begun.
    package mutating func end() throws(ChangeError) {
        guard open != nil else { return }
        open = nil
        try writer.flush(isLast: true)
        bytes += try writer.finish(as: nil)
        count += 1
    }

    /// Folders that `targets` need and `known` lacks, each before what is in it.
    static func missingFolders(for targets: [FilePath], in known: Set<FilePath>) -> [FilePath] {
        var seen = known
        var missing: [FilePath] = []
        for target in targets {
            var above: [FilePath] = []
            var folder = target.parentInside
            while !folder.bytes.isEmpty, seen.insert(folder).inserted {
                above.append(folder)
                folder = folder.parentInside
            }
            missing += above.reversed()
        }
        return missing
    }
}

extension FilePath {
    /// The folder of a path inside a unit; empty for what is in the unit's folder itself.
    var parentInside: FilePath {
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return FilePath(bytes: []) }
        return FilePath(bytes: Array(bytes[..<slash]))
    }
}

extension PlannedAction {
    var isCarry: Bool {
        if case .carry = self { true } else { false }
    }
}

extension ChangeOutcome {
    mutating func count(_ result: FileWorker.Result) {
        switch result {
        case .resealed(let file, let count):
            read += 1
            resealed.add(file)
            bytes += count
        case .written(let count):
            written += 1
            bytes += count
        case .carried(let file, let count):
            read += 1
            carried.append(file)
            bytes += count
        case .nothing: leftOut += 1
        }
    }

    /// Old files that others replace: they were read, and those whose name is gone are left out.
    mutating func countReplaced(_ files: [PlannedFile]) {
        for file in files {
            guard case .write(_, let replacing) = file.action else { continue }
            read += replacing.count
            leftOut += replacing.count(where: { $0 != file.target })
        }
    }

    func with(kept: FilePath?) -> ChangeOutcome {
        var outcome = ChangeOutcome(verb: verb, folder: folder, kept: kept)
        outcome.read = read
        outcome.resealed = resealed
        outcome.written = written
        outcome.leftOut = leftOut
        outcome.carried = carried
        outcome.notCarried = notCarried
        outcome.bytes = bytes
        return outcome
    }
}
