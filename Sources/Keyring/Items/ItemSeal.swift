import CryptoPrimitives
import SophaxCore

/// Seals private values once more, cell by cell, so that the memory of SQLite never holds a key in clear.
///
/// A sealed value is nonce (12) ‖ ciphertext ‖ tag (16), AES-256-GCM under the keyring's item key; the associated data is
/// the identity's fingerprint (32) ‖ the account's name, so that a value fits only where it was put.
package enum ItemSeal {
    /// The largest value in bytes: session states and group keys are some kilobytes, an avatar some hundred.
    package static let maximumLength = 16 << 20

    static func seal(
        _ value: borrowing SecretBytes, _ account: ItemAccount, of owner: Fingerprint, key: borrowing SecretBytes
    ) throws(KeyringError) -> [UInt8] {
        let data = owner.bytes + account.bytes
        return try value.withSpan { value throws(KeyringError) in
            do throws(AEADError) {
                var cipher = try AESGCM(key: key)
                return try cipher.sealCombined(value, authenticating: data.span)
            } catch {
                throw .libraryFailure
            }
        }
    }

    static func open(
        _ sealed: [UInt8], _ account: ItemAccount, of owner: Fingerprint, key: borrowing SecretBytes
    ) throws(KeyringError) -> SecretBytes {
        let data = owner.bytes + account.bytes
        do throws(AEADError) {
            var cipher = try AESGCM(key: key)
            return try cipher.openCombined(sealed.span, authenticating: data.span)
        } catch {
            switch error {
            case .notAuthentic, .tooShort: throw .damagedItem(account: account.bytes)
            case .memory(let memory): throw .memory(memory)
            case .tooLong, .keyLength, .nonceLength, .tagLength, .libraryFailure: throw .libraryFailure
            }
        }
    }
}
