import CryptoPrimitives
import SystemIO
import TestSupport

@testable import PortableBundle

/// Bundles whose insides are made by hand: anything can be put where the writer would not.
struct RawBundle {
    let key: SXBSecret
    let kind: SXBKind
    let path: String

    init(_ path: String) throws {
        self.path = path
        key = try SampleBundle.key()
        kind = .publicKey
    }

    /// Writes a bundle with this compressed text.
    func write(compressed: [UInt8]) throws {
        let fileKey = try FileKey()
        let list = try RecipientList([.publicKey(key.publicKey)])
        let header = try list.header(bundleID: Random.bytes(32), fileKey: fileKey)
        var file = try header.beginning(fileKey)
        var chunks = try ChunkStream(key: fileKey.payloadKey(), context: header.context)
        file += chunks.prefix
        var sealed: [UInt8] = []
        let sink = { (bytes: Span<UInt8>) throws(SXBError) in
            for index in bytes.indices { sealed.append(bytes[index]) }
        }
        try unsafe compressed.withUnsafeBytes { bytes in try unsafe chunks.write(bytes, to: sink) }
        try chunks.end(to: sink)
        file += sealed
        file += BundleTrailer.bytes(fileLength: file.count + 16)
        write(file: file)
    }

    /// Writes a bundle with this archive.
    func write(archive: [UInt8]) throws {
        var frames = try FrameWriter()
        var text: [UInt8] = []
        let sink = { (bytes: UnsafeRawBufferPointer) throws(SXBError) in unsafe text.append(contentsOf: bytes) }
        try unsafe archive.withUnsafeBytes { bytes in try unsafe frames.write(bytes, to: sink) }
        try unsafe frames.end(to: sink)
        try write(compressed: text)
    }

    func write(file: [UInt8]) {
        writeBytes(file, to: path)
    }

    /// The error that reading gives, when the manifest says that `declared` follow.
    func error(_ declared: [SXBEntry] = []) -> SXBError? {
        SampleBundle.error(path, [key], declared: declared)
    }
}

/// Archives made by hand.
enum RawArchive {
    static let end = [UInt8](repeating: 0, count: 1024)

    static func entry(_ name: String, _ bytes: [UInt8] = []) -> [UInt8] {
        TarHeader.bytes(SXBEntry(name, size: bytes.count)) + bytes
            + [UInt8](repeating: 0, count: TarHeader.padding(bytes.count))
    }

    static let manifest = entry("manifest.json", SampleBundle.manifest)

    /// A header that is changed at one place and gets its checksum again.
    static func changed(_ header: [UInt8], at place: Int, to bytes: [UInt8]) -> [UInt8] {
        var header = header
        header.replaceSubrange(place..<(place + bytes.count), with: bytes)
        header.replaceSubrange(148..<156, with: Array("        ".utf8))
        let sum = header.prefix(512).reduce(0) { $0 + Int($1) }
        let digits = String(sum, radix: 8)
        let text = String(repeating: "0", count: 6 - digits.count) + digits
        header.replaceSubrange(148..<156, with: Array(text.utf8) + [0, 0x20])
        return header
    }
}
