import Archive
import CommandKit
import History
import SQLiteDatabase
import SophaxFiles
import SystemIO

/// An archive that is open, and where it is.
struct OpenedArchive {
    let archive: Archive
    let path: FilePath

    /// Does work on the archive and says its errors with the archive's name.
    func doing<R: ~Copyable>(_ body: (Archive) throws(ArchiveError) -> R) throws(CommandError) -> R {
        do throws(ArchiveError) {
            return try body(archive)
        } catch {
            throw .archive(error, path)
        }
    }
}

extension Context {
    /// Opens the archive of a command.
    func openArchive(
        _ options: ArchiveOptions, _ mode: SealedDatabase.AccessMode
    ) throws(CommandError) -> OpenedArchive {
        let place = try options.existing(self)
        return try openArchive(at: place.path, mode, unlocking: options.secret(for: place.path, self))
    }

    /// Opens an archive whose secret is known.
    func openArchive(
        at path: FilePath, _ mode: SealedDatabase.AccessMode, unlocking secret: UnlockSecret
    ) throws(CommandError) -> OpenedArchive {
        do throws(ArchiveError) {
            return OpenedArchive(archive: try Archive(opening: path, mode, unlocking: secret), path: path)
        } catch {
            throw .archive(error, path)
        }
    }
}

extension OpenedArchive {
    /// The archive as a source, for exports and for the import into another one.
    func history() throws(CommandError) -> ArchiveHistory {
        try doing { (archive) throws(ArchiveError) in try ArchiveHistory(archive, path: path) }
    }

    /// The conversation that `word` names: an id or its beginning, `notes`, or the name of a person.
    func conversation(named word: [UInt8]) throws(CommandError) -> ArchivedConversation {
        let all = try doing { (archive) throws(ArchiveError) in try archive.conversations() }
        return try ConversationWord(word).find(in: all)
    }
}

/// A word by which somebody names a conversation.
struct ConversationWord {
    private let word: [UInt8]

    init(_ word: [UInt8]) {
        self.word = word
    }

    /// An id counts before the beginning of one, and that before a name.
    func find(in all: [ArchivedConversation]) throws(CommandError) -> ArchivedConversation {
        let wanted = word == Array("notes".utf8) ? ConversationID.notesToSelf : ConversationID(ByteText(word))
        let id = PeerIDForm.short.conversation(wanted)
        if let exact = all.first(where: { $0.id == wanted }) ?? all.first(where: { fits($0, id) }) { return exact }
        let group = Array("group.".utf8) + word
        for matches in [
            all.filter {
                !word.isEmpty && ($0.id.text.bytes.starts(with: word) || $0.id.text.bytes.starts(with: group))
            },
            all.filter { $0.name?.bytes == word },
            all.filter { named in named.name.map { Self.folded($0.bytes) == Self.folded(word) } ?? false },
        ] where !matches.isEmpty {
            guard matches.count == 1 else { throw .severalConversations(word, matching: matches.map(\.id)) }
            return matches[0]
        }
        throw .noConversation(word, known: all.prefix(5).map(\.id))
    }

    /// Both lengths of a peer id are one conversation.
    private func fits(_ conversation: ArchivedConversation, _ id: ConversationID) -> Bool {
        conversation.id.kind == .direct && PeerIDForm.short.conversation(conversation.id) == id && word.count >= 16
    }

    /// ASCII letters in lower case: enough to type a name.
    private static func folded(_ text: [UInt8]) -> [UInt8] {
        text.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
    }
}
