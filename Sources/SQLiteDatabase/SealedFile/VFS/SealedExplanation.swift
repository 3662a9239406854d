import CSQLite3
import CryptoPrimitives

// Why a connection failed, where the file layer knows more than SQLite's code says.

extension DatabaseError {
    /// What the sealed file of `connection` says about the failure `code`; nil when it is no sealed file or knows nothing.
    static func ofSealedFile(_ connection: OpaquePointer?, code: Int32) -> DatabaseError? {
        // SQLite asks too, before it writes.
        if code == SQLITE_READONLY_DBMOVED_CODE { return .replaced }
        guard [SQLITE_IOERR, SQLITE_CORRUPT, SQLITE_CANTOPEN, SQLITE_NOTADB].contains(code & 0xff),
            let connection = unsafe connection, let file = unsafe SealedConnection.file(of: connection)
        else { return nil }
        let problem = unsafe file.pointee.connection._withUnsafeGuaranteedRef { $0.problem }
        if let problem { return DatabaseError(problem) }
        return code & 0xff == SQLITE_CORRUPT ? unsafe file.pointee.missingPages() : nil
    }

    init(_ problem: SealedProblem) {
        self =
            switch problem {
            case .page(let number): .damaged("page \(number)")
            case .pageCut(let number): .damaged("page \(number), which is cut off")
            case .journal(.header(let place)): .damaged("header at byte \(place) of the journal")
            case .journal(.record(let place)): .damaged("record at byte \(place) of the journal")
            case .laterJournal: .laterJournal
            case .replaced: .replaced
            case .header: .damaged("header")
            case .refused: .sql(code: SQLITE_MISUSE, message: "a sealed file cannot do this")
            }
    }
}

extension SealedConnection {
    /// The file below a connection; nil when it is not sealed.
    static func file(of connection: OpaquePointer) -> UnsafeMutablePointer<SealedFile>? {
        var opened: UnsafeMutablePointer<sqlite3_file>?
        let code = unsafe sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &opened)
        guard code == SQLITE_OK, let file = unsafe opened,
            unsafe file.pointee.pMethods == UnsafePointer(FileMethods.database)
        else { return nil }
        return unsafe SealedFile.of(file)
    }
}

extension SealedFile {
    /// Whether page 1 counts more pages than the file has.
    func missingPages() -> DatabaseError? {
        let page = unsafe sealer.pointee.scratch
        guard unsafe readPage(into: page, number: 1) == SQLITE_OK else { return nil }
        let counted = Int(UInt32(bigEndian: unsafe page.load(fromByteOffset: 28, as: UInt32.self)))
        // The count only means something when the writer knew of it (fileformat2, 1.3.8).
        guard unsafe page.load(fromByteOffset: 24, as: UInt32.self) == page.load(fromByteOffset: 92, as: UInt32.self)
        else { return nil }
        var size: Int64 = 0
        guard databaseSize(&size) == SQLITE_OK else { return nil }
        let found = Int(size) / SealedFormat.pageLength
        return found < counted ? .truncated(expectedPages: counted, foundPages: found) : nil
    }
}
