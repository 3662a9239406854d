/// The name spaces that ids of related apps have in archives and exports, where they stand beside peer ids of SophaxChat:
/// anybody can write any id into a message of these apps.
package enum RelatedNames {
    /// Of messages that say no conversation.
    package static let sealed: StaticString = "sealed."

    private static let prefixes: [StaticString] = ["btmessage.", "lchat.", "conet.", "openpgp.", sealed]

    /// An id of an app, as it stands in an archive.
    package static func id(_ id: [UInt8], of app: RelatedApp) -> [UInt8] {
        Array("\(app.rawValue).".utf8) + id
    }

    /// Whether an id is one of a related app.
    package static func isRelated(_ id: [UInt8]) -> Bool {
        prefixes.contains { id.starts(with: $0.bytes) }
    }

    /// The id as the app has it.
    package static func bare(_ id: [UInt8]) -> [UInt8] {
        guard let prefix = prefixes.first(where: { id.starts(with: $0.bytes) }) else { return id }
        return Array(id.dropFirst(prefix.bytes.count))
    }

    /// The word before the id: the app, as far as it is known.
    package static func app(_ id: [UInt8]) -> [UInt8]? {
        guard let prefix = prefixes.first(where: { id.starts(with: $0.bytes) }) else { return nil }
        return Array(prefix.bytes.dropLast())
    }
}
