import CryptoPrimitives

/// What opens a slot of a sealed database. A class, so that several can be handed over in an array.
package final class UnlockSecret: Sendable {
    package enum Form: Hashable, Sendable {
        case passphrase, key
    }

    package let form: Form
    /// A passphrase is kept in normal form C.
    private let secret: SecretBytes

    private init(_ form: Form, _ secret: consuming SecretBytes) {
        self.form = form
        self.secret = secret
    }

    /// A passphrase as it was typed: it is brought to Unicode normal form C, and never trimmed.
    package static func passphrase(_ typed: borrowing SecretBytes) throws(SealedError) -> UnlockSecret {
        do throws(UnicodeError) {
            return UnlockSecret(.passphrase, try UnicodeForm.nfc.normalized(typed))
        } catch {
            throw .passphraseText(error)
        }
    }

    /// The 32 bytes of a key file.
    package static func key(_ bytes: consuming SecretBytes) throws(SealedError) -> UnlockSecret {
        guard bytes.count == SealedFormat.keyFileLength else {
            throw .keyFileLength(expected: SealedFormat.keyFileLength, found: bytes.count)
        }
        return UnlockSecret(.key, bytes)
    }

    /// The key that wraps the master key in a slot of this form and salt; nil when such a secret cannot open it.
    func wrappingKey(form: SlotForm, salt: [UInt8]) throws(SealedError) -> SecretBytes? {
        switch (form, self.form) {
        case (.passphrase(let cost), .passphrase):
            do throws(Argon2Error) {
                return try Argon2id.derive(passphrase: secret, salt: salt.span, parameters: cost, length: AEADSize.key)
            } catch {
                throw .passphraseDerivation(error)
            }
        case (.keyFile, .key):
            do throws(KeyDerivationError) {
                return try HKDF.derive(
                    inputKey: secret, salt: salt.span, info: Array("sxdb 1 key file".utf8).span,
                    length: AEADSize.key, using: .sha256)
            } catch {
                throw .keyDerivation(error)
            }
        case (.passphrase, .key), (.keyFile, .passphrase), (.unknown, _): return nil
        }
    }
}

/// A slot to be made: its secret, and what deriving from a passphrase shall cost.
package struct NewSlot: Sendable {
    package let secret: UnlockSecret
    package let cost: Argon2id.Parameters

    package init(_ secret: UnlockSecret, cost: Argon2id.Parameters = .standard) {
        self.secret = secret
        self.cost = cost
    }

    /// Memory times passes, in KiB.
    var workKiB: UInt64 { secret.form == .passphrase ? cost.workKiB : 0 }

    var form: SlotForm {
        switch secret.form {
        case .passphrase: .passphrase(cost)
        case .key: .keyFile
        }
    }
}

// MARK: - Wrapping

extension KeySlot {
    /// The master key of `keys`, wrapped under `secret` for slot `number` of a file of `kind`.
    static func wrapping(
        _ keys: SealedKeys, under secret: UnlockSecret, form: SlotForm, number: Int, kind: SealedFileKind
    ) throws(SealedError) -> KeySlot {
        var bytes = [UInt8](repeating: 0, count: SealedFormat.slotLength)
        switch form {
        case .passphrase(let cost):
            bytes[0] = Kind.passphrase
            bytes.setNumber(UInt64(cost.memoryKiB), at: Place.memory, bytes: 4)
            bytes.setNumber(UInt64(cost.passes), at: Place.passes, bytes: 4)
            bytes.setNumber(UInt64(cost.lanes), at: Place.lanes, bytes: 4)
        case .keyFile: bytes[0] = Kind.keyFile
        case .unknown: throw .slotOfLaterVersion(number)
        }
        let salt = Random.bytes(saltLength)
        bytes.replaceSubrange(Place.salt..<Place.nonce, with: salt)
        guard let key = try secret.wrappingKey(form: form, salt: salt) else { throw .wrongSecretForm(slot: number) }
        let data = KeySlot(form: form, bytes: bytes)
            .associatedData(start: HeaderCopy.start(kind: kind), number: number)
        let box = try keys.withMaster { master throws(SealedError) in
            do throws(AEADError) {
                var cipher = try AESGCM(key: key)
                return try cipher.sealCombined(master, authenticating: data.span)
            } catch {
                throw .cipher(error)
            }
        }
        // A combined box is nonce, text and tag in just the order in which the slot has them.
        bytes.replaceSubrange(Place.nonce..<Place.end, with: box)
        return KeySlot(form: form, bytes: bytes)
    }

    /// The keys in this slot; nil when `secret` does not open it.
    func unwrap(with secret: UnlockSecret, start: [UInt8], number: Int) throws(SealedError) -> SealedKeys? {
        guard let key = try secret.wrappingKey(form: form, salt: salt) else { return nil }
        let data = associatedData(start: start, number: number)
        let master: SecretBytes
        do throws(AEADError) {
            var cipher = try AESGCM(key: key)
            master = try cipher.open(
                wrapped.span, nonce: nonce.span, tag: tag.span, authenticating: data.span)
        } catch .notAuthentic {
            return nil
        } catch {
            throw .cipher(error)
        }
        return try SealedKeys(master: master)
    }
}
