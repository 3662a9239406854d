import SystemIO

/// Gives a bundle other recipients; the payload stays as it is, byte for byte.
///
/// Whoever could open the bundle before can still open an earlier copy of it, and one who kept the file key also the new
/// one: to shut somebody out of later content, make a new bundle.
package struct SXBRewrap: Sendable {
    package let input: FilePath
    package let secrets: [SXBSecret]
    package let recipients: [SXBRecipient]

    package init(_ input: FilePath, secrets: [SXBSecret], recipients: [SXBRecipient]) {
        self.input = input
        self.secrets = secrets
        self.recipients = recipients
    }

    /// Writes the changed bundle to `output`, which may be the input when `replacing`. Gives its header.
    ///
    /// With `verifying`, the new file is opened and its payload read whole before it gets its name.
    package func write(
        to output: FilePath, replacing: Bool, verifying: Bool = true
    ) throws(SXBError) -> SXBHeader {
        throw .notSXB
    }
}
