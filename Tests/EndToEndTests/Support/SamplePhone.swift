import CryptoPrimitives
import Foundation
import SampleData
import SophaxFiles
import SystemIO
import TestSupport

/// A folder of its own with the sample in it, and the built program to try on it.
struct SamplePhone {
    private let folder = TemporaryFolder()
    var path: String { folder.path }

    /// Opened in no time, where the work of the real key derivation is not what the test is about.
    static let quickSample: Sample = {
        var limits = BundleLimits()
        limits.backupIterations = 1000
        guard let sample = try? Sample(deterministic: true, limits: limits) else { fatalError("no sample") }
        return sample
    }()

    /// As `sxkey-sample` writes it.
    static let realSample: Sample = {
        guard let sample = try? Sample(deterministic: true) else { fatalError("no sample") }
        return sample
    }()

    /// The folder `sample` has the files that the examples of help name.
    init(_ sample: Sample = quickSample) throws {
        try sample.write(to: FilePath(folder.file("sample")))
        if sample.files.count == Self.quickSample.files.count {
            // The quick sample's backup has an iteration count that no app has; one with HKDF opens as fast.
            try write(Self.backup(messages: []), to: "quick.sophaxbackup")
        }
    }

    /// Puts a keyring with the sample's identity beside it, the key file that opens it, and a letter that the identity signed.
    func addKeyring() throws {
        try write(SampleKeyring.made.bytes, to: SampleKeyring.fileName)
        try write(SampleKeyring.key, to: SampleKeyring.keyFileName)
        try write("six bicycles behind the station\n", to: "new-passphrase.txt")
        try write(SampleBundle.bytes, to: SampleBundle.fileName)
        try write(SampleKeyring.letter, to: "letter.txt")
        try write(SampleKeyring.made.signature, to: "letter.txt.sxsig")
        try write(SamplePeople.invite, to: SamplePeople.inviteFileName)
        try write(SamplePeople.picture, to: SamplePeople.pictureFileName)
        try write(SampleGroup.messages(), to: SampleGroup.messagesFileName)
        try write(SampleGroup.keyFile(), to: SampleGroup.keyFileName)
        try write(SampleCapture.frames(), to: SampleCapture.fileName)
        for (name, share) in SampleKeyring.made.shares { try write(share, to: name) }
        try addRelated()
    }

    /// Puts keys and a message of a related app beside it.
    func addRelated() throws {
        try write(SampleRelated.keyFile, to: SampleRelated.keyFileName)
        try write(SampleRelated.message, to: SampleRelated.messageFileName)
        try write(SampleRelated.threadKey, to: SampleRelated.threadKeyFileName)
        try write(SampleRelated.threads, to: SampleRelated.threadsFileName)
        try write(SampleRelated.privateKey, to: SampleRelated.privateKeyFileName)
    }

    /// Puts an archive with what is in the store beside it, and the key file that opens it.
    func addArchive() throws {
        try write(SampleArchive.bytes, to: SampleArchive.fileName)
        try write(SampleArchive.key, to: SampleArchive.keyFileName)
    }

    var sample: String { folder.file("sample") }

    func file(_ name: String) -> String { sample + "/" + name }

    @discardableResult
    func write(_ bytes: [UInt8], to name: String) throws -> String { folder.write(bytes, to: "sample/" + name) }

    @discardableResult
    func write(_ text: String, to name: String) throws -> String { folder.write(text, to: "sample/" + name) }

    func makeFolder(_ name: String) -> String { folder.makeFolder("sample/" + name) }

    func text(_ name: String) -> String { String(decoding: fileBytes(file(name)) ?? [], as: UTF8.self) }

    var listing: FolderListing { FolderListing(sample) }

    /// Runs sxkey in the folder of the sample.
    func run(
        _ arguments: String..., input: [UInt8] = [], environment: [String: String?] = [:], seconds: Int = 60
    ) -> ChildProcess {
        ChildProcess.run(
            [Self.sxkey] + arguments, in: sample, input: input, environment: environment, seconds: seconds)
    }

    /// Runs a command line of the shell there; `sxkey` is the built program.
    func shell(_ line: String, environment: [String: String?] = [:], seconds: Int = 60) -> ChildProcess {
        let path = ChildProcess.builtProducts + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
        return ChildProcess.run(
            ["bash", "-c", line], in: sample, environment: environment.merging(["PATH": path]) { $1 }, seconds: seconds)
    }

    static let sxkey = ChildProcess.builtProducts + "/sxkey"

    /// A message backup of the first form, whose key costs nothing.
    static func backup(messages: [(key: String, list: String)], passphrase: String = Sample.passphrase) throws
        -> [UInt8]
    {
        let lists = messages.map { "\"\($0.key)\":\($0.list)" }.joined(separator: ",")
        let text = Array(
            #"{"version":1,"createdAt":796000000,"username":"Ana","peers":[],"messages":{\#(lists)}}"#.utf8)
        let secret = Array(passphrase.utf8)
        return try BundleWriter.seal(
            text.span, as: .backup(version: 1, .hkdf), passphrase: SecretBytes(copying: secret.span))
    }

    /// A message backup of the first form with this text.
    static func sealed(_ text: String, passphrase: String = Sample.passphrase) throws -> [UInt8] {
        let (text, secret) = (Array(text.utf8), Array(passphrase.utf8))
        return try BundleWriter.seal(
            text.span, as: .backup(version: 1, .hkdf), passphrase: SecretBytes(copying: secret.span))
    }

    /// A list of messages of one conversation.
    static func list(_ count: Int, peer: String, body: String = "a message of some length, as people write them")
        -> String
    {
        let messages = (0..<count).map { number in
            #"{"id":"M\#(number)","peerID":"\#(peer)","direction":"sent","body":"\#(body) \#(number)","#
                + #""timestamp":\#(795_000_000 + number),"status":"read","isEdited":false}"#
        }
        return "[" + messages.joined(separator: ",") + "]"
    }

    /// Puts a file of the store's own key into the store.
    func writeStoreFile(_ text: String, _ name: String) throws {
        guard let encoded = fileBytes(file("storage.key")), let key = Data(base64Encoded: Data(encoded.dropLast()))
        else {
            fatalError("no key")
        }
        let bytes = Array(key)
        var cipher = try AESGCM(key: SecretBytes(copying: bytes.span))
        let plain = Array(text.utf8)
        let nonce = Random.bytes(12)
        try write(try cipher.sealCombined(plain.span, nonce: nonce.span), to: name)
    }
}

/// The JSON document that a text is, nil for none.
func json(_ bytes: [UInt8]) -> [String: Any]? {
    (try? JSONSerialization.jsonObject(with: Data(bytes))) as? [String: Any]
}
