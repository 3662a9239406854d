import CLinux
import Glibc

/// Another program that answers one request: bytes to its standard input, bytes from its standard output.
///
/// It gets the arguments and the environment that it is given and nothing else, default signals, /dev/null for its standard
/// error, and no descriptor but these three, and 3 where it is to report something beside its answer.
/// It is killed, if it still runs, when this value goes.
package struct HelperProcess: ~Copyable {
    /// Why there is no answer.
    package enum Failure: Error, Equatable, Sendable {
        /// The program could not be run; the error number.
        case cannotStart(code: Int32)
        /// Not done in time; it was killed.
        case tookTooLong
        /// It was ended by a signal.
        case killed(signal: Int32)
        /// It ended by itself with a status that is not 0.
        case failed(status: Int32)
        /// More bytes than the caller was ready to take; it was killed.
        case answerTooLarge(limit: Int)
        /// Talking to it failed; the error number.
        case connection(code: Int32)
    }

    /// Our end of a pair of sockets, which are its standard input and output. A socket and no pipe, because writing to one
    /// whose reader is gone can be asked to raise no SIGPIPE (send(2), MSG_NOSIGNAL).
    private let connection: Int32
    private let process: pid_t
    /// A file in memory that is its descriptor 3, so that what it reports never keeps it waiting; -1 where there is none.
    private let report: Int32
    private var isRunning = true

    /// Bytes of a report that are read.
    package static let reportBytes = 4 << 20

    /// Starts the program at `path`, which is not looked up anywhere.
    /// - Parameters:
    ///   - arguments: behind the name of the program. Without NUL.
    ///   - environment: each as `NAME=value`. Without NUL.
    ///   - reports: it may write to descriptor 3, which `answerWithReport` gives.
    package init(
        starting path: FilePath, arguments: [[UInt8]] = [], environment: [[UInt8]] = [], reports: Bool = false
    ) throws(Failure) {
        Self.keepStatuses()
        var ends: [Int32] = [-1, -1]
        guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Self.closeOnExec, 0, &ends) == 0 else {
            throw .connection(code: errno)
        }
        defer { close(ends[1]) }
        let report = reports ? sx_memory_file() : -1
        guard !reports || report >= 0 else {
            let code = errno
            close(ends[0])
            throw .connection(code: code)
        }
        var child = pid_t()
        let code = Self.spawn(path, arguments, environment, stream: ends[1], report: report, &child)
        guard code == 0 else {
            close(ends[0])
            if report >= 0 { close(report) }
            throw .cannotStart(code: code)
        }
        self.report = report
        connection = ends[0]
        process = child
        _ = fcntl(connection, F_SETFL, O_RDWR | O_NONBLOCK)
    }

    deinit {
        close(connection)
        if report >= 0 { close(report) }
        guard isRunning else { return }
        kill(process, SIGKILL)
        _ = try? Self.wait(process, options: 0)
    }

    /// Whoever started this program may have it ignore SIGCHLD, and then the kernel keeps no status of a child: nothing would
    /// say that it failed.
    private static func keepStatuses() {
        var action = sigaction()
        guard unsafe sigaction(SIGCHLD, nil, &action) == 0 else { return }
        let isIgnored = unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
        if isIgnored || action.sa_flags & Int32(SA_NOCLDWAIT) != 0 { signal(SIGCHLD, SIG_DFL) }
    }

    /// Sends `request` and the end of the input, and gives all that comes back up to the end of a process that ended well.
    package consuming func answer(
        to request: Span<UInt8>, limit: Int, milliseconds: Int
    ) throws(Failure) -> [UInt8] {
        try takeAnswer(to: request, limit: limit, milliseconds: milliseconds)
    }

    /// The same, with what it wrote to descriptor 3: at most `reportBytes` of it.
    package consuming func answerWithReport(
        to request: Span<UInt8>, limit: Int, milliseconds: Int
    ) throws(Failure) -> (answer: [UInt8], report: [UInt8]) {
        let answer = try takeAnswer(to: request, limit: limit, milliseconds: milliseconds)
        var text: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while text.count < Self.reportBytes {
            let count = unsafe pread(report, &piece, piece.count, text.count)
            guard count >= 0 else { throw .connection(code: errno) }
            if count == 0 { break }
            text += piece[..<count]
        }
        return (answer, text)
    }

    private mutating func takeAnswer(
        to request: Span<UInt8>, limit: Int, milliseconds: Int
    ) throws(Failure) -> [UInt8] {
        let deadline = Self.milliseconds() + milliseconds
        var answer: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        var sent = 0
        var isSending = true
        while true {
            if isSending, sent == request.count {
                shutdown(connection, Int32(SHUT_WR))
                isSending = false
            }
            let found = try events(isSending ? POLLIN | POLLOUT : POLLIN, until: deadline)
            if found & POLLOUT != 0, isSending {
                // A helper that reads no further has its reasons, which it says.
                if let count = try send(request, from: sent) { sent += count } else { sent = request.count }
            }
            guard found & ~POLLOUT != 0 else { continue }
            let count = unsafe recv(connection, &piece, piece.count, 0)
            if count < 0 {
                if errno == EAGAIN || errno == EINTR { continue }
                // It went without having read everything.
                if errno == ECONNRESET { break }
                throw .connection(code: errno)
            }
            if count == 0 { break }
            guard count <= limit - answer.count else { throw .answerTooLarge(limit: limit) }
            answer += piece[..<count]
        }
        try end(until: deadline)
        return answer
    }

    /// Waits for the process, which has closed its output.
    private mutating func end(until deadline: Int) throws(Failure) {
        var pause: UInt32 = 100
        while true {
            if let status = try Self.wait(process, options: WNOHANG) {
                isRunning = false
                let signal = status & 0x7f
                if signal != 0 { throw .killed(signal: signal) }
                let code = (status >> 8) & 0xff
                if code != 0 { throw .failed(status: code) }
                return
            }
            guard Self.milliseconds() < deadline else { throw .tookTooLong }
            usleep(pause)
            pause = min(pause * 2, 10_000)
        }
    }

    /// Waits for one of `events` and gives what came.
    private func events(_ events: Int32, until deadline: Int) throws(Failure) -> Int32 {
        while true {
            let left = deadline - Self.milliseconds()
            guard left > 0 else { throw .tookTooLong }
            let found = Descriptor.wait(connection, for: events, milliseconds: Int32(clamping: left))
            if found != 0 { return found }
        }
    }

    /// The number of bytes that went; nil when the other side reads no more.
    private func send(_ bytes: Span<UInt8>, from start: Int) throws(Failure) -> Int? {
        let count = unsafe bytes.withUnsafeBytes { raw in
            unsafe Glibc.send(
                connection, raw.baseAddress?.advanced(by: start), raw.count - start, Int32(MSG_NOSIGNAL))
        }
        if count >= 0 { return count }
        switch errno {
        case EAGAIN, EINTR: return 0
        case EPIPE, ECONNRESET: return nil
        default: throw .connection(code: errno)
        }
    }

    /// The status of the process, nil while it runs.
    private static func wait(_ process: pid_t, options: Int32) throws(Failure) -> Int32? {
        var status: Int32 = 0
        while true {
            let result = unsafe waitpid(process, &status, options)
            if result == process { return status }
            // Without a status nothing says that it ended well.
            if result < 0, errno != EINTR { throw .connection(code: errno) }
            if result == 0 { return nil }
        }
    }

    private static func spawn(
        _ path: FilePath, _ arguments: [[UInt8]], _ environment: [[UInt8]], stream: Int32, report: Int32,
        _ child: inout pid_t
    ) -> Int32 {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, stream, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, stream, 1)
        unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        if report >= 0 { unsafe posix_spawn_file_actions_adddup2(&actions, report, 3) }
        unsafe sx_spawn_closing_from(&actions, report >= 0 ? 4 : 3)

        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var names = CStringList([path.bytes] + arguments)
        var variables = CStringList(environment)
        return unsafe path.withCString { name in
            unsafe names.withPointers { arguments in
                unsafe variables.withPointers { environment in
                    unsafe posix_spawn(&child, name, &actions, &attributes, arguments, environment)
                }
            }
        } ?? ENOMEM
    }

    private static func milliseconds() -> Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }

    /// SOCK_CLOEXEC has the value of O_CLOEXEC (socket(2)).
    private static let closeOnExec = O_CLOEXEC
}

/// Strings for C, each with its NUL, in one piece of memory.
private struct CStringList {
    private var bytes: [CChar] = []
    private var starts: [Int] = []

    init(_ strings: [[UInt8]]) {
        for string in strings {
            starts.append(bytes.count)
            bytes += string.map { CChar(bitPattern: $0) } + [0]
        }
        // Never without memory.
        bytes.append(0)
    }

    /// Lends the pointers with a null behind them.
    mutating func withPointers(_ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Int32?) -> Int32? {
        let starts = starts
        return unsafe bytes.withUnsafeMutableBufferPointer { memory in
            guard let base = memory.baseAddress else { return nil }
            let pointers = unsafe starts.map { unsafe Optional(base + $0) } + [nil]
            return unsafe pointers.withUnsafeBufferPointer { list in
                guard let first = list.baseAddress else { return nil }
                return unsafe body(first)
            }
        }
    }
}
