/// Puts messages into frames for a TCP connection: a length of 4 bytes, big-endian, and the JSON. Format: SophaxChat 8.9.
///
/// The apps that receive count the length into their limit while they collect a frame, so that what is sent is 4 bytes
/// shorter than what `FrameDecoder` takes.
public struct FrameEncoder: Sendable {
    public let limit: FrameLimit
    /// The longest JSON that is sent.
    public var longest: Int { limit.bytes - Self.lengthBytes }
    private static let lengthBytes = 4
    /// Frames that were made.
    public private(set) var frames = 0
    private var offset = 0

    public init(limit: FrameLimit) {
        self.limit = limit
    }

    /// The bytes to send for a message.
    /// - Throws: `.firstIsNoHello` unless the first message is a hello; `.tooLong` above the limit. The connection is as
    ///   before then.
    public mutating func encode(_ message: WireMessage) throws(FrameError) -> [UInt8] {
        let json = message.json
        guard frames > 0 || WireType(message.type) == .hello else { throw .firstIsNoHello(frame: json) }
        guard json.count <= longest, let length = UInt32(exactly: json.count) else {
            throw .tooLong(frame: frames + 1, offset: offset, found: json.count, limit: longest)
        }
        let bytes = (0..<Self.lengthBytes).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) } + json
        frames += 1
        offset += bytes.count
        return bytes
    }
}
