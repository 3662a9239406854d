// The program sxkey with a recorder in front of the C library: a process that can be killed at every change of the disk,
// and whose changes are recorded.
//
//   StoreProbe FOLDER [log=FILE] [die=N] [fail=N:ERRNO] [once=N:ERRNO] [late=N:ERRNO] [signal=N:NUMBER] [kind=NUMBER] [no-exchange]
//              [disturb=PATH] -- COMMAND…
//
// What happens below FOLDER is recorded. Prints `operations N` on the standard error at the end.
import CTreeRecorder
import SXKeyCommands
import SystemIO

let options = ProbeOptions(Array(CommandLine.arguments.dropFirst()))
Interrupts.begin()
options.startRecorder()
ProcessSettings.protectSecrets()
let status = Program.run(options.command)
try? StandardStream.error.write(Array("operations \(tree_recorder_count())\n".utf8).span)
ProcessSettings.exit(status.rawValue)
