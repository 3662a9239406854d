import CryptoPrimitives

/// The master key of a sealed database and what is derived from it.
final class SealedKeys: Sendable {
    private let master: SecretBytes
    private let headerKey: SecretBytes

    init(master: consuming SecretBytes) throws(SealedError) {
        headerKey = try Self.derive(master, "sxdb 1 header")
        self.master = master
    }

    /// A new random master key.
    static func random() throws(SealedError) -> SealedKeys {
        let master: SecretBytes
        do throws(SecretMemoryError) {
            master = try SecretBytes(randomCount: SealedFormat.masterKeyLength)
        } catch {
            throw .memory(error)
        }
        return try SealedKeys(master: master)
    }

    func pageCipher() throws(SealedError) -> AESGCM { try Self.cipher(Self.derive(master, "sxdb 1 pages")) }

    func journalCipher() throws(SealedError) -> AESGCM { try Self.cipher(Self.derive(master, "sxdb 1 journal")) }

    func journalKeystream() throws(SealedError) -> AESBlock {
        let key = try Self.derive(master, "sxdb 1 journal")
        do throws(AEADError) { return try AESBlock(key: key) } catch { throw .cipher(error) }
    }

    /// The key that callers use for `label` inside of the database.
    func callerKey(_ label: String) throws(SealedError) -> SecretBytes {
        try Self.derive(master, "sxdb 1 caller: " + label)
    }

    func headerCode(_ bytes: Span<UInt8>) -> [UInt8] {
        HMAC.code(for: bytes, key: headerKey, using: .sha256)
    }

    func isHeaderCode(_ code: Span<UInt8>, of bytes: Span<UInt8>) -> Bool {
        HMAC.isValid(code, for: bytes, key: headerKey, using: .sha256)
    }

    /// Lends the master key for wrapping.
    func withMaster<R: ~Copyable>(_ body: (Span<UInt8>) throws(SealedError) -> R) throws(SealedError) -> R {
        try master.withSpan(body)
    }

    func isSame(as other: SealedKeys) -> Bool {
        master.isEqual(to: other.master)
    }

    private static func derive(_ master: borrowing SecretBytes, _ info: String) throws(SealedError) -> SecretBytes {
        do throws(KeyDerivationError) {
            return try HKDF.derive(
                inputKey: master, info: Array(info.utf8).span, length: AEADSize.key, using: .sha256)
        } catch {
            throw .keyDerivation(error)
        }
    }

    private static func cipher(_ key: consuming SecretBytes) throws(SealedError) -> AESGCM {
        do throws(AEADError) { return try AESGCM(key: key) } catch { throw .cipher(error) }
    }
}
