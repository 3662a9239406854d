import CryptoPrimitives
import JSONCoding

/// Makes a file of test vectors in the shape that lchat's own tests use: a private key in its forms, and threads, each with
/// its key, the key wrapped for the private one, and a message.
///
/// `{"privateKeyPKCS8PEM", "privateKeyRaw", "publicKeyX963", "threads": [{"message", "plaintext", "threadKey", "wrapped"}]}`
package enum LChatVectors {
    package static let maximumThreads = 1_000

    /// The text of the file; it has private keys in it.
    package static func make(
        texts: [[UInt8]], privateKey given: RelatedSecret? = nil, _ random: RandomSource = .system
    ) throws(RelatedFailure) -> SecretBytes {
        let key: RelatedSecret
        let own: [UInt8]
        let pkcs8: SecretBytes
        do throws(P256Error) {
            if let given { key = given } else { key = RelatedSecret(try P256.makePrivateKey(random)) }
            own = try P256.publicKey(of: key.bytes)
            pkcs8 = try P256.pkcs8(of: key.bytes)
        } catch {
            throw RelatedFailure(error)
        }
        var threads: [Thread] = []
        for text in texts { threads.append(try Thread(text, for: own, random)) }
        do throws(SecretMemoryError) {
            var file = try SecretObjectText(capacity: 4_096)
            try file.add(key: Array("privateKeyPKCS8PEM".utf8), json: try pemString(pkcs8))
            try file.add("privateKeyRaw", secret: key.bytes)
            try file.add("publicKeyX963", data: own)
            try file.add(key: Array("threads".utf8), json: try list(threads))
            return try file.finish().appending(secret("\n"))
        } catch {
            throw .memory
        }
    }

    private struct Thread {
        let key: RelatedSecret
        let wrapped: LChatThreadKey
        let text: [UInt8]
        let message: [UInt8]

        init(_ text: [UInt8], for publicKey: [UInt8], _ random: RandomSource) throws(RelatedFailure) {
            do { key = RelatedSecret(try random.secret(RelatedBox.keyLength)) } catch { throw .memory }
            wrapped = try LChatThreadKey.wrap(key.bytes, for: publicKey, random)
            message = try RelatedBox.seal(text.span, with: key.bytes)
            self.text = text
        }
    }

    private static func list(_ threads: [Thread]) throws(SecretMemoryError) -> SecretBytes {
        var list = try secret("[")
        for (index, thread) in threads.enumerated() {
            var object = try SecretObjectText(capacity: 1_024 + thread.text.count * 2)
            try object.add("message", data: thread.message)
            try object.add("plaintext", text: thread.text)
            try object.add("threadKey", secret: thread.key.bytes)
            try object.add("wrapped", data: thread.wrapped.bytes)
            if index > 0 { list = try list.appending(secret(",")) }
            list = try list.appending(try object.finish())
        }
        return try list.appending(secret("]"))
    }

    /// The PEM text as a JSON string, in lines of 64 letters.
    private static func pemString(_ der: borrowing SecretBytes) throws(SecretMemoryError) -> SecretBytes {
        let letters: SecretBytes
        do throws(EncodingError) {
            letters = try SecretEncoding.encodeBase64(der)
        } catch {
            guard case .memory(let memory) = error else { throw .exhausted(requested: der.count) }
            throw memory
        }
        var text = try secret("\"-----BEGIN PRIVATE KEY-----\\n")
        for start in stride(from: 0, to: letters.count, by: 64) {
            let line = try letters.slice(start..<min(start + 64, letters.count))
            text = try text.appending(line).appending(secret("\\n"))
        }
        return try text.appending(secret("-----END PRIVATE KEY-----\""))
    }

    private static func secret(_ text: StaticString) throws(SecretMemoryError) -> SecretBytes {
        let bytes = text.bytes
        return try SecretBytes(copying: bytes.span)
    }
}
