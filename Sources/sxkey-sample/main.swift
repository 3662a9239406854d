import SampleData
import SystemIO

// Writes a small sample store and two exports: sxkey-sample [--fixed] FOLDER

ProcessSettings.protectSecrets()
var words = ProcessSettings.arguments()
let fixed = words.first == Array("--fixed".utf8)
if fixed { words.removeFirst() }

func say(_ message: String) {
    let line = Array("sxkey-sample: \(message)\n".utf8)
    // Where even that cannot be written, the exit status has to do.
    do { try StandardStream.error.write(line.span) } catch {}
}

func fail(_ message: String, status: Int32) -> Never {
    say(message)
    ProcessSettings.exit(status)
}

guard words.count == 1, let name = words.first, !name.isEmpty, name.first != UInt8(ascii: "-") else {
    fail("usage: sxkey-sample [--fixed] FOLDER", status: 2)
}
do {
    try Sample(deterministic: fixed).write(to: FilePath(bytes: name))
} catch {
    switch error {
    case .file(let file): fail("cannot \(file.operation.rawValue) the sample: \(file.reason)", status: 1)
    case .bundle, .failed: fail("cannot make the sample: no memory, or a library failed", status: 1)
    }
}
