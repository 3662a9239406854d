import CryptoPrimitives
import Glibc
import JSONCoding
import SophaxFiles
import SystemIO

/// Makes the files of a new folder, one after the other; each thread has one.
struct FileWorker: ~Copyable {
    /// What became of a file.
    enum Result: Sendable {
        /// The same text; `bytes` were written.
        case resealed(StoreFile, bytes: Int)
        case written(bytes: Int)
        case carried(CarriedFile, bytes: Int)
        case nothing
    }

    private let job: BuildJob
    private var opening: AESGCM
    /// The cipher of the last file with a key of its own; neighbours mostly have the same.
    private var other: OtherCipher?
    private var opener: FileOpener
    private var reader: StoreFileReader
    private var writer: SealedFileWriter
    private var memory: PlaintextMemory

    private final class OtherCipher {
        let key: SharedKey
        var cipher: AESGCM

        init(_ key: SharedKey) throws(AEADError) {
            self.key = key
            cipher = try AESGCM(key: key.bytes)
        }
    }

    private static let pieceSize = SealedFileWriter.pieceSize

    init(_ job: BuildJob) throws(ChangeError) {
        let cipher = try Self.cipher(job.oldKey)
        let sight = try FileOpener(job.oldKey)
        let files = try Self.reader(job.oldKey)
        let pieces = try Self.pieces()
        let target = try SealedFileWriter(key: (job.newKey ?? job.oldKey).bytes, sync: job.sync)
        self.job = job
        opening = cipher
        opener = sight
        reader = files
        memory = pieces
        writer = target
    }

    private static func cipher(_ key: SharedKey) throws(ChangeError) -> AESGCM {
        do throws(AEADError) {
            return try AESGCM(key: key.bytes)
        } catch {
            throw .cipherFailed
        }
    }

    private static func reader(_ key: SharedKey) throws(ChangeError) -> StoreFileReader {
        do throws(StoreFileFailure) {
            return try StoreFileReader(key: key.bytes)
        } catch {
            throw .step("", .other("no memory to read files with"))
        }
    }

    private static func pieces() throws(ChangeError) -> PlaintextMemory {
        do throws(OutOfMemory) {
            return try PlaintextMemory(capacity: 2 * pieceSize)
        } catch {
            throw .outOfMemory(error.requested)
        }
    }

    mutating func make(_ file: PlannedFile) throws(ChangeError) -> Result {
        if let signal = Interrupts.requested { throw .interrupted(signal: signal) }
        let target = job.draft.appending(file.target)
        switch file.action {
        case .leaveOut: return .nothing
        case .carry(let from, let reason):
            let source = from.isAbsolute ? from : job.source.appending(from)
            let bytes = try carry(source, to: target, entry: job.entries[from])
            return .carried(CarriedFile(path: from, reason: reason), bytes: bytes)
        case .reseal(let from, let key):
            let place = job.place(of: from)
            let entry = place.flatMap { job.entries[$0] }
            let path = place ?? from.path
            if key == nil, job.newKey == nil { return try keep(from, path, to: target, entry) }
            return try reseal(from, key, path, to: target, entry)
        case .write(let text, _): return .written(bytes: try write(text, to: target, file.target))
        }
    }

    // MARK: - A new text

    private mutating func write(
        _ text: ProducedText, to target: FilePath, _ place: FilePath
    ) throws(ChangeError) -> Int {
        let bytes: [UInt8]
        do throws(ChangeStepFailure) { bytes = try text.produce(&reader) } catch { throw .step(place, error) }
        let span = bytes.span
        try writer.begin(target)
        unsafe try span.withUnsafeBytes { (raw) throws(ChangeError) in unsafe try writer.add(raw) }
        try writer.flush(isLast: true)
        let size = try writer.finish(as: job.entries[place])
        // What was read back is these bytes: the writer compared them.
        do throws(ChangeStepFailure) { try text.check(&reader, span) } catch { throw .step(place, error) }
        return size
    }

    // MARK: - The same text under another key

    private mutating func reseal(
        _ from: StoreFile, _ key: SharedKey?, _ path: FilePath, to target: FilePath, _ entry: TreeEntry?
    ) throws(ChangeError) -> Result {
        var input: InputFile
        do throws(FileError) { input = try InputFile(opening: from.path) } catch { throw .file(error) }
        let size = input.size ?? 0
        guard size >= AEADSize.overhead else {
            let bytes = try carry(from.path, to: target, entry: entry)
            return .carried(CarriedFile(from, at: path, .tooShort(found: size)), bytes: bytes)
        }
        try use(key)
        try writer.begin(target)
        if try transfer(&input, text: size - AEADSize.overhead, hasOtherKey: key != nil) {
            try writer.flush(isLast: true)
            return .resealed(from, bytes: try writer.finish(as: entry))
        }
        guard let file = try writer.giveUp() else { throw .changing(from.path) }
        let bytes = try copy(from.path, into: file, entry)
        return .carried(CarriedFile(from, at: path, .notAuthentic), bytes: bytes)
    }

    private mutating func use(_ key: SharedKey?) throws(ChangeError) {
        guard let key, other?.key !== key else { return }
        do throws(AEADError) {
            other = try OtherCipher(key)
        } catch {
            throw .cipherFailed
        }
    }

