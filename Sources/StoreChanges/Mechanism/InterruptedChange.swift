import SophaxFiles
import SystemIO

/// A change that was interrupted, as its journal tells.
package struct InterruptedChange: Sendable {
    package let place: ChangePlace
    let journal: ChangeJournal

    package var verb: ChangeVerb { journal.beginning.verb }
    private var mark: String { journal.beginning.mark }

    /// What beside the folder `place` tells of a change that is not at its end; nil when there is nothing. Looks only.
    package static func look(at place: ChangePlace) -> InterruptedChange? {
        guard var input = try? InputFile(opening: place.journal),
            let bytes = try? input.readAll(limit: ChangeJournal.sizeLimit), let journal = try? ChangeJournal(bytes)
        else { return nil }
        return InterruptedChange(place: place, journal: journal)
    }

    /// Beside `place` stands a journal of this verb, or one that says nothing, as the end of a recovery leaves it.
    package static func isLeft(by verb: ChangeVerb, at place: ChangePlace) -> Bool {
        guard (try? fileStatus(at: place.journal, followingLinks: false)) != nil else { return false }
        return look(at: place).map { $0.verb == verb } ?? true
    }

    /// The same for a store: beside the folder that holds its messages and attachments, and beside the messages.
    package static func look(around path: FilePath) -> [InterruptedChange] {
        guard let resolved = try? resolvedPath(path) else { return [] }
        let folders = [resolved, resolved.appending(StoreFolder.messagesName), resolved.parent]
        return folders.compactMap { folder in (try? ChangePlace(of: folder)).flatMap { look(at: $0) } }
    }

    /// It is not interrupted at all: a process is at work on it.
    package var isRunning: Bool { LockedFile.isLocked(place.journal) }

    init(place: ChangePlace, journal: ChangeJournal) {
        self.place = place
        self.journal = journal
    }

    /// Which folder is which, by the marker that only the new one has. It does not depend on inode numbers, so that it is
    /// also right on a copy of the disk.
    private struct Standing {
        /// There is something under the name.
        let hasName: Bool
        let nameHasMarker: Bool
        let hasDraft: Bool
        let draftHasMarker: Bool
    }

    private var draft: FilePath { place.parent.appending(place.draftName(mark)) }
    private var marker: FilePath { ChangePlace.marker(mark) }

    private func standing() throws(FileError) -> Standing {
        Standing(
            hasName: try Self.exists(place.path), nameHasMarker: try Self.exists(place.path.appending(marker)),
            hasDraft: try Self.exists(draft), draftHasMarker: try Self.exists(draft.appending(marker)))
    }

    private static func exists(_ path: FilePath) throws(FileError) -> Bool {
        do throws(FileError) {
            _ = try fileStatus(at: path, followingLinks: false)
            return true
        } catch {
            if error.kind == .notFound { return false }
            throw error
        }
    }

    /// Finishes or undoes it. `note` writes a record of the journal and syncs it. The journal itself stays.
    func settle(_ note: (ChangeJournal.State) throws(FileError) -> Void) throws(ChangeError) -> Recovery {
        try onDisk(try bringToDisk())
        let seen = try onDisk(try standing())
        let beginning = journal.beginning
        if seen.nameHasMarker {
            guard beginning.exchanges else {
                try onDisk(try clearMarker())
                return .finished(verb, kept: nil)
            }
            // Before that record nobody looked whether an app wrote into the old folder at the last moment, or somebody found
            // that one did: then each folder may have something that the other lacks.
            let keeps = beginning.keeps || journal.state != .exchanged
            return .finished(verb, kept: try onDisk(try finish(keeping: keeps, hasOld: seen.hasDraft)))
        }
        guard seen.hasName || !beginning.exchanges else {
            throw .unclearLeftover(place.path, folders: seen.hasDraft ? [draft] : [])
        }
        guard seen.hasDraft else { return .cleared(verb) }
        if journal.state == .ready || journal.state == .exchanged {
            // Not exchanged, or somebody moved folders about: only the marker tells that this is the new one.
            guard seen.draftHasMarker else { throw .unclearLeftover(place.path, folders: [draft]) }
            // The names in it may go in any order when the power fails; the marker may not be what decides then.
            try onDisk(try note(.undoing))
        }
        try onDisk(try FolderTree.remove(draft))
        try onDisk(try syncFolder(place.parent))
        return .undone(verb)
    }

    /// What a killed run did may be seen and not be on the disk yet: an exchange, or that it was taken back, or that the marker
    /// went. What is removed on the strength of it may be gone there first.
    private func bringToDisk() throws(FileError) {
        try syncFolder(place.parent)
        if (try? fileStatus(at: place.path, followingLinks: false))?.kind == .folder { try syncFolder(place.path) }
    }

    /// What comes after the exchange: the old folder gets its name or goes, then the marker goes.
    ///
    /// Gives where the old folder is kept.
    func finish(keeping: Bool, hasOld: Bool) throws(FileError) -> FilePath? {
        var kept: FilePath?
        try syncFolder(place.parent)
        if hasOld {
            if keeping { kept = try keepOld() } else { try FolderTree.remove(draft) }
            try syncFolder(place.parent)
        }
        try clearMarker()
        return kept
    }

    private func keepOld() throws(FileError) -> FilePath {
        var number = 1
        while true {
            let path = verb.keptName(of: place.name, date: journal.beginning.date, number: number)
            do throws(FileError) {
                try renameWithoutReplacing(place.draftName(mark), to: path, in: place.parent)
                return place.parent.appending(path)
            } catch {
                if error.kind != .exists || number >= Self.mostKept { throw error }
                number += 1
            }
        }
    }

    /// Folders kept on one day.
    private static let mostKept = 10_000

    private func clearMarker() throws(FileError) {
        let mark = place.path.appending(marker)
        do throws(FileError) {
            try removeFile(mark)
        } catch {
            // A folder that the app, or a backup, left without the right to write in it.
            guard error.kind == .permissionDenied else { throw error }
            try FolderTree.withRightToWrite(in: place.path) { () throws(FileError) in try removeFile(mark) }
        }
        try syncFolder(place.path)
    }
}
