import CryptoPrimitives
import JSONCoding
import Testing

@testable import SophaxCore

@Suite("frames of a connection")
struct FramingTests {
    private static let hello = Array(
        #"{"type":"hello","payload":"e30=","senderID":"s","timestamp":1,"signature":""}"#.utf8)

    private static func frame(_ bytes: [UInt8]) -> [UInt8] {
        let count = bytes.count
        return [UInt8(count >> 24), UInt8(count >> 16 & 255), UInt8(count >> 8 & 255), UInt8(count & 255)] + bytes
    }

    /// The frames of a stream that is cut before these places, and how it ended.
    private func decode(
        _ stream: [UInt8], cuts: [Int], limit: FrameLimit = .ios, requiresHello: Bool = true
    ) -> (frames: [[UInt8]], errors: [FrameError]) {
        var decoder = FrameDecoder(limit: limit, requiresHello: requiresHello)
        var frames: [[UInt8]] = []
        var errors: [FrameError] = []
        let edges = [0] + cuts + [stream.count]
        outer: for (start, end) in zip(edges, edges.dropFirst()) {
            let piece = Array(stream[start..<end])
            var position = 0
            while true {
                do throws(FrameError) {
                    guard let frame = try decoder.next(in: piece.span, from: &position) else { break }
                    frames.append(frame)
                } catch {
                    errors.append(error)
                    switch error {
                    case .empty: continue
                    case .tooLong, .firstIsNoHello, .truncated: break outer
                    }
                }
            }
            #expect(position == piece.count)
        }
        do throws(FrameError) { try decoder.finish() } catch { if errors.last != error { errors.append(error) } }
        return (frames, errors)
    }

    @Test("a stream gives the same frames however it is cut")
    func cuts() {
        let messages = [Self.hello, [1], Array(repeating: 7, count: 300), [0x7B], Array("{}".utf8)]
        let stream = messages.flatMap(Self.frame)
        for cut in 0...stream.count {
            let decoded = decode(stream, cuts: [cut])
            #expect(decoded.frames == messages)
            #expect(decoded.errors.isEmpty)
        }
        #expect(decode(stream, cuts: Array(1..<stream.count)).frames == messages)
        var generator = SplitMix(state: 7)
        for _ in 0..<200 {
            let places = (0..<Int(generator.next() % 12)).map { _ in Int(generator.next() % UInt64(stream.count)) }
            #expect(decode(stream, cuts: places.sorted()).frames == messages)
        }
    }

    @Test(
        "a frame of the limit is taken, one byte more is refused as soon as its length is known",
        arguments: [(FrameLimit.ios, 3 << 20), (.earlyIOS, 4 << 20), (.android, 10 << 20)])
    func limits(limit: FrameLimit, bytes: Int) {
        #expect(limit.bytes == bytes)
        let start = Self.frame(Self.hello)
        let padding = [UInt8](repeating: 0x20, count: bytes - Self.hello.count)
        let largest = Self.frame(Self.hello + padding)
        #expect(decode(largest, cuts: [], limit: limit).frames.map(\.count) == [bytes])
        let length = bytes + 1
        let above: [UInt8] = [
            UInt8(length >> 24), UInt8(length >> 16 & 255), UInt8(length >> 8 & 255), UInt8(length & 255),
        ]
        let decoded = decode(start + above, cuts: [], limit: limit)
        #expect(decoded.frames == [Self.hello])
        #expect(
            decoded.errors == [.tooLong(frame: 2, offset: start.count, found: length, limit: bytes)])
    }

