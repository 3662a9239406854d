import CDiskRecorder
import CryptoPrimitives
import DatabaseWorkload
import Glibc
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
            opening: options.database, kind: .keyring, mode: options.text("mode") == "read" ? .readOnly : .readWrite,
            unlocking: ProbeSecret.key(UInt8(options.number("secret", 1))),
            patience: Int32(options.number("patience", 5000)))
    }

    /// Says what is in the file.
    func tellState() throws {
        say("state \(try Workload.state(of: open().database))")
    }

    /// Holds a lock until `until` is there, and then says what is in the file.
    func holdLock() throws {
        let sealed = try open()
        let until = FilePath(options.text("until") ?? "")
        let kinds: [String: TransactionKind] = ["read": .read, "write": .write, "exclusive": .exclusive]
        if let kind = kinds[options.text("lock") ?? ""] {
            try sealed.database.transaction(kind) { () throws(DatabaseError) in
                _ = try sealed.database.first("SELECT n FROM counter") { $0.integer(0) }
                say("ready")
                wait(for: until)
            }
        } else {
            // Open, with pages in memory, and no lock.
            _ = try Workload.state(of: sealed.database)
            say("ready")
            wait(for: until)
        }
        say("state \(try Workload.state(of: sealed.database))")
        if let n = options.text("commit").flatMap({ Int($0) }) {
            try Workload.commit(n, to: sealed.database)
            say("done \(n)")
        }
    }

    private func wait(for path: FilePath) {
        while (try? fileStatus(at: path)) == nil { usleep(2000) }
    }

    /// Reads in a loop until `until` is there: each state whole, none older than the one before.
    func watch() throws {
        let sealed = try open()
        let until = FilePath(options.text("until") ?? "")
        var last = -1
        var reads = 0
        say("ready")
        while (try? fileStatus(at: until)) == nil {
            var seen: Result<Int, any Error>?
            try sealed.database.transaction(.read) { () throws(DatabaseError) in
                seen = Result { try Workload.state(of: sealed.database) }
            }
            guard let state = try seen?.get(), state >= last else { fatalError("went back from \(last)") }
            last = state
            reads += 1
        }
        say("reads \(reads)")
        say("state \(last)")
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

    /// Changes secrets in turns; a mark names those that open the file then.
    func changeSecrets() throws {
        let sealed = try open()
        options.startRecorder()
        say("ready")
        var slots: [UInt8?] = [1, 2]
        for round in 0..<options.number("count", 9) {
            let next = UInt8(3 + round)
            var after = slots
            after[round % 3 == 0 ? 0 : 1] = round % 3 == 1 ? nil : next
            try step("secrets " + after.compactMap { $0.map { "\($0)" } }.joined(separator: ",")) {
                switch round % 3 {
                case 0: try sealed.changeSecret(slot: 0, to: NewSlot(ProbeSecret.key(next)))
                case 1: try sealed.removeSlot(1)
                default: _ = try sealed.addSlot(NewSlot(ProbeSecret.key(next)))
                }
            }
            slots = after
        }
    }

    /// Makes new master keys, a transaction after each; a mark has the fingerprint of the key.
    func rekey() throws {
        let sealed = try open()
        options.startRecorder()
        mark("key \(try fingerprint(sealed))")
        say("ready")
        let first = options.number("first", 1)
        for n in first..<(first + options.number("count", 3)) {
            disk_recorder_mark("rekeying", 8)
            try sealed.rekey(secrets: [0: ProbeSecret.key(1), 1: ProbeSecret.key(2)]) {
                (_: borrowing Resealing) throws(SealedError) in
            }
            mark("key \(try fingerprint(sealed))")
            try step("\(n)") { try Workload.commit(n, to: sealed.database) }
        }
    }

    /// Writes the file anew under the same key, a transaction after each time.
    func compact() throws {
        let sealed = try open()
        options.startRecorder()
        mark("key \(try fingerprint(sealed))")
        say("ready")
        let first = options.number("first", 1)
        for n in first..<(first + options.number("count", 3)) {
            try sealed.compact()
            mark("key \(try fingerprint(sealed))")
            try step("\(n)") { try Workload.commit(n, to: sealed.database) }
        }
    }

    /// Eight bytes of a hash of a derived key: says which master key a file has.
    private func fingerprint(_ sealed: SealedDatabase) throws -> String {
        let key = try sealed.deriveKey(label: "probe")
        let digest = key.withSpan { SHA256.hash($0) }
        return digest.prefix(8).map { String($0, radix: 16) }.joined(separator: "-")
    }

    func backUp() throws {
        let sealed = try open()
        options.startRecorder()
        say("ready")
        try step("backup") {
            try sealed.backup(to: FilePath(options.folder + "/b.db"), slots: [NewSlot(ProbeSecret.key(9))]) {
                (_: borrowing Resealing) throws(SealedError) in
            }
        }
    }

    private func step(_ name: String, _ body: () throws -> Void) rethrows {
        let begin = "begin \(name)"
        disk_recorder_mark(begin, UInt(begin.utf8.count))
        try body()
        mark("done \(name)")
    }
}
