import CTreeRecorder
import Glibc

/// The words before the command.
struct ProbeOptions {
    let folder: String
    let command: [[UInt8]]
    private let values: [String: String]

    init(_ words: [String]) {
        guard let folder = words.first, let split = words.firstIndex(of: "--") else {
            fatalError("usage: StoreProbe FOLDER [NAME=VALUE…] -- COMMAND…")
        }
        self.folder = folder
        command = words[(split + 1)...].map { Array($0.utf8) }
        var values: [String: String] = [:]
        for word in words[1..<split] {
            let parts = word.split(separator: "=", maxSplits: 1).map { String($0) }
            values[parts[0]] = parts.count == 2 ? parts[1] : ""
        }
        self.values = values
    }

    private func numbers(_ name: String) -> [Int] {
        values[name].map { $0.split(separator: ":").compactMap { Int($0) } } ?? []
    }

    /// Starts recording, and what shall go wrong.
    func startRecorder() {
        let log = values["log"].map { open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600) } ?? -1
        guard tree_recorder_start(log, folder) == 0 else { fatalError("no folder \(folder)") }
        if let number = numbers("die").first { tree_recorder_die_at(number) }
        let (fail, once) = (numbers("fail"), numbers("once"))
        if fail.count == 2 { tree_recorder_fail_at(fail[0], Int32(fail[1])) }
        let late = numbers("late")
        if late.count == 2 { tree_recorder_fail_late(late[0], Int32(late[1])) }
        if let path = values["disturb"] { tree_recorder_disturb(path) }
        if once.count == 2 { tree_recorder_fail_once(once[0], Int32(once[1])) }
        let signal = numbers("signal")
        if signal.count == 2 { tree_recorder_signal_at(signal[0], Int32(signal[1])) }
        if let kind = numbers("kind").first { tree_recorder_file_system(kind) }
        if values["no-exchange"] != nil { tree_recorder_no_exchange() }
    }
}