    /// Decrypts the file into the writer, up to the last piece, which is not flushed. False when its tag does not fit; what
    /// was written so far is then nothing that anybody vouches for.
    private mutating func transfer(
        _ input: inout InputFile, text: Int, hasOtherKey: Bool
    ) throws(ChangeError) -> Bool {
        let path = input.path
        let nonce = try Self.read(&input, AEADSize.nonce)
        guard nonce.count == AEADSize.nonce else { throw .changing(path) }
        let other = hasOtherKey ? other : nil
        do throws(AEADError) {
            if let other {
                try other.cipher.beginOpening(nonce: nonce.span)
            } else {
                try opening.beginOpening(nonce: nonce.span)
            }
        } catch {
            throw .step(path, .other("the cipher of libcrypto failed"))
        }
        var done = 0
        repeat {
            if done > 0 { try writer.flush(isLast: false) }
            if let signal = Interrupts.requested { throw .interrupted(signal: signal) }
            let count = min(Self.pieceSize, text - done)
            var isShort = false
            do throws(FileError) {
                unsafe try writer.fill { (bytes) throws(FileError) in
                    let piece = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[..<count])
                    isShort = unsafe try input.readFully(into: piece) < count
                    do throws(AEADError) {
                        if let other {
                            unsafe try other.cipher.continueOpening(inPlace: piece)
                        } else {
                            unsafe try opening.continueOpening(inPlace: piece)
                        }
                    } catch {
                        isShort = true
                    }
                    return count
                }
            } catch {
                throw .file(error)
            }
            if isShort { throw .changing(path) }
            done += count
        } while done < text
        // One byte more than there should be: a file that grew.
        let tag = try Self.read(&input, AEADSize.tag + 1)
        guard tag.count == AEADSize.tag else { throw .changing(path) }
        do throws(AEADError) {
            if let other { try other.cipher.endOpening(tag: tag.span) } else { try opening.endOpening(tag: tag.span) }
            return true
        } catch .notAuthentic {
            return false
        } catch {
            throw .step(path, .other("the cipher of libcrypto failed"))
        }
    }

    private static func read(_ input: inout InputFile, _ count: Int) throws(ChangeError) -> [UInt8] {
        do throws(FileError) { return try input.read(upTo: count) } catch { throw .file(error) }
    }

    // MARK: - The same bytes

    /// Copies a file of the store whose key stays, and opens it to see that it is authentic.
    private mutating func keep(
        _ from: StoreFile, _ path: FilePath, to target: FilePath, _ entry: TreeEntry?
    ) throws(ChangeError) -> Result {
        let bytes = try carry(from.path, to: target, entry: entry)
        switch try opener.failure(from.path) {
        case nil: return .resealed(from, bytes: bytes)
        case .changing: throw .changing(from.path)
        case .file(let error): throw .file(error)
        case let failure?: return .carried(CarriedFile(from, at: path, failure), bytes: bytes)
        }
    }

    private mutating func carry(
        _ source: FilePath, to target: FilePath, entry: TreeEntry?
    ) throws(ChangeError) -> Int {
        guard let entry, entry.kind == .link else {
            return try copy(source, into: try onDisk(try NewFile(creating: target)), entry)
        }
        let text = try onDisk(try linkTarget(source))
        try onDisk(try makeLink(target, to: text))
        try onDisk(try takeStatus(entry, at: target, time: true))
        if try onDisk(try linkTarget(target)) != text { throw .notProven(target, reason: .bytes) }
        return text.bytes.count
    }

    /// Copies `source`, by sharing its blocks where that can be, else piece by piece, each read back and compared.
    private mutating func copy(
        _ source: FilePath, into file: consuming NewFile, _ entry: TreeEntry?
    ) throws(ChangeError) -> Int {
        var input = try onDisk(try InputFile(opening: source))
        var size = 0
        if file.clone(input) {
            size = input.size ?? 0
        } else {
            while true {
                if let signal = Interrupts.requested { throw .interrupted(signal: signal) }
                let count = try copyPiece(&input, file, at: size)
                size += count
                if count < Self.pieceSize { break }
            }
        }
        if size != entry?.size ?? size { throw .changing(source) }
        if let entry { try onDisk(try file.take(entry, time: true)) }
        if job.sync == .eachFile { try onDisk(try file.sync()) }
        do throws(FileError) { try file.finish() } catch { throw .file(error) }
        return size
    }

    private mutating func copyPiece(
        _ input: inout InputFile, _ file: borrowing NewFile, at place: Int
    ) throws(ChangeError) -> Int {
        var isSame = true
        let count: Int
        do throws(FileError) {
            count = unsafe try memory.withUnsafeMutableBytes { (bytes) throws(FileError) in
                let count = unsafe try input.readFully(
                    into: UnsafeMutableRawBufferPointer(rebasing: bytes[..<Self.pieceSize]))
                guard count > 0 else { return 0 }
                let piece = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<count])
                unsafe try file.write(piece)
                let back = unsafe UnsafeMutableRawBufferPointer(
                    rebasing: bytes[Self.pieceSize..<(Self.pieceSize + count)])
                unsafe try file.readBack(at: place, into: back)
                if let one = piece.baseAddress, let other = back.baseAddress {
                    isSame = unsafe memcmp(one, other, count) == 0
                }
                return count
            }
        } catch {
            throw .file(error)
        }
        if !isSame { throw .notProven(file.path, reason: .bytes) }
        return count
    }
}
