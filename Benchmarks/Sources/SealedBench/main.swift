import CryptoPrimitives
import Glibc
import SQLiteDatabase
import SystemIO

// Runs sections of sealed.sql on a database of sxkey, sealed or plain, and prints the seconds and the processor seconds of
// their timed parts and the last number.
//
// usage: sealed-bench plain|sealed DATABASE WORKLOADS SECTION…

let arguments = ProcessSettings.arguments().map { String(decoding: $0, as: UTF8.self) }
guard arguments.count >= 4 else { fatalError("usage: sealed-bench plain|sealed DATABASE WORKLOADS SECTION…") }
var file = try InputFile(opening: FilePath(arguments[2]))
let workloads = String(decoding: try file.readAll(limit: 1 << 20), as: UTF8.self)
let path = FilePath(arguments[1])

if arguments[0] == "sealed" {
    let key = try SecretBytes(copying: [UInt8](repeating: 7, count: 32).span)
    let secret = try UnlockSecret.key(key)
    let isThere = access(arguments[1], F_OK) == 0
    let sealed =
        try isThere
        ? SealedDatabase(opening: path, kind: .archive, mode: .readWrite, unlocking: secret)
        : SealedDatabase.create(at: path, kind: .archive, slots: [NewSlot(secret)]) { _ in }
    try measure(sealed.database)
} else {
    try measure(Database(opening: path, .create))
}

func measure(_ database: Database) throws {
    var run = Run(database: database)
    try run.section("settings")
    for name in arguments[3...] { try run.section(name) }
    print(run.seconds, run.processorSeconds, run.number)
}

struct Run {
    let database: Database
    var seconds = 0.0
    var processorSeconds = 0.0
    var number: Int64 = 0

    mutating func section(_ name: String) throws {
        var isInside = false
        var isTimed = false
        var group: [String] = []
        var times = 1
        var statement = ""
        var start = (0.0, 0.0)
        for line in workloads.split(separator: "\n") {
            if line.hasPrefix("--- ") {
                if isInside { try execute(&group, times: times) }
                let words = line.split(separator: " ")
                switch words[1] {
                case "timed" where isInside:
                    isTimed = true
                    start = now()
                case "timed": break
                case "repeat", "once": times = words.count > 2 ? Int(words[2]) ?? 1 : 1
                default: isInside = words[1] == name
                }
                continue
            }
            guard isInside, !line.hasPrefix("--") else { continue }
            statement += line + "\n"
            if line.hasSuffix(";") {
                group.append(statement)
                statement = ""
            }
        }
        try execute(&group, times: times)
        guard isTimed else { return }
        let end = now()
        seconds = end.0 - start.0
        processorSeconds = end.1 - start.1
    }

    private mutating func execute(_ group: inout [String], times: Int) throws {
        for part in 0..<times {
            for sql in group {
                let found = try database.first(sql.replacing(":part", with: "\(part)")) { row in row.integer(0) }
                if let found, let found { number = found }
            }
        }
        group = []
    }

    private func now() -> (Double, Double) {
        func seconds(_ clock: clockid_t) -> Double {
            var time = timespec()
            clock_gettime(clock, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
        return (seconds(CLOCK_MONOTONIC), seconds(CLOCK_PROCESS_CPUTIME_ID))
    }
}
