import Foundation

/// What the apps' own decoders take: Codable types written after sections 3.2.3, 3.3, 3.4 and 4.1 to 4.4 of the formats, one
/// for each version of the shape, decoded by Foundation as the apps do.
enum AppDecoders {
    enum Direction: String, Codable { case sent, received }

    /// Old `47689bb`: three words of status, and the first seven keys.
    struct FirstMessage: Codable, Equatable {
        enum Status: String, Codable { case sending, delivered, failed }
        var id: String
        var peerID: String
        var direction: Direction
        var body: String
        var timestamp: Date
        var status: Status
        var replyToID: String?
    }

    enum Status: String, Codable { case sending, delivered, failed, read }

    /// Old `bdec7de` … `f4edc7d`: attachments, groups and receipts, not yet `isEdited`.
    struct MarchMessage: Codable, Equatable {
        var id: String
        var peerID: String
        var direction: Direction
        var body: String
        var timestamp: Date
        var status: Status
        var replyToID: String?
        var expiresAt: Date?
        var hopCount: UInt8?
        var attachmentID: String?
        var attachmentMimeType: String?
        var audioDuration: Double?
        var reactions: [String: String]?
        var senderID: String?
        var receivedAt: Date?
        var deliveredBy: [String]?
    }

    /// `09878ae` and later: `isEdited` is not optional.
    struct NewestMessage: Codable, Equatable {
        var id: String
        var peerID: String
        var direction: Direction
        var body: String
        var timestamp: Date
        var status: Status
        var replyToID: String?
        var expiresAt: Date?
        var hopCount: UInt8?
        var attachmentID: String?
        var attachmentMimeType: String?
        var attachmentFilename: String?
        var audioDuration: Double?
        var reactions: [String: String]?
        var senderID: String?
        var receivedAt: Date?
        var deliveredBy: [String]?
        var readBy: [String]?
        var isEdited: Bool
        var editedAt: Date?
    }

    /// Before `8b3b00c`: the two flags are required.
    struct EarlyPeer: Codable, Equatable {
        var id: String
        var username: String
        var signingKeyPublic: Data
        var dhKeyPublic: Data
        var safetyNumber: String
        var lastSeen: Date?
        var isOnline: Bool
        var isDirectlyConnected: Bool
        var tcpAddress: String?
    }

    struct NewestPeer: Codable, Equatable {
        enum Trust: String, Codable { case pending, accepted }
        var id: String
        var username: String
        var signingKeyPublic: Data
        var dhKeyPublic: Data
        var safetyNumber: String
        var lastSeen: Date?
        var isOnline: Bool?
        var isDirectlyConnected: Bool?
        var tcpAddress: String?
        var avatarData: Data?
        var trustLevel: Trust?
        var tlsCertFingerprint: Data?
    }

    struct Backup<Peer: Codable, Message: Codable>: Codable {
        var version: Int
        var createdAt: Date
        var username: String
        var peers: [Peer]
        var messages: [String: [Message]]
        var identityFingerprint: String?
    }

    struct IdentityFile: Codable {
        var signingKeyPrivate: Data
        var dhKeyPrivate: Data
        var username: String
        var exportedAt: Date
    }

    struct FullExport<Peer: Codable, Message: Codable>: Codable {
        var signingKeyPrivate: Data
        var dhKeyPrivate: Data
        var username: String
        var exportedAt: Date
        var backup: Backup<Peer, Message>
    }

    static func decode<T: Decodable>(_ type: T.Type, _ json: [UInt8]) throws -> T {
        try JSONDecoder().decode(type, from: Data(json))
    }

    /// The values of an Android backup, which are all strings; an unknown key is an error there.
    static func decodeAndroid(_ json: [UInt8]) throws -> [String: String] {
        let texts = try decode([String: String].self, json)
        let known: Set = ["version", "username", "peers", "conversationIDs", "messages"]
        guard Set(texts.keys) == known else { throw UnknownKeys(keys: Set(texts.keys).subtracting(known)) }
        return texts
    }

    struct UnknownKeys: Error {
        let keys: Set<String>
    }

    /// Android's message: kotlinx stops at a key that it does not know, and reads dates as 64-bit integers.
    struct AndroidMessage: Codable, Equatable {
        var id: String
        var peerID: String
        var direction: String
        var body: String
        var timestampMs: Int64
        var status: String
        var replyToID: String?
        var attachmentMimeType: String?
        var expiresAt: Int64?
        var reactions: [String: String]
        var editedAt: Int64?

        private struct Key: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        init(from decoder: any Decoder) throws {
            let all = try decoder.container(keyedBy: Key.self)
            let keys = Set(all.allKeys.map(\.stringValue))
            let known: Set = [
                "id", "peerID", "direction", "body", "timestampMs", "status", "replyToID", "attachmentMimeType",
                "expiresAt", "reactions", "editedAt",
            ]
            guard keys.isSubset(of: known) else { throw UnknownKeys(keys: keys.subtracting(known)) }
            let values = try decoder.container(keyedBy: CodingKeys.self)
            id = try values.decode(String.self, forKey: .id)
            peerID = try values.decode(String.self, forKey: .peerID)
            direction = try values.decode(String.self, forKey: .direction)
            body = try values.decode(String.self, forKey: .body)
            // Kotlin's defaults: now, "sending", an empty map; nulls only where the type has them.
            timestampMs = try keys.contains("timestampMs") ? values.decode(Int64.self, forKey: .timestampMs) : 0
            status = try keys.contains("status") ? values.decode(String.self, forKey: .status) : "sending"
            replyToID = try values.decodeIfPresent(String.self, forKey: .replyToID)
            attachmentMimeType = try values.decodeIfPresent(String.self, forKey: .attachmentMimeType)
            expiresAt = try values.decodeIfPresent(Int64.self, forKey: .expiresAt)
            reactions =
                try keys.contains("reactions") ? values.decode([String: String].self, forKey: .reactions) : [:]
            editedAt = try values.decodeIfPresent(Int64.self, forKey: .editedAt)
        }
    }
}
