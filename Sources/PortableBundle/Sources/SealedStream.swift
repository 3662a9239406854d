import CryptoPrimitives
import Glibc
import JSONCoding
import SophaxFiles
import SystemIO

/// Decrypts files of a store piece by piece, in the memory of one piece whatever their size.
///
/// GCM gives text before it can judge it: a first pass only judges (`judge`), a second gives the text and judges again.
package struct SealedStream: ~Copyable {
    /// Which bytes a file had: another file, or a changed one, has another nonce or tag.
    package struct Mark: Equatable, Sendable {
        let nonce: [UInt8]
        let tag: [UInt8]
        /// Bytes of text.
        package let size: Int
    }

    private var cipher: AESGCM
    private var memory: PlaintextMemory

    package init(key: borrowing SecretBytes) throws(StoreFileFailure) {
        self.init(cipher: try Self.cipher(key), memory: try Self.pieceMemory())
    }

    private init(cipher: consuming AESGCM, memory: consuming PlaintextMemory) {
        self.cipher = cipher
        self.memory = memory
    }

    private static func cipher(_ key: borrowing SecretBytes) throws(StoreFileFailure) -> AESGCM {
        do throws(AEADError) { return try AESGCM(key: key) } catch { throw .cipher }
    }

    private static func pieceMemory() throws(StoreFileFailure) -> PlaintextMemory {
        do throws(OutOfMemory) {
            return try PlaintextMemory(capacity: EntryPiece.size + AEADSize.overhead)
        } catch {
            throw .outOfMemory(requested: error.requested)
        }
    }

    /// Reads a file to its end and judges it; no text leaves the memory.
    package mutating func judge(_ path: FilePath) throws(StoreFileFailure) -> Mark {
        var sink = IgnoredEntries()
        do throws(EntryError) {
            return try read(path, into: &sink)
        } catch {
            if case .storeFile(_, let failure) = error { throw failure }
            throw .cipher
        }
    }

    /// Gives the text of a file to a sink. Throws `.storeFile` for what cannot be opened: what the sink has by then is not
    /// authentic.
    package mutating func read<S: EntrySink & ~Copyable>(
        _ path: FilePath, into sink: inout S
    ) throws(EntryError) -> Mark {
        var input: InputFile
        do throws(FileError) { input = try InputFile(opening: path) } catch { throw .storeFile(path, .file(error)) }
        let nonce: [UInt8]
        do throws(FileError) {
            nonce = try input.read(upTo: AEADSize.nonce)
        } catch {
            throw .storeFile(path, .file(error))
        }
        guard nonce.count == AEADSize.nonce else { throw .storeFile(path, .tooShort(found: nonce.count)) }
        do throws(AEADError) { try cipher.beginOpening(nonce: nonce.span) } catch { throw .cipher }
        // The last 16 bytes that were read may be the tag, so they wait at the front.
        var held = 0
        var size = 0
        while true {
            let (filled, count) = try fill(from: &input, behind: held)
            let ready = max(0, filled - AEADSize.tag)
            if ready > 0 {
                try decrypt(ready)
                size += ready
                try give(ready, to: &sink)
            }
            held = keep(from: ready, filled)
            if count == 0 { break }
        }
        guard held == AEADSize.tag else { throw .storeFile(path, .tooShort(found: AEADSize.nonce + held)) }
        let tag = unsafe memory.withUnsafeMutableBytes { unsafe Array($0[..<AEADSize.tag]) }
        do throws(AEADError) {
            try cipher.endOpening(tag: tag.span)
        } catch {
            if error == .notAuthentic { throw .storeFile(path, .notAuthentic) }
            throw .cipher
        }
        return Mark(nonce: nonce, tag: tag, size: size)
    }

    private mutating func fill(
        from input: inout InputFile, behind held: Int
    ) throws(EntryError) -> (filled: Int, count: Int) {
        let path = input.path
        do throws(FileError) {
            let count = unsafe try memory.withUnsafeMutableBytes { (bytes) throws(FileError) in
                let room = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[held..<(held + EntryPiece.size)])
                return unsafe try input.readFully(into: room)
            }
            return (held + count, count)
        } catch {
            throw .storeFile(path, .file(error))
        }
    }

    private mutating func decrypt(_ count: Int) throws(EntryError) {
        do throws(AEADError) {
            unsafe try memory.withUnsafeMutableBytes { (bytes) throws(AEADError) in
                try unsafe cipher.continueOpening(inPlace: UnsafeMutableRawBufferPointer(rebasing: bytes[..<count]))
            }
        } catch {
            throw .cipher
        }
    }

    private mutating func give<S: EntrySink & ~Copyable>(_ count: Int, to sink: inout S) throws(EntryError) {
        unsafe try memory.withUnsafeMutableBytes { (bytes) throws(EntryError) in
            let text = unsafe UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[..<count])
            unsafe try sink.take(text.assumingMemoryBound(to: UInt8.self).span)
        }
    }

    /// Moves the bytes behind `ready` to the front.
    private mutating func keep(from ready: Int, _ filled: Int) -> Int {
        unsafe memory.withUnsafeMutableBytes { bytes in
            if ready > 0, let start = bytes.baseAddress { unsafe memmove(start, start + ready, filled - ready) }
        }
        return filled - ready
    }
}
