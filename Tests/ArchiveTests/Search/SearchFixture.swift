import Archive
import History
import SQLiteDatabase
import SophaxFiles
import SystemIO
import TestSupport

/// An archive in a plain file, filled by SQL: what is asked of it does not depend on how it was imported.
struct SearchFixture {
    /// One message of the fixture; its number is its time.
    struct Message {
        var body: [UInt8]?
        var conversation = SearchFixture.bob
        /// Nil for one's own.
        var from: String?
        var time: Int64?
        var isEdited = false
        var expires: Int64?
        var replyTo: String?
        var attachment: String?
        var attachmentType: String?
        var attachmentName: String?

        init(_ body: String?, from: String? = nil, at time: Int64? = nil) {
            self.body = body.map { Array($0.utf8) }
            self.from = from
            self.time = time
        }
    }

    static let bob = "3619e750a2dd52ba"
    static let carol = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
    static let group = "group.family"

    let folder = TemporaryFolder()
    let archive: Archive
    /// 2026-01-01T00:00:00Z.
    static let start: Int64 = 1_767_225_600_000

    init(_ messages: [Message] = []) throws {
        archive = try Archive(Database(opening: FilePath(folder.file("archive.db")), .create))
        let database = archive.database
        try database.run("INSERT INTO import (kind, path, begun_at) VALUES ('store', x'', 0)")
        try database.run("INSERT INTO origin (import, item) VALUES (1, x'')")
        for (id, name) in [(Self.bob, "Bob"), (Self.carol, "Carol")] {
            try database.run(
                "INSERT INTO person (key, peer_id, name) VALUES (?, ?, ?)", .blob(Array(id.utf8.prefix(16))),
                .blob(Array(id.utf8)), .text(name))
        }
        for (id, kind) in [(Self.bob, "direct"), (Self.carol, "direct"), (Self.group, "group")] {
            try database.run(
                "INSERT INTO conversation (key, peer_id, kind) VALUES (?, ?, ?)",
                .blob(Array(kind == "direct" ? id.utf8.prefix(16) : id.utf8.prefix(99))), .blob(Array(id.utf8)),
                .text(kind))
        }
        try add(messages)
    }

    func add(_ messages: [Message]) throws {
        let database = archive.database
        try database.execute("BEGIN")
        var number = try database.first("SELECT max(id) FROM message") { $0.integer(0) ?? 0 } ?? 0
        var count = 0
        for message in messages {
            count += 1
            let time = message.time ?? Self.start + Int64(count) * 60_000
            number = max(time << 20, number + 1)
            try database.run(
                """
                INSERT INTO message (id, conversation, app_id, direction, sender, time, time_unit, expires_at, is_edited,
                    body, reply_to, attachment, attachment_type, attachment_name, source)
                VALUES (?, (SELECT id FROM conversation WHERE peer_id = ?), ?, ?,
                    (SELECT id FROM person WHERE peer_id = ?), ?, 1, ?, ?, ?, ?, ?, ?, ?, 1)
                """, .integer(number), .blob(Array(message.conversation.utf8)), .blob(Array("m\(number)".utf8)),
                .integer(message.from == nil ? 0 : 1), .blob(orNull: message.from.map { Array($0.utf8) }),
                .integer(time), .integer(orNull: message.expires), .flag(message.isEdited),
                .text(orNull: message.body), .blob(orNull: message.replyTo.map { Array($0.utf8) }),
                .blob(orNull: message.attachment.map { Array($0.utf8) }),
                .text(orNull: message.attachmentType.map { Array($0.utf8) }),
                .text(orNull: message.attachmentName.map { Array($0.utf8) }))
            try database.run(
                "INSERT INTO message_text (rowid, body, attachment_name) VALUES (?, ?, ?)", .integer(number),
                .text(orNull: message.body), .text(orNull: message.attachmentName.map { Array($0.utf8) }))
        }
        try database.execute("COMMIT")
    }

    /// The bodies that a search finds, in its order.
    func bodies(
        _ typed: String, _ filter: MessageFilter = MessageFilter(), order: SearchRequest.Order = .oldest,
        limit: Int = 1000
    ) throws -> [String] {
        let request = SearchRequest(SearchQuery(Array(typed.utf8)), filter, order: order, limit: limit)
        return try archive.search(request).map { String(decoding: $0.body ?? [], as: UTF8.self) }
    }
}
