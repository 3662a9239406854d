import TestSupport
import Testing

/// The built program is killed from outside, at system calls that it really makes, with two threads at work.
@Suite("a rekey that is killed through strace", .enabled(if: Strace.works, "strace cannot trace here"))
struct StraceTests {
    private static let calls =
        ["renameat2", "syncfs", "unlink"]
        + (LongTests.areWanted
            ? ["mkdir", "rmdir", "fsync", "ftruncate", "fchmod", "write", "fchown", "chmod", "utimensat"] : [])

    @Test("at the Nth call of each kind: a key at hand opens everything, and a second run completes", arguments: calls)
    func kills(call: String) throws {
        let scene = try RekeyScene(.out, keeps: true)
        var kills = 0
        for number in LongTests.areWanted ? Array(1...40) : [1] {
            let folder = TemporaryFolder()
            let root = folder.file("a")
            TreeNames.copy(scene.path, to: root)
            var command = scene.command(root)
            command[command.firstIndex(of: "1") ?? 0] = "2"
            let run = ChildProcess.run(
                [
                    "strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call)", "-e",
                    "inject=\(call):signal=KILL:when=\(number)", ChildProcess.builtProducts + "/sxkey",
                ] + command)
            // It makes no more of these calls.
            if run.status != 137 { break }
            kills += 1
            do {
                try scene.checkNothingLost(root)
                let second = scene.probe(root)
                guard [0, scene.usualStatus].contains(second.status) else { throw Failure(text: second.errorText) }
                try scene.checkDone(root)
            } catch {
                Issue.record("\(call) \(number): \(error)")
            }
        }
        report("kills at \(call) through strace: \(kills)")
    }
}

private enum Strace {
    /// Containers may forbid ptrace.
    static let works =
        ChildProcess.has("strace") && ChildProcess.run(["strace", "-qq", "-o", "/dev/null", "true"]).status == 0
}
