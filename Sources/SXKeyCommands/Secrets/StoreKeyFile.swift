import CommandKit
import CryptoPrimitives
import SophaxFiles
import StoreChanges
import SystemIO

/// A new key of a store in a file of its own.
enum StoreKeyFile {
    /// Writes 64 hex digits and a line feed, and reads them back.
    static func write(_ key: SharedKey, to path: FilePath, _ context: Context) throws(CommandError) {
        let digits: SecretBytes
        do throws(EncodingError) {
            digits = try SecretEncoding.encodeHex(key.bytes)
        } catch {
            throw .storeFile(.outOfMemory(requested: StoreKey.length * 2))
        }
        do throws(FileError) {
            var output = try OutputFile(creatingAt: path)
            try digits.withSpan { (span) throws(FileError) in try output.writeUnbuffered(span) }
            let end = [UInt8(ascii: "\n")]
            try output.writeUnbuffered(end.span)
            try output.commit()
        } catch {
            throw .output(error)
        }
        let back = try KeyFileOption.read(path, context)
        guard back.isEqual(to: key.bytes) else {
            try? removeFile(path)
            throw .rekey(.keyProof(path))
        }
    }
}
