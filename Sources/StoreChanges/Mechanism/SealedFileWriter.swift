import CryptoPrimitives
import Glibc
import JSONCoding
import SophaxFiles
import SystemIO

/// Writes files of a store one after the other: `nonce ‖ ciphertext ‖ tag`, AES-256-GCM (formats section 6.1).
///
/// Each piece is encrypted, written, read back through the kernel, decrypted by a second cipher context, and compared with
/// the text, while all of that is still in the processor's cache. A file of any size takes the memory of one piece.
struct SealedFileWriter: ~Copyable {
    /// Bytes of text at a time.
    static let pieceSize = 256 << 10

    private var sealing: AESGCM
    private var proving: AESGCM
    private var memory: PlaintextMemory
    private var file: NewFile?
    private var nonce: [UInt8] = []
    /// Bytes of text in the current piece.
    private var filled = 0
    /// Bytes in the file.
    private var written = 0
    private let sync: FolderSync

    /// Where the parts of the memory are: the text, what is written, what was read back.
    private static let partSize = pieceSize + 4096

    /// `key` is the new key, 32 bytes.
    init(key: borrowing SecretBytes, sync: FolderSync) throws(ChangeError) {
        let sealing = try Self.cipher(key)
        let proving = try Self.cipher(key)
        let parts = try Self.parts()
        self.sealing = sealing
        self.proving = proving
        memory = parts
        self.sync = sync
    }

    private static func cipher(_ key: borrowing SecretBytes) throws(ChangeError) -> AESGCM {
        do throws(AEADError) {
            return try AESGCM(key: key)
        } catch {
            throw .cipherFailed
        }
    }

    private static func parts() throws(ChangeError) -> PlaintextMemory {
        do throws(OutOfMemory) {
            return try PlaintextMemory(capacity: 3 * partSize)
        } catch {
            throw .outOfMemory(error.requested)
        }
    }

    /// Begins a new file at `path`, which must not exist.
    mutating func begin(_ path: FilePath) throws(ChangeError) {
        do throws(FileError) { file = try NewFile(creating: path) } catch { throw .file(error) }
        try begin()
    }

    private mutating func begin() throws(ChangeError) {
        filled = 0
        written = 0
        // Never from a chosen source: a nonce that comes twice under one key gives both texts away.
        nonce = Random.bytes(AEADSize.nonce)
        let fresh = nonce
        try cipher { (writer) throws(AEADError) in
            try writer.sealing.beginSealing(nonce: fresh.span)
            try writer.proving.beginOpening(nonce: fresh.span)
        }
    }

