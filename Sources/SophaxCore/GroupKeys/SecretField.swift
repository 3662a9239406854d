import CryptoPrimitives
import JSONCoding

/// A member of a secret object that the reader did not know, kept as it stands in wiped memory: it may be a key.
final class SecretField: Sendable {
    let key: [UInt8]
    /// The value's text, a string with its quotes.
    let value: SecretBytes

    init(key: [UInt8], value: consuming SecretBytes) {
        self.key = key
        self.value = value
    }

    /// The members of `object` that none of `known` names.
    static func unknown(
        in object: JSONObject, besides known: [StaticString]
    ) throws(FormatError) -> [SecretField] {
        let names = known.map(\.bytes)
        var fields: [SecretField] = []
        for member in try object.entries(limit: 64) where !names.contains(member.key) {
            let quotes = member.kind == .string ? 1 : 0
            let range = member.value.lowerBound - quotes..<member.value.upperBound + quotes
            do throws(SecretMemoryError) {
                let value = try object.buffer.withSpan { text throws(SecretMemoryError) in
                    try SecretBytes(copying: text.extracting(range))
                }
                fields.append(SecretField(key: member.key, value: value))
            } catch {
                throw .outOfMemory
            }
        }
        return fields
    }
}
