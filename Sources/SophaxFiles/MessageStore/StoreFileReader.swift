import CryptoPrimitives
import Glibc
import JSONCoding
import SystemIO

/// Why a file of a store could not be read.
package enum StoreFileFailure: Error, Hashable, Sendable {
    case file(FileError)
    /// Shorter than a nonce and a tag.
    case tooShort(found: Int)
    /// The tag does not fit: another key, or the file is damaged or cut off. The format cannot tell them apart.
    case notAuthentic
    case outOfMemory(requested: Int)
    /// The file kept growing while it was read.
    case changing
    case cipher
}

/// Opens files of a store one after the other: one cipher context with its key set once, one memory that is used again.
package struct StoreFileReader: ~Copyable {
    /// Ceiling of one file: libsimdjson takes less than 4 GiB, and GCM far more.
    package static let maximumFileSize = 4 << 30

    /// A file that was read and proven.
    package struct Opened: Sendable {
        /// Where the text is in the reader's memory.
        let text: Range<Int>
        package let nonce: [UInt8]
        package let tag: [UInt8]
    }

    private var cipher: AESGCM
    var memory: PlaintextMemory
    var scanner: MessageScanner

    package init(key: borrowing SecretBytes) throws(StoreFileFailure) {
        self.init(cipher: try Self.cipher(key), memory: try Self.emptyMemory(), scanner: try Self.newScanner())
    }

    private init(cipher: consuming AESGCM, memory: consuming PlaintextMemory, scanner: consuming MessageScanner) {
        self.cipher = cipher
        self.memory = memory
        self.scanner = scanner
    }

    private static func newScanner() throws(StoreFileFailure) -> MessageScanner {
        do throws(OutOfMemory) {
            return try MessageScanner()
        } catch {
            throw .outOfMemory(requested: error.requested)
        }
    }

    private static func cipher(_ key: borrowing SecretBytes) throws(StoreFileFailure) -> AESGCM {
        do throws(AEADError) { return try AESGCM(key: key) } catch { throw .cipher }
    }

    private static func emptyMemory() throws(StoreFileFailure) -> PlaintextMemory {
        do throws(OutOfMemory) {
            return try PlaintextMemory(capacity: 0)
        } catch {
            throw .outOfMemory(requested: error.requested)
        }
    }

    /// Reads and opens a file in the reader's memory, which holds it until the next call.
    package mutating func open(_ file: StoreFile) throws(StoreFileFailure) -> Opened {
        // A file that grows meanwhile is read again, into more memory; an app that is running may do that once.
        for _ in 0..<3 {
            var input = try Self.input(file)
            let size = input.size ?? file.size
            guard size <= Self.maximumFileSize else {
                throw .file(FileError(.read, file.path, .tooLarge(limit: Self.maximumFileSize)))
            }
            // One byte more, so that the end of the file is seen.
            try reserve(size + 1)
            let opened = unsafe try memory.withUnsafeMutableBytes { (bytes) throws(StoreFileFailure) in
                unsafe try cipher.open(
                    reading: &input, in: UnsafeMutableRawBufferPointer(rebasing: bytes[..<(size + 1)]))
            }
            if let opened { return opened }
        }
        throw .changing
    }

    /// Opens a file into a buffer of its own, for keeping.
    package mutating func openForKeeping(_ file: StoreFile) throws(StoreFileFailure) -> (PlaintextBuffer, Opened) {
        let opened = try open(file)
        // The reader goes on with fresh memory.
        var next = try Self.emptyMemory()
        swap(&next, &memory)
        return (next.freeze(text: opened.text), opened)
    }

    /// Scans the text of a file that was just opened.
    package mutating func scan<S: MessageSink>(_ opened: Opened, into sink: inout S) throws(StoreFileFailure)
        -> ScanOutcome
    {
        do {
            return unsafe try memory.withText(opened.text) { (text) throws(OutOfMemory) in
                unsafe try scanner.scan(text, into: &sink)
            }
        } catch {
            throw .outOfMemory(requested: error.requested)
        }
    }

    /// Lends the text of a file that was just opened.
    package borrowing func withText<R>(_ opened: Opened, _ body: (Span<UInt8>) -> R) -> R {
        unsafe memory.withText(opened.text) { unsafe body($0.assumingMemoryBound(to: UInt8.self).span) }
    }

    /// Opens a file and copies its text.
    package mutating func bytes(of file: StoreFile) throws(StoreFileFailure) -> [UInt8] {
        let opened = try open(file)
        return unsafe memory.withText(opened.text) { unsafe Array($0) }
    }

    private static func input(_ file: StoreFile) throws(StoreFileFailure) -> InputFile {
        do throws(FileError) { return try InputFile(opening: file.path) } catch { throw .file(error) }
    }

    private mutating func reserve(_ count: Int) throws(StoreFileFailure) {
        guard memory.capacity < count else { return }
        do throws(OutOfMemory) {
            memory = try PlaintextMemory(capacity: count)
        } catch {
            throw .outOfMemory(requested: error.requested)
        }
    }
}

