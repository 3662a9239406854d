import Glibc

/// Why a hidden prompt gave nothing.
package enum PromptError: Error, Hashable, Sendable {
    /// The process has no terminal to ask on.
    case noTerminal
    /// End of input (Ctrl-D, or the terminal went away) before a line was typed.
    case endOfInput
    /// More bytes than fit; nothing of them is used.
    case tooLong(limit: Int)
    case system(code: Int32)
}

/// Asks for one line on the controlling terminal without showing what is typed.
package enum HiddenPrompt {
    /// Most bytes in one line: what Linux's line editing holds (N_TTY_BUF_SIZE), its line ending included.
    package static let longestLine = 4096

    /// Shows `prompt` and reads a line straight into `buffer`, which holds at least `longestLine` bytes. Gives the number of
    /// bytes before the line ending. `prompt` must be escaped already.
    ///
    /// The echo is off meanwhile and on again afterwards, also after a signal once `Interrupts.begin` was called.
    /// On an error the buffer is wiped.
    package static func readLine(
        prompt: [UInt8], into buffer: UnsafeMutableRawBufferPointer
    ) throws(PromptError) -> Int {
        let terminal = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else {
            throw errno == EMFILE || errno == ENFILE ? .system(code: errno) : .noTerminal
        }
        defer { close(terminal) }
        guard let echo = HiddenEcho(terminal: terminal, prompt: prompt) else { throw .noTerminal }
        let code = Interrupts.hidingEcho(echo)
        guard code == 0 else { throw .system(code: code) }
        defer { Interrupts.showingEcho() }
        echo.showPromptAgain()
        // A read in the background is then an error instead of a stop, and an interrupt can still end the process.
        Interrupts.setBlocked(true, SIGTTIN)
        defer { Interrupts.setBlocked(false, SIGTTIN) }
        do throws(PromptError) {
            return unsafe try readLine(from: terminal, echo, into: buffer)
        } catch {
            if let start = buffer.baseAddress { unsafe explicit_bzero(start, buffer.count) }
            throw error
        }
    }

    /// Microseconds between looks at whether the job has the terminal again.
    private static let backgroundPause: UInt32 = 50_000

    private static func readLine(
        from terminal: Int32, _ echo: HiddenEcho, into buffer: UnsafeMutableRawBufferPointer
    ) throws(PromptError) -> Int {
        let room = min(buffer.count, longestLine)
        var filled = 0
        while true {
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<room])
            let count: Int
            do throws(FileError) {
                count = unsafe try Descriptor.read(terminal, into: rest, path: "/dev/tty")
            } catch {
                guard error.code == EIO, !echo.isInForeground else { throw .system(code: error.code) }
                usleep(backgroundPause)
                continue
            }
            if count == 0 {
                if filled == 0 { throw .endOfInput }
                return filled
            }
            filled += count
            if unsafe buffer[filled - 1] == UInt8(ascii: "\n") {
                // The kernel drops what does not fit into its line, so a line of full length may be a cut one.
                if filled >= room { throw .tooLong(limit: room - 2) }
                return filled - 1
            }
            if filled >= room { throw .tooLong(limit: room - 2) }
        }
    }
}

/// How a terminal was before its echo was turned off, and what to show when the question comes again.
struct HiddenEcho: Sendable {
    private let terminal: Int32
    private let before: termios
    private let hidden: termios
    private let prompt: [UInt8]

    /// Nil when `terminal` is not one.
    init?(terminal: Int32, prompt: [UInt8]) {
        var settings = termios()
        guard unsafe tcgetattr(terminal, &settings) == 0 else { return nil }
        self.terminal = terminal
        self.prompt = prompt
        before = settings
        // The line ending still shows, so that the next output starts on a line of its own.
        settings.c_lflag &= ~tcflag_t(ECHO | ECHOE | ECHOK)
        settings.c_lflag |= tcflag_t(ECHONL | ICANON | ISIG)
        hidden = settings
    }

    /// Gives 0 or the errno. What was typed ahead is thrown away: it was shown.
    func hide() -> Int32 {
        var settings = hidden
        return unsafe tcsetattr(terminal, TCSAFLUSH, &settings) == 0 ? 0 : errno
    }

    /// False when another job has the terminal.
    var isInForeground: Bool {
        let group = tcgetpgrp(terminal)
        return group < 0 || group == getpgrp()
    }

    func restore() {
        var settings = before
        unsafe tcsetattr(terminal, TCSADRAIN, &settings)
    }

    func showPromptAgain() {
        _ = unsafe prompt.withUnsafeBytes { unsafe write(terminal, $0.baseAddress, $0.count) }
    }
}
