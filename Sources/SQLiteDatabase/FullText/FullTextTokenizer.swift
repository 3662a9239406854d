import CSQLite3
import CryptoPrimitives

/// The tokenizer `sxkey` of full-text indexes: `TextTokenizer` for SQLite.
///
/// What an index means depends on it, so it has a version, which the table names: `tokenize = 'sxkey 1'`.
package enum FullTextTokenizer {
    package static let name = "sxkey"
    /// The version that this program makes and reads. Another one cannot be opened.
    package static let version = 1
    /// What `tokenize` of a new table says.
    package static let specification = "\(name) \(version)"

    /// Makes it known to a connection. Nothing is read from the file, so it may be done before anything else.
    package static func register(on database: Database) throws(DatabaseError) {
        let api = unsafe try pointer(on: database)
        var methods = unsafe fts5_tokenizer(
            xCreate: { _, arguments, count, result in unsafe FullTextTokenizer.create(arguments, count, result) },
            xDelete: { handle in unsafe FullTextTokenizer.delete(handle) },
            xTokenize: { handle, context, flags, text, length, take in
                guard let take = unsafe take else { return SQLITE_ERROR }
                return unsafe FullTextTokenizer.tokenize(handle, context, flags, text, length, take)
            })
        let code = unsafe api.pointee.xCreateTokenizer(api, name, nil, &methods, nil)
        guard code == SQLITE_OK else { throw .setting("tokenizer") }
    }

    /// FTS5's own functions (sqlite.org/fts5.html, section 7).
    private static func pointer(on database: Database) throws(DatabaseError) -> UnsafeMutablePointer<fts5_api> {
        var statement: OpaquePointer?
        var api: UnsafeMutablePointer<fts5_api>?
        let code = unsafe sqlite3_prepare_v2(database.connection, "SELECT fts5(?1)", -1, &statement, nil)
        defer { unsafe sqlite3_finalize(statement) }
        guard code == SQLITE_OK else { throw .libraryLacks("FTS5") }
        unsafe withUnsafeMutablePointer(to: &api) { place in
            unsafe sqlite3_bind_pointer(statement, 1, place, "fts5_api_ptr", nil)
            unsafe sqlite3_step(statement)
        }
        guard let api = unsafe api, unsafe api.pointee.iVersion >= 2 else { throw .libraryLacks("FTS5") }
        return unsafe api
    }

    // MARK: - What FTS5 calls

    /// One table's tokenizer.
    private final class Instance {
        var tokenizer = TextTokenizer()
    }

    private static func create(
        _ arguments: UnsafeMutablePointer<UnsafePointer<CChar>?>?, _ count: Int32,
        _ result: UnsafeMutablePointer<OpaquePointer?>?
    ) -> Int32 {
        guard count == 1, let argument = unsafe arguments?[0], unsafe String(cString: argument) == String(version)
        else { return SQLITE_ERROR }
        unsafe result?.pointee = OpaquePointer(Unmanaged.passRetained(Instance()).toOpaque())
        return SQLITE_OK
    }

    private static func delete(_ handle: OpaquePointer?) {
        guard let handle = unsafe handle else { return }
        unsafe Unmanaged<Instance>.fromOpaque(UnsafeRawPointer(handle)).release()
    }

    private typealias TakeToken =
        @convention(c) (
            UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, Int32, Int32, Int32
        ) -> Int32

    private static func tokenize(
        _ handle: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _ flags: Int32, _ text: UnsafePointer<CChar>?,
        _ length: Int32, _ take: TakeToken
    ) -> Int32 {
        guard let handle = unsafe handle else { return SQLITE_ERROR }
        guard let text = unsafe text, length > 0 else { return SQLITE_OK }
        let instance = unsafe Unmanaged<Instance>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
        let start = unsafe UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self)
        let bytes = unsafe UnsafeBufferPointer(start: start, count: Int(length)).span
        instance.tokenizer.begin(flags & FTS5_TOKENIZE_QUERY != 0 ? .query : .index)
        while instance.tokenizer.step(bytes) {
            let code = unsafe instance.tokenizer.bytes.withUnsafeBufferPointer { folded -> Int32 in
                unsafe folded.withMemoryRebound(to: CChar.self) { folded -> Int32 in
                    for token in instance.tokenizer.tokens {
                        // The text is shorter than 2 GiB, so its places are Int32.
                        let code = unsafe take(
                            context, 0, folded.baseAddress.map { unsafe $0 + token.bytes.lowerBound },
                            Int32(truncatingIfNeeded: token.bytes.count),
                            Int32(truncatingIfNeeded: token.source.lowerBound),
                            Int32(truncatingIfNeeded: token.source.upperBound))
                        guard code == SQLITE_OK else { return code }
                    }
                    return SQLITE_OK
                }
            }
            guard code == SQLITE_OK else { return code }
        }
        return SQLITE_OK
    }
}
