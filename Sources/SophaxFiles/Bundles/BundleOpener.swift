import CryptoPrimitives
import JSONCoding
import SystemIO

/// Finds the key of an export and decrypts it.
package enum BundleOpener {
    /// How far the search for the key is.
    package struct Progress: Equatable, Sendable {
        /// Keys derived and tried.
        package let tried: Int
        /// Keys that can be tried at most.
        package let total: Int
    }

    /// Tries the passphrase in each form with each key derivation that can belong to the file.
    ///
    /// The likely key is derived alone, since it nearly always fits; the others are then derived `workers` at a time. GCM
    /// decrypts before it can judge, so each try needs the ciphertext intact: the plaintext goes to its own guarded block,
    /// made once and wiped after each failure. The peak is the file, one plaintext of its size, and no third copy; the
    /// caller can let go of the file as soon as this returns.
    /// - Throws: `.emptyPassphrase`; `.notAuthentic` when no key fits; `.outOfMemory`.
    package static func open(
        _ file: BundleFile,
        passphrase: borrowing SecretBytes,
        limits: BundleLimits = .standard,
        workers: Int = 1,
        progress: (Progress) -> Void = { _ in }
    ) throws(BundleError) -> OpenedBundle {
        let header = file.header
        let forms = try PassphraseForm.forms(of: passphrase)
        let candidates = header.derivations(limits).flatMap { derivation in
            forms.map { Candidate(form: $0, derivation: derivation) }
        }
        var target = try PlaintextTarget(header: header)
        var tried = 0
        while tried < candidates.count {
            progress(Progress(tried: tried, total: candidates.count))
            let batch = candidates[tried..<min(candidates.count, tried + (tried == 0 ? 1 : max(1, workers)))]
            let keys = try parallelMap(Array(batch), workers: workers) { (candidate) throws(BundleError) in
                DerivedKey(try candidate.derivation.key(passphrase: candidate.form.bytes, salt: header.salt))
            }
            for (candidate, key) in zip(batch, keys) where try target.decrypt(file, key: key.bytes) {
                return OpenedBundle(
                    header: header, derivation: candidate.derivation, passphraseForm: candidate.form.kind,
                    limits: limits, text: target.finish())
            }
            tried += batch.count
        }
        throw .notAuthentic(header.kind, attempts: candidates.count)
    }
}

/// One passphrase form with one key derivation.
private struct Candidate: Sendable {
    let form: PassphraseForm
    let derivation: BundleKeyDerivation
}

/// A key on its way from the thread that derived it.
private final class DerivedKey: Sendable {
    let bytes: SecretBytes

    init(_ bytes: consuming SecretBytes) {
        self.bytes = bytes
    }
}

/// The guarded block that the plaintext of one file goes to, with the zero bytes behind it that the JSON parser reads.
private struct PlaintextTarget: ~Copyable {
    private let size: Int
    private var memory: SecretBytes

    init(header: BundleHeader) throws(BundleError) {
        size = header.payloadSize
        do {
            memory = try SecretBytes(count: size + PlaintextMemory.padding)
        } catch {
            throw BundleError(error)
        }
    }

    /// Whether `key` fits. When not, the block is zero again.
    mutating func decrypt(_ file: BundleFile, key: borrowing SecretBytes) throws(BundleError) -> Bool {
        let text = file.header.length..<(file.header.length + size)
        let size = self.size
        do {
            var cipher = try AESGCM(key: key)
            let bytes = file.bytes.span
            try unsafe bytes.extracting(text).withUnsafeBytes { source throws(AEADError) in
                try unsafe memory.withUnsafeMutableBytes { target throws(AEADError) in
                    try unsafe cipher.decrypt(
                        source,
                        into: UnsafeMutableRawBufferPointer(rebasing: target[..<size]),
                        nonce: file.header.nonce.span,
                        tag: bytes.extracting(text.upperBound..<bytes.count),
                        authenticating: Span())
                }
            }
            return true
        } catch {
            guard error == .notAuthentic else { throw .libraryFailure }
            return false
        }
    }

    consuming func finish() -> PlaintextBuffer {
        let size = self.size
        return PlaintextBuffer(secret: memory, text: 0..<size)
    }
}
