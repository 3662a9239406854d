import CryptoPrimitives
import Glibc
import TestSupport
import Testing

@Suite("the walls round the picture helper", .enabled(if: ChildProcess.has("python3")))
struct SandboxTests {
    private let helper = ChildProcess.builtProducts + "/sxkey-image"

    @Test("before it reads a byte it is confined: filter, no new privileges, limits, no descriptors")
    func confined() throws {
        let run = ChildProcess.run([
            "python3", "-c",
            """
            import os, subprocess, sys, time
            own = os.open("/dev/null", os.O_RDONLY)
            os.set_inheritable(own, True)
            helper = subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, close_fds=False)
            folder = f"/proc/{helper.pid}/"
            def fields(name): return dict(line.split(":", 1) for line in open(folder + name) if ":" in line)
            limit = time.time() + 20
            while fields("status")["Seccomp"].strip() != "2" and time.time() < limit: time.sleep(0.01)
            status = fields("status")
            print("seccomp", status["Seccomp"].strip(), "no new privileges", status["NoNewPrivs"].strip())
            limits = {line[:26].strip(): line[26:].split()[:2] for line in open(folder + "limits")}
            for name in ("Max address space", "Max cpu time", "Max core file size", "Max open files"):
                print(name, *limits[name])
            print(*sorted(os.listdir(folder + "fd")))
            out, _ = helper.communicate(b"sxkey-image 1 scan 0\\n")
            print(out.decode().strip(), helper.returncode)
            """, helper,
        ])
        #expect(run.errorText == "")
        #expect(
            run.outputText == """
                seccomp 2 no new privileges 1
                Max address space 1073741824 1073741824
                Max cpu time 15 15
                Max core file size 0 0
                Max open files 3 3
                0 1 2
                error unknown-format 0

                """)
    }

    @Test("a decoder that was taken over can reach nothing", .enabled(if: ChildProcess.has("c++")))
    func takenOver() throws {
        let folder = TemporaryFolder()
        let source = folder.write(Self.evilLibrary, to: "evil.cpp")
        let library = folder.file("evil.so")
        let build = ChildProcess.run(["c++", "-shared", "-fPIC", "-o", library, source])
        try #require(build.status == 0, "\(build.errorText)")
        let picture = try #require(Self.smallestPicture)
        func status(_ deed: String) -> Int32 {
            let input = Array("sxkey-image 1 scan \(picture.count)\n".utf8) + picture
            return ChildProcess.run([helper], input: input, environment: ["LD_PRELOAD": library, "DEED": deed]).status
        }
        for deed in ["socket", "fork", "exec", "kill", "dup", "executable", "unlink", "write", "read", "ptrace"] {
            #expect(status(deed) == 128 + SIGSYS, "\(deed)")
        }
        // Refused, and that is all; without a deed it comes to its end, so that the deaths above have their causes.
        #expect(status("open") == 77)
        #expect(status("nothing") == 77)
    }

    private static let smallestPicture = Base64.decode(
        Array("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==".utf8).span)

    /// Stands in for a function of libzbar that is called when the filter is there.
    private static let evilLibrary = """
        #include <cerrno>
        #include <csignal>
        #include <cstdlib>
        #include <cstring>
        #include <fcntl.h>
        #include <sys/mman.h>
        #include <sys/ptrace.h>
        #include <sys/socket.h>
        #include <sys/syscall.h>
        #include <unistd.h>
        extern "C" void *zbar_image_scanner_create() {
            const char *deed = getenv("DEED");
            auto is = [deed](const char *name) { return strcmp(deed, name) == 0; };
            if (is("socket")) socket(AF_UNIX, SOCK_STREAM, 0);
            if (is("fork")) fork();
            if (is("exec")) execl("/bin/true", "true", nullptr);
            if (is("kill")) kill(getppid(), 0);
            if (is("dup")) dup(0);
            if (is("executable")) mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            if (is("unlink")) unlink("/nonexistent");
            if (is("write")) write(3, "", 1);
            if (is("read")) read(1, &deed, 1);
            if (is("ptrace")) ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
            if (is("open") && (open("/dev/null", O_RDONLY) != -1 || errno != EACCES)) _exit(78);
            _exit(77);
        }

        """

    @Test(
        "a request that is not exactly one of the protocol is refused",
        arguments: [
            "", "\n", "scan 0\n", "sxkey-image 2 scan 0\n", "sxkey-image 1 scan\n", "sxkey-image 1 scan -1\n",
            "sxkey-image 1 scan 0 0\n", "sxkey-image 1 scan  0\n", "sxkey-image 1 eat 0\n",
            "sxkey-image 1 scan 5\nabcd",
            "sxkey-image 1 scan 33554433\n", "sxkey-image 1 scan 99999999999999999999\n", "sxkey-image 1 png 0\n",
            "sxkey-image 1 png 31507\n", "sxkey-image 1 png 4\n10\n1", "sxkey-image 1 scan 0",
            "sxkey-image 1 scan 000000000000000000000000000000000\n",
        ])
    func requests(text: String) {
        let run = ChildProcess.run([helper], input: Array(text.utf8))
        #expect(run.outputText == "error bad-request\n")
        #expect(run.status == 0)
    }

    @Test("a matrix must be a square of 21 to 177 rows of 0 and 1")
    func matrices() {
        func answer(_ matrix: String) -> String {
            let run = ChildProcess.run([helper], input: Array("sxkey-image 1 png \(matrix.utf8.count)\n\(matrix)".utf8))
            return String(run.outputText.prefix { $0 != "\n" })
        }
        func square(_ rows: Int, _ columns: Int, _ digit: String = "0") -> String {
            String(repeating: String(repeating: digit, count: columns) + "\n", count: rows)
        }
        #expect(answer(square(21, 21)) == "ok")
        #expect(answer(square(177, 177)) == "ok")
        for wrong in [
            square(20, 20), square(178, 178), square(21, 22), square(22, 21), square(21, 21, "2"),
            String(square(21, 21).dropLast()), square(21, 21) + "\n", " " + square(21, 21),
        ] {
            #expect(answer(wrong) == "error bad-request")
        }
    }
}
