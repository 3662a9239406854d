import CryptoPrimitives
import SampleData
import SophaxCore
import SophaxFiles
import SystemIO

/// What went over a connection to the identity of the sample, for the examples of help.
enum SampleCapture {
    static let fileName = "capture.bin"

    /// Frames: a hello of somebody, a sealed message from the same, and a receipt.
    static func frames() throws -> [UInt8] {
        let dana = try Identity(
            signingSeed: SecretBytes(copying: [UInt8](0x40...0x5F).span),
            dhPrivate: SecretBytes(copying: [UInt8](0x60...0x7F).span), username: "Dana")
        let sender = PeerID(dana.fingerprint, form: .hex32)
        guard let time = WireDate(secondsSince2001: 801_692_000.5) else { fatalError("no time") }
        func signed(_ payload: WirePayload) throws -> WireMessage {
            try WireMessage.sign(payload, from: sender, at: time, by: dana)
        }
        let bundle = try PreKeyBundle(
            signedBy: dana, signedPreKey: PublicPreKey(id: 7, key: dana.publicKeys.dh), oneTimePreKey: nil,
            timestamp: 801_692_000)
        let inner = try signed(.readReceipt(ReadReceiptPayload(messageIDs: [Array("M1".utf8)])))
        let sealed = try SealedSender.seal(inner.json, to: ownKeys().publicKeys.dh)
        var encoder = FrameEncoder(limit: .ios)
        return try encoder.encode(signed(.hello(HelloPayload(bundle: CarriedBundle(bundle)))))
            + encoder.encode(signed(.sealed(sealed)))
            + encoder.encode(signed(.ack(AckPayload(messageID: Array("M2".utf8), status: .delivered))))
    }

    /// The identity of the sample's full export.
    private static func ownKeys() throws -> Identity {
        var limits = BundleLimits()
        limits.backupIterations = 1000
        guard let export = SamplePhone.quickSample.files.first(where: { $0.path == Sample.fullExportFile }) else {
            fatalError("no sample")
        }
        let passphrase = Array(Sample.passphrase.utf8)
        let bundle = try BundleOpener.open(
            BundleFile(bytes: export.bytes, limits: limits), passphrase: SecretBytes(copying: passphrase.span),
            limits: limits)
        let content = try BundleContent.read(bundle, now: 0, workers: 1)
        var found: Identity?
        try content.identity?.withKeys { (keys) throws(IdentityError) in found = try keys.copy() }
        guard let keys = found else { fatalError("no identity") }
        return keys
    }
}
