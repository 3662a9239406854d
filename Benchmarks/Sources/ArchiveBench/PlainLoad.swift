import Archive
import Glibc
import SQLiteDatabase
import SystemIO

/// Columns of a row, and the table that it belongs to: 0 to 3 for what others refer to, 4 for a source, 5 for a message.
struct FlatRow {
    let table: UInt8
    let values: [SQLiteValue]
}

let tables = ["import", "origin", "conversation", "person", "source", "message"]

/// Writes rows in the order in which an import puts them in: a source, then its message.
func writeRows(_ database: Database, _ path: String) throws {
    guard let file = fopen(path, "w") else { fatalError("cannot write \(path)") }
    defer { fclose(file) }
    func write(_ table: UInt8, _ values: [SQLiteValue]) {
        var row: [UInt8] = [table, UInt8(values.count)]
        for value in values { append(value, to: &row) }
        fwrite(row, 1, row.count, file)
    }
    for (number, table) in tables.prefix(4).enumerated() {
        try database.visit("SELECT * FROM \(table) ORDER BY id") { (row: borrowing Row) throws(DatabaseError) in
            write(UInt8(number), (0..<row.count).map { row.value($0) })
            return true
        }
    }
    var messages: [Int64: [SQLiteValue]] = [:]
    try database.visit("SELECT * FROM message") { (row: borrowing Row) throws(DatabaseError) in
        messages[try row.requiredInteger(row.count - 1)] = (0..<row.count).map { row.value($0) }
        return true
    }
    try database.visit("SELECT * FROM source ORDER BY id") { (row: borrowing Row) throws(DatabaseError) in
        write(4, (0..<row.count).map { row.value($0) })
        if let message = messages[try row.requiredInteger(0)] { write(5, message) }
        return true
    }
}

private func append(_ value: SQLiteValue, to row: inout [UInt8]) {
    func number(_ bits: UInt64) { withUnsafeBytes(of: bits.littleEndian) { row += $0 } }
    switch value {
    case .null: row.append(0)
    case .integer(let integer):
        row.append(1)
        number(UInt64(bitPattern: integer))
    case .real(let real):
        row.append(2)
        number(real.bitPattern)
    case .text(let bytes):
        row.append(3)
        number(UInt64(bytes.count))
        row += bytes
    case .blob(let bytes):
        row.append(4)
        number(UInt64(bytes.count))
        row += bytes
    }
}

/// Reads such a file a row at a time.
struct FlatRows {
    let file: UnsafeMutablePointer<FILE>

    init(_ path: String) {
        guard let file = fopen(path, "r") else { fatalError("cannot read \(path)") }
        self.file = file
        setvbuf(file, nil, Int32(_IOFBF), 1 << 20)
    }

    func next() -> FlatRow? {
        let table = getc_unlocked(file)
        guard table != EOF else { return nil }
        let count = getc_unlocked(file)
        var values: [SQLiteValue] = []
        values.reserveCapacity(Int(count))
        for _ in 0..<count { values.append(value()) }
        return FlatRow(table: UInt8(table), values: values)
    }

    private func value() -> SQLiteValue {
        let kind = getc_unlocked(file)
        guard kind > 0 else { return .null }
        var bits: UInt64 = 0
        fread(&bits, 8, 1, file)
        switch kind {
        case 1: return .integer(Int64(bitPattern: bits))
        case 2: return .real(Double(bitPattern: bits))
        default:
            let bytes = [UInt8](unsafeUninitializedCapacity: Int(bits)) { buffer, filled in
                filled = fread(buffer.baseAddress, 1, Int(bits), file)
            }
            return kind == 3 ? .text(bytes) : .blob(bytes)
        }
    }
}

/// Loads the rows into a plain SQLite file: same tables, indexes and tokenizer, same settings of the connection, same
/// order, same transactions; values are ready, and nothing is looked up.
func loadPlain(_ rows: String, _ path: String) throws {
    let archive = try Archive(Database(opening: FilePath(path), .create))
    let database = archive.database
    let file = FlatRows(rows)
    var statements: [Statement?] = Array(repeating: nil, count: tables.count)
    let insertText = try database.prepare("INSERT INTO message_text (rowid, body, attachment_name) VALUES (?, ?, ?)")
    let columns = try database.rows("SELECT name FROM pragma_table_info('message')") { $0.string(0) ?? "" }
    guard let body = columns.firstIndex(of: "body"), let name = columns.firstIndex(of: "attachment_name"),
        let conversation = columns.firstIndex(of: "conversation")
    else { fatalError("columns") }
    var next = file.next()
    var messages = 0
    while next != nil {
        try database.transaction(.write) { () throws(DatabaseError) in
            var texts: [(Int64, SQLiteValue, SQLiteValue)] = []
            var current: SQLiteValue?
            while let row = next {
                if row.table == 4, texts.count >= ArchiveImporter.messagesATransaction { break }
                let table = Int(row.table)
                if statements[table] == nil {
                    let marks = Array(repeating: "?", count: row.values.count).joined(separator: ", ")
                    statements[table] = try database.prepare("INSERT INTO \(tables[table]) VALUES (\(marks))")
                }
                try statements[table]?.run(values: row.values)
                if row.table == 5, case .integer(let id) = row.values[0] {
                    texts.append((id, row.values[body], row.values[name]))
                    current = row.values[conversation]
                    messages += 1
                }
                next = file.next()
            }
            _ = current
            for text in texts.sorted(by: { $0.0 < $1.0 }) { try insertText.run(.integer(text.0), text.1, text.2) }
        }
    }
    print("loaded \(messages)")
}
