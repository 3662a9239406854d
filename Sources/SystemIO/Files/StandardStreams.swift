import Glibc

/// The streams that a process is born with, for writing.
package enum StandardStream: Int32, Hashable, Sendable {
    case output = 1
    case error = 2

    /// The name in error messages.
    package var path: FilePath {
        switch self {
        case .output: "standard output"
        case .error: "standard error"
        }
    }

    /// Writes every byte through write(2). A reader that went away is `.closedPipe` (after `Interrupts.begin`).
    package func write(_ bytes: Span<UInt8>) throws(FileError) {
        var failure: FileError?
        unsafe bytes.withUnsafeBytes { raw in
            do throws(FileError) {
                unsafe try Descriptor.writeAll(rawValue, raw, path: path)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    /// True when it is a terminal.
    package var isTerminal: Bool {
        isatty(rawValue) == 1
    }

    /// Columns of the terminal, nil when it is none or does not say.
    package var terminalWidth: Int? {
        var size = winsize()
        guard unsafe ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Which file the stream goes to, so that a command can refuse to write into its own input.
    package var identity: FileIdentity? {
        (try? fileStatus(of: rawValue, path: path))?.identity
    }
}

/// True when the standard input is a terminal.
package func standardInputIsTerminal() -> Bool {
    isatty(0) == 1
}

/// Fills closed standard descriptors, so that no file of the user gets number 1 or 2 and then our output. Reading from the
/// filler or writing to it fails as with a closed one.
package func occupyClosedStandardStreams() {
    for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 {
        // The lowest free number is taken, and lower ones are filled already.
        _ = unsafe open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
    }
}
