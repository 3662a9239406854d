/// A path as the kernel sees it: bytes, not text. Two names that only look alike stay two names.
///
/// A path that holds a NUL byte reaches the kernel as the empty path, so every use of it fails with "not found".
package struct FilePath: Hashable, Sendable, ExpressibleByStringLiteral {
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    package init(_ text: String) {
        bytes = Array(text.utf8)
    }

    package init(stringLiteral value: String) {
        self.init(value)
    }

    /// The path as text, with U+FFFD where it is not UTF-8. Not escaped: a terminal needs `Console` for that.
    package var text: String {
        String(decoding: bytes, as: UTF8.self)
    }

    package var isAbsolute: Bool {
        bytes.first == Self.slash
    }

    /// The name after the last slash, trailing slashes aside; `/` for the root and empty for an empty path.
    package var lastComponent: FilePath {
        let end = endWithoutTrailingSlashes
        guard end > 0 else { return FilePath(bytes: bytes.isEmpty ? [] : [Self.slash]) }
        let start = bytes[..<end].lastIndex(of: Self.slash).map { $0 + 1 } ?? 0
        return FilePath(bytes: Array(bytes[start..<end]))
    }

    /// The folder that holds the last component: `.` for a plain name, `/` for the root and what is in it.
    package var parent: FilePath {
        let end = endWithoutTrailingSlashes
        guard end > 0 else { return FilePath(bytes: bytes.isEmpty ? [Self.dot] : [Self.slash]) }
        guard var cut = bytes[..<end].lastIndex(of: Self.slash) else { return FilePath(bytes: [Self.dot]) }
        while cut > 0, bytes[cut - 1] == Self.slash { cut -= 1 }
        return FilePath(bytes: cut == 0 ? [Self.slash] : Array(bytes[..<cut]))
    }

    /// This path, a slash, and `other`; an absolute `other` is joined as well and so never leaves this folder by itself.
    package func appending(_ other: FilePath) -> FilePath {
        let tail = other.bytes.drop { $0 == Self.slash }
        guard !bytes.isEmpty else { return FilePath(bytes: Array(tail)) }
        var joined = bytes
        if joined.last != Self.slash { joined.append(Self.slash) }
        joined.append(contentsOf: tail)
        return FilePath(bytes: joined)
    }

    /// The path with `suffix` after its last byte.
    package func appendingSuffix(_ suffix: String) -> FilePath {
        FilePath(bytes: bytes + Array(suffix.utf8))
    }

    /// True when the last component ends with `suffix`, byte for byte.
    package func hasSuffix(_ suffix: String) -> Bool {
        bytes.count >= suffix.utf8.count && bytes.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
    }

    /// Lends the path as a C string for one system call.
    func withCString<R>(_ body: (UnsafePointer<CChar>) -> R) -> R {
        var terminated = [CChar]()
        if !bytes.contains(0) {
            terminated.reserveCapacity(bytes.count + 1)
            for byte in bytes { terminated.append(CChar(bitPattern: byte)) }
        }
        terminated.append(0)
        return unsafe terminated.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { preconditionFailure("an array with a terminator is not empty") }
            return unsafe body(start)
        }
    }

    private var endWithoutTrailingSlashes: Int {
        var end = bytes.count
        while end > 0, bytes[end - 1] == Self.slash { end -= 1 }
        return end
    }

    private static let slash = UInt8(ascii: "/")
    private static let dot = UInt8(ascii: ".")
}
