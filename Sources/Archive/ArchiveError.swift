import CryptoPrimitives
import History
import SQLiteDatabase

/// Why an archive could not do what it was asked for.
package enum ArchiveError: Error, Sendable {
    /// The database below: locked, full, damaged, of a newer version.
    case database(DatabaseError)
    /// The sealed file around it: a wrong secret, damage, a newer version.
    case sealed(SealedError)
    /// The source of an import cannot be read any further.
    case source(HistoryError)
    /// A row that the schema would not have let in, or that refers to one that is not there.
    case damagedRow(table: String)
    /// The archive holds no such conversation (any more).
    case noConversation
    /// The archive holds no such attachment (any more).
    case noAttachment
    case outOfMemory(requested: Int)
    /// Somebody asked an import to stop; what was finished until then is in the archive.
    case stopped
}

extension ArchiveError: SealedErrorCarrier {
    package init(_ error: DatabaseError) { self = .database(error) }
    package init(_ error: SealedError) { self = .sealed(error) }
}

/// Runs work on the database and says its error in the archive's words.
func attempt<R: ~Copyable>(_ body: () throws(DatabaseError) -> R) throws(ArchiveError) -> R {
    do throws(DatabaseError) { return try body() } catch { throw .database(error) }
}

/// Runs work on the sealed file and says its error in the archive's words.
func sealing<R: ~Copyable>(_ body: () throws(SealedError) -> R) throws(ArchiveError) -> R {
    do throws(SealedError) { return try body() } catch { throw .sealed(error) }
}
