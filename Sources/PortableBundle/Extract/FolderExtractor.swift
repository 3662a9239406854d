import CryptoPrimitives
import JSONCoding
import SophaxFiles
import SystemIO

/// Writes entries as the files of a new folder, which appears whole or not at all.
///
/// Documents, conversations and blobs keep the names that they have in the bundle. An attachment gets the name that its
/// sender gave it, made safe, as far as a conversation before it says so.
package final class FolderExtractor: EntrySink {
    /// A file that was written.
    package struct File: Hashable, Sendable {
        /// Below the folder.
        package let name: FilePath
        package let bytes: Int
        package let content: ManifestEntry.Content?
    }

    package private(set) var files: [File] = []
    /// Entries that hold private keys, and were left out for it.
    package private(set) var secrets: [String] = []
    /// Entries that nobody asked for.
    package private(set) var notAsked = 0

    private var draft: DraftFolder?
    private let target: FilePath
    private let choice: EntryChoice
    private var hints = AttachmentHints()
    private var names = AttachmentNames()
    private var folders: Set<FilePath> = []
    private var verdict = EntryChoice.Verdict.notAsked
    private var name: FilePath = ""
    private var bytes = 0
    private var progress: (Int) -> Void = { _ in }
    /// Time of the files: of the bundle, for it keeps no other.
    private let modified: Double?

    /// Nothing is made before the first file. Errors: `.exists` when something has the name.
    package init(target: FilePath, choice: EntryChoice, modified: Double?) throws(FileError) {
        try DraftFolder.check(target)
        self.target = target
        self.choice = choice
        self.modified = modified
    }

    /// Writes everything chosen. Errors are the source's, and `.file` for the folder.
    package static func extract(
        _ source: some EntrySource, to target: FilePath, choice: EntryChoice, manifestText: [UInt8]?,
        progress: @escaping (Int) -> Void = { _ in }
    ) throws(EntryError) -> FolderExtractor {
        var extractor: FolderExtractor
        do throws(FileError) {
            let time = source.manifest.createdAt
            extractor = try FolderExtractor(target: target, choice: choice, modified: time > 0 ? time : nil)
            extractor.progress = progress
            if choice.takesManifest, let manifestText {
                try extractor.write(manifestText, as: FilePath(Manifest.entryName))
            }
        } catch {
            throw .file(error)
        }
        try source.send(to: &extractor)
        do throws(FileError) {
            try extractor.publish()
        } catch {
            throw .file(error)
        }
        extractor.progress = { _ in }
        return extractor
    }

    package func begin(_ entry: ManifestEntry) throws(EntryError) {
        verdict = choice.judge(entry)
        if case .conversation(let id, let platform, _) = entry.content { hints.begin(id, platform) }
        switch verdict {
        case .notAsked: notAsked += 1
        case .secret: secrets.append(entry.name)
        case .taken:
            do throws(FileError) {
                try beginFile(placed(entry))
            } catch {
                throw .file(error)
            }
        }
    }

    package func take(_ bytes: Span<UInt8>) throws(EntryError) {
        progress(bytes.count)
        hints.take(bytes)
        guard verdict == .taken else { return }
        do throws(FileError) {
            try draft?.write(bytes)
        } catch {
            throw .file(error)
        }
        self.bytes += bytes.count
    }

    package func end(_ entry: ManifestEntry) throws(EntryError) {
        if case .conversation = entry.content {
            do throws(OutOfMemory) { try hints.end() } catch { throw .outOfMemory(requested: error.requested) }
        }
        guard verdict == .taken else { return }
        do throws(FileError) {
            try endFile(entry.content)
        } catch {
            throw .file(error)
        }
    }

    /// Where an entry goes: its folder, if it has one, and its name there.
    private func placed(_ entry: ManifestEntry) -> (folder: FilePath?, name: FilePath) {
        let path = FilePath(entry.name)
        let folder = path.parent == "." ? nil : path.parent
        if case .attachment(let id) = entry.content {
            return (folder, names.name(for: id, reference: hints.references[id]))
        }
        return (folder, path.lastComponent)
    }

    private func beginFile(_ place: (folder: FilePath?, name: FilePath)) throws(FileError) {
        if draft == nil { draft = try DraftFolder(for: target) }
        if let folder = place.folder { try makeFolder(folder) }
        try draft?.begin(place.name, in: place.folder)
        name = place.folder.map { $0.appending(place.name) } ?? place.name
        bytes = 0
    }

    /// A folder of an entry and those that it is in.
    private func makeFolder(_ folder: FilePath) throws(FileError) {
        guard folder != ".", folders.insert(folder).inserted else { return }
        try makeFolder(folder.parent)
        try draft?.makeFolder(folder)
    }

    private func endFile(_ content: ManifestEntry.Content?) throws(FileError) {
        try draft?.end(modified: modified)
        files.append(File(name: name, bytes: bytes, content: content))
    }

    private func write(_ text: [UInt8], as name: FilePath) throws(FileError) {
        try beginFile((nil, name))
        try draft?.write(text.span)
        bytes = text.count
        try endFile(nil)
    }

    /// Gives the folder its name. Without a file there is none.
    private func publish() throws(FileError) {
        if let draft = draft.take() { try draft.publish() }
    }
}
