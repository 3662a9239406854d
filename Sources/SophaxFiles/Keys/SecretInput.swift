import CryptoPrimitives
import SystemIO

/// Why a passphrase or key could not be taken in.
package enum SecretInputError: Error, Equatable, Sendable {
    case file(FileError)
    /// Nobody passed this descriptor in.
    case notOpen(Int32)
    /// Nothing but perhaps a line ending.
    case empty(FilePath)
    /// A line break inside: half of it would be used by accident (design section 3).
    case lineBreak(FilePath)
    /// A NUL inside, as in a file saved as UTF-16.
    case nul(FilePath)
    case tooLong(FilePath, limit: Int)
    /// Nobody to ask: there is no terminal.
    case noTerminal
    /// The prompt was left without an answer.
    case noAnswer
    case terminal(code: Int32)
    case memory(SecretMemoryError)
}

/// Brings secrets from files, pipes and the terminal straight into `SecretBytes`.
package enum SecretInput {
    /// Bytes of a passphrase file; a sentence is some hundred.
    package static let longestPassphrase = 65_536

    /// Reads a passphrase to the end of `input`: exactly one trailing line ending is taken off; CR, LF and NUL inside are
    /// refused.
    package static func passphrase(from input: inout InputFile) throws(SecretInputError) -> SecretBytes {
        let all = try read(&input, limit: longestPassphrase)
        let path = input.path
        return try all.withSpan { (bytes) throws(SecretInputError) in
            let end = endWithoutLineEnding(bytes)
            guard end > 0 else { throw .empty(path) }
            for index in 0..<end {
                if bytes[index] == 0 { throw .nul(path) }
                if bytes[index] == 0x0A || bytes[index] == 0x0D { throw .lineBreak(path) }
            }
            return try copy(bytes.extracting(0..<end))
        }
    }

    /// Reads a key file as it is.
    package static func keyFile(_ input: inout InputFile) throws(SecretInputError) -> SecretBytes {
        try read(&input, limit: StoreKey.fileSizeCeiling)
    }

    /// Asks on the terminal without echo. `prompt` must be escaped already.
    package static func ask(_ prompt: String) throws(SecretInputError) -> SecretBytes {
        var line = try empty(HiddenPrompt.longestLine)
        let count: Int
        do throws(PromptError) {
            count = unsafe try line.withUnsafeMutableBytes { (bytes) throws(PromptError) in
                unsafe try HiddenPrompt.readLine(prompt: Array(prompt.utf8), into: bytes)
            }
        } catch {
            switch error {
            case .noTerminal: throw .noTerminal
            case .endOfInput: throw .noAnswer
            case .tooLong(let limit): throw .tooLong("/dev/tty", limit: limit)
            case .system(let code): throw .terminal(code: code)
            }
        }
        guard count > 0 else { throw .noAnswer }
        return try line.withSpan { (bytes) throws(SecretInputError) in
            for index in 0..<count where bytes[index] == 0 { throw .nul("/dev/tty") }
            return try copy(bytes.extracting(0..<count))
        }
    }

    private static func endWithoutLineEnding(_ bytes: Span<UInt8>) -> Int {
        var end = bytes.count
        if end > 0, bytes[end - 1] == 0x0A {
            end -= 1
            if end > 0, bytes[end - 1] == 0x0D { end -= 1 }
        }
        return end
    }

    private static func read(_ input: inout InputFile, limit: Int) throws(SecretInputError) -> SecretBytes {
        if let size = input.size, size > limit { throw .tooLong(input.path, limit: limit) }
        // One byte more than may be, so that too much is seen.
        var all = try empty(min(input.size ?? limit, limit) + 1)
        var count = 0
        do throws(FileError) {
            count = unsafe try all.withUnsafeMutableBytes { (bytes) throws(FileError) in
                unsafe try input.readFully(into: bytes)
            }
        } catch {
            throw .file(error)
        }
        guard count < all.count else { throw .tooLong(input.path, limit: limit) }
        return try all.withSpan { (bytes) throws(SecretInputError) in try copy(bytes.extracting(0..<count)) }
    }

    private static func empty(_ count: Int) throws(SecretInputError) -> SecretBytes {
        do throws(SecretMemoryError) { return try SecretBytes(count: count) } catch { throw .memory(error) }
    }

    private static func copy(_ bytes: Span<UInt8>) throws(SecretInputError) -> SecretBytes {
        do throws(SecretMemoryError) { return try SecretBytes(copying: bytes) } catch { throw .memory(error) }
    }
}
