import CDiskRecorder
import DatabaseWorkload
import SQLiteDatabase
import SystemIO

/// What the probe can do.
struct Scenario {
    let options: ProbeOptions

    func run() throws {
        let sealed = SealedScenario(options: options)
        switch options.scenario {
        case "plain-make": try makePlain()
        case "plain-commits": try commitPlain()
        case "make": try sealed.make()
        case "record-make": try sealed.recordMaking()
        case "open": try sealed.recordOpening()
        case "commits": try sealed.commit()
        case "secrets": try sealed.changeSecrets()
        case "rekey": try sealed.rekey()
        case "compact": try sealed.compact()
        case "backup": try sealed.backUp()
        case "state": try sealed.tellState()
        case "hold": try sealed.holdLock()
        case "watch": try sealed.watch()
        default: fatalError("unknown scenario \(options.scenario)")
        }
    }

    private func makePlain() throws {
        let database = try Database(opening: options.database, .create)
        try Workload.makeSchema(database)
    }

    private func commitPlain() throws {
        let database = try Database(opening: options.database, .readWrite)
        options.startRecorder()
        try commit(to: database)
    }

    /// Transactions `first`…, `count` of them.
    func commit(to database: Database) throws {
        try database.execute("PRAGMA cache_size = \(options.number("cache", 2000))")
        let first = options.number("first", 1)
        say("ready")
        for n in first..<(first + options.number("count", 20)) {
            disk_recorder_mark("begin \(n)", UInt("begin \(n)".utf8.count))
            try Workload.commit(n, to: database)
            mark("done \(n)")
        }
    }
}
