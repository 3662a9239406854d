import CDiskRecorder
import CryptoPrimitives
import DatabaseWorkload
import SQLiteDatabase
import SystemIO

/// Secrets of the probe: key files of 32 equal bytes, so that a secret has a number.
enum ProbeSecret {
    static func key(_ number: UInt8) throws -> UnlockSecret {
        try .key(SecretBytes(copying: [UInt8](repeating: number, count: 32).span))
    }
}

/// What the probe does to a sealed database. It has the secrets 1 and 2, in slots 0 and 1.
struct SealedScenario {
    let options: ProbeOptions

    func make() throws {
        let sealed = try create()
        for n in 1..<options.number("first", 1) { try Workload.commit(n, to: sealed.database) }
    }

    private func create() throws -> SealedDatabase {
        try SealedDatabase.create(
            at: options.database, kind: .keyring,
            slots: [NewSlot(try ProbeSecret.key(1)), NewSlot(try ProbeSecret.key(2))]
        ) { (database) throws(DatabaseError) in try Workload.makeSchema(database) }
    }

    private func open() throws -> SealedDatabase {
        try SealedDatabase(
            opening: options.database, kind: .keyring, mode: .readWrite, unlocking: ProbeSecret.key(1),
            patience: Int32(options.number("patience", 5000)))
    }

    /// Makes the file, recorded.
    func recordMaking() throws {
        options.startRecorder()
        try step("make") { _ = try create() }
    }

    /// Opens the file, recorded: undoes or finishes what was interrupted.
    func recordOpening() throws {
        options.startRecorder()
        _ = try open()
    }

    func commit() throws {
        let sealed = try open()
        options.startRecorder()
        try Scenario(options: options).commit(to: sealed.database)
    }

    private func step(_ name: String, _ body: () throws -> Void) rethrows {
        let begin = "begin \(name)"
        disk_recorder_mark(begin, UInt(begin.utf8.count))
        try body()
        mark("done \(name)")
    }
}
