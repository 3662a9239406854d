import CryptoPrimitives
import Glibc
import SystemIO
import TestSupport

@testable import SQLiteDatabase

/// A sealed database of a test: key files, so that nothing waits for a key derivation.
struct SealedFixture {
    let folder = TemporaryFolder()
    let path: FilePath

    static let keyBytes = [UInt8](repeating: 0x42, count: 32)

    init(_ name: String = "test.sxdb") {
        path = FilePath(folder.file(name))
    }

    var journal: String { path.text + "-journal" }

    static func key(_ byte: UInt8 = 0x42) throws -> UnlockSecret {
        try .key(SecretBytes(copying: [UInt8](repeating: byte, count: 32).span))
    }

    static func passphrase(_ text: String) throws -> UnlockSecret {
        try .passphrase(SecretBytes(copying: Array(text.utf8).span))
    }

    /// The smallest cost that a slot may have.
    static let cheap: Argon2id.Parameters = {
        guard let cost = try? Argon2id.Parameters(memoryKiB: 19 << 10, passes: 1, lanes: 1) else {
            preconditionFailure("the floor is within the bounds")
        }
        return cost
    }()

    static func cheapSlot(_ text: String) throws -> NewSlot { NewSlot(try passphrase(text), cost: cheap) }

    /// Makes the file with one table of notes.
    func create(
        slots: [NewSlot]? = nil, kind: SealedFileKind = .keyring, baseVFS: String? = nil, notes: Int = 0
    ) throws -> SealedDatabase {
        let slots = try slots ?? [NewSlot(Self.key())]
        let sealed = try SealedDatabase.create(at: path, kind: kind, slots: slots, baseVFS: baseVFS) {
            (database) throws(DatabaseError) in
            try database.execute("CREATE TABLE note(id INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT")
        }
        if notes > 0 { try Self.fill(sealed, notes) }
        return sealed
    }

    func open(
        _ secret: UnlockSecret? = nil, mode: SealedDatabase.AccessMode = .readWrite, patience: Int32 = 100,
        baseVFS: String? = nil
    ) throws -> SealedDatabase {
        let secret = try secret ?? Self.key()
        return try SealedDatabase(
            opening: path, kind: .keyring, mode: mode, unlocking: secret, patience: patience, baseVFS: baseVFS)
    }

    static func fill(_ sealed: SealedDatabase, _ count: Int, length: Int = 300) throws {
        try sealed.database.transaction(.write) { () throws(DatabaseError) in
            for number in 0..<count {
                try sealed.database.run("INSERT INTO note(body) VALUES (?)", .text(text(number, length)))
            }
        }
    }

    /// A marker that is easy to look for, and then filling.
    static func text(_ number: Int, _ length: Int) -> String {
        let start = "plaintext marker \(number) "
        return start + String(repeating: "x", count: max(0, length - start.utf8.count))
    }

    static func count(_ sealed: SealedDatabase) throws -> Int64 {
        try sealed.database.first("SELECT count(*) FROM note") { row throws(DatabaseError) in row.integer(0) ?? -1 }
            ?? -1
    }

    var bytes: [UInt8] { fileBytes(path.text) ?? [] }

    func overwrite(_ bytes: [UInt8], at place: Int, in name: String? = nil) {
        let file = Glibc.open(name ?? path.text, O_RDWR)
        precondition(file >= 0)
        let count = unsafe bytes.withUnsafeBytes { unsafe pwrite(file, $0.baseAddress, $0.count, off_t(place)) }
        precondition(count == bytes.count)
        close(file)
    }

    func replace(_ bytes: [UInt8]) {
        folder.write(bytes, to: path.lastComponent.text)
    }
}

/// The error of `body`, nil when it does not fail.
func sealedError(_ body: () throws -> Void) -> SealedError? {
    do {
        try body()
        return nil
    } catch {
        return error as? SealedError
    }
}

/// Secrets cannot be handed to `#expect`'s own comparison.
func same(_ one: borrowing SecretBytes, _ other: borrowing SecretBytes) -> Bool { one.isEqual(to: other) }
