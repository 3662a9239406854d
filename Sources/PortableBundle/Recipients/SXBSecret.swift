import CryptoPrimitives

/// What opens a bundle: a passphrase, or a private key. A class, so that several can be handed over in an array.
package final class SXBSecret: Sendable {
    /// What kinds of recipients it can be of.
    enum Form {
        case passphrase
        case x25519
        case xWing
    }

    let form: Form
    package var kind: SXBKind { form == .passphrase ? .passphrase : .publicKey }
    /// A passphrase is kept in normal form C.
    let secret: SecretBytes
    /// Of a private key: its public key.
    package let publicKey: [UInt8]

    private init(_ form: Form, _ secret: consuming SecretBytes, publicKey: [UInt8] = []) {
        self.form = form
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
        return SXBSecret(.x25519, key, publicKey: publicKey)
    }

    /// The seed of an X-Wing key, 32 bytes.
    package static func xWing(_ seed: consuming SecretBytes) throws(SXBError) -> SXBSecret {
        guard seed.count == XWing.seedLength else { throw .keyLength(expected: XWing.seedLength, found: seed.count) }
        let publicKey: [UInt8]
        do throws(PostQuantumError) {
            publicKey = try XWing.publicKey(ofSeed: seed)
        } catch .memory(let error) {
            throw .memory(error)
        } catch {
            throw .library("X-Wing")
        }
        return SXBSecret(.xWing, seed, publicKey: publicKey)
    }

    /// What the signature inside of a bundle calls a recipient: an X25519 key itself, SHA-256 of an X-Wing key.
    var signedName: [UInt8] { form == .xWing ? Self.signedName(ofXWing: publicKey) : publicKey }

    static func signedName(ofXWing key: [UInt8]) -> [UInt8] { SHA256.hash(key.span) }
}