    /// Adds text of any length.
    mutating func add(_ text: UnsafeRawBufferPointer) throws(ChangeError) {
        var done = 0
        while done < text.count {
            if filled == Self.pieceSize { try flush(isLast: false) }
            let count = min(Self.pieceSize - filled, text.count - done)
            let start = filled
            unsafe memory.withUnsafeMutableBytes { bytes in
                let piece = unsafe UnsafeRawBufferPointer(rebasing: text[done..<(done + count)])
                unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[start..<(start + count)]).copyMemory(from: piece)
            }
            filled += count
            done += count
        }
    }

    /// Lends the memory for the next piece of text, `pieceSize` bytes, to be filled in place; `body` gives how many it
    /// filled. Only after whole pieces or `begin`.
    mutating func fill<E: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(E) -> Int
    ) throws(E) {
        filled = unsafe try memory.withUnsafeMutableBytes { (bytes) throws(E) in
            unsafe try body(UnsafeMutableRawBufferPointer(rebasing: bytes[..<Self.pieceSize]))
        }
    }

    /// Encrypts, writes and proves the piece that is there; `isLast` ends the file with its tag.
    mutating func flush(isLast: Bool) throws(ChangeError) {
        let count = filled
        let isFirst = written == 0
        let head = isFirst ? AEADSize.nonce : 0
        let target = Self.partSize + (AEADSize.nonce - head)
        let text = Self.partSize + AEADSize.nonce
        try cipher { (writer) throws(AEADError) in
            unsafe try writer.memory.withUnsafeMutableBytes { (bytes) throws(AEADError) in
                let from = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<count])
                let into = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[text..<(text + count)])
                unsafe try writer.sealing.continueSealing(from, into: into)
            }
        }
        var tag: [UInt8] = []
        if isLast {
            try cipher { (writer) throws(AEADError) in tag = try writer.sealing.endSealing() }
        }
        let length = head + count + tag.count
        let nonce = nonce
        unsafe memory.withUnsafeMutableBytes { bytes in
            if isFirst {
                unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[target..<text]).copyBytes(from: nonce)
            }
            let end = text + count
            unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[end..<(end + tag.count)]).copyBytes(from: tag)
        }
        try writeAndReadBack(target..<(target + length))
        try prove(text: count, head: head, tag: tag)
        written += length
        filled = 0
    }

    /// Reading either fills the memory or fails, so that nothing old passes for what was read.
    private mutating func writeAndReadBack(_ range: Range<Int>) throws(ChangeError) {
        guard let path = file?.path else { return }
        let place = written
        let back = Self.partSize * 2
        do throws(FileError) {
            unsafe try memory.withUnsafeMutableBytes { (bytes) throws(FileError) in
                unsafe try file?.write(UnsafeRawBufferPointer(rebasing: bytes[range]))
                let copy = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[back..<(back + range.count)])
                unsafe try file?.readBack(at: place, into: copy)
            }
        } catch {
            throw .file(FileError(error.operation, path, code: error.code))
        }
    }

    /// Decrypts what was read back and compares it with the text of the piece.
    private mutating func prove(text count: Int, head: Int, tag: [UInt8]) throws(ChangeError) {
        let back = Self.partSize * 2
        let nonce = nonce
        let path = file?.path ?? ""
        var isSame = true
        do throws(AEADError) {
            unsafe try memory.withUnsafeMutableBytes { (bytes) throws(AEADError) in
                let copy = unsafe UnsafeMutableRawBufferPointer(
                    rebasing: bytes[back..<(back + head + count + tag.count)])
                if head > 0 { isSame = unsafe copy[..<head].elementsEqual(nonce) }
                let text = unsafe UnsafeMutableRawBufferPointer(rebasing: copy[head..<(head + count)])
                unsafe try proving.continueOpening(inPlace: text)
                if let one = text.baseAddress, let other = bytes.baseAddress {
                    isSame = unsafe isSame && memcmp(one, other, count) == 0
                }
                guard !tag.isEmpty else { return }
                let found = unsafe Array(copy[(head + count)...])
                isSame = isSame && found == tag
                try proving.endOpening(tag: found.span)
            }
        } catch {
            throw .notProven(path, reason: .text)
        }
        if !isSame { throw .notProven(path, reason: .text) }
    }

    /// Ends the file; the last piece must have been flushed. Gives its size.
    mutating func finish(as entry: TreeEntry?) throws(ChangeError) -> Int {
        guard let file = file.take() else { return 0 }
        do throws(FileError) {
            if let entry { try file.take(entry, time: false) }
            if sync == .eachFile { try file.sync() }
            try file.finish()
        } catch {
            throw .file(error)
        }
        return written
    }

    /// Gives the file that was begun, emptied, to be filled in another way.
    mutating func giveUp() throws(ChangeError) -> NewFile? {
        guard let file = file.take() else { return nil }
        do throws(FileError) { try file.restart() } catch { throw .file(error) }
        return file
    }

    private mutating func cipher(
        _ body: (inout SealedFileWriter) throws(AEADError) -> Void
    ) throws(ChangeError) {
        do throws(AEADError) {
            try body(&self)
        } catch {
            throw .step(file?.path ?? "", .other("the cipher of libcrypto failed"))
        }
    }
}
