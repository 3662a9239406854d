import History
import SQLiteDatabase
import SophaxFiles

/// The pieces that attachments are kept in.
enum AttachmentChunk {
    /// Bytes of every piece but the last.
    static let size = 256 << 10

    /// Pieces that one attachment may have: 256 GiB.
    private static let bits: Int64 = 20

    /// The row of a piece, counted from 0; nil beyond the ceiling.
    static func row(_ attachment: Int64, _ piece: Int) -> Int64? {
        guard piece >= 0, piece < 1 << bits, attachment < 1 << (62 - bits) else { return nil }
        return attachment << bits | Int64(piece)
    }

    /// The rows of all pieces of an attachment.
    static func rows(of attachment: Int64) -> Range<Int64> {
        attachment << bits..<(attachment + 1) << bits
    }
}

/// Puts attachments into the archive, each content once; runs inside of transactions that the importer makes.
final class AttachmentWriter {
    /// Contents up to this size wait in memory until their hash is known.
    private static let heldCeiling = 8 * AttachmentChunk.size

    private let database: Database
    private var id = ByteText([])
    private var size = 0
    private var held: [[UInt8]] = []
    /// The number that a content gets which is written before its hash is known.
    private var written: (attachment: Int64, pieces: Int)?
    private var kind = AttachmentKind.unknown.mediaType
    /// Contents of that length are linked with the id: most likely this is one of them, so nothing is written yet.
    private var isLikelyThere = false
    private var isRunning = false
    /// Ids whose content turned out to be new although one of its length is there: to be read once more.
    private(set) var again: Set<ByteText> = []
    /// Ids that are read once more.
    private let isSecondPass: Bool

    init(_ database: Database, isSecondPass: Bool) {
        self.database = database
        self.isSecondPass = isSecondPass
    }

    func begin(_ id: ByteText, size declared: Int) throws(ArchiveError) {
        try discard()
        self.id = id
        size = 0
        kind = AttachmentKind.unknown.mediaType
        isRunning = true
        isLikelyThere = false
        guard !isSecondPass, declared > Self.heldCeiling else { return }
        isLikelyThere = try attempt { () throws(DatabaseError) in
            try database.first(
                """
                SELECT 1 FROM attachment_link l JOIN attachment a ON a.id = l.attachment WHERE l.app_id = ? AND a.size = ?
                """, .blob(id.bytes), .integer(declared)
            ) { _ in true } ?? false
        }
    }

    func take(_ piece: [UInt8]) throws(ArchiveError) {
        if size == 0 { kind = AttachmentKind.of(Array(piece.prefix(AttachmentKind.headLength))).mediaType }
        size += piece.count
        if isLikelyThere { return }
        if written == nil {
            held.append(piece)
            guard size > Self.heldCeiling else { return }
            written = (try nextAttachment(), 0)
            try writeHeld()
            return
        }
        held.append(piece)
        try writeHeld()
    }

    /// The content is whole; `bytes` gives how many bytes went into the archive.
    func end(_ sha256: [UInt8], origin: Int64, _ report: inout ImportReport) throws(ArchiveError) {
        guard isRunning else { return }
        isRunning = false
        if !isSecondPass { report.attachments.read += 1 }
        let known = try attempt { () throws(DatabaseError) in
            try database.first("SELECT id FROM attachment WHERE sha256 = ?", .blob(sha256)) {
                row throws(DatabaseError) in
                try row.requiredInteger(0)
            }
        }
        if let known {
            try discard()
            let isNew = try link(known, origin, &report)
            if isNew {
                report.attachments.new += 1
            } else if !isSecondPass {
                report.attachments.alreadyThere += 1
            }
            return
        }
        guard !isLikelyThere else {
            again.insert(id)
            return
        }
        if written == nil { written = (try nextAttachment(), 0) }
        try writeHeld()
        guard let attachment = written?.attachment else { return }
        written = nil
        try attempt { () throws(DatabaseError) in
            try database.run(
                "INSERT INTO attachment (id, sha256, size, kind) VALUES (?, ?, ?, ?)", .integer(attachment),
                .blob(sha256), .integer(size), .text(kind))
        }
        _ = try link(attachment, origin, &report)
        report.attachments.new += 1
    }

    /// Takes away what was written of a content that did not come to its end, or is there already.
    func discard() throws(ArchiveError) {
        held.removeAll()
        guard let (attachment, _) = written else { return }
        written = nil
        let rows = AttachmentChunk.rows(of: attachment)
        try attempt { () throws(DatabaseError) in
            try database.run(
                "DELETE FROM attachment_chunk WHERE id >= ? AND id < ?", .integer(rows.lowerBound),
                .integer(rows.upperBound))
        }
    }

    /// Links the id with a content; false when it was linked before.
    private func link(
        _ attachment: Int64, _ origin: Int64, _ report: inout ImportReport
    ) throws(ArchiveError) -> Bool {
        try attempt { () throws(DatabaseError) in
            let others = try database.first(
                "SELECT count(*) FROM attachment_link WHERE app_id = ? AND attachment <> ?", .blob(id.bytes),
                .integer(attachment)
            ) { $0.integer(0) ?? 0 }
            try database.run(
                "INSERT INTO attachment_link (app_id, attachment, origin) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                .blob(id.bytes), .integer(attachment), .integer(origin))
            let isNew = database.changes > 0
            if isNew, let others, others > 0 {
                report.attachments.different += 1
                if report.differentAttachments.count < ImportReport.maximumListed {
                    report.differentAttachments.append(id)
                }
            }
            return isNew
        }
    }

    private func nextAttachment() throws(ArchiveError) -> Int64 {
        let next = try attempt { () throws(DatabaseError) in
            try database.first("SELECT ifnull(max(id), 0) + 1 FROM attachment") { $0.integer(0) ?? 1 }
        }
        return next ?? 1
    }

    /// Pieces come as large as the source has them; those that are kept all have one size.
    private func writeHeld() throws(ArchiveError) {
        guard let attachment = written?.attachment, var pieces = written?.pieces else { return }
        var gathered: [UInt8] = []
        let isFinal = !isRunning
        for piece in held { gathered += piece }
        held.removeAll()
        var start = 0
        while gathered.count - start >= AttachmentChunk.size || (isFinal && start < gathered.count) {
            let end = min(gathered.count, start + AttachmentChunk.size)
            guard let row = AttachmentChunk.row(attachment, pieces) else { throw .database(.tooBig) }
            let span = gathered.span.extracting(start..<end)
            try attempt { () throws(DatabaseError) in
                try database.run(
                    "INSERT INTO attachment_chunk (id, bytes) VALUES (?, ?)", .integer(row), lending: span)
            }
            pieces += 1
            start = end
        }
        if start < gathered.count { held.append(Array(gathered[start...])) }
        written = (attachment, pieces)
    }
}
