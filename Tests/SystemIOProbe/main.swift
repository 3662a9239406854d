// What the tests of SystemIO do in a process of its own: signals, the terminal, closed streams, the time zone.
import Glibc
import SystemIO

func say(_ text: String) {
    try? StandardStream.output.write(Array((text + "\n").utf8).span)
}

func waitForSignals() -> Never {
    while true { pause() }
}

func fail(_ error: FileError) -> Never {
    try? StandardStream.error.write(Array("\(error.operation.rawValue) \(error.kind) \(error.reason)\n".utf8).span)
    ProcessSettings.exit(error.kind == .closedPipe ? 141 : 1)
}

let arguments = ProcessSettings.arguments().map { String(decoding: $0, as: UTF8.self) }
let path = FilePath(arguments.count > 1 ? arguments[1] : "")
let namedOnly = arguments.count > 2 && arguments[2] == "named"

switch arguments.first {
case "arguments":
    for argument in ProcessSettings.arguments().dropFirst() { say(argument.map { String($0) }.joined(separator: " ")) }

case "prompt":
    Interrupts.begin()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: HiddenPrompt.longestLine, alignment: 16)
    do {
        let count = try HiddenPrompt.readLine(prompt: Array("Passphrase: ".utf8), into: buffer)
        say("got \(String(decoding: buffer.prefix(count), as: UTF8.self))")
    } catch {
        say("\(error), first byte \(buffer[0])")
        ProcessSettings.exit(1)
    }

case "half-output":
    // Writes a part of a file and waits to be ended.
    Interrupts.begin()
    Interrupts.setMessage("probe: interrupted")
    do throws(FileError) {
        var file = try OutputFile(creatingAt: path, replacing: true, notSameAs: [], namedOnly: namedOnly)
        try file.write([UInt8](repeating: 7, count: 300_000))
        say("ready")
        waitForSignals()
    } catch {
        fail(error)
    }

case "draft-folder":
    // A folder with many files, published while a signal arrives.
    Interrupts.begin()
    do throws(FileError) {
        var draft = try DraftFolder(for: path)
        try draft.makeFolder("inner")
        for number in 0..<50 {
            try draft.begin(FilePath("\(number)"), in: number % 2 == 0 ? "inner" : nil)
            try draft.write(Array("text".utf8).span)
            try draft.end()
        }
        say("\(getpid())")
        try draft.publish()
        waitForSignals()
    } catch {
        fail(error)
    }

case "output":
    do throws(FileError) {
        var file = try OutputFile(creatingAt: path, replacing: true, notSameAs: [], namedOnly: namedOnly)
        try file.write([UInt8](repeating: 7, count: 300_000))
        try file.commit()
    } catch {
        fail(error)
    }

case "spew":
    Interrupts.begin()
    do throws(FileError) {
        while true { try StandardStream.output.write(Array("a line of output\n".utf8).span) }
    } catch {
        fail(error)
    }

case "closed-streams":
    occupyClosedStandardStreams()
    do throws(FileError) {
        var file = try OutputFile(creatingAt: path)
        try StandardStream.output.write(Array("not for the file\n".utf8).span)
        try file.write("content")
        try file.commit()
    } catch {
        fail(error)
    }

case "protect":
    ProcessSettings.protectSecrets()
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    say("core \(limit.rlim_cur) \(limit.rlim_max) umask \(String(umask(0), radix: 8))")
    // The file may only be named through /proc, which a process that cannot be dumped must still be able to do.
    do throws(FileError) {
        try OutputFile(creatingAt: path).commit()
    } catch {
        fail(error)
    }

case "local-times":
    let zone = LocalZone()
    for argument in arguments.dropFirst() {
        guard let seconds = Double(argument), let time = zone.time(at: seconds) else {
            say("none")
            continue
        }
        say("\(time.rfc3339) \(time.zoneName) \(zone.unixSeconds(of: time.date) ?? .nan)")
    }

case "typed-dates":
    let zone = LocalZone()
    for argument in arguments.dropFirst() {
        do {
            let date = try TypedDate(parsing: Array(argument.utf8), zone: zone)
            say("\(date.start) \(date.end)")
        } catch {
            say("\(error)")
        }
    }

default:
    say("unknown probe")
    ProcessSettings.exit(2)
}
