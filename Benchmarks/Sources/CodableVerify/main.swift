// What a user would write in Swift to check a message store: libcrypto for the tags, `Codable` for the messages,
// one task a conversation on all cores.
//
// usage: codable-verify STORE KEYFILE

import CLibcrypto
import Foundation

struct StoredMessage: Codable {
    var id: String
    var peerID: String
    var direction: String
    var body: String
    var timestamp: Date
    var status: String
    var replyToID: String?
    var expiresAt: Date?
    var hopCount: UInt8?
    var attachmentID: String?
    var attachmentMimeType: String?
    var attachmentFilename: String?
    var audioDuration: Double?
    var reactions: [String: String]?
    var senderID: String?
    var receivedAt: Date?
    var deliveredBy: [String]?
    var readBy: [String]?
    var isEdited: Bool
    var editedAt: Date?
}

struct NotAuthentic: Error {}

/// Opens nonce (12) ‖ ciphertext ‖ tag (16) with AES-256-GCM.
func opened(_ sealed: Data, key: Data) throws -> Data {
    guard sealed.count >= 28, let context = EVP_CIPHER_CTX_new() else { throw NotAuthentic() }
    defer { EVP_CIPHER_CTX_free(context) }
    let length = sealed.count - 28
    var plaintext = Data(count: length)
    let proven = sealed.withUnsafeBytes { sealed in
        key.withUnsafeBytes { key in
            plaintext.withUnsafeMutableBytes { output -> Bool in
                guard let bytes = sealed.bindMemory(to: UInt8.self).baseAddress else { return false }
                let tag = UnsafeMutableRawPointer(mutating: bytes + 12 + length)
                var written: Int32 = 0
                let target = output.bindMemory(to: UInt8.self).baseAddress
                return EVP_DecryptInit_ex(
                    context, EVP_aes_256_gcm(), nil, key.bindMemory(to: UInt8.self).baseAddress, bytes) == 1
                    && EVP_DecryptUpdate(context, target, &written, bytes + 12, Int32(length)) == 1
                    && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, 16, tag) == 1
                    && EVP_DecryptFinal_ex(context, nil, &written) == 1
            }
        }
    }
    guard proven else { throw NotAuthentic() }
    return plaintext
}

func files(in folder: URL) throws -> [URL] {
    let keys: Set<URLResourceKey> = [.fileSizeKey]
    let all = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: Array(keys))
    let sized = try all.map { ($0, try $0.resourceValues(forKeys: keys).fileSize ?? 0) }
    return sized.sorted { $0.1 > $1.1 }.map(\.0)
}

final class Totals: @unchecked Sendable {
    private let lock = NSLock()
    private(set) var messages = 0
    private(set) var attachments = 0
    private(set) var bodyBytes = 0

    func add(messages: Int = 0, attachments: Int = 0, bodyBytes: Int = 0) {
        lock.withLock {
            self.messages += messages
            self.attachments += attachments
            self.bodyBytes += bodyBytes
        }
    }
}

let arguments = CommandLine.arguments
guard arguments.count == 3 else { fatalError("usage: codable-verify STORE KEYFILE") }
let store = URL(fileURLWithPath: arguments[1])
let text = try String(contentsOfFile: arguments[2], encoding: .utf8)
guard let key = Data(base64Encoded: text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
    fatalError("the key file is not base64")
}
let conversations = try files(in: store.appendingPathComponent("sophax_messages"))
let attachments = try files(in: store.appendingPathComponent("sophax_attachments"))
let totals = Totals()

DispatchQueue.concurrentPerform(iterations: conversations.count + attachments.count) { index in
    do {
        if index < conversations.count {
            let plaintext = try opened(try Data(contentsOf: conversations[index]), key: key)
            let messages = try JSONDecoder().decode([StoredMessage].self, from: plaintext)
            totals.add(messages: messages.count, bodyBytes: messages.reduce(0) { $0 + $1.body.utf8.count })
        } else {
            _ = try opened(try Data(contentsOf: attachments[index - conversations.count]), key: key)
            totals.add(attachments: 1)
        }
    } catch {
        fatalError("\(error)")
    }
}
print(totals.messages, totals.attachments, totals.bodyBytes)
