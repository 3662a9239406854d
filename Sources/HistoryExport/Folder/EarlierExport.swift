import JSONCoding
import SophaxFiles
import SystemIO

/// A folder that an export made before, checked to be that and nothing else.
package struct EarlierExport: Sendable {
    /// The largest `export.json` that is read, in bytes.
    static let maximumManifest = 256 << 20

    package let path: FilePath
    let options: [ExportOption]
    package let written: Int
    /// What every message of it is told by.
    let hashes: MessageHashes
    /// By the name of the file in an app's folder; two where two contents had one id.
    let attachments: [ByteText: [EarlierFile]]
    /// All that is in it, as it was seen.
    let tree: [TreeEntry]

    /// Reads `export.json` and looks at every file of the folder. Errors: `.earlier`, `.file`.
    package init(at path: FilePath) throws(ExportError) {
        self.path = path
        let read = try Self.manifest(of: path)
        options = read.options
        written = read.written
        var hashes = MessageHashes()
        for one in read.conversations where !hashes.add(text: one.hashes, messages: one.messages, of: one.id) {
            throw .earlier(.changed(ExportManifest.fileName), path)
        }
        self.hashes = hashes
        do throws(FileError) { tree = try FolderTree.entries(of: path) } catch { throw .file(error) }
        let times = try Self.check(path, read, tree)
        var attachments: [ByteText: [EarlierFile]] = [:]
        for entry in read.attachments {
            guard let modified = times[entry.file] else { continue }
            attachments[attachmentFileName(for: entry.id), default: []].append(
                EarlierFile(
                    path: entry.file, bytes: entry.bytes, sha256: entry.sha256, mediaType: entry.mediaType,
                    modified: modified))
        }
        self.attachments = attachments
    }

    private static func manifest(of path: FilePath) throws(ExportError) -> ManifestText {
        let name = path.appending(ExportManifest.fileName)
        guard (try? fileStatus(at: path, followingLinks: false))?.kind == .folder,
            (try? fileStatus(at: name, followingLinks: false))?.kind == .regular
        else { throw .earlier(.notOurs, path) }
        let text: [UInt8]
        do throws(FileError) {
            var file = try InputFile(opening: name)
            text = try file.readAll(limit: maximumManifest)
        } catch {
            throw .file(error)
        }
        guard let read = ManifestText(text) else { throw .earlier(.notOurs, path) }
        guard read.version <= ExportManifest.version else { throw .earlier(.madeByNewer(version: read.version), path) }
        return read
    }

    /// Whether a folder is an export, whole or with files missing, and has nothing else in it.
    static func isRemainder(at path: FilePath) -> Bool {
        guard let read = try? manifest(of: path), let tree = try? FolderTree.entries(of: path) else { return false }
        do throws(ExportError) {
            _ = try check(path, read, tree)
            return true
        } catch .earlier(.changed(let file), _) {
            // Missing is fine; another size is somebody's work.
            return !tree.contains { $0.path == file }
        } catch {
            return false
        }
    }

    /// What differs from the options of now, if anything.
    func difference(from now: [ExportOption]) -> EarlierExportProblem? {
        let old = Dictionary(options.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        let new = Dictionary(now.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        for name in Set(old.keys).union(new.keys).sorted() where old[name] != new[name] {
            return .otherwiseMade(
                option: name, then: String(decoding: old[name] ?? [], as: UTF8.self),
                now: String(decoding: new[name] ?? [], as: UTF8.self))
        }
        return nil
    }

    /// Folders that exports make; one may be empty, where there was nothing to put into it.
    private static let ownFolders: Set<FilePath> = [
        AttachmentFiles.folderName, SearchIndexWriter.folderName, FilePath("\(ConversationPlace.folderName)"), "assets",
    ]

    /// Every file is one that `export.json` names, with its size, and every one of them is there. Gives the times of the
    /// files, Unix seconds.
    private static func check(
        _ root: FilePath, _ manifest: ManifestText, _ tree: [TreeEntry]
    ) throws(ExportError) -> [FilePath: Double] {
        var expected: [FilePath: Int?] = [:]
        expected.updateValue(nil, forKey: ExportManifest.fileName)
        for file in manifest.files { expected[file.path] = file.bytes }
        for file in manifest.attachments { expected[file.file] = file.bytes }
        let folders = Set(expected.keys.map(\.parent)).union(ownFolders)
        var times: [FilePath: Double] = [:]
        for entry in tree where !entry.path.bytes.isEmpty {
            if entry.kind == .folder, folders.contains(entry.path) { continue }
            guard entry.kind == .regular, let size = expected.removeValue(forKey: entry.path) else {
                throw .earlier(.foreign(entry.path), root)
            }
            if let size, size != entry.size { throw .earlier(.changed(entry.path), root) }
            times[entry.path] = Double(entry.modified.seconds)
        }
        if let missing = expected.keys.min(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) {
            throw .earlier(.changed(missing), root)
        }
        return times
    }
}

/// An attachment of an earlier export, as `export.json` says.
struct EarlierFile: Hashable, Sendable {
    /// In the export's folder.
    let path: FilePath
    let bytes: Int
    let sha256: [UInt8]
    /// Told by the content.
    let mediaType: String
    /// Unix seconds.
    let modified: Double
}

/// What `export.json` says; paths are checked to stay inside the folder.
private struct ManifestText {
    private(set) var version = 0
    private(set) var written = 0
    private(set) var options: [ExportOption] = []
    private(set) var conversations: [(id: ConversationID, messages: Int, hashes: [UInt8])] = []
    private(set) var attachments: [(id: ByteText, file: FilePath, bytes: Int, sha256: [UInt8], mediaType: String)] = []
    private(set) var files: [ExportFolder.File] = []

    /// Nil for what is no such text.
    init?(_ text: [UInt8]) {
        guard let buffer = try? PlaintextBuffer(copying: text),
            let top = ObjectView(buffer, 0..<buffer.count), top.text("format") == Array(ExportManifest.format.utf8),
            let version = top.number("version"), version >= 1
        else { return nil }
        self.version = version
        if version > ExportManifest.version { return }
        guard let written = top.number("written"), let options = top.object("options") else { return nil }
        self.written = written
        for member in options.members.members {
            guard let value = options.text(member) else { return nil }
            self.options.append(ExportOption(String(decoding: member.key, as: UTF8.self), value))
        }
        guard let conversations = top.objects("conversations"), let attachments = top.objects("attachments"),
            let files = top.objects("files")
        else { return nil }
        for one in conversations {
            guard let id = one.text("id"), let messages = one.number("messages"), let hashes = one.text("hashes") else {
                return nil
            }
            self.conversations.append((ConversationID(ByteText(id)), messages, hashes))
        }
        for one in attachments {
            guard let id = one.text("id"), let file = one.path("file"), let bytes = one.number("bytes"),
                let digest = one.text("sha256").flatMap({ [UInt8](hexDigits: $0) }), digest.count == 32,
                let type = one.text("type")
            else { return nil }
            self.attachments.append((ByteText(id), file, bytes, digest, String(decoding: type, as: UTF8.self)))
        }
        for one in files {
            guard let file = one.path("file"), let bytes = one.number("bytes") else { return nil }
            self.files.append(ExportFolder.File(path: file, bytes: bytes))
        }
    }
}

/// An object of a small JSON text.
private struct ObjectView {
    let members: JSONMembers
    private let buffer: PlaintextBuffer

    init?(_ buffer: PlaintextBuffer, _ range: Range<Int>) {
        guard let members = try? JSONMembers(object: buffer, range), members.isStrict else { return nil }
        self.members = members
        self.buffer = buffer
    }

    func text(_ member: JSONMember) -> [UInt8]? {
        guard member.kind == .string else { return nil }
        return JSONText.unescape(buffer.bytes(in: member.value).span).bytes
    }

    func text(_ key: StaticString) -> [UInt8]? { members.last(key).flatMap { text($0) } }

    /// A whole number ≥ 0.
    func number(_ key: StaticString) -> Int? {
        guard let member = members.last(key), member.kind == .number else { return nil }
        return Int(String(decoding: buffer.bytes(in: member.value), as: UTF8.self)).flatMap { $0 >= 0 ? $0 : nil }
    }

    /// A path of one or two components that leads nowhere else.
    func path(_ key: StaticString) -> FilePath? {
        guard let bytes = text(key), !bytes.contains(0) else { return nil }
        let parts = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count),
            parts.allSatisfy({ !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) })
        else { return nil }
        return FilePath(bytes: bytes)
    }

    func object(_ key: StaticString) -> ObjectView? {
        guard let member = members.last(key), member.kind == .object else { return nil }
        return ObjectView(buffer, member.value)
    }

    func objects(_ key: StaticString) -> [ObjectView]? {
        guard let member = members.last(key), member.kind == .array,
            let elements = try? JSONMembers(array: buffer, member.value)
        else { return nil }
        var objects: [ObjectView] = []
        for element in elements.members {
            guard element.kind == .object, let object = ObjectView(buffer, element.value) else { return nil }
            objects.append(object)
        }
        return objects
    }
}
