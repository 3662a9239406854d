// A process of its own for the tests of databases: one that can be killed, and whose files are recorded.
//
//   DatabaseProbe SCENARIO FOLDER [log=FILE] [die=N] [fail=N:ERRNO] [first=N] [count=N] [cache=PAGES]
//                [after=MICROSECONDS] [limit=BYTES] [secret=NUMBER] [mode=read] [patience=MILLISECONDS]
//                [until=FILE] [lock=read|write|exclusive] [commit=N]
//
// Prints what it has done, line by line, after it is done: `ready`, `done N`, `failed WHY`, `operations N`.
import CDiskRecorder
import Glibc
import SQLiteDatabase
import SystemIO

// A write beyond the limit for file sizes is an error like others.
signal(SIGXFSZ, SIG_IGN)
// So that a kill can come at any moment, it does not come from another process that must be scheduled first.
signal(SIGALRM) { _ in kill(getpid(), SIGKILL) }
let options = ProbeOptions(Array(CommandLine.arguments.dropFirst()))
let scenario = Scenario(options: options)
do {
    try scenario.run()
    say("operations \(disk_recorder_count())")
} catch {
    say("failed \(error)")
    ProcessSettings.exit(1)
}
