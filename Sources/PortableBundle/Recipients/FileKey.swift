import CryptoPrimitives

/// The key of one bundle: everything in it is under keys that are derived from this one.
struct FileKey: ~Copyable {
    private let bytes: SecretBytes

    /// A new one.
    init() throws(SXBError) {
        do throws(SecretMemoryError) {
            bytes = try SecretBytes(randomCount: SXBFormat.fileKeyLength)
        } catch {
            throw .memory(error)
        }
    }

    /// One that a recipient's secret gave.
    init(_ bytes: consuming SecretBytes) {
        self.bytes = bytes
    }

    /// The code that stands behind a header; `text` is all of the file before it.
    func headerCode(of text: Span<UInt8>) throws(SXBError) -> [UInt8] {
        HMAC.code(for: text, key: try derived("sxb2/header"), using: .sha256)
    }

    func isHeaderCode(_ code: Span<UInt8>, of text: Span<UInt8>) throws(SXBError) -> Bool {
        let key = try derived("sxb2/header")
        return code.count == SXBFormat.codeLength && HMAC.isValid(code, for: text, key: key, using: .sha256)
    }

    func payloadKey() throws(SXBError) -> SecretBytes {
        try derived("sxb2/payload")
    }

    /// Lends the key for wrapping it.
    func withSpan<R>(_ body: (Span<UInt8>) throws(SXBError) -> R) throws(SXBError) -> R {
        try bytes.withSpan(body)
    }

    private func derived(_ info: String) throws(SXBError) -> SecretBytes {
        let info = Array(info.utf8)
        do throws(KeyDerivationError) {
            return try HKDF.derive(inputKey: bytes, info: info.span, length: AEADSize.key, using: .sha256)
        } catch .memory(let error) {
            throw .memory(error)
        } catch {
            throw .library("HKDF")
        }
    }
}
