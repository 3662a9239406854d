import CryptoPrimitives
import History
import SophaxFiles
import SystemIO

/// Writes the attachments that messages refer to into the folder `attachments` of an export.
final class AttachmentFiles {
    static let folderName: FilePath = "attachments"

    private let folder: ExportFolder
    private var names: AttachmentNames
    private let earlier: EarlierExport?
    /// By the name of the file in an app's folder; the first message counts.
    private var references: [ByteText: AttachmentReference] = [:]
    private var outcomes: [ByteText: ExportedAttachments.Outcome] = [:]
    /// Files that hold a second content of an id that has one already.
    private var others: [(id: ByteText, file: ExportedFile)] = []
    private var current: Current?
    private(set) var bytes = 0
    /// Files that the earlier export did not have.
    private(set) var added = 0

    private struct Current {
        let id: ByteText
        var head: [UInt8] = []
        var name: FilePath?
        var kind = AttachmentKind.unknown
        var bytes = 0
        var hash = StreamingHash()
    }

    init(in folder: ExportFolder, style: FileNameStyle, earlier: EarlierExport? = nil) throws(FileError) {
        self.folder = folder
        self.earlier = earlier
        names = AttachmentNames(style)
        // What has its name keeps it, so that nothing in the export moves.
        for file in earlier?.attachments.values.map(\.file) ?? [] { names.take(file.path.lastComponent) }
    }

    /// Notes what a chosen message refers to.
    func note(_ reference: AttachmentReference) {
        let key = attachmentFileName(for: reference.id)
        if references[key] == nil { references[key] = reference }
    }

    func wants(_ id: ByteText) -> Bool { references[attachmentFileName(for: id)] != nil }

    // MARK: Bytes from the source

    /// False where the earlier export has the file already.
    func begin(_ id: ByteText, size: Int) throws(FileError) -> Bool {
        discard()
        let key = attachmentFileName(for: id)
        if outcomes[key] == nil, let file = try kept(key, size: size) {
            outcomes[key] = .file(file)
            bytes += file.bytes
            return false
        }
        current = Current(id: key)
        return true
    }

    /// The earlier file, if it still is what it was, under a second name in the new folder.
    private func kept(_ key: ByteText, size: Int) throws(FileError) -> ExportedFile? {
        guard let file = earlier?.attachments[key]?.file, file.bytes == size, let earlier else { return nil }
        try folder.makeFolder(Self.folderName)
        return try folder.link(file, from: earlier.path) ? file : nil
    }

    func take(_ piece: Span<UInt8>) throws(FileError) {
        guard current != nil else { return }
        current?.hash.update(piece)
        current?.bytes += piece.count
        if current?.name != nil {
            try folder.write(piece)
            return
        }
        // The head says what it is, and so how the file is called: it waits until there is enough of it.
        unsafe piece.withUnsafeBufferPointer { unsafe current?.head.append(contentsOf: $0) }
        if let head = current?.head, head.count >= AttachmentKind.headLength { try beginFile() }
    }

    private func beginFile() throws(FileError) {
        guard let (id, head) = current.map({ ($0.id, $0.head) }) else { return }
        let kind = AttachmentKind.of(Array(head.prefix(AttachmentKind.headLength)))
        try folder.makeFolder(Self.folderName)
        let name: FilePath
        if outcomes[id] == nil, let kept = earlier?.attachments[id]?.file, kept.kind == kind {
            name = kept.path.lastComponent
        } else {
            name = names.name(for: id, reference: references[id], kind: kind)
        }
        try folder.begin(name, in: Self.folderName)
        try folder.write(head.span)
        current?.name = name
        current?.kind = kind
        current?.head = []
    }

    func end() throws(FileError) {
        if current?.name == nil { try beginFile() }
        guard let done = current.take(), let name = done.name else { return }
        let modified = references[done.id]?.time.flatMap { $0.isPlausible ? $0.unixSeconds : nil }
        try folder.end(modified: modified)
        bytes += done.bytes
        let file = ExportedFile(
            path: Self.folderName.appending(name), bytes: done.bytes, kind: done.kind, sha256: done.hash.finish(),
            modified: modified)
        if earlier?.attachments[done.id]?.file.sha256 != file.sha256 { added += 1 }
        if case .file = outcomes[done.id] {
            others.append((done.id, file))
        } else {
            outcomes[done.id] = .file(file)
        }
    }

    /// Half an attachment is none: the source may find out at its end that it is not what it should be.
    private func discard() {
        guard let half = current.take(), let name = half.name else { return }
        folder.discard()
        names.give(back: name)
    }

    /// The source cannot give this attachment; false where no chosen message refers to it.
    func lose(_ item: ByteText) -> Bool {
        discard()
        let id = Self.id(of: item)
        guard references[id] != nil else { return false }
        if outcomes[id] == nil { outcomes[id] = .damaged }
        return true
    }

    /// Losses are named by file or entry: the last component without its ending is the id.
    private static func id(of item: ByteText) -> ByteText {
        let name = FilePath(bytes: item.bytes).lastComponent.bytes
        let dot = name.firstIndex(of: UInt8(ascii: ".")) ?? name.endIndex
        return attachmentFileName(for: ByteText(Array(name[..<dot])))
    }

    // MARK: What came of it

    func finish() throws(FileError) -> (ExportedAttachments, AttachmentCounts) {
        var counts = AttachmentCounts()
        for id in references.keys.sorted() {
            switch outcomes[id] {
            case .file: continue
            case .missing, .damaged, .notWritten, nil:
                // What the earlier export has stays, though the source lost it.
                guard let old = earlier?.attachments[id]?.file, let kept = try kept(id, size: old.bytes) else { break }
                outcomes[id] = .file(kept)
                bytes += kept.bytes
                continue
            }
            if case .damaged = outcomes[id] { counts.damaged.append(id) } else { counts.missing.append(id) }
        }
        var all = ExportedAttachments(areWritten: true)
        for (id, outcome) in outcomes {
            all.set(outcome, for: id)
            if case .file = outcome { counts.written += 1 }
        }
        all.others = others
        counts.written += others.count
        counts.referred = counts.written + counts.damaged.count + counts.missing.count
        counts.bytes = bytes
        return (all, counts)
    }
}

/// A SHA-256 that can wait in a struct that is copied about.
final class StreamingHash {
    private var hash = SHA256()

    func update(_ bytes: Span<UInt8>) { hash.update(bytes) }

    func finish() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: SHA256.digestLength)
        unsafe digest.withUnsafeMutableBytes { unsafe hash.finish(into: $0) }
        return digest
    }
}
