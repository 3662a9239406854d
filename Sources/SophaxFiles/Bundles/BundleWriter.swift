import CryptoPrimitives

/// Seals an export exactly as the apps do. Format: SophaxChat 3.2 to 3.5.
package enum BundleWriter {
    /// What makes two files of the same content differ. Used twice with one passphrase, it gives the text away.
    package struct Randomness: Sendable {
        package let salt: [UInt8]
        package let nonce: [UInt8]

        /// Fresh bytes for a file of this recipe.
        package init(for recipe: BundleRecipe) {
            salt = Random.bytes(recipe.saltLength)
            nonce = Random.bytes(AEADSize.nonce)
        }

        /// Chosen bytes: for check values, and for samples that are the same each time.
        package init(salt: [UInt8], nonce: [UInt8]) {
            self.salt = salt
            self.nonce = nonce
        }
    }

    /// The bytes of an export with this text.
    ///
    /// The passphrase goes into the key as it is: whoever calls trims, or not, as the screen of that app does.
    package static func seal(
        _ text: Span<UInt8>,
        as recipe: BundleRecipe,
        passphrase: borrowing SecretBytes,
        randomness: Randomness? = nil
    ) throws(BundleError) -> [UInt8] {
        guard passphrase.count > 0 else { throw .emptyPassphrase }
        let randomness = randomness ?? Randomness(for: recipe)
        let key = try recipe.derivation.key(passphrase: passphrase, salt: randomness.salt)
        do throws(AEADError) {
            var cipher = try AESGCM(key: key)
            // Nonce, ciphertext and tag stand one after the other in every layout, as in a combined box.
            let box = try cipher.sealCombined(text, nonce: randomness.nonce.span)
            return recipe.prefix + randomness.salt + box
        } catch {
            throw .libraryFailure
        }
    }
}