    @Test("the highest length is refused, again and again, and takes no memory")
    func overflow() {
        var decoder = FrameDecoder(limit: .android)
        let bytes: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF] + Self.frame(Self.hello)
        var position = 0
        for _ in 0..<3 {
            #expect(
                throws: FrameError.tooLong(
                    frame: 1, offset: 0, found: 4_294_967_295, limit: FrameLimit.android.bytes)
            ) {
                try decoder.next(in: bytes.span, from: &position)
            }
        }
        #expect(throws: FrameError.self) { try decoder.finish() }
    }

    @Test("an empty frame is an error, and the next one is read")
    func empty() {
        let stream = Self.frame(Self.hello) + [0, 0, 0, 0] + Self.frame([1, 2])
        let decoded = decode(stream, cuts: [])
        #expect(decoded.frames == [Self.hello, [1, 2]])
        #expect(decoded.errors == [.empty(frame: 2, offset: Self.hello.count + 4)])
    }

    @Test("the first frame must be a hello, unless the caller says that it is a part")
    func firstFrame() {
        for first in [[0x7B], Array(#"{"type":"ack"}"#.utf8), Array(#"{"type":1}"#.utf8), Array("hello".utf8)] {
            let stream = Self.frame(first) + Self.frame(Self.hello)
            let strict = decode(stream, cuts: [])
            // Whoever begins without one is not listened to any longer, also not behind an empty frame.
            #expect(strict.errors == [.firstIsNoHello(frame: first)])
            #expect(strict.frames.isEmpty)
            let behindEmpty = decode([0, 0, 0, 0] + stream, cuts: [])
            #expect(behindEmpty.errors == [.empty(frame: 1, offset: 0), .firstIsNoHello(frame: first)])
            #expect(behindEmpty.frames.isEmpty)
            let part = decode(stream, cuts: [], requiresHello: false)
            #expect(part.errors.isEmpty)
            #expect(part.frames == [first, Self.hello])
        }
    }

    @Test("who looks at a capture goes on without a hello")
    func withoutHello() throws {
        let stream = Self.frame([0x7B]) + Self.frame([1, 2])
        var decoder = FrameDecoder(limit: .ios)
        var position = 0
        for _ in 0..<2 {
            #expect(throws: FrameError.firstIsNoHello(frame: [0x7B])) {
                try decoder.next(in: stream.span, from: &position)
            }
        }
        decoder.goOnWithoutHello()
        #expect(try decoder.next(in: stream.span, from: &position) == [1, 2])
    }

    @Test("a stream that ends within a frame says what is missing, at every byte")
    func truncated() {
        let stream = Self.frame(Self.hello) + Self.frame([1, 2, 3])
        let second = Self.hello.count + 4
        for end in 0..<stream.count where end != second {
            let decoded = decode(Array(stream[..<end]), cuts: [])
            let expected: [FrameError] =
                switch end {
                case 0: []
                case 1..<4: [.truncated(frame: 1, offset: 0, missing: nil)]
                case 4..<second: [.truncated(frame: 1, offset: 0, missing: second - end)]
                case second + 1..<second + 4: [.truncated(frame: 2, offset: second, missing: nil)]
                default: [.truncated(frame: 2, offset: second, missing: stream.count - end)]
                }
            #expect(decoded.errors == expected, "\(end)")
        }
    }

    @Test("trailing bytes are the beginning of another frame")
    func trailing() {
        let stream = Self.frame(Self.hello) + Array("\r\n".utf8)
        #expect(decode(stream, cuts: []).errors == [.truncated(frame: 2, offset: stream.count - 2, missing: nil)])
        let text = Self.frame(Self.hello) + Array("GET / HTTP/1.1".utf8)
        guard case .tooLong(frame: 2, let offset, let found, _)? = decode(text, cuts: []).errors.first else {
            Issue.record("no error")
            return
        }
        #expect(offset == Self.hello.count + 4)
        #expect(found == 0x4745_5420)
    }

    @Test("what is encoded decodes, and the first message must be a hello")
    func encoding() throws {
        let hello = try WireMessage(json: Self.hello)
        let ack = try WireMessage(
            json: Array(#"{"type":"ack","payload":"e30=","senderID":"s","timestamp":1,"signature":""}"#.utf8))
        var encoder = FrameEncoder(limit: .ios)
        #expect(throws: FrameError.firstIsNoHello(frame: ack.json)) { try encoder.encode(ack) }
        let stream = try encoder.encode(hello) + encoder.encode(ack)
        #expect(decode(stream, cuts: []).frames == [hello.json, ack.json])
        #expect(encoder.frames == 2)

        func padded(_ count: Int) -> WireMessage {
            WireMessage(
                type: ack.type, payload: [UInt8](repeating: 0, count: count), senderID: ack.senderID, time: ack.time,
                signature: [])
        }
        let overhead = padded(0).json.count
        // The app that receives counts the length before the frame into its limit. Base64 grows by 4 bytes, so the member
        // that is not known takes up the rest.
        let longest = FrameLimit.ios.bytes - 4
        #expect(encoder.longest == longest)
        func message(of length: Int) throws -> WireMessage {
            var rest = length - overhead - ",\"x\":\"\"".utf8.count
            let payload = rest / 4 - 1
            rest -= payload * 4
            let json = padded(payload * 3).json.dropLast()
            return try WireMessage(json: json + Array(#","x":"\#(String(repeating: "y", count: rest))"}"#.utf8))
        }
        let fitting = try message(of: longest)
        #expect(fitting.json.count == longest)
        #expect(try encoder.encode(fitting).count == FrameLimit.ios.bytes)
        let over = try message(of: longest + 1)
        let offset = stream.count + longest + 4
        #expect(throws: FrameError.tooLong(frame: 4, offset: offset, found: longest + 1, limit: longest)) {
            try encoder.encode(over)
        }
        #expect(encoder.frames == 3)
    }

    /// Numbers that are the same in every run.
    private struct SplitMix {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = state
            value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
            return value ^ value >> 31
        }
    }
}
