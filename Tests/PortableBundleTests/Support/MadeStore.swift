import CryptoPrimitives
import SophaxFiles
import SystemIO
import TestSupport

@testable import PortableBundle

/// A store under a fixed key.
struct MadeStore {
    let folder = TemporaryFolder()
    static let keyBytes = [UInt8](0..<32)

    init() {
        _ = folder.makeFolder("sophax_messages")
        _ = folder.makeFolder("sophax_attachments")
    }

    func write(_ text: String, to stem: String) throws {
        try write(Array(text.utf8), to: "sophax_messages/\(stem).enc")
    }

    func writeAttachment(_ bytes: [UInt8], _ id: String) throws { try write(bytes, to: "sophax_attachments/\(id)") }

    func write(_ bytes: [UInt8], to name: String) throws {
        var cipher = try AESGCM(key: SecretBytes(copying: Self.keyBytes.span))
        let nonce = Random.bytes(12)
        folder.write(try cipher.sealCombined(bytes.span, nonce: nonce.span), to: name)
    }

    func source(workers: Int = 2, includesAttachments: Bool = true) throws -> StoreSource {
        try StoreSource(
            StoreFolder(at: FilePath(folder.path)), key: SecretBytes(copying: Self.keyBytes.span),
            createdAt: 1_790_000_000,
            creator: "test", workers: workers, includesAttachments: includesAttachments)
    }

    static func message(_ id: String, _ peer: String, body: String = "hi") -> String {
        #"{"id":"\#(id)","peerID":"\#(peer)","direction":"sent","body":"\#(body)","timestamp":795000001,"#
            + #""status":"read","isEdited":false}"#
    }
}
