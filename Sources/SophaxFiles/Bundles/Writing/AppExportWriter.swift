import CryptoPrimitives
import JSONCoding
import SophaxCore

/// Writes the text of an export exactly as the decoder of each app version takes it, into wiped memory.
///
/// All required keys, standard base64 with padding, dates that give the same double back, no null, and nothing that Android
/// does not know. The pieces are measured first and written once, so private keys pass through no other memory.
/// Format: SophaxChat 3.2.3, 3.4, 3.5, 4.1.
package enum AppExportWriter {
    /// The text of `.sophaxid`.
    package static func identity(_ identity: borrowing Identity, exportedAt: Double) throws(EncodingError)
        -> SecretBytes
    {
        try IdentityText.make(identity, exportedAt: number(exportedAt))
    }

    /// The text of `.sophaxbackup`.
    package static func backup(_ content: AppExportContent) throws(EncodingError) -> SecretBytes {
        try SecretText.joined(backupPieces(content))
    }

    /// The text of `.sxfe`.
    package static func fullExport(
        _ identity: borrowing Identity, _ content: AppExportContent
    ) throws(EncodingError) -> SecretBytes {
        let own = try IdentityText.make(identity, exportedAt: number(content.createdAt))
        // Its last bracket comes behind the backup.
        return try SecretText.joined(
            first: own, dropping: 1, [Array(#","backup":"#.utf8)] + backupPieces(content) + [[UInt8(ascii: "}")]])
    }

    /// The text of an Android backup; messages and contacts in Android's shape.
    package static func android(_ content: AppExportContent) throws(EncodingError) -> SecretBytes {
        var peers: [UInt8] = [UInt8(ascii: "[")]
        for (number, peer) in content.peers.enumerated() {
            if number > 0 { peers.append(UInt8(ascii: ",")) }
            var object = ObjectWriter()
            object.add("id", text: PeerIDForm.short.id(peer.id))
            object.add("username", text: peer.username)
            peers += object.finished()
        }
        peers.append(UInt8(ascii: "]"))
        var ids: [UInt8] = [UInt8(ascii: "[")]
        let lists = ConversationLists(content.conversations, keyed: .byID)
        for (number, list) in lists.all.enumerated() {
            if number > 0 { ids.append(UInt8(ascii: ",")) }
            ids += list.key
        }
        ids.append(UInt8(ascii: "]"))
        var object = ObjectWriter()
        object.add("version", text: Array("1".utf8))
        object.add("username", text: content.username)
        object.add("peers", text: peers)
        object.add("conversationIDs", text: ids)
        object.add("messages", text: Array(lists.pieces.joined()))
        return try SecretText.joined([object.finished()])
    }

    private static func backupPieces(_ content: AppExportContent) -> [[UInt8]] {
        var head = ObjectWriter()
        head.add("version", raw: [UInt8(ascii: "1")])
        head.add("createdAt", number: content.createdAt)
        head.add("username", text: content.username)
        let peers = content.peers.compactMap(\.ios)
        head.add("peers", raw: [UInt8(ascii: "[")] + peers.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")])
        var pieces = [Array(head.finished().dropLast()), Array(#","messages":"#.utf8)]
        pieces += ConversationLists(content.conversations, keyed: .byFileName).pieces
        if let fingerprint = content.fingerprint {
            pieces.append(Array(#","identityFingerprint":"\#(fingerprint.hex)""#.utf8))
        }
        pieces.append([UInt8(ascii: "}")])
        return pieces
    }

    private static func number(_ value: Double) -> String {
        var text: [UInt8] = []
        CanonicalNumber.append(value, to: &text)
        return String(decoding: text, as: UTF8.self)
    }
}

/// The object of message lists, each under its key.
private struct ConversationLists {
    enum Keys {
        /// As iOS: the name of the store file, which several ids may share (formats sections 3.3.5, 6.1.1).
        case byFileName
        /// As Android: the conversation id itself.
        case byID
    }

    /// Each key between quotes, with the lists under it.
    private(set) var all: [(key: [UInt8], lists: [[UInt8]])] = []

    init(_ conversations: [AppExportContent.Conversation], keyed: Keys) {
        var places: [ByteText: Int] = [:]
        for conversation in conversations {
            let name = keyed == .byID ? conversation.id.text : StoreNameRule.v1.stem(for: conversation.id)
            if let place = places[name] {
                // The importers go by each message's own peerID; one key twice would lose a list.
                all[place].lists.append(conversation.list)
            } else {
                places[name] = all.count
                var key: [UInt8] = []
                JSONText.appendQuoted(name.bytes, to: &key)
                all.append((key, [conversation.list]))
            }
        }
    }

    /// The object's text, in pieces that are written one after the other.
    var pieces: [[UInt8]] {
        var pieces: [[UInt8]] = [[UInt8(ascii: "{")]]
        for (number, entry) in all.enumerated() {
            pieces.append((number > 0 ? [UInt8(ascii: ",")] : []) + entry.key + [UInt8(ascii: ":")])
            if entry.lists.count == 1 {
                pieces.append(entry.lists[0])
            } else {
                let inner = entry.lists.map { Self.elements($0) }.filter { !$0.isEmpty }
                pieces.append([UInt8(ascii: "[")] + inner.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")])
            }
        }
        pieces.append([UInt8(ascii: "}")])
        return pieces
    }

    /// What stands between the brackets of a list.
    private static func elements(_ list: [UInt8]) -> [UInt8] {
        let isSpace: (UInt8) -> Bool = { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        let trimmed = list.drop(while: isSpace).dropFirst()
        let end = trimmed.lastIndex(of: UInt8(ascii: "]")) ?? trimmed.endIndex
        let inner = trimmed[..<end]
        return inner.allSatisfy(isSpace) ? [] : Array(inner)
    }
}
