import CryptoPrimitives
import History
import SQLiteDatabase
import SophaxCore
import SophaxFiles

/// Who and which conversations an archive knows, without a look at messages.
package struct ArchiveDirectory: Sendable {
    package let names: PeerNames
    package let conversations: [ConversationID]
}

extension Archive {
    package func directory() throws(ArchiveError) -> ArchiveDirectory {
        try reading { () throws(ArchiveError) in
            try attempt { () throws(DatabaseError) in
                var names = PeerNames()
                let people = try database.rows(
                    "SELECT fingerprint, name FROM person WHERE fingerprint IS NOT NULL AND name IS NOT NULL ORDER BY key"
                ) { (row) throws(DatabaseError) in (try row.requiredText(0), try row.requiredText(1)) }
                for (hex, name) in people {
                    guard let bytes = Hex.decode(hex.span), let fingerprint = try? Fingerprint(bytes: bytes) else {
                        continue
                    }
                    names.add(name, of: fingerprint)
                }
                let conversations = try database.rows("SELECT peer_id FROM conversation ORDER BY key") {
                    (row) throws(DatabaseError) in ConversationID(ByteText(try row.requiredBlob(0)))
                }
                return ArchiveDirectory(names: names, conversations: conversations)
            }
        }
    }
}
