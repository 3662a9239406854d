import SQLiteDatabase
import SophaxFiles

extension Archive {
    /// Lists the attachments that are mentioned and missing, and those that nobody mentions. Both run along an index.
    func judgeAttachments(_ report: inout ImportReport) throws(DatabaseError) {
        let missing = try attachmentIDs(
            """
            SELECT DISTINCT attachment FROM message WHERE attachment IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM attachment_link WHERE app_id = message.attachment) ORDER BY attachment
            """)
        let unmentioned = try attachmentIDs(
            """
            SELECT DISTINCT app_id FROM attachment_link
            WHERE NOT EXISTS (SELECT 1 FROM message WHERE attachment = attachment_link.app_id) ORDER BY app_id
            """)
        (report.missingAttachments, report.missingAttachmentCount) = missing
        (report.unmentionedAttachments, report.unmentionedAttachmentCount) = unmentioned
    }

    private func attachmentIDs(_ sql: String) throws(DatabaseError) -> ([ByteText], Int) {
        var listed: [ByteText] = []
        var count = 0
        try database.visit(sql) { row throws(DatabaseError) in
            count += 1
            if listed.count < ImportReport.maximumListed { listed.append(ByteText(try row.requiredBlob(0))) }
            return true
        }
        return (listed, count)
    }
}
