import CryptoPrimitives
import Foundation
import SampleData
import SophaxFiles
import TestSupport

/// The keys inside the sample, found with Foundation's own JSON reader.
enum SampleSecrets {
    /// Signing key, agreement key and store key, 32 bytes each.
    static func keys(of phone: SamplePhone) throws -> [[UInt8]] {
        var limits = BundleLimits()
        limits.backupIterations = 1000
        let passphrase = Array(Sample.passphrase.utf8)
        let bundle = try BundleOpener.open(
            BundleFile(bytes: fileBytes(phone.file("sample.sxfe")) ?? [], limits: limits),
            passphrase: SecretBytes(copying: passphrase.span), limits: limits)
        let text = json(bundle.text.bytes(in: 0..<bundle.text.count)) ?? [:]
        let names = ["signingKeyPrivate", "dhKeyPrivate"]
        let keys = names.compactMap { text[$0] as? String } + [phone.text("storage.key").filter { $0 != "\n" }]
        return keys.compactMap { Data(base64Encoded: $0).map(Array.init) }
    }
}
