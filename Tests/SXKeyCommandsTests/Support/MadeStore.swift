import CryptoPrimitives
import Glibc
import TestSupport

/// A message store that a test fills, with its key in a file beside it.
struct MadeStore {
    let folder = TemporaryFolder()
    static let keyBytes = [UInt8](0..<32)
    static let alice = "08c4cab788bd5f92f16ff0814022b379"
    static let bob = "3619e750a2dd52ba978807b2a00df56d"

    init() {
        _ = folder.makeFolder("phone")
        _ = folder.makeFolder("phone/sophax_messages")
        _ = folder.makeFolder("phone/sophax_attachments")
        folder.write(Self.keyBytes, to: "storage.key")
    }

    var path: String { folder.file("phone") }
    var keyFile: String { folder.file("storage.key") }

    /// nonce ‖ ciphertext ‖ tag under the key. Format: SophaxChat 6.1.
    static func seal(_ text: [UInt8], nonce: [UInt8]? = nil) throws -> [UInt8] {
        var cipher = try AESGCM(key: SecretBytes(copying: keyBytes.span))
        let nonce = nonce ?? Random.bytes(12)
        return try cipher.sealCombined(text.span, nonce: nonce.span)
    }

    /// The text of a box, which must be authentic.
    static func open(_ box: [UInt8]) throws -> [UInt8] {
        var cipher = try AESGCM(key: SecretBytes(copying: keyBytes.span))
        return try cipher.openCombined(box.span).withSpan { span in span.indices.map { span[$0] } }
    }

    @discardableResult
    func write(_ text: String, _ stem: String) throws -> [UInt8] {
        let bytes = try Self.seal(Array(text.utf8))
        folder.write(bytes, to: "phone/sophax_messages/\(stem).enc")
        return bytes
    }

    /// A conversation of one message or more.
    @discardableResult
    func conversation(_ peer: String, _ messages: [String]) throws -> [UInt8] {
        try write("[" + messages.joined(separator: ",") + "]", peer)
    }

    func attachment(_ id: String, _ content: String) throws {
        folder.write(try Self.seal(Array(content.utf8)), to: "phone/sophax_attachments/\(id)")
    }

    /// A message as the newest app writes it. `body` and `extra` are JSON already.
    static func message(_ id: String, peer: String, body: String = "hi", time: Int = 795_000_001, extra: String = "")
        -> String
    {
        "{\"id\":\"\(id)\",\"peerID\":\"\(peer)\",\"direction\":\"sent\",\"body\":\"\(body)\",\"timestamp\":\(time),"
            + "\"status\":\"read\",\"isEdited\":false\(extra)}"
    }

    func run(_ verb: String, _ arguments: [String] = []) -> CommandRun {
        CommandRun.run(["store", verb, path] + arguments + ["--key-file", keyFile])
    }
}

/// A file name as the kernel takes it, which need not be UTF-8.
func makeEmptyFile(_ path: [UInt8]) {
    let name = path.map { CChar(bitPattern: $0) } + [0]
    let descriptor = open(name, O_WRONLY | O_CREAT, 0o600)
    precondition(descriptor >= 0, "cannot make a file")
    close(descriptor)
}
