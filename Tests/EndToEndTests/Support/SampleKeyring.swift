import CryptoPrimitives
import Keyring
import SQLiteDatabase
import SampleData
import SophaxCore
import SophaxFiles
import SystemIO
import TestSupport

/// The keyring beside the sample that examples of help work on: the identity of `sample.sxfe` with the store's key. It opens
/// with the passphrase of the exports, and with the file `keyring.key`.
enum SampleKeyring {
    static let fileName = "sample.sxdb"
    static let keyFileName = "keyring.key"
    static let key = [UInt8](repeating: 0x6b, count: 32)
    /// The least that a slot may cost, so that the tests are not about Argon2id.
    static func cheapest() throws -> Argon2id.Parameters {
        try Argon2id.Parameters(memoryKiB: 19 << 10, passes: 1, lanes: 1)
    }

    /// Makes the file, with nothing in it.
    static func makeEmpty(at path: String) throws -> Keyring {
        let passphrase = Array(Sample.passphrase.utf8)
        let slots = [
            NewSlot(try .passphrase(SecretBytes(copying: passphrase.span)), cost: try cheapest()),
            NewSlot(try .key(SecretBytes(copying: key.span))),
        ]
        return try Keyring.make(at: FilePath(path), slots: slots)
    }

    /// The same with the identity of the sample in it; both files are written once and then copied.
    static let made: (bytes: [UInt8], signature: String, shares: [(name: String, text: [UInt8])]) = {
        let folder = TemporaryFolder()
        let path = folder.file(fileName)
        do {
            let (signature, shares) = try fill(path)
            return (fileBytes(path) ?? [], signature, shares)
        } catch {
            fatalError("no keyring: \(error)")
        }
    }()

    static let letter = "Dear Bob,\n"

    private static func folderLetter(beside path: String) -> String {
        let text = path + ".letter"
        do {
            var output = try OutputFile(creatingAt: FilePath(text))
            try output.write(letter)
            try output.commit()
        } catch {
            fatalError("no letter")
        }
        return text
    }

    /// Gives the signature of the letter, and shares of the identity.
    private static func fill(_ path: String) throws -> (String, [(name: String, text: [UInt8])]) {
        let keyring = try makeEmpty(at: path)
        var limits = BundleLimits()
        limits.backupIterations = 1000
        let passphrase = Array(Sample.passphrase.utf8)
        guard let export = SamplePhone.quickSample.files.first(where: { $0.path == Sample.fullExportFile }),
            let keyFile = SamplePhone.quickSample.files.first(where: { $0.path == Sample.keyFile }),
            let name = IdentityName(trimming: "Ana")
        else { fatalError("no sample") }
        let bundle = try BundleOpener.open(
            BundleFile(bytes: export.bytes, limits: limits), passphrase: SecretBytes(copying: passphrase.span),
            limits: limits)
        let content = try BundleContent.read(bundle, now: 0, workers: 1)
        let storeKey = try StoreKey.read(SecretBytes(copying: keyFile.bytes.span))
        let added = try content.identity?.withKeys { (keys) throws(KeyringError) in
            let identity = try keyring.addIdentity(keys, name: name, origin: "full-export", at: 1_780_000_000)
            try keyring.setItem(.storageMaster, of: identity, to: storeKey, at: 1_780_000_000)
            return identity
        }
        try SamplePeople.add(content.backup?.peers ?? [], to: keyring)
        guard let added else { fatalError("no identity") }
        try SampleGroup.add(to: keyring, of: added)
        let text = folderLetter(beside: path)
        var input = try InputFile(opening: FilePath(text))
        let keys = try keyring.privateKeys(of: added)
        let signature = try FileSignature.make(of: FileDigest(reading: &input), madeAt: 1_780_000_000, by: keys).text
        return (signature, try SampleShares.make(of: keys))
    }
}
