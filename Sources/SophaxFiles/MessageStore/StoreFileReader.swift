import CryptoPrimitives
import SystemIO

/// Why a file of a store could not be read.
package enum StoreFileFailure: Error, Equatable, Sendable {
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
        let count = try read(file)
        guard count >= AEADSize.overhead else { throw .tooShort(found: count) }
        return unsafe try memory.withUnsafeMutableBytes { (all) throws(StoreFileFailure) in
            let box = unsafe UnsafeMutableRawBufferPointer(rebasing: all[..<count])
            let nonce = unsafe Array(box.prefix(AEADSize.nonce))
            let tag = unsafe Array(box.suffix(AEADSize.tag))
            do throws(AEADError) {
                return Opened(text: try unsafe cipher.openCombined(inPlace: box), nonce: nonce, tag: tag)
            } catch .notAuthentic {
                throw .notAuthentic
            } catch {
                throw .cipher
            }
        }
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

    /// Reads a whole file into the memory; gives the number of bytes.
    private mutating func read(_ file: StoreFile) throws(StoreFileFailure) -> Int {
        // A file that grows meanwhile is read again, into more memory; an app that is running may do that once.
        for _ in 0..<3 {
            var input = try Self.input(file)
            let size = input.size ?? file.size
            guard size <= Self.maximumFileSize else {
                throw .file(FileError(.read, file.path, .tooLarge(limit: Self.maximumFileSize)))
            }
            // One byte more, so that the end of the file is seen.
            try reserve(size + 1)
            let count: Int
            do throws(FileError) {
                count = unsafe try memory.withUnsafeMutableBytes { (bytes) throws(FileError) in
                    unsafe try input.readFully(into: UnsafeMutableRawBufferPointer(rebasing: bytes[..<(size + 1)]))
                }
            } catch {
                throw .file(error)
            }
            if count <= size { return count }
        }
        throw .changing
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
