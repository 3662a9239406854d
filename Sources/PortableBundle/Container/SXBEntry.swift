/// One file of the archive inside of a bundle.
package struct SXBEntry: Hashable, Sendable {
    /// UTF-8, components between slashes.
    package let name: [UInt8]
    /// Bytes.
    package let size: Int
    /// Unix seconds; only for those who unpack the archive by hand.
    package let modified: Int64

    package init(_ name: [UInt8], size: Int, modified: Int64 = 0) {
        self.name = name
        self.size = size
        self.modified = modified
    }

    package init(_ name: String, size: Int, modified: Int64 = 0) {
        self.init(Array(name.utf8), size: size, modified: modified)
    }
}
