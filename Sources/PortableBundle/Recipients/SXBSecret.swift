import CryptoPrimitives

/// What opens a bundle: a passphrase, or a private key. A class, so that several can be handed over in an array.
package final class SXBSecret: Sendable {
    package let kind: SXBKind
    /// A passphrase is kept in normal form C.
    let secret: SecretBytes
    /// Of a private key: its public key.
    package let publicKey: [UInt8]

    private init(_ kind: SXBKind, _ secret: consuming SecretBytes, publicKey: [UInt8] = []) {
        self.kind = kind
        self.secret = secret
        self.publicKey = publicKey
    }

    /// A passphrase as it was typed: it is brought to Unicode normal form C, and never trimmed.
    package static func passphrase(_ typed: borrowing SecretBytes) throws(SXBError) -> SXBSecret {
        do throws(UnicodeError) {
            return SXBSecret(.passphrase, try UnicodeForm.nfc.normalized(typed))
        } catch {
            throw .passphraseText(error)
        }
    }

    /// The 32 bytes of an X25519 private key.
    package static func privateKey(_ key: consuming SecretBytes) throws(SXBError) -> SXBSecret {
        guard key.count == X25519.keyLength else {
            throw .keyLength(expected: X25519.keyLength, found: key.count)
        }
        let publicKey: [UInt8]
        do throws(KeyAgreementError) {
            publicKey = try X25519.publicKey(of: key)
        } catch {
            throw .library("X25519")
        }
        return SXBSecret(.publicKey, key, publicKey: publicKey)
    }
}
