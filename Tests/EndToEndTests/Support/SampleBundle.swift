import TestSupport

/// Bundles of sxkey's own, made by the built program from the sample: once, and then copied.
enum SampleBundle {
    static let fileName = "sample.sxb"

    /// The sample's identity, contacts, store and attachments, under the passphrase of its exports.
    static let bytes: [UInt8] = made("--new-passphrase-file passphrase.txt --argon2-memory 19 --argon2-passes 1")

    /// The same for the identity itself, signed by it.
    static let forKeys: [UInt8] = made("--recipient Ana")

    private static func made(_ options: String) -> [UInt8] {
        do {
            let phone = try SamplePhone()
            try phone.write(SampleKeyring.made.bytes, to: SampleKeyring.fileName)
            try phone.write(SampleKeyring.key, to: SampleKeyring.keyFileName)
            let run = phone.shell(
                "sxkey bundle create --store phone --out \(fileName) --keyring \(SampleKeyring.fileName) "
                    + "--keyring-key-file \(SampleKeyring.keyFileName) " + options)
            return fileBytes(phone.file(fileName)) ?? run.errorOutput
        } catch {
            fatalError("no bundle: \(error)")
        }
    }
}
