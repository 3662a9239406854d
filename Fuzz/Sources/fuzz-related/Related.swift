import CryptoPrimitives
import SophaxFiles

/// Reads the input as a file of a related app, whatever it turns out to be, and as a file with keys; opens what it reads with
/// the keys of the seeds and with its own. An envelope must read back from what is written.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    var keys = known
    if let secret = try? SecretBytes(copying: bytes.span) { try? keys.add(file: secret) }
    for kind in [nil, RelatedFileKind.lchat] {
        guard let document = try? RelatedDocument.read(bytes, as: kind) else { continue }
        let opener = RelatedOpener(keys) { () throws(OpenPGPError) in throw .notInstalled }
        for item in document.items.prefix(64) {
            _ = opener.open(item)
            check(item)
        }
    }
    return 0
}

private func check(_ item: RelatedItem) {
    guard case .envelope(let envelope) = item.content else { return }
    let written = BTMessageEnvelope(
        id: envelope.id, from: envelope.senderID, to: envelope.recipientID, ttl: envelope.ttl ?? 0, envelope.payload,
        timestamp: envelope.timestamp)
    guard let again = try? BTMessageEnvelope(json: written.source), again.kind == envelope.kind,
        again.timestamp.bitPattern == envelope.timestamp.bitPattern
    else { fatalError("the written envelope is another one") }
}

/// 32 bytes for everything, as the seeds have them.
private let known: RelatedKeys = {
    var keys = RelatedKeys()
    let bytes = [UInt8](repeating: 0x42, count: 32)
    guard let secret = try? SecretBytes(copying: bytes.span) else { fatalError("no memory") }
    try? keys.add(file: secret)
    return keys
}()
