import CryptoPrimitives
import SophaxFiles
import SystemIO

/// Changes a store: makes a new folder beside the old one, proves it, and exchanges the two names in one step.
///
/// Whatever happens on the way, a whole store stands under the name: the old one until the exchange, the new one after it.
/// What an interruption leaves beside it the next `ChangeTurn.recover` finishes or removes.
package struct StoreChange: Sendable {
    package let plan: ChangePlan
    package let oldKey: SharedKey
    /// Nil where the key stays.
    package let newKey: SharedKey?
    /// The old folder stays beside the new one, under `ChangeVerb.keptName`.
    package let keeps: Bool
    package let workers: Int
    /// Today as `yyyy-MM-dd`, for the name of the kept folder.
    package let date: String
    /// Something that tests do in the middle.
    package var hooks = Hooks()

    package struct Hooks: Sendable {
        /// All files are made; what the old folder shows now is compared with what it showed at first.
        package var beforeComparing: @Sendable () -> Void = {}
        /// The names were just exchanged.
        package var afterExchange: @Sendable () -> Void = {}
        /// The signal that asked for an end, at the last moment.
        package var requested: @Sendable () -> Int32? = { Interrupts.requested }
        /// What there is room for.
        package var freeSpace: @Sendable (FilePath) throws(FileError) -> FreeSpace = { (path) throws(FileError) in
            try FreeSpace(at: path)
        }

        package init() {}
    }

    package init(
        _ plan: ChangePlan, oldKey: SharedKey, newKey: SharedKey? = nil, keeps: Bool, workers: Int, date: String
    ) {
        self.plan = plan
        self.oldKey = oldKey
        self.newKey = newKey
        self.keeps = keeps
        self.workers = workers
        self.date = date
    }

    /// Does it. `progress` gets bytes as files are done, on any thread; their sum is `plan.bytes`, more or less.
    ///
    /// - Parameters:
    ///   - turn: the turn for the plan's unit, with `recover` done before the plan was made.
    ///   - adding: pushes further files into the new folder, after those of the plan; on the calling thread.
    package func run(
        _ turn: consuming ChangeTurn, progress: @Sendable (Int) -> Void = { _ in },
        adding: (inout FolderAddition) throws(ChangeError) -> Void = { (_) throws(ChangeError) in }
    ) throws(ChangeError) -> ChangeOutcome {
        Interrupts.beginOrderlyWork()
        defer { Interrupts.endOrderlyWork() }
        try check()
        var turn = consume turn
        let mark = NewFolder.newMark()
        let beginning = ChangeJournal.Beginning(
            verb: plan.verb, mark: mark, exchanges: true, keeps: keeps, date: date)
        try turn.begin(beginning)
        var outcome: ChangeOutcome
        do throws(ChangeError) {
            let draft = try NewFolder(turn.place, mark: mark, exchanges: true)
            outcome = try build(draft, progress, adding)
            if !keeps {
                // Each opened before anything was written; a disk may still give other bytes the second time.
                guard outcome.isWhole else {
                    throw .unprovenWithoutKeeping(outcome.carried.filter { !$0.reason.isKnown })
                }
                try KeyProof(plan: plan, key: newKey ?? oldKey, workers: workers).proveOnDisk(draft.path)
            }
            hooks.beforeComparing()
            try compare(with: plan.unit.path)
            if let signal = hooks.requested() { throw .interrupted(signal: signal) }
            try exchange(&turn, draft)
        } catch {
            // An exchange that took place although the kernel said that it failed.
            if !turn.undo(mark), case .file(let file) = error { throw .changedButNotCleared(file) }
            throw error
        }
        let change = InterruptedChange(
            place: turn.place, journal: ChangeJournal(beginning, .ready))
        do throws(FileError) {
            let kept = try change.finish(keeping: keeps, hasOld: true)
            try turn.end()
            return outcome.with(kept: kept)
        } catch {
            throw .changedButNotCleared(error)
        }
    }

    // MARK: - Before anything is written

    private func check() throws(ChangeError) {
        try SpaceCheck(plan: plan, space: hooks.freeSpace).check()
        let proof = KeyProof(plan: plan, key: oldKey, workers: workers)
        if keeps {
            guard try proof.opensAny() else { throw .wrongKey }
        } else {
            let unproven = try proof.unproven()
            guard unproven.isEmpty else { throw .unprovenWithoutKeeping(unproven) }
        }
    }

    // MARK: - The new folder

    private func build(
        _ draft: NewFolder, _ progress: @Sendable (Int) -> Void,
        _ adding: (inout FolderAddition) throws(ChangeError) -> Void
    ) throws(ChangeError) -> ChangeOutcome {
        let job = BuildJob(
            draft: draft.path, source: plan.unit.path, oldKey: oldKey, newKey: newKey, sync: draft.sync,
            entries: Dictionary(plan.tree.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first }))
        var folders = Set(plan.folders.map(\.path))
        let made = plan.folders.map(\.path) + FolderAddition.missingFolders(for: plan.files.map(\.target), in: folders)
        folders.formUnion(made)
        try draft.makeFolders(made)
        let results = try parallelMap(
            plan.files, workers: workers,
            makeState: { () throws(ChangeError) in try FileWorker(job) },
            { (worker, file) throws(ChangeError) in
                let result = try worker.make(file)
                progress(plan.sizes[file.target] ?? 0)
                return result
            })
        var outcome = ChangeOutcome(verb: plan.verb, folder: plan.unit.path, kept: nil)
        for result in results { outcome.count(result) }
        outcome.notCarried = plan.notCarried
        outcome.countReplaced(plan.files)
        var addition = try FolderAddition(job, folders: folders)
        try adding(&addition)
        outcome.written += addition.count
        outcome.bytes += addition.bytes
        let changed = Set(plan.files.filter { !$0.action.isCarry }.map(\.target.parentInside) + [FilePath(bytes: [])])
        try draft.takeStatus(plan.folders, changed: changed.union(addition.changedFolders))
        try draft.bringToDisk(made + addition.newFolders)
        return outcome
    }

    // MARK: - The exchange

    private func compare(with folder: FilePath) throws(ChangeError) {
        let now = try onDisk(try FolderTree.entries(of: folder))
        if let path = TreeDifference.first(plan.tree, now) { throw .changing(plan.unit.path.appending(path)) }
    }

    private func exchange(_ turn: inout ChangeTurn, _ draft: NewFolder) throws(ChangeError) {
        let place = turn.place
        do throws(FileError) {
            // With it the next run removes a folder only when that has the marker: should somebody else have moved folders
            // about, neither of the two goes.
            try turn.note(.ready)
            try exchangeNames(place.name, place.draftName(draft.mark), in: place.parent)
        } catch {
            throw .file(error)
        }
        hooks.afterExchange()
        do throws(ChangeError) {
            // Between the last look and the exchange an app may have written into the folder that is the old one now.
            try compare(with: draft.path)
        } catch {
            // A full disk has no room for the record; the names are what matters.
            try? turn.note(.undoing)
            do throws(FileError) {
                try exchangeNames(place.name, place.draftName(draft.mark), in: place.parent)
            } catch {
                throw .changedButNotCleared(error)
            }
            throw error
        }
        if keeps { return }
        do throws(FileError) {
            // `finish` syncs again; this one makes true what the record says, whoever reads it (sxkey-formats(5)).
            try syncFolder(place.parent)
            try turn.note(.exchanged)
        } catch {
            throw .changedButNotCleared(error)
        }
    }
}
