import CDiskRecorder
import Glibc
import SystemIO

/// The words of the command line.
struct ProbeOptions {
    let scenario: String
    let folder: String
    private let values: [String: String]

    init(_ arguments: [String]) {
        guard arguments.count >= 2 else { fatalError("usage: DatabaseProbe SCENARIO FOLDER [NAME=VALUE…]") }
        scenario = arguments[0]
        folder = arguments[1]
        var values: [String: String] = [:]
        for argument in arguments.dropFirst(2) {
            let parts = argument.split(separator: "=", maxSplits: 1).map { String($0) }
            values[parts[0]] = parts.count == 2 ? parts[1] : ""
        }
        self.values = values
    }

    func text(_ name: String) -> String? { values[name] }

    func number(_ name: String, _ standard: Int) -> Int { values[name].flatMap { Int($0) } ?? standard }

    var database: FilePath { FilePath(folder + "/a.db") }

    /// Starts recording, and what shall go wrong.
    func startRecorder() {
        let log = text("log").map { open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600) } ?? -1
        guard disk_recorder_start(log, folder) == 0 else { fatalError("no folder \(folder)") }
        disk_recorder_die_at(number("die", 0))
        if let parts = text("fail")?.split(separator: ":").compactMap({ Int($0) }), parts.count == 2 {
            disk_recorder_fail_writes_at(parts[0], Int32(parts[1]))
        }
        if let bytes = text("limit").flatMap({ UInt($0) }) {
            var limit = rlimit(rlim_cur: bytes, rlim_max: bytes)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        }
        if let delay = text("after").flatMap({ Int($0) }) {
            var timer = itimerval()
            timer.it_value = timeval(tv_sec: delay / 1_000_000, tv_usec: delay % 1_000_000)
            setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &timer, nil)
        }
    }
}

func say(_ text: String) {
    try? StandardStream.output.write(Array((text + "\n").utf8).span)
}

/// A mark in the record, and a line for whoever reads the output.
func mark(_ text: String) {
    disk_recorder_mark(text, UInt(text.utf8.count))
    say(text)
}
