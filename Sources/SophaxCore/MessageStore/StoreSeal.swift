import CryptoPrimitives

/// How every file of an app's message store is encrypted: conversations, attachments, what waits to be sent.
///
/// A file is nonce (12) ‖ ciphertext ‖ tag (16), AES-256-GCM under the item `storage.master`, a new nonce each time and nothing
/// authenticated beside the text: so a file can be put in the place of another without notice. Format: SophaxChat 6.1, 6.2.
public enum StoreSeal {
    /// Why a file was not sealed or opened.
    public enum Failure: Error, Equatable, Sendable {
        /// A key of another length than 32 bytes.
        case keyLength(found: Int)
        /// Too short for nonce and tag.
        case tooShort(found: Int)
        /// Another key, or changed bytes. Which of these cannot be known.
        case notAuthentic
        /// The guarded memory could not be had.
        case memory(SecretMemoryError)
        /// The crypto library failed although its arguments were right.
        case libraryFailure
    }

    /// Length of the key in bytes.
    public static let keyLength = 32

    /// The bytes of the file that holds `text`.
    public static func seal(_ text: Span<UInt8>, key: borrowing SecretBytes) throws(Failure) -> [UInt8] {
        guard key.count == keyLength else { throw .keyLength(found: key.count) }
        do throws(AEADError) {
            var cipher = try AESGCM(key: key)
            return try cipher.sealCombined(text)
        } catch {
            throw Failure(error)
        }
    }

    /// What is in the file, in plain memory.
    public static func open(_ file: [UInt8], key: borrowing SecretBytes) throws(Failure) -> [UInt8] {
        guard key.count == keyLength else { throw .keyLength(found: key.count) }
        guard file.count >= AEADSize.overhead else { throw .tooShort(found: file.count) }
        let secret: SecretBytes
        do throws(AEADError) {
            var cipher = try AESGCM(key: key)
            secret = try cipher.openCombined(file.span)
        } catch {
            throw Failure(error)
        }
        return secret.withSpan { text in text.indices.map { text[$0] } }
    }
}

extension StoreSeal.Failure {
    init(_ error: AEADError) {
        switch error {
        case .notAuthentic: self = .notAuthentic
        case .memory(let memory): self = .memory(memory)
        case .tooShort(_, let found): self = .tooShort(found: found)
        case .tooLong, .keyLength, .nonceLength, .tagLength, .libraryFailure: self = .libraryFailure
        }
    }
}
