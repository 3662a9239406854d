import CryptoPrimitives
import Glibc
import PortableBundle
import SophaxCore
import SophaxFiles
import SystemIO

// usage: bundle-bench key KEYFILE
//        bundle-bench create [--no-verify] [--signed] KEYFILE FOLDER BUNDLE
//        bundle-bench extract KEYFILE BUNDLE FOLDER
// Puts the files of a folder into a bundle, and takes them out again, with what the commands use; run by Benchmarks/bundle.
// A signed bundle is for a key. One that is not is for a passphrase, whose derivation costs the least that it may, so that
// it does not count.
let words = ProcessSettings.arguments().map { String(decoding: $0, as: UTF8.self) }
let arguments = words.filter { !$0.hasPrefix("--") }
let isProving = !words.contains("--no-verify")
let isSigning = words.contains("--signed")
guard arguments.count >= 2 else { fatalError("usage: bundle-bench key|create|extract …") }

let pieceLength = 1 << 20

func keyBytes() throws -> SecretBytes {
    var file = try InputFile(opening: FilePath(arguments[1]))
    let bytes = try file.readAll(limit: 32)
    return try SecretBytes(copying: bytes.span)
}

func privateKey() throws -> SXBSecret { try SXBSecret.privateKey(keyBytes()) }

func passphrase() throws -> SXBSecret { try SXBSecret.passphrase(SecretEncoding.encodeHex(keyBytes())) }

func recipient() throws -> SXBRecipient {
    if isSigning { return .publicKey(try privateKey().publicKey) }
    return .passphrase(try passphrase(), cost: try Argon2id.Parameters(memoryKiB: 19 << 10, passes: 1, lanes: 1))
}

func create() throws {
    let folder = FilePath(arguments[2])
    let files = try listFolder(folder)
    let manifest = Manifest(
        createdAt: 0, creator: "bundle-bench",
        entries: files.map {
            ManifestEntry(
                name: "attachments/\($0.name.text)", size: $0.size, content: .attachment(ByteText($0.name.bytes)))
        }
    ).text()
    let seed = try SecretBytes(randomCount: Ed25519.seedLength)
    let keys = try IdentityPublicKeys(
        signing: Ed25519.publicKey(ofSeed: seed), dh: X25519.publicKey(of: X25519.makePrivateKey()))
    var writer = try SXBWriter(
        creatingAt: FilePath(arguments[3]), recipients: [recipient()],
        signer: isSigning ? keys : nil, verifying: isProving)
    try writer.add(Array(Manifest.entryName.utf8), size: manifest.count)
    try writer.write(manifest.span)
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceLength, alignment: 4096)
    for file in files {
        try writer.add(Array("attachments/".utf8) + file.name.bytes, size: file.size)
        var input = try InputFile(opening: folder.appending(file.name))
        while true {
            let count = try input.readFully(into: memory)
            let bytes = UnsafeRawBufferPointer(rebasing: memory[..<count]).bindMemory(to: UInt8.self)
            try writer.write(bytes.span)
            if count < memory.count { break }
        }
    }
    guard isSigning else {
        _ = try writer.finish()
        return
    }
    _ = try writer.finish { (message) throws(SigningError) in try Ed25519.sign(message, seed: seed) }
}

func extract() throws {
    var reader = try SXBReader(opening: FilePath(arguments[2]), secrets: [privateKey(), passphrase()])
    let text = try reader.manifest()
    let manifest = try Manifest(text.bytes(in: 0..<text.count))
    try reader.allow(manifest.entries.map { SXBEntry($0.name, size: $0.size) })
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceLength, alignment: 4096)
    while let entry = try reader.next() {
        let name = String(decoding: entry.name, as: UTF8.self).split(separator: "/").last ?? ""
        let file = open(arguments[3] + "/" + name, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        guard file >= 0 else { fatalError("cannot create \(name)") }
        while true {
            let count = try reader.read(into: memory)
            if count == 0 { break }
            guard write(file, memory.baseAddress, count) == count else { fatalError("cannot write \(name)") }
        }
        close(file)
    }
}

switch arguments[0] {
case "key":
    var file = try OutputFile(creatingAt: FilePath(arguments[1]))
    try file.write(Random.bytes(32))
    try file.commit()
case "create": try create()
case "extract": try extract()
default: fatalError("there is no \(arguments[0])")
}
