import CryptoPrimitives
import History
import JSONCoding
import SQLiteDatabase
import SophaxFiles

extension Archive {
    /// Reads and judges the archive, and changes nothing.
    ///
    /// Errors: only what keeps it from looking, such as a lock or a disk that does not read.
    package func verify(
        _ depth: ArchiveDepth, progress: (Int) -> Void = { _ in }
    ) throws(ArchiveError) -> ArchiveVerdict {
        var verdict = ArchiveVerdict(depth)
        if let sealed {
            let findings = try sealing { () throws(SealedError) in
                try sealed.verify(depth: depth == .quick ? .pages : .full)
            }
            for finding in findings { verdict.add(.sealed(finding)) }
            // SQLite would stop at the first page that it cannot read, and know no more of it.
            if findings.contains(where: { if case .page = $0 { true } else { false } }) { return verdict }
        }
        try count(&verdict)
        guard depth > .quick else { return verdict }
        try judgeIndex(&verdict)
        try reading { () throws(ArchiveError) in
            try judgeReferences(&verdict)
            guard depth == .full else { return }
            try judgeSources(&verdict, progress)
            try judgeContents(&verdict, progress)
        }
        return verdict
    }

    /// Makes the index anew from the messages.
    package func rebuildIndex() throws(ArchiveError) {
        try changing { () throws(ArchiveError) in
            try attempt { () throws(DatabaseError) in
                try database.execute("INSERT INTO message_text (message_text) VALUES ('rebuild')")
            }
        }
    }

    private func count(_ verdict: inout ArchiveVerdict) throws(ArchiveError) {
        verdict.messages = try number("SELECT count(*) FROM message")
        verdict.conversations = try number("SELECT count(*) FROM conversation")
    }

    private func number(_ sql: String) throws(ArchiveError) -> Int {
        let number = try attempt { () throws(DatabaseError) in try database.first(sql) { $0.integer(0) ?? 0 } }
        return Int(number ?? 0)
    }

    // MARK: The index

    /// FTS5 compares the index with the messages, through a statement that looks like a change and is none.
    private func judgeIndex(_ verdict: inout ArchiveVerdict) throws(ArchiveError) {
        if database.isReadOnly {
            let (indexed, messages) = (
                try number("SELECT count(*) FROM message_text_docsize"), try number("SELECT count(*) FROM message")
            )
            verdict.add(indexed == messages ? .indexNotCompared : .index)
            return
        }
        let isWhole = try changing { () throws(ArchiveError) in
            do throws(DatabaseError) {
                try database.run("INSERT INTO message_text (message_text, rank) VALUES ('integrity-check', 1)")
                return true
            } catch .damaged {
                return false
            } catch {
                throw .database(error)
            }
        }
        if !isWhole { verdict.add(.index) }
    }

    // MARK: References that the schema does not declare

    private func judgeReferences(_ verdict: inout ArchiveVerdict) throws(ArchiveError) {
        let missing = try number(
            "SELECT count(*) FROM message m WHERE NOT EXISTS (SELECT 1 FROM source WHERE id = m.source)")
        if missing > 0 { verdict.add(.missingSources(missing)) }
        // Each message has one of its own.
        let surplus = try number("SELECT count(*) FROM source") + missing - number("SELECT count(*) FROM message")
        if surplus > 0 { verdict.add(.surplusSources(surplus)) }
        let pieces = try number(
            """
            SELECT count(*) FROM attachment_chunk c
            WHERE NOT EXISTS (SELECT 1 FROM attachment WHERE id = c.id >> 20)
            """)
        if pieces > 0 { verdict.add(.surplusPieces(pieces)) }
    }

    // MARK: Sources

    private func judgeSources(
        _ verdict: inout ArchiveVerdict, _ progress: (Int) -> Void
    ) throws(ArchiveError) {
        let conversations = try attempt { () throws(DatabaseError) in
            try database.rows("SELECT id, peer_id FROM conversation ORDER BY id") { row throws(DatabaseError) in
                (row: try row.requiredInteger(0), id: ConversationID(ByteText(try row.requiredBlob(1))))
            }
        }
        for conversation in conversations {
            var columns = try StoredColumns(database, conversation.row)
            while let rows = try columns.next() {
                try judge(rows, conversation.id, &verdict)
                progress(rows.reduce(0) { $0 + $1.source.json.count })
            }
        }
        try judgeOthers(&verdict, progress)
    }

    private func judge(
        _ rows: [StoredColumns.Row], _ conversation: ConversationID, _ verdict: inout ArchiveVerdict
    ) throws(ArchiveError) {
        let messages = try scanning { (scanner) throws(OutOfMemory) in
            try scanner.messages(rows.map(\.source.scannable))
        }
        for (row, message) in zip(rows, messages) {
            verdict.sources += 1
            guard SHA256.hash(row.source.json.span) == row.source.sha256 else {
                verdict.add(.sourceDigest(message: row.number))
                continue
            }
            guard let message else {
                verdict.add(.unreadableSource(message: row.number))
                continue
            }
            if !row.fits(MessageColumns(message, in: conversation)) { verdict.add(.columns(message: row.number)) }
        }
    }

    private func judgeOthers(
        _ verdict: inout ArchiveVerdict, _ progress: (Int) -> Void
    ) throws(ArchiveError) {
        var damaged: [Int64] = []
        var count = 0
        try database.visit("SELECT message, json, sha256 FROM other_source") {
            (row: borrowing Row) throws(ArchiveError) in
            let (message, json, sha256) = try attempt { () throws(DatabaseError) in
                (try row.requiredInteger(0), try row.requiredBlob(1), try row.requiredBlob(2))
            }
            count += 1
            progress(json.count)
            if SHA256.hash(json.span) != sha256 { damaged.append(message) }
            return true
        }
        verdict.sources += count
        for message in damaged { verdict.add(.sourceDigest(message: message)) }
    }

    // MARK: Attachments

    private func judgeContents(
        _ verdict: inout ArchiveVerdict, _ progress: (Int) -> Void
    ) throws(ArchiveError) {
        let attachments = try attempt { () throws(DatabaseError) in
            try database.rows("SELECT id, size, sha256 FROM attachment ORDER BY id") { row throws(DatabaseError) in
                (id: try row.requiredInteger(0), size: Int(try row.requiredInteger(1)), sha256: try row.requiredBlob(2))
            }
        }
        for attachment in attachments {
            verdict.attachments += 1
            let isWhole = try AttachmentContent.read(
                attachment.id, size: attachment.size, sha256: attachment.sha256, database
            ) { (bytes) throws(ArchiveError) in progress(bytes.count) }
            if !isWhole { verdict.add(.attachment(sha256: attachment.sha256)) }
        }
    }
}
