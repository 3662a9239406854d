import CryptoPrimitives
import JSONCoding
import SophaxFiles
import SystemIO

/// Opens files of a store piece by piece, to see whether a key opens them; nothing of their text is kept.
struct FileOpener: ~Copyable {
    private var cipher: AESGCM
    private var memory: PlaintextMemory

    private static let pieceSize = SealedFileWriter.pieceSize

    init(_ key: SharedKey) throws(ChangeError) {
        let cipher = try Self.cipher(key)
        let memory = try Self.piece()
        self.cipher = cipher
        self.memory = memory
    }

    private static func cipher(_ key: SharedKey) throws(ChangeError) -> AESGCM {
        do throws(AEADError) { return try AESGCM(key: key.bytes) } catch { throw .cipherFailed }
    }

    private static func piece() throws(ChangeError) -> PlaintextMemory {
        do throws(OutOfMemory) {
            return try PlaintextMemory(capacity: pieceSize)
        } catch {
            throw .outOfMemory(error.requested)
        }
    }

    /// Why the key does not open the file at `path`; nil when it does.
    ///
    /// - Parameter fromDisk: not what the kernel still has in memory of it; the file must be synced.
    /// - Throws: `.interrupted` alone.
    mutating func failure(_ path: FilePath, fromDisk: Bool = false) throws(ChangeError) -> StoreFileFailure? {
        do throws(OpeningProblem) {
            try open(path, fromDisk)
            return nil
        } catch {
            switch error {
            case .failure(let failure): return failure
            case .interrupted(let signal): throw .interrupted(signal: signal)
            }
        }
    }

    private enum OpeningProblem: Error {
        case failure(StoreFileFailure)
        case interrupted(Int32)
    }

    private mutating func open(_ path: FilePath, _ fromDisk: Bool) throws(OpeningProblem) {
        var input: InputFile
        do throws(FileError) { input = try InputFile(opening: path) } catch { throw .failure(.file(error)) }
        if fromDisk { input.forgetCache() }
        let size = input.size ?? 0
        guard size >= AEADSize.overhead else { throw .failure(.tooShort(found: size)) }
        let nonce = try Self.read(&input, AEADSize.nonce)
        guard nonce.count == AEADSize.nonce else { throw .failure(.changing) }
        do throws(AEADError) { try cipher.beginOpening(nonce: nonce.span) } catch { throw .failure(.cipher) }
        var left = size - AEADSize.overhead
        while left > 0 {
            if let signal = Interrupts.requested { throw .interrupted(signal) }
            let count = min(left, Self.pieceSize)
            try decrypt(&input, count)
            left -= count
        }
        let tag = try Self.read(&input, AEADSize.tag + 1)
        guard tag.count == AEADSize.tag else { throw .failure(.changing) }
        do throws(AEADError) {
            try cipher.endOpening(tag: tag.span)
        } catch .notAuthentic {
            throw .failure(.notAuthentic)
        } catch {
            throw .failure(.cipher)
        }
    }

    private mutating func decrypt(_ input: inout InputFile, _ count: Int) throws(OpeningProblem) {
        var failure: StoreFileFailure?
        unsafe memory.withUnsafeMutableBytes { bytes in
            let piece = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[..<count])
            do throws(FileError) {
                if try unsafe input.readFully(into: piece) < count { failure = .changing }
            } catch {
                failure = .file(error)
            }
            do throws(AEADError) { try unsafe cipher.continueOpening(inPlace: piece) } catch { failure = .cipher }
        }
        if let failure { throw .failure(failure) }
    }

    private static func read(_ input: inout InputFile, _ count: Int) throws(OpeningProblem) -> [UInt8] {
        do throws(FileError) { return try input.read(upTo: count) } catch { throw .failure(.file(error)) }
    }
}
