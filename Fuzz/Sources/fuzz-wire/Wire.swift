import CryptoPrimitives
import JSONCoding
import SophaxCore
import SophaxFiles

/// Reads the input as a message, as frames in pieces, and as a queue. What was read must read back the same from what is
/// written, and frames must not depend on how they were cut.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    if let message = try? WireMessage(json: bytes) { check(message, depth: 0) }
    if let secret = try? SecretBytes(copying: bytes.span), let content = try? MessageContent(json: secret) {
        guard (try? MessageContent(json: content.json())) == content else { fatalError("another content") }
    }
    for type in WireType.allCases {
        guard let payload = try? WirePayload(type: Array(type.rawValue.utf8), payload: bytes) else { continue }
        check(payload)
    }
    if let queue = try? PendingQueue(json: bytes) {
        for entry in queue.entries { if let item = try? entry.item.get() { check(item.wire, depth: 0) } }
        let json = queue.json
        guard let again = try? PendingQueue(json: json), again.json == json, again.entries.count == queue.entries.count,
            again.damagedLists.count == queue.damagedLists.count
        else { fatalError("another queue") }
    }
    if let held = try? HeldMessages(json: bytes) {
        for item in held.items { if let item = try? item.get() { check(.storeAndForward(item)) } }
        let json = held.json
        guard let again = try? HeldMessages(json: json), again.json == json, again.items.count == held.items.count
        else { fatalError("other messages are held") }
    }
    checkFrames(bytes)
    return 0
}

private func check(_ payload: WirePayload) {
    guard let again = try? WirePayload(type: payload.type, payload: payload.json), again == payload else {
        fatalError("the written payload is another one")
    }
}

private func check(_ message: WireMessage, depth: Int) {
    guard let again = try? WireMessage(json: message.json), again == message,
        again.timestamp.bitPattern == message.timestamp.bitPattern
    else { fatalError("the written message is another one") }
    precondition(!message.isSigned(by: [UInt8](repeating: 0, count: 32)))
    var book = SenderBook()
    let payload = try? message.readPayload()
    _ = book.judge(message, payload)
    if let payload { check(payload) }
    if case .relay(let relay) = payload, depth < 16 {
        check(relay.message, depth: depth + 1)
        if let next = relay.nextHop { precondition(next.ttl < relay.ttl && next.hopCount > relay.hopCount) }
    }
}

private func checkFrames(_ bytes: [UInt8]) {
    let whole = frames(bytes, pieces: [bytes.count])
    let sizes = bytes.prefix(8).map { Int($0 % 7) + 1 }
    guard frames(bytes, pieces: sizes.isEmpty ? [1] : sizes) == whole else { fatalError("frames depend on the cuts") }
}

/// The frames of the bytes, given in pieces of these sizes over and over.
private func frames(_ bytes: [UInt8], pieces: [Int]) -> [[UInt8]] {
    var decoder = FrameDecoder(limit: .android, requiresHello: false)
    var frames: [[UInt8]] = []
    var place = 0
    var turn = 0
    while place < bytes.count {
        let size = max(pieces[turn % pieces.count], 1)
        let piece = Array(bytes[place..<min(bytes.count, place + size)])
        place += piece.count
        turn += 1
        var position = 0
        while true {
            do throws(FrameError) {
                guard let frame = try decoder.next(in: piece.span, from: &position) else { break }
                frames.append(frame)
            } catch {
                if case .tooLong = error { return frames }
            }
        }
    }
    return frames
}
