import CryptoPrimitives
import JSONCoding
import TestSupport

@testable import SophaxFiles

/// What the tests of this folder share.
enum RelatedSupport {
    static func bytes(_ base64: String) -> [UInt8] {
        Base64.decode(Array(base64.utf8).span) ?? []
    }

    static func secret(_ base64: String) throws -> RelatedSecret {
        let plain = bytes(base64)
        return RelatedSecret(try SecretBytes(copying: plain.span))
    }

    static func secret(text: String) throws -> SecretBytes {
        let plain = Array(text.utf8)
        return try SecretBytes(copying: plain.span)
    }

    static func exposed(_ secret: borrowing SecretBytes) -> [UInt8] {
        secret.withSpan { span in span.indices.map { span[$0] } }
    }

    /// The keys of files with these texts.
    static func keys(_ texts: String...) throws -> RelatedKeys {
        var keys = RelatedKeys()
        for text in texts { try keys.add(file: secret(text: text)) }
        return keys
    }

    static func document(_ text: String) throws -> RelatedDocument {
        guard let document = try RelatedDocument.read(Array(text.utf8)) else { throw Missing() }
        return document
    }

    struct Missing: Error {}

    /// The value of the item `btmessage.identity.xwing`.
    static func xwingBytes(_ items: String) -> [UInt8] {
        guard let object = try? JSONObject(Array(items.utf8), ceiling: 1 << 20) else { return [] }
        return (try? object.data("btmessage.identity.xwing")) ?? []
    }

    static func xwing(_ items: String) throws -> SecretBytes {
        let plain = xwingBytes(items)
        return try SecretBytes(copying: plain.span)
    }

    static func fixture(_ name: String) throws -> [UInt8] {
        guard let bytes = fileBytes(SharedFolder.file("fixtures/\(name)")) else { throw Missing() }
        return bytes
    }

    /// A member of a fixture that is one object of texts.
    static func member(_ key: StaticString, of name: String) throws -> [UInt8] {
        let object = try JSONObject(try fixture(name), ceiling: 1 << 20)
        return try object.required(key, try object.text(key))
    }

    /// What came of each item, in short words.
    static func words(_ document: RelatedDocument, _ opener: RelatedOpener) -> [String] {
        document.items.map { item in
            switch opener.open(item) {
            case .clear: "clear"
            case .opened(let plaintext):
                switch plaintext.content {
                case .text(let text): String(decoding: text, as: UTF8.self)
                case .frame(let frame): String(decoding: frame.json, as: UTF8.self)
                case .groupKey(let group): "group key " + String(decoding: group.name, as: UTF8.self)
                case .threadKey: "thread key"
                }
            case .notOpened(let failure): "\(failure)"
            }
        }
    }
}
