import Glibc

/// A program that a test runs and waits for.
package struct ChildProcess {
    /// The exit status, or 128 + the number of the signal that ended it.
    package let status: Int32
    package let output: [UInt8]
    package let errorOutput: [UInt8]

    package var outputText: String { String(decoding: output, as: UTF8.self) }
    package var errorText: String { String(decoding: errorOutput, as: UTF8.self) }

    /// Runs `command`, the first word looked up in PATH, with `input` as its standard input.
    ///
    /// It gets a session of its own, so it has no terminal, and is killed with all that it started when it takes too long:
    /// the status is then 137.
    /// - Parameters:
    ///   - folder: where it works; nil for where this process does.
    ///   - environment: added to this process's own; nil takes a variable out.
    package static func run(
        _ command: [String], in folder: String? = nil, input: [UInt8] = [], environment: [String: String?] = [:],
        seconds: Int = 120
    ) -> ChildProcess {
        // The module of the C library has no way to change the folder of a child.
        let command = (folder.map { ["env", "-C", $0] } ?? []) + command
        let files = (0..<3).map { _ in temporaryFile() }
        defer { for file in files { close(file) } }
        writeAll(files[0], input)
        lseek(files[0], 0, SEEK_SET)

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, file) in files.enumerated() { posix_spawn_file_actions_adddup2(&actions, file, Int32(number)) }

        // Threads of the test runner block signals, and what started it may ignore some; a program begins with neither.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | newSession))

        var arguments = command.map { strdup($0) } + [nil]
        var variables = variables(adding: environment).map { strdup($0) } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var child = pid_t()
        let code = posix_spawnp(&child, command[0], &actions, &attributes, &arguments, &variables)
        precondition(code == 0, "cannot run \(command[0]): \(code)")
        let raw = wait(for: child, seconds: seconds)
        let signal = raw & 0x7f
        return ChildProcess(
            status: signal == 0 ? (raw >> 8) & 0xff : 128 + signal, output: contents(files[1]),
            errorOutput: contents(files[2]))
    }

    /// POSIX_SPAWN_SETSID, which the module of the C library leaves out.
    private static let newSession: Int32 = 0x80

    private static func wait(for child: pid_t, seconds: Int) -> Int32 {
        var raw: Int32 = 0
        var waited: UInt32 = 0
        var pause: UInt32 = 500
        while true {
            let result = waitpid(child, &raw, WNOHANG)
            if result == child { return raw }
            precondition(result == 0 || errno == EINTR, "cannot wait for a child")
            if waited / 1_000_000 >= UInt32(seconds) {
                kill(-child, SIGKILL)
                waitpid(child, &raw, 0)
                return raw
            }
            usleep(pause)
            waited += pause
            pause = min(pause * 2, 10_000)
        }
    }

    /// True when PATH has the program.
    package static func has(_ program: String) -> Bool {
        run(["sh", "-c", "command -v \"$0\"", program]).status == 0
    }

    /// The folder of the programs built with this test, for example `.build/debug`.
    package static let builtProducts: String = {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        let path = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
        return "/" + path.split(separator: "/").dropLast().joined(separator: "/")
    }()

    private static func variables(adding changes: [String: String?]) -> [String] {
        var result: [String] = []
        var place = environ
        while let text = place.pointee {
            let variable = String(cString: text)
            let name = String(variable.prefix { $0 != "=" })
            if changes[name] == nil { result.append(variable) }
            place += 1
        }
        for (name, value) in changes { if let value { result.append("\(name)=\(value)") } }
        return result
    }

    private static func temporaryFile() -> Int32 {
        var template = Array("/tmp/sxkey-test-XXXXXX".utf8CString)
        let file = mkstemp(&template)
        precondition(file >= 0, "cannot make a temporary file")
        unlink(template)
        _ = fcntl(file, F_SETFD, FD_CLOEXEC)
        return file
    }

    private static func writeAll(_ file: Int32, _ bytes: [UInt8]) {
        var done = 0
        while done < bytes.count {
            let rest = Array(bytes[done...])
            let count = write(file, rest, rest.count)
            precondition(count > 0, "cannot write a temporary file")
            done += count
        }
    }

    private static func contents(_ file: Int32) -> [UInt8] {
        lseek(file, 0, SEEK_SET)
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(file, &buffer, buffer.count)
            guard count > 0 else { return bytes }
            bytes.append(contentsOf: buffer.prefix(count))
        }
    }
}
