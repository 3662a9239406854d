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
    /// Files of the earlier export that are not in this one yet. At the end there are none.
    private var waiting: [ByteText: [EarlierFile]]
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
        /// The file of the earlier export that should have these bytes, and does not.
        let earlier: EarlierFile?
        var head: [UInt8] = []
        var name: FilePath?
        /// No file of the earlier export has the name.
        var isNewName = false
        var kind = AttachmentKind.unknown
        var bytes = 0
        var hash = StreamingHash()
    }

    init(in folder: ExportFolder, style: FileNameStyle, earlier: EarlierExport? = nil) {
        self.folder = folder
        self.earlier = earlier
        names = AttachmentNames(style)
        waiting = earlier?.attachments ?? [:]
        // What has its name keeps it, so that nothing in the export moves.
        for file in waiting.values.joined() { names.take(file.path.lastComponent) }
    }

    /// Notes what a chosen message refers to.
    func note(_ reference: AttachmentReference) {
        let key = attachmentFileName(for: reference.id)
        if references[key] == nil { references[key] = reference }
    }

    func wants(_ id: ByteText) -> Bool { references[attachmentFileName(for: id)] != nil }

    // MARK: Bytes from the source

    /// False where the earlier export has the file already. `sha256`: where the source knows it.
    func begin(_ id: ByteText, size: Int, sha256: [UInt8]? = nil) throws(ExportError) -> Bool {
        discard()
        let key = attachmentFileName(for: id)
        let candidates = waiting[key] ?? []
        var old: EarlierFile?
        if let sha256 {
            old = candidates.first { $0.sha256 == sha256 }
        } else if outcomes[key] == nil, candidates.count == 1, candidates[0].bytes == size {
            // An app never changes what an id stands for.
            old = candidates[0]
        }
        if let old, try keep(old, as: key) { return false }
        current = Current(id: key, earlier: old)
        return true
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
        guard let (id, head, old) = current.map({ ($0.id, $0.head, $0.earlier) }) else { return }
        let kind = AttachmentKind.of(Array(head.prefix(AttachmentKind.headLength)))
        try folder.makeFolder(Self.folderName)
        let name: FilePath
        if let old, old.mediaType == kind.mediaType {
            name = old.path.lastComponent
        } else {
            name = names.name(for: id, reference: references[id], kind: kind)
            current?.isNewName = true
        }
        try folder.begin(name, in: Self.folderName)
        try folder.write(head.span)
        current?.name = name
        current?.kind = kind
        current?.head = []
    }

    func end() throws(ExportError) {
        do throws(FileError) { if current?.name == nil { try beginFile() } } catch { throw .file(error) }
        guard let done = current, let name = done.name else { return }
        let sha256 = done.hash.finish()
        if let old = waiting[done.id]?.first(where: { $0.sha256 == sha256 }) {
            // It has a name already, and keeps it, unless its bytes are damaged there.
            if done.isNewName, intactKind(of: old) != nil {
                discard()
                guard try keep(old, as: done.id) else { throw changed(old) }
                return
            }
            waiting[done.id]?.removeAll { $0 == old }
        }
        current = nil
        let modified = references[done.id]?.time.flatMap { $0.isPlausible ? $0.unixSeconds : nil }
        do throws(FileError) { try folder.end(modified: modified) } catch { throw .file(error) }
        let isKnown = earlier?.attachments[done.id]?.contains { $0.sha256 == sha256 } ?? false
        if !isKnown { added += 1 }
        add(
            ExportedFile(
                path: Self.folderName.appending(name), bytes: done.bytes, kind: done.kind, sha256: sha256,
                modified: modified), as: done.id)
    }

    private func add(_ file: ExportedFile, as id: ByteText) {
        bytes += file.bytes
        if case .file = outcomes[id] {
            others.append((id, file))
        } else {
            outcomes[id] = .file(file)
        }
    }

    /// Half an attachment is none: the source may find out at its end that it is not what it should be.
    private func discard() {
        guard let half = current.take(), let name = half.name else { return }
        folder.discard()
        if half.isNewName { names.give(back: name) }
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

    // MARK: What the earlier export has

    /// Takes over a file of the earlier export; false where its bytes are not those that `export.json` says.
    private func keep(_ old: EarlierFile, as id: ByteText) throws(ExportError) -> Bool {
        guard let earlier, let kind = intactKind(of: old) else { return false }
        let file = ExportedFile(
            path: old.path, bytes: old.bytes, kind: kind, sha256: old.sha256, modified: old.modified)
        let isCarried: Bool
        do throws(FileError) {
            try folder.makeFolder(Self.folderName)
            isCarried = try folder.carry(file, from: earlier.path)
        } catch {
            throw .file(error)
        }
        guard isCarried else { throw changed(old) }
        waiting[id]?.removeAll { $0 == old }
        add(file, as: id)
        return true
    }

    /// What the bytes of an earlier file are; nil where they are not those that `export.json` says, or cannot be read.
    private func intactKind(of old: EarlierFile) -> AttachmentKind? {
        guard let earlier, var file = try? InputFile(opening: earlier.path.appending(old.path)) else { return nil }
        let hash = StreamingHash()
        var head: [UInt8] = []
        while true {
            guard let piece = try? file.read(upTo: ExportFolder.pieceLength) else { return nil }
            if piece.isEmpty { break }
            if head.isEmpty { head = Array(piece.prefix(AttachmentKind.headLength)) }
            hash.update(piece.span)
        }
        return hash.finish() == old.sha256 ? AttachmentKind.of(head) : nil
    }

    private func changed(_ old: EarlierFile) -> ExportError {
        .earlier(.changed(old.path), earlier?.path ?? folder.target)
    }

    // MARK: What came of it

    func finish() throws(ExportError) -> (ExportedAttachments, AttachmentCounts) {
        discard()
        var counts = AttachmentCounts()
        // What the earlier export has stays: though the source lost it, or has another content by now, and though no message
        // speaks of it any more.
        for id in waiting.keys.sorted() {
            for old in waiting[id] ?? [] {
                guard try keep(old, as: id) else { throw changed(old) }
                if references[id] == nil { counts.unreferred += 1 }
            }
        }
        for id in references.keys.sorted() {
            switch outcomes[id] {
            case .file: continue
            case .damaged: counts.damaged.append(id)
            case .missing, .notWritten, nil: counts.missing.append(id)
            }
        }
        var all = ExportedAttachments(areWritten: true)
        for (id, outcome) in outcomes {
            all.set(outcome, for: id)
            if case .file = outcome { counts.written += 1 }
        }
        all.others = others
        counts.written += others.count
        counts.referred = counts.written - counts.unreferred + counts.damaged.count + counts.missing.count
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
