import CryptoPrimitives

/// The box that all three apps seal with: `nonce (12) ‖ ciphertext ‖ tag (16)`, AES-256-GCM without associated data.
package enum RelatedBox {
    package static let keyLength = AEADSize.key
    /// Bytes of the smallest box, which holds nothing.
    package static let overhead = AEADSize.overhead

    /// The text of a box.
    package static func open(_ box: [UInt8], with key: borrowing SecretBytes) throws(RelatedFailure) -> [UInt8] {
        guard box.count <= RelatedLimits.itemBytes else { throw .boxLength(found: box.count) }
        var text = box
        do throws(AEADError) {
            var cipher = try AESGCM(key: key)
            var span = text.mutableSpan
            let range = try cipher.openCombined(inPlace: &span)
            return Array(text[range])
        } catch {
            throw RelatedFailure(error)
        }
    }

    /// The 32-byte key in a box.
    package static func openKey(_ box: [UInt8], with key: borrowing SecretBytes) throws(RelatedFailure) -> SecretBytes {
        let inner: SecretBytes
        do throws(AEADError) {
            var cipher = try AESGCM(key: key)
            inner = try cipher.openCombined(box.span)
        } catch {
            throw RelatedFailure(error)
        }
        guard inner.count == keyLength else { throw .keyLength(found: inner.count) }
        return inner
    }

    /// A box with this text, under a fresh random nonce.
    package static func seal(_ text: Span<UInt8>, with key: borrowing SecretBytes) throws(RelatedFailure) -> [UInt8] {
        do throws(AEADError) {
            var cipher = try AESGCM(key: key)
            return try cipher.sealCombined(text)
        } catch {
            throw RelatedFailure(error)
        }
    }

    /// HKDF-SHA256 of an agreed secret to the key of a box.
    static func key(
        from secret: borrowing SecretBytes, salt: Span<UInt8> = Span(), info: StaticString
    ) throws(RelatedFailure) -> SecretBytes {
        let info = Array(info.description.utf8)
        do throws(KeyDerivationError) {
            return try HKDF.derive(inputKey: secret, salt: salt, info: info.span, length: keyLength, using: .sha256)
        } catch {
            throw RelatedFailure(error)
        }
    }
}
