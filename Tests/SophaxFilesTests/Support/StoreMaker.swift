import CryptoPrimitives
import JSONCoding
import SystemIO
import TestSupport

@testable import SophaxFiles

/// Writes store files with a fixed key, for tests.
struct StoreMaker {
    let folder = TemporaryFolder()
    static let keyBytes = [UInt8](0..<32)

    init() {
        _ = folder.makeFolder("sophax_messages")
        _ = folder.makeFolder("sophax_attachments")
    }

    var path: FilePath { FilePath(folder.path) }

    func key() throws -> SecretBytes { try SecretBytes(copying: Self.keyBytes.span) }

    /// Seals `text` and writes it; `nonce` only where the test is about nonces.
    @discardableResult
    func write(_ text: [UInt8], to name: String, nonce: [UInt8]? = nil) throws -> String {
        folder.write(try Self.seal(text, nonce: nonce), to: name)
    }

    @discardableResult
    func writeMessages(_ text: String, _ stem: String, nonce: [UInt8]? = nil) throws -> String {
        try write(Array(text.utf8), to: "sophax_messages/\(stem).enc", nonce: nonce)
    }

    static func seal(_ text: [UInt8], nonce: [UInt8]? = nil) throws -> [UInt8] {
        var cipher = try AESGCM(key: SecretBytes(copying: keyBytes.span))
        let nonce = nonce ?? Random.bytes(12)
        return try cipher.sealCombined(text.span, nonce: nonce.span)
    }

    func survey(now: Double = 1_780_000_000, workers: Int = 2) throws -> StoreReport {
        try StoreSurvey(StoreFolder(at: path), now: now, workers: workers, includesAttachments: true).run(key: key())
    }

    /// A message as the newest app writes it, with changes.
    static func message(_ id: String, peer: String = "08c4cab788bd5f92", body: String = "hi", extra: String = "")
        -> String
    {
        "{\"id\":\"\(id)\",\"peerID\":\"\(peer)\",\"direction\":\"sent\",\"body\":\"\(body)\",\"timestamp\":795000001,"
            + "\"status\":\"read\",\"isEdited\":false\(extra)}"
    }
}

/// All messages of a JSON text, and how it read.
func scan(_ text: [UInt8]) throws -> (messages: [StoredMessage], outcome: ScanOutcome) {
    let buffer = try PlaintextBuffer(copying: text)
    var list = MessageList(buffer, at: 0)
    var scanner = try MessageScanner()
    let outcome = try scanner.scan(buffer, 0..<buffer.count, into: &list)
    return (list.messages, outcome)
}

func scan(_ text: String) throws -> (messages: [StoredMessage], outcome: ScanOutcome) {
    try scan(Array(text.utf8))
}
