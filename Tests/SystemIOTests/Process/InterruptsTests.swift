import TestSupport
import Testing

@testable import SystemIO

@Suite("Interrupts")
struct InterruptsTests {
    private let folder = TemporaryFolder()

    /// Starts a program that has written half a file, sends it a signal, and gives its status and what it said.
    private func end(by signal: String, way: String) -> ChildProcess {
        // A shell starts jobs in the background with SIGINT ignored.
        let script = """
            env --default-signal=INT,QUIT "$0" half-output "$1" \(way) > "$2/said" 2> "$2/error" &
            while ! grep -q ready "$2/said"; do sleep 0.01; done
            kill -\(signal) $!; wait $!; echo "status $?"; cat "$2/error" >&2
            """
        let notes = TemporaryFolder()
        return ChildProcess.run(["bash", "-c", script, Probe.path, folder.file("file"), notes.path])
    }

    @Test(
        "a signal ends the program with its number and leaves no half file and the old file whole",
        arguments: [("INT", 130), ("TERM", 143), ("HUP", 129), ("QUIT", 131), ("USR1", 138)], ["unnamed", "named"])
    func signals(signal: (name: String, status: Int), way: String) throws {
        folder.write("old", to: "file")
        let result = end(by: signal.name, way: way)
        #expect(result.outputText == "status \(signal.status)\n")
        #expect(result.errorText.contains("probe: interrupted\n"))
        #expect(folder.names == ["file"])
        var file = try InputFile(opening: FilePath(folder.file("file")))
        #expect(try file.readAll(limit: 10) == Array("old".utf8))
    }

    @Test(
        "a signal just after a folder got its name leaves it whole",
        .enabled(if: Strace.works, "strace cannot trace here"))
    func publishing() {
        // The rename takes a second longer than it does, and the signal arrives when the name is there.
        let script = """
            strace -f -qq -o /dev/null -e trace=renameat2 -e inject=renameat2:delay_exit=1000000 \\
                "$0" draft-folder "$1/out" > "$2/said" 2> "$2/error" &
            while [ ! -e "$1/out" ]; do sleep 0.01; done
            kill -TERM "$(cat "$2/said")"; wait $!; echo "status $?"; cat "$2/error" >&2
            """
        let notes = TemporaryFolder()
        let run = ChildProcess.run(["bash", "-c", script, Probe.path, folder.path, notes.path])
        #expect(run.outputText == "status 143\n", "\(run.errorText)")
        #expect(folder.names == ["out"])
        #expect(FolderListing(folder.file("out")).names.count == 51)
    }

    @Test("after a kill an unnamed file is gone as well")
    func kill() {
        let result = end(by: "KILL", way: "unnamed")
        #expect(result.outputText == "status 137\n")
        #expect(folder.names.isEmpty)
    }

    @Test("a signal that the parent ignores stays ignored")
    func ignored() {
        let script = """
            trap '' HUP; "$0" half-output "$1" > "$2/said" 2> /dev/null &
            while ! grep -q ready "$2/said"; do sleep 0.01; done
            kill -HUP $!; sleep 0.1; kill -TERM $!; wait $!; echo "status $?"
            """
        let notes = TemporaryFolder()
        let result = ChildProcess.run(["bash", "-c", script, Probe.path, folder.file("file"), notes.path])
        #expect(result.outputText == "status 143\n")
    }

    @Test("a limit for the size of files is the error of a write, and leaves no file")
    func sizeLimit() {
        let script = "ulimit -f 100; exec \"$0\" half-output \"$1\" unnamed"
        let result = ChildProcess.run(["bash", "-c", script, Probe.path, folder.file("file")])
        #expect(result.status == 1)
        #expect(result.errorText == "write other file too large\n")
        #expect(folder.names.isEmpty)
    }
}

private enum Strace {
    /// Containers may forbid ptrace.
    static let works =
        ChildProcess.has("strace") && ChildProcess.run(["strace", "-qq", "-o", "/dev/null", "true"]).status == 0
}