extension AESGCM {
    /// Bytes read at a time: they are decrypted before they have left the second-level cache.
    private static var pieceSize: Int { 256 << 10 }
    /// Pieces are cut here, which keeps libcrypto on its fast path.
    private static var grain: Int { 4_096 }

    /// Reads `nonce ‖ ciphertext ‖ tag` to its end and decrypts it where it is.
    ///
    /// Nil when it fills `memory`: the file is longer than it was said to be. What is not authentic is wiped.
    fileprivate mutating func open(
        reading input: inout InputFile, in memory: UnsafeMutableRawBufferPointer
    ) throws(StoreFileFailure) -> StoreFileReader.Opened? {
        var filled = 0
        var decrypted = AEADSize.nonce
        do throws(StoreFileFailure) {
            while filled < memory.count {
                let piece = unsafe memory[filled..<min(memory.count, filled + Self.pieceSize)]
                let count = unsafe try input.fill(UnsafeMutableRawBufferPointer(rebasing: piece))
                let hadNonce = filled >= AEADSize.nonce
                filled += count
                if !hadNonce, filled >= AEADSize.nonce { unsafe try begin(memory) }
                let isLast = unsafe count < piece.count
                // The last bytes read may be the tag.
                let ready = max(0, filled - AEADSize.tag - decrypted)
                let amount = isLast ? ready : ready / Self.grain * Self.grain
                if amount > 0 {
                    let range = decrypted..<(decrypted + amount)
                    unsafe try decrypt(UnsafeMutableRawBufferPointer(rebasing: memory[range]))
                    decrypted = range.upperBound
                }
                if isLast { return unsafe try end(UnsafeMutableRawBufferPointer(rebasing: memory[..<filled])) }
            }
        } catch {
            if let start = memory.baseAddress { unsafe explicit_bzero(start, filled) }
            throw error
        }
        if let start = memory.baseAddress { unsafe explicit_bzero(start, filled) }
        return nil
    }

    private mutating func begin(_ memory: UnsafeMutableRawBufferPointer) throws(StoreFileFailure) {
        let nonce = unsafe Array(memory.prefix(AEADSize.nonce))
        do throws(AEADError) { try beginOpening(nonce: nonce.span) } catch { throw .cipher }
    }

    private mutating func decrypt(_ piece: UnsafeMutableRawBufferPointer) throws(StoreFileFailure) {
        do throws(AEADError) { try unsafe continueOpening(inPlace: piece) } catch { throw .cipher }
    }

    /// Judges a whole box whose text was decrypted.
    private mutating func end(
        _ box: UnsafeMutableRawBufferPointer
    ) throws(StoreFileFailure) -> StoreFileReader.Opened {
        guard box.count >= AEADSize.overhead else { throw .tooShort(found: box.count) }
        let nonce = unsafe Array(box.prefix(AEADSize.nonce))
        let tag = unsafe Array(box.suffix(AEADSize.tag))
        do throws(AEADError) {
            try endOpening(tag: tag.span)
        } catch .notAuthentic {
            throw .notAuthentic
        } catch {
            throw .cipher
        }
        return .init(text: AEADSize.nonce..<(box.count - AEADSize.tag), nonce: nonce, tag: tag)
    }
}

extension InputFile {
    /// Reads until `buffer` is full or the file ends.
    fileprivate mutating func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(StoreFileFailure) -> Int {
        do throws(FileError) { return unsafe try readFully(into: buffer) } catch { throw .file(error) }
    }
}
