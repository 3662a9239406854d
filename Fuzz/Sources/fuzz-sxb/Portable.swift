// The first byte chooses what the rest is: a whole file, the JSON of a header, frames of compressed text, an archive behind a
// right manifest, the text of a signature, or a header of an entry.

import CryptoPrimitives
import Glibc
import SystemIO

@testable import PortableBundle

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    guard let choice = input.first else { return 0 }
    let rest = Array(input.dropFirst())
    switch choice % 6 {
    case 0: file(rest)
    case 1: header(rest)
    case 2: bundle(compressed: rest)
    case 3: bundle(compressed: stored(manifest + rest))
    case 4: signature(rest)
    default: entry(rest)
    }
    return 0
}

private let fuzzKey: SXBSecret = {
    guard let bytes = try? SecretBytes(copying: [UInt8](repeating: 7, count: 32).span),
        let key = try? SXBSecret.privateKey(bytes)
    else { fatalError("no key") }
    return key
}()

/// A file without a name that holds one input after the other.
private let scratch: Int32 = {
    var template = Array("/tmp/sxkey-fuzz-XXXXXX".utf8CString)
    let file = mkstemp(&template)
    unlink(template)
    return file
}()

private let manifest = entryBytes("manifest.json", Array("{}".utf8))
private let declared = [SXBEntry("a", size: 3), SXBEntry("d/b", size: 600)]

private func entryBytes(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
    TarHeader.bytes(SXBEntry(name, size: bytes.count)) + bytes
        + [UInt8](repeating: 0, count: TarHeader.padding(bytes.count))
}

private func file(_ bytes: [UInt8]) {
    ftruncate(scratch, 0)
    _ = bytes.withUnsafeBytes { pwrite(scratch, $0.baseAddress, $0.count, 0) }
    guard let input = try? InputFile(descriptor: dup(scratch), path: "fuzz") else { fatalError("no file") }
    do throws(SXBError) {
        let layout = try BundleFileLayout(input)
        precondition(layout.payload.upperBound + 16 == bytes.count)
        // A passphrase would take the time of its derivation.
        guard layout.content.kind == .publicKey else { return }
        let unlocked = try layout.unlock([fuzzKey])
        var archive = try ArchiveReader(layout, fileKey: unlocked.key)
        _ = try archive.manifest()
        try archive.allow(declared)
        while try archive.next() != nil {}
    } catch {}
}

private func header(_ text: [UInt8]) {
    guard let content = try? HeaderContent(parsing: text) else { return }
    precondition(content.text == text)
}

private func signature(_ text: [UInt8]) {
    guard let found = try? SignatureEntry(parsing: text) else { return }
    precondition(found.text == text)
}

private func entry(_ bytes: [UInt8]) {
    let block = Array(bytes.prefix(512))
    guard block.count == 512 else { return }
    let pax = bytes.count > 512 ? Array(bytes[512...]) : nil
    guard let found = TarHeader.entry(block, pax: pax) else { return }
    precondition(TarHeader.bytes(found).suffix(512).elementsEqual(block))
}

private func stored(_ bytes: [UInt8]) -> [UInt8] {
    var frame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0, 0x38]
    var place = 0
    repeat {
        let end = min(place + 1 << 17, bytes.count)
        let head = (end - place) << 3 | (end == bytes.count ? 1 : 0)
        frame += (0..<3).map { UInt8(truncatingIfNeeded: head >> (8 * $0)) } + bytes[place..<end]
        place = end
    } while place < bytes.count
    return frame
}

/// A right bundle around what may be wrong.
private func bundle(compressed: [UInt8]) {
    do throws(SXBError) {
        let fileKey = try FileKey()
        let list = try RecipientList([.publicKey(fuzzKey.publicKey)])
        let header = try list.header(bundleID: Random.bytes(32), fileKey: fileKey)
        var bytes = try header.beginning(fileKey)
        var chunks = try ChunkStream(key: fileKey.payloadKey(), context: header.context)
        bytes += chunks.prefix
        var sealed: [UInt8] = []
        let sink = { (piece: Span<UInt8>) throws(SXBError) in
            for index in piece.indices { sealed.append(piece[index]) }
        }
        let span = compressed.span
        try span.withUnsafeBytes { (text) throws(SXBError) in try chunks.write(text, to: sink) }
        try chunks.end(to: sink)
        bytes += sealed
        file(bytes + BundleTrailer.bytes(fileLength: bytes.count + 16))
    } catch {
        fatalError("\(error)")
    }
}
