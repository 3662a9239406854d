import SystemIO

/// One file of a store, as its folder shows it.
package struct StoreFile: Hashable, Sendable {
    package let path: FilePath
    /// The name without `.enc`; of attachments the whole name.
    package let stem: ByteText
    package let kind: StoreFileKind
    /// Bytes on disk: 12 of nonce and 16 of tag more than the text.
    package let size: Int
}

extension StoreFile {
    /// A file that no app makes, somewhere below a store.
    package init(foreign path: FilePath, size: Int) {
        self.init(path: path, stem: ByteText(path.lastComponent.bytes), kind: .foreign, size: size)
    }
}

/// Why a folder is not a message store.
package enum StoreFolderError: Error, Equatable, Sendable {
    case file(FileError)
    /// There is neither a `sophax_messages` folder nor any `.enc` file.
    case notAStore(FilePath)
}

/// The files of a message store and its attachments; nothing is opened yet.
package struct StoreFolder: Sendable {
    package static let messagesName: FilePath = "sophax_messages"
    package static let attachmentsName: FilePath = "sophax_attachments"

    package let messagesPath: FilePath
    /// Nil when there is no attachment folder beside the messages.
    package let attachmentsPath: FilePath?
    /// Largest first, so that all cores are busy to the end.
    package let conversations: [StoreFile]
    package let blobs: [StoreFile]
    package let foreign: [StoreFile]
    package let attachments: [StoreFile]

    /// Looks at `path`: the folder that holds `sophax_messages` and `sophax_attachments`, or `sophax_messages` itself.
    package init(at path: FilePath) throws(StoreFolderError) {
        var entries = try Self.list(path)
        var messages = path
        var root: FilePath? = path
        let inside = path.appending(Self.messagesName)
        if (try? fileStatus(at: inside))?.kind == .folder {
            messages = inside
            entries = try Self.list(messages)
        } else if path.lastComponent == Self.messagesName || entries.contains(where: { $0.name.hasSuffix(".enc") }) {
            // `..` by the kernel's understanding: a path of "." has no parent that its text could tell.
            root = path.appending("..")
        } else {
            throw .notAStore(path)
        }
        let beside = root.map { $0.appending(Self.attachmentsName) }
        let isThere = beside.map { (try? fileStatus(at: $0))?.kind == .folder } ?? false
        try self.init(entries, in: messages, attachments: isThere ? beside : nil)
    }

    /// The store whose messages are in `messages` and whose attachments, if it has any, in `attachments`; both are folders.
    package init(messages: FilePath, attachments: FilePath?) throws(StoreFolderError) {
        try self.init(try Self.list(messages), in: messages, attachments: attachments)
    }

    private init(_ entries: [FolderEntry], in messages: FilePath, attachments beside: FilePath?)
        throws(StoreFolderError)
    {
        messagesPath = messages
        let files = entries.map { Self.messageFile($0, in: messages) }
        conversations = files.filter { $0.kind == .conversation }.sorted(by: Self.largestFirst)
        blobs = files.filter { if case .blob = $0.kind { true } else { false } }
        attachmentsPath = beside
        let attachmentEntries = try beside.map { (path) throws(StoreFolderError) in try Self.list(path) } ?? []
        let kept = attachmentEntries.map { Self.attachmentFile($0, in: beside ?? messages) }
        attachments = kept.filter { $0.kind != .foreign }.sorted(by: Self.largestFirst)
        foreign = files.filter { $0.kind == .foreign } + kept.filter { $0.kind == .foreign }
    }

    /// All bytes that a full verification reads.
    package var totalBytes: Int {
        (conversations + blobs + attachments).reduce(0) { $0 + $1.size }
    }

    private static func list(_ path: FilePath) throws(StoreFolderError) -> [FolderEntry] {
        do { return try listFolder(path) } catch { throw .file(error) }
    }

    private static func largestFirst(_ left: StoreFile, _ right: StoreFile) -> Bool {
        left.size != right.size ? left.size > right.size : left.stem < right.stem
    }

    private static func messageFile(_ entry: FolderEntry, in folder: FilePath) -> StoreFile {
        let suffix = Array(".enc".utf8)
        let path = folder.appending(entry.name)
        let bytes = entry.name.bytes
        guard entry.kind == .regular, bytes.count > suffix.count, bytes.suffix(suffix.count).elementsEqual(suffix)
        else { return StoreFile(path: path, stem: ByteText(bytes), kind: .foreign, size: entry.size) }
        let stem = ByteText(Array(bytes.dropLast(suffix.count)))
        let blob = BlobKind.allCases.first { Array($0.rawValue.utf8) == stem.bytes }
        return StoreFile(path: path, stem: stem, kind: blob.map { .blob($0) } ?? .conversation, size: entry.size)
    }

    private static func attachmentFile(_ entry: FolderEntry, in folder: FilePath) -> StoreFile {
        let name = ByteText(entry.name.bytes)
        let isNamedByApp = entry.kind == .regular && attachmentFileName(for: name) == name
        return StoreFile(
            path: folder.appending(entry.name), stem: name, kind: isNamedByApp ? .conversation : .foreign,
            size: entry.size)
    }
}

/// The files of one conversation: usually one; two where an app version left an older group file behind.
package struct ConversationFiles: Sendable {
    /// The older name rule first, so that messages come in order of arrival.
    package let files: [StoreFile]
    package var size: Int { files.reduce(0) { $0 + $1.size } }
    /// An older file that newer apps no longer look at, as far as its name tells (formats section 6.1.1).
    package var orphan: StoreFile? {
        files.first { Self.group(ofOrphan: $0.stem) != nil }
    }
    /// The conversation of messages that name none.
    package var guess: ConversationID { ConversationID(guessedFrom: files.last?.stem ?? ByteText([])) }

    /// Puts `<UUID>.enc` and `group.<UUID>.enc` together; largest first.
    package static func grouping(_ files: [StoreFile]) -> [ConversationFiles] {
        var groups: [ByteText: [StoreFile]] = [:]
        for file in files {
            let key = group(ofOrphan: file.stem)?.text ?? file.stem
            groups[key, default: []].append(file)
        }
        return groups.values
            .map { files in ConversationFiles(files: files.sorted { $0.stem.bytes.count < $1.stem.bytes.count }) }
            .sorted { $0.size != $1.size ? $0.size > $1.size : $0.files[0].stem < $1.files[0].stem }
    }

    /// The group whose file was named by rule v0, after its UUID; a peer id has no `-`.
    static func group(ofOrphan stem: ByteText) -> ConversationID? {
        let bytes = stem.bytes
        guard bytes.count == 36 else { return nil }
        for (index, byte) in bytes.enumerated() {
            let isDash = [8, 13, 18, 23].contains(index)
            let isHex =
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte & 0xDF)
            guard isDash ? byte == UInt8(ascii: "-") : isHex else { return nil }
        }
        return ConversationID(ByteText(Array("group.".utf8) + bytes))
    }
}
