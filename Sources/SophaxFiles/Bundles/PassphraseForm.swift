import CryptoPrimitives

/// One byte string that the typed passphrase may have been on the phone.
///
/// The apps hash the bytes of the text as it was typed: one of their screens trims, none normalises, and two keyboards
/// spell é in two ways. Format: SophaxChat 2.4, 3.2.4.
package final class PassphraseForm: Sendable {
    /// How the bytes came from what was typed.
    package enum Kind: String, CaseIterable, Hashable, Sendable {
        case typed = "as typed"
        case trimmed
        case composed = "NFC"
        case decomposed = "NFD"
        case trimmedComposed = "trimmed, NFC"
        case trimmedDecomposed = "trimmed, NFD"
    }

    package let kind: Kind
    package let bytes: SecretBytes

    private init(_ kind: Kind, _ bytes: consuming SecretBytes) {
        self.kind = kind
        self.bytes = bytes
    }

    /// The byte strings to try, in order: as typed, trimmed, then NFC and NFD of both; each once, none empty.
    ///
    /// A passphrase that is not UTF-8 (from a file) has no normal forms.
    /// - Throws: `.emptyPassphrase` when nothing is left to try, `.outOfMemory`.
    package static func forms(of passphrase: borrowing SecretBytes) throws(BundleError) -> [PassphraseForm] {
        var forms: [PassphraseForm] = []
        do throws(SecretMemoryError) {
            let trimmed = try passphrase.slice(passphrase.withSpan { PassphraseTrimming.kept(of: $0) })
            add(.typed, try passphrase.copy(), to: &forms)
            add(.trimmed, try trimmed.copy(), to: &forms)
            add(.composed, try normalized(passphrase, .nfc), to: &forms)
            add(.decomposed, try normalized(passphrase, .nfd), to: &forms)
            add(.trimmedComposed, try normalized(trimmed, .nfc), to: &forms)
            add(.trimmedDecomposed, try normalized(trimmed, .nfd), to: &forms)
        } catch {
            throw BundleError(error)
        }
        guard !forms.isEmpty else { throw .emptyPassphrase }
        return forms
    }

    /// Adds a byte string that is neither missing, empty nor there already.
    private static func add(_ kind: Kind, _ bytes: consuming SecretBytes?, to forms: inout [PassphraseForm]) {
        guard let bytes = consume bytes, bytes.count > 0 else { return }
        for form in forms where form.bytes.isEqual(to: bytes) { return }
        forms.append(PassphraseForm(kind, bytes))
    }

    /// The text in a normal form, nil where it has none.
    private static func normalized(
        _ text: borrowing SecretBytes, _ form: UnicodeForm
    ) throws(SecretMemoryError) -> SecretBytes? {
        do {
            return try form.normalized(text)
        } catch {
            switch error {
            case .memory(let memory): throw memory
            case .notUTF8, .tooLong, .tooManyMarks, .library: return nil
            }
        }
    }
}
