import JSONCoding

/// Takes the bytes of a TCP connection in pieces of any size and gives the frames: a length of 4 bytes, big-endian, and so
/// many bytes of a message's JSON.
///
/// At most one frame is kept, and no more memory is taken than bytes have come, whatever a length says. The first frame
/// must be a `hello`. Format: SophaxChat 8.9.
///
/// ```swift
/// var position = 0
/// while let frame = try decoder.next(in: bytes.span, from: &position) { … }
/// ```
public struct FrameDecoder: Sendable {
    public let limit: FrameLimit
    private let requiresHello: Bool
    /// What came of the length, then of the frame.
    private var header: [UInt8] = []
    private var frame: [UInt8] = []
    private var expected: Int?
    private var failure: FrameError?
    private var hasSeenHello = false

    /// Frames that were begun, so the number of the next one, counted from 1, is one more.
    public private(set) var frames = 0
    /// Where the frame that is being read begins, counted from the first byte of the connection.
    public private(set) var offset = 0
    private var consumed = 0

    /// - Parameters:
    ///   - limit: of the app that this connection is with.
    ///   - requiresHello: false for a part of a connection, as a capture may be.
    public init(limit: FrameLimit, requiresHello: Bool = true) {
        self.limit = limit
        self.requiresHello = requiresHello
    }

    /// Takes bytes from `position` on, to the end of the next frame, and gives that frame; nil when more bytes are needed,
    /// and all were taken.
    ///
    /// - Throws: `.tooLong` and `.firstIsNoHello`, from then on at every call, for the app closes such a connection; `.empty`,
    ///   after which the next call goes on with the next frame.
    public mutating func next(in bytes: Span<UInt8>, from position: inout Int) throws(FrameError) -> [UInt8]? {
        if let failure { throw failure }
        while position < bytes.count {
            guard let expected else {
                try takeLength(bytes[position])
                position += 1
                if self.expected == 0 { throw endEmpty() }
                continue
            }
            let amount = min(expected - frame.count, bytes.count - position)
            for index in position..<position + amount { frame.append(bytes[index]) }
            position += amount
            consumed += amount
            if frame.count == expected { return try endFrame() }
        }
        return nil
    }

    /// Goes on after `.firstIsNoHello`, as somebody who looks at a capture does, and no daemon.
    public mutating func goOnWithoutHello() {
        guard case .firstIsNoHello? = failure else { return }
        failure = nil
        hasSeenHello = true
    }

    /// Says that no more bytes come.
    /// - Throws: `.truncated` within a frame; `.tooLong` again.
    public func finish() throws(FrameError) {
        if let failure { throw failure }
        if let expected {
            throw .truncated(frame: frames, offset: offset, missing: expected - frame.count)
        }
        if !header.isEmpty { throw .truncated(frame: frames + 1, offset: offset, missing: nil) }
    }

    private mutating func takeLength(_ byte: UInt8) throws(FrameError) {
        header.append(byte)
        consumed += 1
        guard header.count == 4 else { return }
        let length = header.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        frames += 1
        guard let found = Int(exactly: length), found <= limit.bytes else {
            let error = FrameError.tooLong(
                frame: frames, offset: offset, found: Int(clamping: length), limit: limit.bytes)
            failure = error
            throw error
        }
        header.removeAll(keepingCapacity: true)
        expected = found
    }

    private mutating func endEmpty() -> FrameError {
        let error = FrameError.empty(frame: frames, offset: offset)
        expected = nil
        offset = consumed
        return error
    }

    private mutating func endFrame() throws(FrameError) -> [UInt8] {
        let complete = frame
        frame = []
        expected = nil
        offset = consumed
        if requiresHello, !hasSeenHello {
            guard complete.isHello else {
                let error = FrameError.firstIsNoHello(frame: complete)
                failure = error
                throw error
            }
            hasSeenHello = true
        }
        return complete
    }
}

extension [UInt8] {
    /// Whether these bytes are the JSON of a message of type `hello`; what is in it is not looked at.
    fileprivate var isHello: Bool {
        guard let object = try? JSONObject(self, ceiling: WireLimits.messageBytes),
            let type = try? object.text("type")
        else { return false }
        return WireType(type) == .hello
    }
}
