import History
import JSONCoding
import SQLiteDatabase
import SophaxFiles

/// A source JSON as the archive keeps it.
struct StoredSource {
    let json: [UInt8]
    let platform: Int64
    let isStrict: Bool
    let sha256: [UInt8]
    let origin: Int64

    /// The shown source of a message. Error: `.damagedRow` when it is not there.
    static func read(_ id: Int64, _ database: Database) throws(ArchiveError) -> StoredSource {
        let found = try attempt { () throws(DatabaseError) in
            try database.first(
                "SELECT json, platform, is_strict, sha256, origin FROM source WHERE id = ?", .integer(id)
            ) { row throws(DatabaseError) in
                StoredSource(
                    json: try row.requiredBlob(0), platform: try row.requiredInteger(1),
                    isStrict: try row.requiredFlag(2), sha256: try row.requiredBlob(3),
                    origin: try row.requiredInteger(4))
            }
        }
        guard let found else { throw .damagedRow(table: "source") }
        return found
    }

    /// The message; nil where the JSON cannot be read as one.
    func message() throws(ArchiveError) -> StoredMessage? {
        let source = scannable
        return try scanning { (scanner) throws(OutOfMemory) in try scanner.message(source) }
    }

    var scannable: SourceScanner.Source {
        SourceScanner.Source(json: json, platform: MessagePlatform(stored: platform), isStrict: isStrict)
    }
}

extension MessagePlatform {
    /// As `platform` of the tables says.
    init(stored: Int64) { self = stored == 2 ? .android : .ios }
}

/// Runs `body` with a scanner of its own.
func scanning<R>(_ body: (inout SourceScanner) throws(OutOfMemory) -> R) throws(ArchiveError) -> R {
    do throws(OutOfMemory) {
        var scanner = try SourceScanner()
        return try body(&scanner)
    } catch {
        throw .outOfMemory(requested: error.requested)
    }
}
