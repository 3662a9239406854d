import CryptoPrimitives
import Foundation
import SophaxFiles
import SystemIO
import TestSupport

/// Two stores that a test fills, each with a key of its own, and room for a merged one.
struct TwoStores {
    let folder = TemporaryFolder()

    init() {
        for name in ["a", "b"] {
            _ = folder.makeFolder(name)
            _ = folder.makeFolder("\(name)/sophax_messages")
            _ = folder.makeFolder("\(name)/sophax_attachments")
            folder.write(Self.key(name), to: "\(name).key")
        }
    }

    static func key(_ store: String) -> [UInt8] { (store == "b" ? 100..<132 : 0..<32).map { UInt8($0) } }

    func seal(_ text: [UInt8], _ store: String) throws -> [UInt8] {
        let key = Self.key(store)
        var cipher = try AESGCM(key: SecretBytes(copying: key.span))
        let nonce = Random.bytes(12)
        return try cipher.sealCombined(text.span, nonce: nonce.span)
    }

    func write(_ text: String, _ store: String, _ stem: String) throws {
        folder.write(try seal(Array(text.utf8), store), to: "\(store)/sophax_messages/\(stem).enc")
    }

    func conversation(_ store: String, _ peer: String, _ messages: [String], stem: String? = nil) throws {
        try write("[" + messages.joined(separator: ",") + "]", store, stem ?? peer)
    }

    func attachment(_ store: String, _ id: String, _ content: String) throws {
        folder.write(try seal(Array(content.utf8), store), to: "\(store)/sophax_attachments/\(id)")
    }

    /// Runs the merge of two of the folders; `keys` are the names whose keys they have.
    func merge(
        _ first: String = "a", _ second: String = "b", out: String? = "c", keys: [String]? = nil,
        with more: [String] = []
    ) -> CommandRun {
        let keys = keys ?? [first == "b" ? "b" : "a", second == "b" ? "b" : "a"]
        return CommandRun.run(
            ["store", "merge", folder.file(first), folder.file(second)]
                + keys.flatMap { ["--key-file", folder.file("\($0).key")] }
                + (out.map { ["--out", folder.file($0)] } ?? []) + more)
    }

    /// The decrypted text of a file.
    func text(_ path: String, key: String = "a") throws -> String {
        guard let bytes = fileBytes(folder.file(path)) else { return "" }
        let key = Self.key(key)
        var cipher = try AESGCM(key: SecretBytes(copying: key.span))
        let text = try cipher.openCombined(bytes.span)
        return text.withSpan { span in String(decoding: (0..<span.count).map { span[$0] }, as: UTF8.self) }
    }

    /// The messages of a file of the merged store as Foundation reads them.
    func messages(_ path: String, key: String = "a") throws -> [[String: Any]] {
        try JSONSerialization.jsonObject(with: Data(text(path, key: key).utf8)) as? [[String: Any]] ?? []
    }

    func ids(_ path: String, key: String = "a") throws -> [String] {
        try messages(path, key: key).compactMap { $0["id"] as? String }
    }

    /// Names in a folder.
    func names(_ path: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.file(path)).sorted()) ?? []
    }
}

extension CommandRun {
    /// The object of `--json`.
    var object: [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(outputBytes))) as? [String: Any] ?? [:]
    }

    var counts: [String: Int] { object["counts"] as? [String: Int] ?? [:] }
}
