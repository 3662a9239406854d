/// An invitation to a workspace of lchat: `https://host/join/<slug>#<T>`. What is behind the `#` is a secret, which is never
/// shown.
package struct LChatInvite: Hashable, Sendable {
    package let host: [UInt8]
    package let slug: [UInt8]
    /// Letters of the secret.
    package let tokenLength: Int

    private static let longest = 4_096

    /// Nil for a text that is no such link. White space around it is left out.
    package init?(_ text: [UInt8]) {
        let blanks: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]
        guard text.count <= Self.longest, let first = text.firstIndex(where: { !blanks.contains($0) }),
            let last = text.lastIndex(where: { !blanks.contains($0) })
        else { return nil }
        let link = text[first...last]
        let scheme = Array("https://".utf8)
        guard link.starts(with: scheme), link.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        let parts = link.dropFirst(scheme.count).split(
            separator: UInt8(ascii: "#"), maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].isEmpty else { return nil }
        let path = parts[0].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard path.count == 3, !path[0].isEmpty, path[1].elementsEqual("join".utf8), !path[2].isEmpty else {
            return nil
        }
        host = Array(path[0])
        slug = Array(path[2])
        tokenLength = parts[1].count
    }
}
