import CryptoPrimitives
import Glibc
import SystemIO

/// Gives the bytes of the archive in a bundle.
///
/// A second thread reads, decrypts and decompresses, where not said otherwise. What is given out is authentic. The end is
/// only reported when the payload was whole; errors come behind all bytes before them, and stick.
@safe
struct PayloadReader: ~Copyable {
    private let supply: PayloadSupply
    private let memory: PieceMemory
    /// The piece of `memory` that is being read, and of it what was not read yet.
    private var current: Int?
    private var unread = 0..<0

    /// Errors: `.payloadForeign`, and a file error.
    init(_ layout: consuming BundleFileLayout, fileKey: borrowing FileKey) throws(SXBError) {
        let (payload, context) = (layout.payload, layout.content.context)
        let key = try fileKey.payloadKey()
        let source = try PayloadSource(
            layout.takeInput(), from: payload.lowerBound, to: .at(payload.upperBound), key: key, context: context)
        let memory = try PieceMemory(pieces: PayloadWriter.pieces, length: PayloadWriter.pieceLength)
        let thread = try PayloadThread(source, memory)
        self.memory = memory
        supply = .thread(thread)
    }

    /// The form that works on the caller's thread, in pieces of `length` bytes.
    init(_ source: consuming PayloadSource, length: Int) throws(SXBError) {
        memory = try PieceMemory(pieces: 1, length: length)
        supply = .direct(PayloadHolder(source))
    }

    /// How far the file was read; after the end, where the payload ends in it. Of the form on the caller's thread.
    var place: Int? {
        guard case .direct(let holder) = supply else { return nil }
        return holder.source.offset
    }

    /// Reads at least one byte and gives the number; 0 at the end.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(SXBError) -> Int {
        let bytes = try unsafe pass(upTo: buffer.count)
        unsafe buffer.copyMemory(from: bytes)
        return bytes.count
    }

    /// The next bytes, at least one and at most `count`, where they are; none at the end. They are gone with the next call.
    mutating func pass(upTo count: Int) throws(SXBError) -> UnsafeRawBufferPointer {
        guard count > 0, try unread.isEmpty ? nextPiece() : true, let current else {
            return unsafe UnsafeRawBufferPointer(start: nil, count: 0)
        }
        let end = min(unread.upperBound, unread.lowerBound + count)
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: memory.piece(current)[unread.lowerBound..<end])
        unread = end..<unread.upperBound
        return unsafe bytes
    }

    /// Reads until `buffer` is full or the archive ends; gives the number of bytes.
    mutating func readFully(into buffer: UnsafeMutableRawBufferPointer) throws(SXBError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let count = try unsafe read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    /// False at the end.
    private mutating func nextPiece() throws(SXBError) -> Bool {
        let count: Int
        switch supply {
        case .thread(let thread):
            if let current { thread.ring.give(empty: current) }
            current = nil
            guard let piece = thread.ring.takeFull() else {
                if let failure = thread.wait() { throw failure }
                return false
            }
            current = piece.number
            count = piece.count
        case .direct(let holder):
            current = 0
            count = try unsafe holder.source.fill(memory.piece(0))
        }
        unread = 0..<count
        return count > 0
    }
}

/// Who fills the pieces.
private enum PayloadSupply {
    case thread(PayloadThread)
    case direct(PayloadHolder)
}

/// Only one thread has it at a time.
private final class PayloadHolder: @unchecked Sendable {
    var source: PayloadSource
    var failure: SXBError?

    init(_ source: consuming PayloadSource) {
        self.source = source
    }
}

/// The second thread, which fills pieces while the caller reads others.
private final class PayloadThread {
    let ring: PieceRing
    private let holder: PayloadHolder
    private var thread: WorkerThread?

    init(_ source: consuming PayloadSource, _ memory: PieceMemory) throws(SXBError) {
        let holder = PayloadHolder(source)
        let ring = PieceRing(pieces: PayloadWriter.pieces)
        let thread = WorkerThread { Self.run(holder, ring, memory) }
        guard thread != nil else { throw .thread(code: EAGAIN) }
        self.ring = ring
        self.holder = holder
        self.thread = thread
    }

    deinit {
        ring.stop()
    }

    /// Waits until the thread is over, and gives its error.
    func wait() -> SXBError? {
        if let thread = thread.take() { thread.join() }
        return holder.failure
    }

    private static func run(_ holder: PayloadHolder, _ ring: PieceRing, _ memory: PieceMemory) {
        do throws(SXBError) {
            while let number = ring.takeEmpty() {
                let count = try unsafe holder.source.fill(memory.piece(number))
                if count == 0 { break }
                ring.give(full: number, count: count)
            }
        } catch {
            holder.failure = error
        }
        ring.end()
    }
}
