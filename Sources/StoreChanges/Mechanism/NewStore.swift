import SophaxFiles
import SystemIO

/// Makes a store where none is: the folder is built and proven beside its name, and takes the name when it is whole.
package struct NewStore: Sendable {
    package let verb: ChangeVerb
    package let place: ChangePlace
    package let files: [PlannedFile]
    /// The key of files in `files` that do not name one of their own, and what readers are given.
    package let oldKey: SharedKey
    /// The key of the new store.
    package let newKey: SharedKey
    package let workers: Int
    package let date: String
    /// Bytes of each file that will be written, about, for a look at the free space; empty where that is not known.
    package var expectedSizes: [Int] = []
    /// All files are made and proven; where it throws the new folder goes again.
    var beforePublishing: @Sendable () throws(ChangeError) -> Void = { () throws(ChangeError) in }
    /// What there is room for.
    var freeSpace: @Sendable (FilePath) throws(FileError) -> FreeSpace = { (path) throws(FileError) in
        try FreeSpace(at: path)
    }

    /// - Parameter files: sources are absolute; `leaveOut` makes nothing.
    ///
    /// Errors: `.badTarget` for a name that comes twice or leaves the folder.
    package init(
        _ verb: ChangeVerb, at place: ChangePlace, _ files: [PlannedFile], oldKey: SharedKey, newKey: SharedKey,
        workers: Int, date: String
    ) throws(ChangeError) {
        var targets: Set<FilePath> = []
        for file in files {
            if case .leaveOut = file.action { continue }
            guard PlanBuilder.isInside(file.target), targets.insert(file.target).inserted else {
                throw .badTarget(file.target)
            }
        }
        self.verb = verb
        self.place = place
        self.files = files
        self.oldKey = oldKey
        self.newKey = newKey
        self.workers = workers
        self.date = date
    }

    /// Does it; parameters as of `StoreChange.run`. The folders `sophax_messages` and `sophax_attachments` are always made.
    ///
    /// Errors: those of `StoreChange`, `.tooLittleSpace`, and `.exists` when somebody else made the folder meanwhile.
    package func run(
        _ turn: consuming ChangeTurn, progress: @Sendable (Int) -> Void = { _ in },
        adding: (inout FolderAddition) throws(ChangeError) -> Void = { (_) throws(ChangeError) in }
    ) throws(ChangeError) -> ChangeOutcome {
        if (try? fileStatus(at: place.path, followingLinks: false)) != nil { throw .exists(place.path) }
        try SpaceCheck(place: place, sizes: expectedSizes, space: freeSpace).check()
        Interrupts.beginOrderlyWork()
        defer { Interrupts.endOrderlyWork() }
        var turn = consume turn
        let mark = NewFolder.newMark()
        try turn.begin(.init(verb: verb, mark: mark, exchanges: false, keeps: true, date: date))
        var outcome: ChangeOutcome
        let draft: NewFolder
        do throws(ChangeError) {
            draft = try NewFolder(place, mark: mark, exchanges: false)
            outcome = try build(draft, progress, adding)
            try beforePublishing()
            if let signal = Interrupts.requested { throw .interrupted(signal: signal) }
            try publish(&turn, draft)
        } catch {
            if !turn.undo(mark), case .file(let file) = error { throw .changedButNotCleared(file) }
            throw error
        }
        do throws(FileError) {
            try syncFolder(place.parent)
            try removeFile(place.path.appending(draft.marker))
            try syncFolder(place.path)
            try turn.end()
        } catch {
            throw .changedButNotCleared(error)
        }
        return outcome
    }

    private func build(
        _ draft: NewFolder, _ progress: @Sendable (Int) -> Void,
        _ adding: (inout FolderAddition) throws(ChangeError) -> Void
    ) throws(ChangeError) -> ChangeOutcome {
        let job = BuildJob(
            draft: draft.path, source: "/", oldKey: oldKey, newKey: newKey, sync: draft.sync, entries: [:])
        var folders: Set<FilePath> = [StoreFolder.messagesName, StoreFolder.attachmentsName]
        let made = Array(folders) + FolderAddition.missingFolders(for: files.map(\.target), in: folders)
        folders.formUnion(made)
        try draft.makeFolders(made)
        let results = try parallelMap(
            files, workers: workers,
            makeState: { () throws(ChangeError) in try FileWorker(job) },
            { (worker, file) throws(ChangeError) in
                let result = try worker.make(file)
                if case .reseal(let from, _) = file.action { progress(from.size) }
                return result
            })
        var outcome = ChangeOutcome(verb: verb, folder: place.path, kept: nil)
        for result in results { outcome.count(result) }
        outcome.countReplaced(files)
        var addition = try FolderAddition(job, folders: folders)
        try adding(&addition)
        outcome.written += addition.count
        outcome.bytes += addition.bytes
        try draft.bringToDisk(made + addition.newFolders)
        return outcome
    }

    private func publish(_ turn: inout ChangeTurn, _ draft: NewFolder) throws(ChangeError) {
        do throws(FileError) {
            try turn.note(.ready)
            try renameWithoutReplacing(place.draftName(draft.mark), to: place.name, in: place.parent)
        } catch {
            throw error.kind == .exists ? .exists(place.path) : .file(error)
        }
    }
}
