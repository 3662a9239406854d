import Glibc

/// Asks for one line on the controlling terminal, shown as it is typed; for answers that are no secret.
package enum TerminalQuestion {
    /// Shows `prompt`, which must be escaped already, and gives the bytes before the line ending.
    package static func ask(_ prompt: [UInt8]) throws(PromptError) -> [UInt8] {
        let terminal = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else {
            throw errno == EMFILE || errno == ENFILE ? .system(code: errno) : .noTerminal
        }
        defer { close(terminal) }
        _ = unsafe prompt.withUnsafeBytes { unsafe write(terminal, $0.baseAddress, $0.count) }
        var line: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: HiddenPrompt.longestLine)
        while line.count < HiddenPrompt.longestLine {
            let count = unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe read(terminal, bytes.baseAddress, bytes.count)
            }
            if count < 0 {
                if errno == EINTR { continue }
                throw .system(code: errno)
            }
            if count == 0 {
                if line.isEmpty { throw .endOfInput }
                return line
            }
            line += buffer[..<count]
            if line.last == UInt8(ascii: "\n") { return line.dropLast() }
        }
        throw .tooLong(limit: HiddenPrompt.longestLine)
    }
}
