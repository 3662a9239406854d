import JSONCoding

/// An export after its tag was verified: the decrypted text, and how the key was found.
///
/// The text has private keys in it, so there is one copy of it, in guarded memory that is wiped with this object.
package final class OpenedBundle: Sendable {
    package let header: BundleHeader

    /// The key derivation that fits.
    package let derivation: BundleKeyDerivation

    /// Which bytes of the passphrase fit.
    package let passphraseForm: PassphraseForm.Kind

    /// The work factors that the search for the key went by.
    let limits: BundleLimits

    /// The decrypted JSON.
    package let text: PlaintextBuffer

    init(
        header: BundleHeader,
        derivation: BundleKeyDerivation,
        passphraseForm: PassphraseForm.Kind,
        limits: BundleLimits,
        text: PlaintextBuffer
    ) {
        self.header = header
        self.derivation = derivation
        self.passphraseForm = passphraseForm
        self.limits = limits
        self.text = text
    }
}
