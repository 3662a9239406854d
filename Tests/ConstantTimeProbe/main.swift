// Runs what handles secrets with the secrets marked as undefined, for valgrind's memcheck to complain about each branch
// on them and each address made of them. `Tests/constant-time` runs it, on the release build.
//
// usage: constant-time-probe NAME…   (without a name: prints the names of the checks, then those of the leaks)
//
// Prints "NAME errors" for each; a leak is there to show that memcheck sees one.
import CMemcheck
import CryptoPrimitives
import Glibc

let names = Array(CommandLine.arguments.dropFirst())
if names.isEmpty {
    for name in checks.keys.sorted() { print("check", name) }
    for name in leaks.keys.sorted() { print("leak", name) }
    exit(0)
}
guard memcheck_is_running() == 1 else {
    print("constant-time-probe: this is not valgrind, or valgrind's headers were not there when it was built")
    exit(2)
}
for name in names {
    guard let body = checks[name] ?? leaks[name] else {
        print("constant-time-probe: no check is called", name)
        exit(2)
    }
    let before = memcheck_error_count()
    try body()
    print(name, memcheck_error_count() - before)
}
