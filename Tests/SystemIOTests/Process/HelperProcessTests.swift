import Glibc
import TestSupport
import Testing

@testable import SystemIO

@Suite("a helper that answers one request")
struct HelperProcessTests {
    private let folder = TemporaryFolder()

    @Test("what it writes comes back whole, also when both sides have megabytes to say")
    func echo() throws {
        let request = (0..<6_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) }
        let answer = try ask("exec cat", request, limit: request.count)
        #expect(answer == request)
    }

    @Test("the end of the request is the end of its input")
    func empty() throws {
        #expect(try ask("cat; echo end", []) == Array("end\n".utf8))
    }

    @Test("it has an empty environment and no descriptor but the standard streams")
    func surroundings() throws {
        // A descriptor of ours without close-on-exec, and a variable of ours.
        let own = open("/dev/null", O_RDONLY)
        defer { close(own) }
        #expect(fcntl(own, F_GETFD) == 0)
        setenv("SXKEY_TEST_OF_HELPERS", "1", 1)
        // The shell opens its script on a descriptor of its own, so a program without one looks.
        let listing = try ask("exec ls /proc/self/fd", [])
        // 3 is the folder that ls reads.
        #expect(String(decoding: listing, as: UTF8.self) == "0\n1\n2\n3\n")
        let environment = String(decoding: try ask("exec env", []), as: UTF8.self)
        #expect(!environment.contains("SXKEY_TEST_OF_HELPERS") && !environment.contains("PATH="))
    }

    @Test("no signal is blocked or ignored in it")
    func signals() throws {
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let text = String(decoding: try ask("exec grep -E 'SigBlk|SigIgn' /proc/self/status", []), as: UTF8.self)
        let sets = text.split(separator: "\n").compactMap { UInt64($0.dropFirst("SigBlk:\t".count), radix: 16) }
        // Signals 32 and 33 belong to the C library.
        #expect(sets.map { $0 & ~(3 << 31) } == [0, 0], "\(text)")
    }

    @Test("its end is told: a status, a signal")
    func endings() {
        #expect(throws: HelperProcess.Failure.failed(status: 3)) { try ask("echo half; exit 3", []) }
        #expect(throws: HelperProcess.Failure.killed(signal: SIGSEGV)) { try ask("kill -SEGV $$", []) }
    }

    @Test("where SIGCHLD is ignored, a failure is a failure all the same")
    func ignoredChildren() {
        signal(SIGCHLD, SIG_IGN)
        defer { signal(SIGCHLD, SIG_DFL) }
        #expect(throws: HelperProcess.Failure.failed(status: 3)) { try ask("echo half; exit 3", []) }
    }

    @Test("what it reports beside its answer comes too, however much, and descriptor 3 is there for that alone")
    func reports() throws {
        let script = try script("head -c 5000000 /dev/zero >&3; echo answer; echo more >&3")
        let nothing: [UInt8] = []
        let (answer, report) = try HelperProcess(starting: script, reports: true)
            .answerWithReport(to: nothing.span, limit: 100, milliseconds: 60_000)
        #expect(answer == Array("answer\n".utf8))
        #expect(report.count >= HelperProcess.reportBytes && report.count <= HelperProcess.reportBytes + 65_536)
        #expect(throws: HelperProcess.Failure.failed(status: 1)) { try ask("(echo no >&3) 2>/dev/null || exit 1", []) }
    }

    @Test("one that never answers, or never ends, is killed in time")
    func deadline() throws {
        for script in ["exec sleep 100", "exec >&- <&-; sleep 100", "while echo; do :; done | head -c 1; sleep 100"] {
            let start = wallClock()
            #expect(throws: HelperProcess.Failure.tookTooLong, "\(script)") {
                try ask(script, [], milliseconds: 200)
            }
            #expect(wallClock() - start < 20)
        }
    }

    @Test("one that says more than is wanted is stopped")
    func flood() {
        #expect(throws: HelperProcess.Failure.answerTooLarge(limit: 1000)) { try ask("exec yes", [], limit: 1000) }
        #expect(throws: Never.self) { try ask("exec head -c 1000 /dev/zero", [], limit: 1000) }
    }

    @Test("one that answers without reading is heard, and its closed input is no signal for us")
    func unread() throws {
        let request = [UInt8](repeating: 1, count: 4_000_000)
        #expect(try ask("echo no; exit 0", request) == Array("no\n".utf8))
    }

    @Test("a program that is not there, or is none, is not started")
    func missing() {
        #expect(throws: HelperProcess.Failure.cannotStart(code: ENOENT)) {
            _ = try HelperProcess(starting: FilePath(folder.file("nothing")))
        }
        let text = FilePath(folder.write("text", to: "text"))
        #expect(throws: HelperProcess.Failure.cannotStart(code: EACCES)) { _ = try HelperProcess(starting: text) }
    }

    @Test("one that is not asked anything is ended with the value")
    func dropped() throws {
        let mark = folder.file("pid")
        do {
            let helper = try HelperProcess(starting: script("echo $$ > \(mark); exec sleep 100"))
            while fileBytes(mark)?.last != 0x0A { usleep(1000) }
            _ = consume helper
        }
        let bytes = try #require(fileBytes(mark))
        let process = try #require(pid_t(String(decoding: bytes.dropLast(), as: UTF8.self)))
        #expect(kill(process, 0) == -1)
    }

    private func ask(
        _ text: String, _ request: [UInt8], limit: Int = 1 << 20, milliseconds: Int = 60_000
    ) throws -> [UInt8] {
        let script = try script(text)
        while true {
            do throws(HelperProcess.Failure) {
                return try HelperProcess(starting: script).answer(
                    to: request.span, limit: limit, milliseconds: milliseconds)
            } catch .cannotStart(code: ETXTBSY) {
                // A child that another test started in this moment has the descriptor that wrote the script, until it execs.
                usleep(1_000)
            }
        }
    }

    /// A program that runs `text` in the shell. It finds its commands in the usual folders, without a PATH.
    private func script(_ text: String) throws -> FilePath {
        let path = folder.write("#!/bin/sh\n\(text)\n", to: "script")
        try #require(chmod(path, 0o700) == 0)
        return FilePath(path)
    }
}
