import Glibc
import TestSupport

/// A recorded run of the probe, cut many times.
struct CutCampaign {
    let start: [(name: String, inode: UInt64, bytes: [UInt8])]
    let log: DiskLog

    /// Runs a scenario of the probe on the files of `folder`, and records it.
    init(_ scenario: [String], in folder: String, sourceLocation: String = #function) throws {
        start = try Self.files(in: folder)
        let logs = TemporaryFolder()
        let run = DatabaseProbe.run([scenario[0], folder, "log=" + logs.file("log")] + scenario.dropFirst())
        guard run.status == 0, let bytes = fileBytes(logs.file("log")) else {
            throw Failure(text: "the probe failed: \(run.outputText)\(run.errorText)")
        }
        log = try DiskLog(bytes)
    }

    /// What happened in a campaign.
    struct Outcome {
        var cuts = 0
        /// Cuts at which something unsynced was there to lose.
        var cutsAtRisk = 0
        var failures: [String] = []
        var summary: String { "\(cuts) cuts, \(cutsAtRisk) with something to lose, \(failures.count) failures" }
    }

    /// Cuts `count` times, at operations spread over the whole run, and has `check` look at the folder of each, with the
    /// marks that were made before the cut.
    func cut(
        _ count: Int, ignoring: Set<DiskLog.Kind> = [], seed: UInt64 = 1,
        check: (_ folder: String, _ marks: [String]) throws -> Void
    ) throws -> Outcome {
        var random = SeededNumbers(seed)
        let total = log.operations.count
        let places = (0..<count).map { _ in Int.random(in: 0...total, using: &random) }.sorted()
        var outcome = Outcome()
        var disk = SimulatedDisk(start, ignoring: ignoring)
        var marks: [String] = []
        var done = 0
        for (number, place) in places.enumerated() {
            while done < place {
                let operation = log.operations[done]
                disk.apply(operation)
                if operation.kind == .mark { marks.append(operation.text) }
                done += 1
            }
            let manner = SimulatedDisk.Manner.allCases[number % SimulatedDisk.Manner.allCases.count]
            let folder = TemporaryFolder()
            for (name, bytes) in disk.afterCut(manner, &random) { folder.write(bytes, to: name) }
            outcome.cuts += 1
            if disk.atRisk > 0 { outcome.cutsAtRisk += 1 }
            do {
                try check(folder.path, marks)
            } catch {
                outcome.failures.append(
                    "cut before operation \(place) of \(total), \(manner), after \(marks.last ?? "nothing"): \(error)")
            }
        }
        return outcome
    }

    /// Numbers that the last transaction may have, by the marks `begin N` and `done N`.
    static func allowedStates(_ marks: [String], before: Int = 0) -> Set<Int> {
        func last(_ word: String) -> Int? {
            marks.last { $0.hasPrefix(word + " ") }.flatMap { Int($0.dropFirst(word.utf8.count + 1)) }
        }
        let done = last("done") ?? before
        return [done, max(done, last("begin") ?? done)]
    }

    private static func files(in folder: String) throws -> [(name: String, inode: UInt64, bytes: [UInt8])] {
        try FolderListing(folder).names.map { name in
            var status = stat()
            guard lstat(folder + "/" + name, &status) == 0, let bytes = fileBytes(folder + "/" + name) else {
                throw Failure(text: "cannot read \(name)")
            }
            return (name, UInt64(status.st_ino), bytes)
        }
    }
}

struct Failure: Error, CustomStringConvertible {
    let text: String

    var description: String { text }
}

/// The program Tests/DatabaseProbe.
enum DatabaseProbe {
    static let path = ChildProcess.builtProducts + "/DatabaseProbe"

    static func run(_ arguments: [String], seconds: Int = 300) -> ChildProcess {
        ChildProcess.run([path] + arguments, seconds: seconds)
    }
}
