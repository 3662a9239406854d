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
/// U+0000 is a character as any other. The intermediate code points are kept in guarded memory also for texts that are
/// no secret: there is one way only.
package enum UnicodeForm: Sendable {
    /// Composed: é is one code point.
    case nfc
    /// Decomposed: é is e and an accent.
    case nfd
    /// Composed, after full case folding (for caseless comparison): ß is ss.
    case caseFolded

    /// The longest text, in bytes.
    package static let maximumLength = 1 << 26
    /// The most combining marks in a row; UAX #15 calls more than 30 abnormal.
    package static let maximumMarks = 1024

    private var options: UInt32 {
        switch self {
        case .nfc: UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue
        case .nfd: UTF8PROC_STABLE.rawValue | UTF8PROC_DECOMPOSE.rawValue
        case .caseFolded: UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue | UTF8PROC_CASEFOLD.rawValue
        }
    }

    /// `text` in this form.
    package func normalized(_ text: Span<UInt8>) throws(UnicodeError) -> [UInt8] {
        var result: [UInt8] = []
        try convert(text) { (bytes: Span<UInt8>) throws(UnicodeError) in
            result.reserveCapacity(bytes.count)
            for index in 0..<bytes.count { result.append(bytes[index]) }
        }
        return result
    }

    /// The secret text in this form, as a secret.
    package func normalized(_ secret: borrowing SecretBytes) throws(UnicodeError) -> SecretBytes {
        try secret.withSpan { text throws(UnicodeError) in
            try convert(text) { (bytes: Span<UInt8>) throws(UnicodeError) in
                do throws(SecretMemoryError) { return try SecretBytes(copying: bytes) } catch { throw .memory(error) }
            }
        }
    }

    /// Converts `text` and lends the result.
    private func convert<R: ~Copyable>(
        _ text: Span<UInt8>,
        _ body: (Span<UInt8>) throws(UnicodeError) -> R
    ) throws(UnicodeError) -> R {
        guard text.count <= Self.maximumLength else {
            throw .tooLong(maximum: Self.maximumLength, found: text.count)
        }
        try Self.checkMarks(text)
        let options = utf8proc_option_t(rawValue: self.options)
        let needed = try check(
            unsafe text.withCPointer { start in unsafe utf8proc_decompose(start, text.count, nil, 0, options) })
        // One code point more than needed: the encoder ends its text with a NUL.
        var scratch: SecretBytes
        do {
            scratch = try SecretBytes(count: (needed + 1) * MemoryLayout<Int32>.stride)
        } catch {
            throw .memory(error)
        }
        return try unsafe scratch.withUnsafeMutableBytes { memory throws(UnicodeError) in
            let codePoints = unsafe memory.bindMemory(to: Int32.self)
            let decomposed = try check(
                unsafe text.withCPointer { start in
                    unsafe utf8proc_decompose(start, text.count, codePoints.baseAddress, needed, options)
                })
            guard decomposed == needed else { throw .library(code: decomposed) }
            let length = try check(unsafe utf8proc_reencode(codePoints.baseAddress, decomposed, options))
            let bytes = unsafe UnsafeRawBufferPointer(rebasing: memory[..<length])
            return try body(unsafe bytes.bindMemory(to: UInt8.self).span)
        }
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
