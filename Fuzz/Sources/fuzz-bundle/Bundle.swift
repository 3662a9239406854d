// The first byte chooses: the header of an export of any bytes, or the decrypted text of an export of one of the kinds.

import CryptoPrimitives
import JSONCoding
@testable import SophaxFiles

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    guard let choice = input.first else { return 0 }
    let rest = Array(input.dropFirst())
    switch choice % 8 {
    case 0: header(rest, nil, "a.sxfe")
    case 1: header(rest, .android, "a.sxfe")
    case 2: header(rest, nil, "sophaxchat-backup.bin")
    case 3: header(rest, .backup, "")
    case 4: content(rest, .identity)
    case 5: content(rest, .backup)
    case 6: content(rest, .fullExport)
    default: content(rest, .android)
    }
    return 0
}

private func header(_ bytes: [UInt8], _ kind: BundleKind?, _ name: String) {
    guard let file = try? BundleFile(bytes: bytes, forcedKind: kind, fileName: Array(name.utf8)) else { return }
    precondition(file.header.payloadSize >= 1)
    precondition(file.header.length + file.header.payloadSize + BundleHeader.tagLength == bytes.count)
    precondition(file.header.iterations ?? 1 <= BundleLimits.standard.iterationCeiling)
    precondition(file.header.nonce.count == 12)
}

private func content(_ text: [UInt8], _ kind: BundleKind) {
    do {
        var memory = try SecretBytes(count: text.count + PlaintextMemory.padding)
        memory.withUnsafeMutableBytes { $0.copyBytes(from: text) }
        let header = BundleHeader(
            kind: kind, version: 1, iterations: 1, salt: [], nonce: [], length: 0, fileSize: text.count)
        let bundle = OpenedBundle(
            header: header, derivation: .pbkdf2(iterations: 1), passphraseForm: .typed, limits: .standard,
            text: PlaintextBuffer(secret: memory, text: 0..<text.count))
        guard let content = try? BundleContent.read(bundle, now: 1_800_000_000) else { return }
        guard let backup = content.backup else { return }
        var count = 0
        for conversation in backup.messages.conversations {
            let messages = try backup.messages.messages(of: conversation)
            precondition(messages.count == conversation.messages)
            var lines = MessageLines()
            for message in messages { lines.append(message, in: conversation.id, isStrict: false) }
            count += messages.count
        }
        precondition(count == backup.messages.count)
    } catch {
        fatalError("\(error)")
    }
}
