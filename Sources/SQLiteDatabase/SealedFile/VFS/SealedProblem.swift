/// What the file layer found, which SQLite's result codes cannot say.
enum SealedProblem: Hashable, Sendable {
    /// A page that is not what was written there under this key.
    case page(UInt32)
    /// The file ends inside of this page.
    case pageCut(UInt32)
    /// A part of the journal that must be there and valid.
    case journal(JournalPart)
    /// The journal is of a later state of the database than the one that is there.
    case laterJournal
    /// The name stands for another file by now.
    case replaced
    /// The header is not that of the file that was unlocked.
    case header
    /// Something that this file layer never does: temporary files, journals of several files, other sizes.
    case refused(Refusal)

    enum JournalPart: Hashable, Sendable {
        case header(place: Int64)
        case record(place: Int64)
    }

    enum Refusal: Hashable, Sendable {
        case fileOfThisType, reservedBytes, size, unsyncedJournal
    }
}
