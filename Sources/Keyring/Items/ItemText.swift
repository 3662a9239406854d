import CryptoPrimitives
import JSONCoding

/// Lists and tables of public texts in items: ids, names, numbers.
enum ItemText {
    /// Entries of one list or table; people and groups are some thousands at most.
    static let maximumEntries = 100_000

    /// An object whose values are all strings, in the order of the text.
    static func texts(of object: JSONObject) throws(FormatError) -> [(key: [UInt8], value: [UInt8])] {
        var texts: [(key: [UInt8], value: [UInt8])] = []
        for entry in try object.entries(limit: maximumEntries) {
            guard entry.kind == .string else { throw .field(String(decoding: entry.key, as: UTF8.self), .wrongType) }
            texts.append((entry.key, object.text(entry)))
        }
        return texts
    }

    /// The elements of an array that is all of a value, `kind` being that of each of them.
    static func list(
        _ value: borrowing SecretBytes, of kind: JSONMember.Kind? = nil
    ) throws(FormatError) -> (buffer: PlaintextBuffer, members: [JSONMember]) {
        let buffer: PlaintextBuffer
        do throws(SecretMemoryError) {
            buffer = try PlaintextBuffer(secretCopyOf: value)
        } catch {
            throw .outOfMemory
        }
        let members: [JSONMember]
        do throws(JSONMembers.Failure) {
            members = try JSONMembers(strictArray: buffer, 0..<buffer.count).members
        } catch {
            throw FormatError(error)
        }
        guard members.count <= maximumEntries else { throw .field("", .tooMany(limit: maximumEntries)) }
        if let kind, let wrong = members.firstIndex(where: { $0.kind != kind }) {
            throw .field("[\(wrong)]", .wrongType)
        }
        return (buffer, members)
    }

    static func isUTF8(_ bytes: Span<UInt8>) -> Bool {
        String(validating: bytes.indices.map { bytes[$0] }, as: UTF8.self) != nil
    }
}

/// Those whom the owner of an app has blocked, in either form of the item. Format: SophaxChat 5.4.
struct BlockedPeers: Sendable {
    /// Peer ids, UTF-8.
    let ids: [[UInt8]]

    init(_ value: borrowing SecretBytes) throws(FormatError) {
        let object = try JSONObject(secret: value, ceiling: ItemSeal.maximumLength)
        ids = try object.required("ids", try object.texts("ids", limit: ItemText.maximumEntries))
        if let names = try object.object("names") {
            _ = try ItemText.texts(of: names)
            return
        }
        // The first form has two lists beside each other, which fit only when they are equally long.
        let keys = try object.required(
            "names_keys", try object.texts("names_keys", limit: ItemText.maximumEntries))
        let values = try object.required(
            "names_vals", try object.texts("names_vals", limit: ItemText.maximumEntries))
        guard keys.count == values.count else {
            throw object.problem("names_vals", .wrongLength(expected: keys.count, found: values.count))
        }
    }
}
