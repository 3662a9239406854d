import SophaxCore

/// One direction of a TCP connection, in memory: what goes in as messages comes out as frames, in pieces of any size.
struct Connection {
    private var encoder = FrameEncoder(limit: .ios)
    private var decoder = FrameDecoder(limit: .ios)

    // guide: frames
    /// Sends a message and gives what arrives; the bytes are handed over in pieces, as a socket would.
    mutating func carry(_ message: WireMessage) throws -> [WireMessage] {
        let bytes = try encoder.encode(message)
        var arrived: [WireMessage] = []
        for start in stride(from: 0, to: bytes.count, by: 1000) {
            let piece = Array(bytes[start..<min(start + 1000, bytes.count)])
            var position = 0
            while let frame = try decoder.next(in: piece.span, from: &position) {
                arrived.append(try WireMessage(json: frame))
            }
        }
        return arrived
    }
    // guide: end

    /// The one message that arrives.
    mutating func carryOne(_ message: WireMessage) throws -> WireMessage {
        guard let one = try carry(message).first else { throw PartyError.unexpected("nothing arrived") }
        return one
    }
}
