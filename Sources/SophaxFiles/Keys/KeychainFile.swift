import CryptoPrimitives
import JSONCoding

/// One item of a keychain dump. A class, since its value cannot be copied.
package final class KeychainItem: Sendable {
    package let account: ByteText
    package let value: SecretBytes

    package init(_ account: ByteText, _ value: consuming SecretBytes) {
        self.account = account
        self.value = value
    }
}

/// A file with the keychain items of an app, as JSON: account → base64. Format: SophaxChat 5.1.
package enum KeychainFile {
    /// All items, in the order of the file.
    ///
    /// Errors: `.empty`, `.tooLarge`, `.notJSON`, `.repeatedItem`, `.itemNotBase64`, `.outOfMemory`.
    package static func items(of file: borrowing SecretBytes) throws(StoreKeyError) -> [KeychainItem] {
        guard file.count > 0 else { throw .empty }
        guard file.count <= StoreKey.fileSizeCeiling else {
            throw .tooLarge(found: file.count, ceiling: StoreKey.fileSizeCeiling)
        }
        return try KeychainItems(file).items()
    }

    /// The text of such a file, one line an item.
    package static func text(of items: [KeychainItem]) throws(EncodingError) -> SecretBytes {
        var lines: [Line] = []
        for (index, item) in items.enumerated() {
            var head = Array((index == 0 ? "{\n  " : ",\n  ").utf8)
            JSONText.appendQuoted(item.account.bytes, to: &head)
            head += Array(": \"".utf8)
            lines.append(Line(head: head, value: try SecretEncoding.encodeBase64(item.value)))
        }
        let end = Array((items.isEmpty ? "{}\n" : "\n}\n").utf8)
        let length = lines.reduce(end.count) { $0 + $1.head.count + $1.value.count + 1 }
        do throws(SecretMemoryError) {
            var text = try SecretBytes(count: length)
            text.withMutableSpan { target in
                var place = 0
                for line in lines {
                    for byte in line.head { place = put(byte, at: place, in: &target) }
                    line.value.withSpan { value in
                        for index in value.indices { place = put(value[index], at: place, in: &target) }
                    }
                    place = put(UInt8(ascii: "\""), at: place, in: &target)
                }
                for byte in end { place = put(byte, at: place, in: &target) }
            }
            return text
        } catch {
            throw .memory(error)
        }
    }

    private static func put(_ byte: UInt8, at place: Int, in target: inout MutableSpan<UInt8>) -> Int {
        target[place] = byte
        return place + 1
    }

    /// The beginning of a line in clear, and the value in base64.
    private final class Line {
        let head: [UInt8]
        let value: SecretBytes

        init(head: [UInt8], value: consuming SecretBytes) {
            self.head = head
            self.value = value
        }
    }
}
