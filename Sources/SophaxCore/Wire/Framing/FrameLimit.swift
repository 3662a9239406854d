/// The longest frame that an app takes. Format: SophaxChat 8.9.
public struct FrameLimit: Hashable, Sendable {
    /// Bytes of a frame, its length not counted.
    public let bytes: Int

    /// 3 MiB: iOS apps since they use TLS.
    public static let ios = FrameLimit(bytes: 3 << 20)
    /// 4 MiB: earlier iOS apps.
    public static let earlyIOS = FrameLimit(bytes: 4 << 20)
    /// 10 MiB: Android, and the most that any app takes.
    public static let android = FrameLimit(bytes: 10 << 20)

    init(bytes: Int) {
        self.bytes = bytes
    }
}

/// Why bytes are no frames, or a message is none that can be sent as one.
public enum FrameError: Error, Equatable, Sendable {
    /// A frame is longer than the limit: either no frame begins there, or it is none that the app would take. Nothing
    /// behind it can be read.
    case tooLong(frame: Int, offset: Int, found: Int, limit: Int)
    /// A frame of no bytes, which is no message. The next frame can be read.
    case empty(frame: Int, offset: Int)
    /// The first frame holds no `hello`. The next frame can be read.
    case firstIsNoHello(frame: [UInt8])
    /// The bytes end within a frame; `missing` are the bytes that its length promises and that did not come, nil when
    /// the length itself is cut off.
    case truncated(frame: Int, offset: Int, missing: Int?)
}
