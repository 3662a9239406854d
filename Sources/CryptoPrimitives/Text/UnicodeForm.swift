import CUtf8proc

/// Why a text could not be normalized.
package enum UnicodeError: Error, Equatable, Sendable {
    /// The bytes are not UTF-8.
    case notUTF8
    /// The text is longer than can be normalized.
    case tooLong(maximum: Int, found: Int)
    /// More combining marks in a row than any script has; sorting them would take quadratic time.
    case tooManyMarks(maximum: Int)
    /// The guarded memory could not be had.
    case memory(SecretMemoryError)
    /// libutf8proc failed with this code.
    case library(code: Int)
}

/// Normal forms of Unicode text (UAX #15) on UTF-8 bytes, through libutf8proc.
///
/// U+0000 is a character as any other. libutf8proc's own allocation is not used: what it leaves behind is not wiped.
package enum UnicodeForm: Sendable {
    /// Composed: é is one code point.
    case nfc
    /// Decomposed: é is e and an accent.
    case nfd
    /// Composed, after full case folding (for caseless comparison): ß is ss.
    case caseFolded

    /// The longest text, in bytes.
    package static let maximumLength = 1 << 22
    /// The most combining marks in a row; UAX #15 calls more than 30 abnormal.
    package static let maximumMarks = 1024

    private var options: utf8proc_option_t {
        let form =
            switch self {
            case .nfc: UTF8PROC_COMPOSE.rawValue
            case .nfd: UTF8PROC_DECOMPOSE.rawValue
            case .caseFolded: UTF8PROC_COMPOSE.rawValue | UTF8PROC_CASEFOLD.rawValue
            }
        return utf8proc_option_t(rawValue: UTF8PROC_STABLE.rawValue | form)
    }

    /// `text` in this form.
    package func normalized(_ text: Span<UInt8>) throws(UnicodeError) -> [UInt8] {
        let codePoints = try measure(text)
        var scratch = [Int32](repeating: 0, count: codePoints + 1)
        var span = scratch.mutableSpan
        return try unsafe span.withUnsafeMutableBytes { memory throws(UnicodeError) in
            let length = try unsafe convert(text, codePoints: codePoints, in: memory)
            return unsafe [UInt8](memory[..<length])
        }
    }

    /// The secret text in this form, as a secret.
    package func normalized(_ secret: borrowing SecretBytes) throws(UnicodeError) -> SecretBytes {
        try secret.withSpan { text throws(UnicodeError) in
            let codePoints = try measure(text)
            var scratch: SecretBytes
            do throws(SecretMemoryError) {
                scratch = try SecretBytes(count: (codePoints + 1) * MemoryLayout<Int32>.stride)
            } catch {
                throw .memory(error)
            }
            let length = try unsafe scratch.withUnsafeMutableBytes { memory throws(UnicodeError) in
                try unsafe convert(text, codePoints: codePoints, in: memory)
            }
            do throws(SecretMemoryError) { return try scratch.prefix(length) } catch { throw .memory(error) }
        }
    }

    /// How many code points `text` has when it is decomposed.
    private func measure(_ text: Span<UInt8>) throws(UnicodeError) -> Int {
        guard text.count <= Self.maximumLength else {
            throw .tooLong(maximum: Self.maximumLength, found: text.count)
        }
        try Self.checkMarks(text)
        return try check(
            unsafe text.withCPointer { start in unsafe utf8proc_decompose(start, text.count, nil, 0, options) })
    }

    /// Converts `text` in `memory`, which has room for one code point more than needed, as the encoder ends its text
    /// with a NUL. Returns the length of the UTF-8 text at the beginning of `memory`.
    private func convert(
        _ text: Span<UInt8>, codePoints: Int, in memory: UnsafeMutableRawBufferPointer
    ) throws(UnicodeError) -> Int {
        let buffer = unsafe memory.bindMemory(to: Int32.self).baseAddress
        let decomposed = try check(
            unsafe text.withCPointer { start in
                unsafe utf8proc_decompose(start, text.count, buffer, codePoints, options)
            })
        guard decomposed == codePoints else { throw .library(code: decomposed) }
        return try check(unsafe utf8proc_reencode(buffer, decomposed, options))
    }

    /// Passes a length on and turns a negative code into an error.
    private func check(_ result: Int) throws(UnicodeError) -> Int {
        guard result < 0 else { return result }
        guard result != UTF8PROC_ERROR_INVALIDUTF8 else { throw .notUTF8 }
        throw .library(code: result)
    }

    /// Refuses text whose marks would be sorted for minutes.
    private static func checkMarks(_ text: Span<UInt8>) throws(UnicodeError) {
        var position = 0
        var marks = 0
        while position < text.count {
            if text[position] < 0x80 {
                marks = 0
                position += 1
                continue
            }
            var codePoint: Int32 = 0
            let length = unsafe text.withCPointer { start in
                unsafe utf8proc_iterate(start + position, text.count - position, &codePoint)
            }
            guard length > 0 else { throw .notUTF8 }
            let combiningClass = unsafe utf8proc_get_property(codePoint).pointee.combining_class
            marks = combiningClass == 0 ? 0 : marks + 1
            guard marks <= maximumMarks else { throw .tooManyMarks(maximum: maximumMarks) }
            position += length
        }
    }
}
