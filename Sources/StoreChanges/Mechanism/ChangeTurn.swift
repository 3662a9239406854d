import CryptoPrimitives
import SystemIO

/// The right to change one folder: as long as this lives no other process changes it.
///
/// It holds the journal, locked. Whoever has it first calls `recover`, and only then looks at the folder and plans.
package struct ChangeTurn: ~Copyable, Sendable {
    package let place: ChangePlace
    /// Places whose changes would be in the way: the folder that holds the unit, and the message folder inside it.
    private let related: [ChangePlace]
    /// A run before this one was killed after it had taken its turn.
    package let foundLeftover: Bool
    private let file: LockedFile
    private var state: Holding
    /// The last record that was begun.
    private var noted = ChangeJournal.State.building
    /// Bytes of the first record.
    private var firstLength = 0

    private enum Holding {
        /// What an interrupted run left has not been looked at.
        case unknown
        /// No change is under way; the journal is empty and goes when this goes.
        case clear
        /// A change is under way; the journal must stay whatever happens.
        case changing(ChangeJournal.Beginning)
    }

    /// Takes the turn for a unit. Errors: `.locked`, `.file`.
    package init(for unit: ChangeUnit) throws(ChangeError) {
        var related: [ChangePlace] = []
        if unit.messages.bytes.isEmpty {
            if let above = try? ChangePlace(of: unit.place.parent) { related.append(above) }
        } else if let inside = try? ChangePlace(of: unit.path.appending(unit.messages)) {
            related.append(inside)
        }
        try self.init(unit.place, related: related)
    }

    /// Takes the turn for a folder that shall be made. Errors: `.locked`, `.file`.
    package init(for place: ChangePlace) throws(ChangeError) {
        try self.init(place, related: [])
    }

    private init(_ place: ChangePlace, related: [ChangePlace]) throws(ChangeError) {
        let file = try Self.lock(place)
        let existed = file.existed
        // Two changes of overlapping folders: each has its own lock by now, so at least one sees the other's.
        for other in related where LockedFile.isLocked(other.journal) {
            if !existed { try? removeFile(place.journal) }
            throw .locked(other.path)
        }
        // Before anything else is made, such as a file with a new key: the next run shall know that this one began.
        if !existed {
            do throws(FileError) {
                try syncFolder(place.parent)
            } catch {
                try? removeFile(place.journal)
                throw .file(error)
            }
        }
        self.file = file
        self.place = place
        self.related = related
        foundLeftover = existed
        // Nothing can be in a file that was just made.
        state = existed ? .unknown : .clear
    }

    private static func lock(_ place: ChangePlace) throws(ChangeError) -> LockedFile {
        do throws(LockedFile.Failure) {
            return try LockedFile(locking: place.journal)
        } catch {
            switch error {
            case .locked: throw .locked(place.path)
            case .file(let error): throw .file(error)
            }
        }
    }

    deinit {
        guard case .clear = state else { return }
        try? removeFile(place.journal)
        try? syncFolder(place.parent)
    }

    // MARK: - What was left

    /// Finishes or undoes what an interrupted run left, whichever keeps everything.
    ///
    /// Errors: `.file`, `.unclearLeftover`, `.newerJournal`, `.locked`.
    package mutating func recover() throws(ChangeError) -> [Recovery] {
        var recovered: [Recovery] = []
        for other in related where (try? fileStatus(at: other.journal, followingLinks: false)) != nil {
            var turn = try ChangeTurn(for: other)
            recovered += try turn.recover()
        }
        guard case .unknown = state else { return recovered }
        let bytes = try onDisk(try file.read(limit: ChangeJournal.sizeLimit))
        // A run that was killed may have written a record that is not on the disk; what is removed by it must not be gone first.
        try onDisk(try file.sync())
        if let journal = try journal(bytes) {
            recovered.append(
                try InterruptedChange(place: place, journal: journal).settle { (state) throws(FileError) in
                    try file.truncate(to: journal.length)
                    try file.append(ChangeJournal.text(state, after: Array(bytes[..<journal.length])))
                })
        }
        try onDisk(try file.truncate(to: 0))
        state = .clear
        return recovered
    }

    /// What the bytes say; nil when whoever made the file got no further.
    private func journal(_ bytes: [UInt8]) throws(ChangeError) -> ChangeJournal? {
        do throws(ChangeJournal.Problem) {
            return try ChangeJournal(bytes)
        } catch {
            if error == .newerVersion { throw .newerJournal(place.journal) }
            // Nothing is made before the first record is synced, so there should be no folder either.
            let drafts = try Self.drafts(of: place)
            guard drafts.isEmpty else { throw .unclearLeftover(place.path, folders: drafts) }
            return nil
        }
    }

    private static func drafts(of place: ChangePlace) throws(ChangeError) -> [FilePath] {
        let beginning = place.draftName("").bytes
        return try onDisk(try listFolder(place.parent))
            .filter { $0.kind == .folder && $0.name.bytes.starts(with: beginning) }
            .map { place.parent.appending($0.name) }
    }

    // MARK: - The steps of a change

    /// Writes the first record: from here on the next run knows of the new folder.
    mutating func begin(_ beginning: ChangeJournal.Beginning) throws(ChangeError) {
        guard case .clear = state else { throw .unclearLeftover(place.path, folders: []) }
        let record = ChangeJournal.text(beginning)
        firstLength = record.count
        noted = .building
        state = .changing(beginning)
        do throws(FileError) {
            try file.append(record)
            // A journal that a killed run had made may not have its name on the disk yet.
            try syncFolder(place.parent)
        } catch {
            // Nothing is made yet. Emptying needs no room on a full disk; where it fails too the next run judges.
            if (try? file.truncate(to: 0)) != nil { state = .clear }
            throw .file(error)
        }
    }

    /// Writes a further record.
    mutating func note(_ state: ChangeJournal.State) throws(FileError) {
        let before = try file.read(limit: ChangeJournal.sizeLimit)
        do throws(FileError) {
            try file.append(ChangeJournal.text(state, after: before))
        } catch {
            // How much of it is there is not known, so it goes; where that fails it must be taken for written.
            if (try? file.truncate(to: before.count)) == nil { noted = state }
            throw error
        }
        noted = state
    }

    /// Takes a new folder that is not exchanged away, and ends the change. Where even that fails the journal stays, and the
    /// next run does it.
    ///
    /// False when nothing can be undone: the new folder stands under the name.
    @discardableResult
    mutating func undo(_ mark: String) -> Bool {
        let draft = place.parent.appending(place.draftName(mark))
        let marker = ChangePlace.marker(mark)
        // After an exchange that was not taken back this is the old folder.
        guard (try? fileStatus(at: place.path.appending(marker), followingLinks: false)) == nil else { return false }
        do throws(FileError) {
            // A full disk has no room for a record; without the last one the new folder goes as well.
            if noted == .ready, (try? note(.undoing)) == nil { try file.truncate(to: firstLength) }
            // An exchange that was taken back must be on the disk before anything of the new folder goes from it.
            try syncFolder(place.parent)
            try FolderTree.remove(draft)
            try syncFolder(place.parent)
            try end()
        } catch {
            return true
        }
        return true
    }

    /// Ends the change: the journal goes.
    mutating func end() throws(FileError) {
        try removeFile(place.journal)
        // A journal that comes back with the power does no harm, the next run clears it; but what is said to be done is done.
        try syncFolder(place.parent)
        state = .unknown
    }
}
