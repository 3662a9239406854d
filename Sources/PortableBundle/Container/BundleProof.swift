import Glibc
import Synchronization
import SystemIO

/// Reads a new bundle back while it is being written: a thread that follows the writer through the file.
///
/// It has the file from the kernel, through a descriptor of its own, as anybody would who reads it afterwards; whether the
/// disk has it too is what the sync at the end is for.
struct BundleProof: ~Copyable {
    private let length: FollowedLength
    private let follower: Follower
    private var thread: WorkerThread?

    /// Chunks that are read at once, and bytes of a piece: with both the follower stays in the cache of its processor.
    private static let batch = 24
    private static let pieceLength = 1 << 18

    /// Begins to follow. `length` tells how far the payload was written, which begins at byte `start` of `input`.
    init(
        of input: consuming InputFile, from start: Int, following length: FollowedLength, fileKey: borrowing FileKey,
        _ header: HeaderContent
    ) throws(SXBError) {
        let source = try PayloadSource(
            input, from: start, to: .followed(length), key: fileKey.payloadKey(), context: header.context,
            batch: Self.batch)
        let payload = try PayloadReader(source, length: Self.pieceLength)
        let follower = Follower(
            ArchiveReader(following: payload, context: header.context, isSignable: header.kind == .publicKey), length)
        let thread = WorkerThread { follower.run() }
        guard thread != nil else { throw .thread(code: EAGAIN) }
        self.length = length
        self.follower = follower
        self.thread = thread
    }

    deinit {
        length.stop()
    }

    /// Something in the file is not what was written: there is no sense in going on.
    var hasFailed: Bool { follower.hasFailed }

    /// Waits until the file was read to its end, and says whether it is the bundle that was written: every byte is authentic,
    /// and it has these entries behind the manifest, and this signature.
    mutating func check(
        _ written: inout WrittenFile, _ fileKey: borrowing FileKey, _ header: HeaderContent, _ entries: [SXBEntry],
        _ signature: SignatureEntry?
    ) throws(SXBError) {
        try wait()
        let layout = try BundleFileLayout(try written.reopen())
        guard layout.length == written.length, layout.payload.upperBound == follower.end, layout.content == header
        else {
            throw .notProven
        }
        try layout.checkCode(fileKey)
        try follower.check(entries, signature, payloadLength: layout.payload.count)
    }

    /// Waits until the thread is over. Errors: what it found.
    mutating func wait() throws(SXBError) {
        if let thread = thread.take() { thread.join() }
        if let failure = follower.failure { throw failure }
    }
}

/// What the thread does. Only one thread has it at a time: that one while it runs, then the caller; but for `hasFailed`.
private final class Follower: @unchecked Sendable {
    private var archive: ArchiveReader
    private let length: FollowedLength
    private let failed = Atomic(false)
    private(set) var failure: SXBError?

    init(_ archive: consuming ArchiveReader, _ length: FollowedLength) {
        self.archive = archive
        self.length = length
    }

    var hasFailed: Bool { failed.load(ordering: .acquiring) }

    /// Where the payload that was read ends in the file.
    var end: Int? { archive.followedEnd }

    func run() {
        do throws(SXBError) {
            _ = try archive.manifest()
            archive.follow()
            while try archive.next() != nil {}
        } catch {
            failure = error
            // One who gave up has an error of his own.
            if !length.isStopped { failed.store(true, ordering: .releasing) }
        }
    }

    func check(_ entries: [SXBEntry], _ signature: SignatureEntry?, payloadLength: Int) throws(SXBError) {
        do throws(SXBArchiveFault) {
            var declared = try DeclaredEntries(entries, payloadLength: payloadLength)
            for entry in archive.found { try declared.take(entry) }
            try declared.end()
        } catch {
            throw .archive(error)
        }
        guard archive.signature == signature else { throw .notProven }
    }
}
