import CryptoPrimitives
import JSONCoding
import SophaxCore
import SystemIO

/// Reads a file of wire messages, one after the other, whatever it turns out to be: one message, a message a line, frames
/// of a connection, or one of the two queues, decrypted or not. Format: SophaxChat 6.1.2, 8.8 and 8.9.
///
/// What it is, is told by the content, never by the name. Frames and lines are read as they come, so their number has no
/// limit; a queue is read as a whole.
package struct CaptureReader: ~Copyable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case message, lines, frames
        case pendingQueue = "pending-queue"
        case heldMessages = "held-messages"
        /// One of the two queues with nothing in it: they cannot be told apart then.
        case emptyQueue = "empty-queue"
    }

    /// What the file is; nil as long as it is encrypted.
    package private(set) var kind: Kind?
    /// It is, or was, encrypted under the key of a store.
    package let isEncrypted: Bool
    /// Of frames: whether the first is a hello, as that of a whole connection is; nil before it was read.
    package private(set) var beginsWithHello: Bool?

    private var source: CaptureSource
    private var decoder = FrameDecoder(limit: .android)
    private var items: [CapturedItem] = []
    private var next = 0
    private var hasEnded = false

    /// Looks what the file is. One that is neither text nor frames may be an encrypted queue: see `decrypt`.
    package static func open(_ input: consuming InputFile) throws(CaptureError) -> CaptureReader {
        try open(source(input))
    }

    /// The same for a file whose beginning somebody has looked at.
    package static func open(_ file: consuming LookedFile) throws(CaptureError) -> CaptureReader {
        try open(file.source)
    }

    /// The same; a file that is `.foreign(.payload)` is handed over as well, for it may come out of a pipe.
    package static func open(
        _ input: consuming InputFile, payload: inout [UInt8]?
    ) throws(CaptureError) -> CaptureReader {
        try open(source(input), payload: &payload)
    }

    private static func open(_ source: consuming CaptureSource) throws(CaptureError) -> CaptureReader {
        var payload: [UInt8]?
        return try open(source, payload: &payload)
    }

    private static func open(
        _ source: consuming CaptureSource, payload: inout [UInt8]?
    ) throws(CaptureError) -> CaptureReader {
        var source = source
        guard !source.ahead.isEmpty else { throw .empty }
        if isReadable(source) {
            let content: (kind: Kind, items: [CapturedItem])
            do throws(CaptureError) {
                content = try Self.content(&source)
            } catch {
                if error == .foreign(.payload) { payload = Array(source.ahead) }
                throw error
            }
            return CaptureReader(source, content.kind, content.items)
        }
        if let foreign = foreign(source.ahead) { throw .foreign(foreign) }
        return CaptureReader(source, nil, [])
    }

    private init(_ source: consuming CaptureSource, _ kind: Kind?, _ items: [CapturedItem]) {
        self.source = source
        self.kind = kind
        self.items = items
        isEncrypted = kind == nil
    }

    /// Opens an encrypted queue with the key of the store that it is of, 32 bytes.
    /// - Throws: `.notAuthentic` for another key, or damage; `.foreign(.binary)` for what is too short; what the text is not.
    package mutating func decrypt(with key: borrowing SecretBytes) throws(CaptureError) {
        guard kind == nil else { return }
        var box: [UInt8]
        do throws(FileError) {
            box = try source.readAll(limit: WireLimits.queueBytes + AEADSize.overhead)
        } catch {
            throw .file(error)
        }
        guard box.count >= AEADSize.overhead else { throw .foreign(.binary) }
        do throws(AEADError) {
            var cipher = try AESGCM(key: key)
            var span = box.mutableSpan
            let range = try cipher.openCombined(inPlace: &span)
            source.replace(with: Array(box[range]))
        } catch {
            throw error == .notAuthentic ? .notAuthentic : .cipher
        }
        guard Self.isReadable(source) else { throw .foreign(.binary) }
        let content = try Self.content(&source)
        (kind, items) = content
    }

    private static func source(_ input: consuming InputFile) throws(CaptureError) -> CaptureSource {
        do throws(FileError) { return try CaptureSource(input) } catch { throw .file(error) }
    }

    // MARK: - What it is

    private static func isReadable(_ source: borrowing CaptureSource) -> Bool {
        isText(source.ahead) || isFrames(source.ahead)
    }

    static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

    /// Whether the bytes begin as JSON does. Of what is encrypted, one in some forty would, but for what is behind.
    private static func isText(_ bytes: ArraySlice<UInt8>) -> Bool {
        let first = bytes.first { !isBlank($0) }
        guard first == nil || first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return false }
        let beginning = Array(bytes.prefix(256))
        // A letter of several bytes may be cut at the end.
        return JSONText.firstInvalidUTF8(beginning.span).map { beginning.count == 256 && $0 > 252 } ?? true
    }

    /// Whether the bytes begin with a length that a frame can have, and a brace behind it. Empty frames may come first.
    private static func isFrames(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        while rest.count >= 5 {
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(4)
            if length > 0 { return length <= FrameLimit.android.bytes && rest.first == UInt8(ascii: "{") }
        }
        return false
    }

    private static func foreign(_ bytes: ArraySlice<UInt8>) -> ForeignFile? {
        if bytes.starts(with: "SXDB".utf8) { return .sealedDatabase }
        if bytes.starts(with: "SXB2".utf8) { return .portableBundle }
        let isExport = BundleKind.allCases.contains { kind in kind.magic.map { bytes.starts(with: $0) } ?? false }
        if isExport { return .appExport }
        // Frames of CoNET are lines of base64, each of a nonce and a tag at least. A short word is anything.
        let line = bytes.prefix(4_096).prefix { $0 != 0x0A && $0 != 0x0D }
        guard line.count >= 40, line.count == 4_096 || line.count.isMultiple(of: 4) else { return nil }
        let isBase64 = bytes.prefix(4_096).allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="), 0x0A,
                0x0D:
                true
            default: false
            }
        }
        return isBase64 ? .conet : nil
    }

    private static func content(_ source: inout CaptureSource) throws(CaptureError) -> (Kind, [CapturedItem]) {
        guard isText(source.ahead) else {
            guard isFrames(source.ahead) else { throw .foreign(.binary) }
            return (.frames, [])
        }
        if CaptureDocument.areLines(source.ahead) { return (.lines, []) }
        let text: [UInt8]
        do throws(FileError) {
            text = try source.readAll(limit: WireLimits.queueBytes)
        } catch {
            throw .file(error)
        }
        guard let document = try CaptureDocument.read(text) else { return (.lines, []) }
        return (document.kind, document.items)
    }

    // MARK: - Messages

    /// The next message, or what is wrong at its place; nil at the end. An error of the file ends the reading.
    package mutating func nextItem() throws(CaptureError) -> CapturedItem? {
        do throws(FileError) {
            switch kind {
            case .lines: return try nextLine()
            case .frames: return try nextFrame()
            case nil: break
            case .message, .pendingQueue, .heldMessages, .emptyQueue:
                guard next < items.count else { return nil }
                next += 1
                return items[next - 1]
            }
        } catch {
            throw .file(error)
        }
        throw .encrypted
    }

    private mutating func nextLine() throws(FileError) -> CapturedItem? {
        while let line = try source.line(limit: WireLimits.messageBytes) {
            next += 1
            switch line {
            case .tooLong:
                return CapturedItem(
                    place: .line(next), content: .unreadable(.lineTooLong(limit: WireLimits.messageBytes)), size: nil)
            case .text(let text):
                if text.allSatisfy(Self.isBlank) { continue }
                return CapturedItem(place: .line(next), content: CaptureDocument.message(text), size: text.count)
            }
        }
        return nil
    }

    private mutating func nextFrame() throws(FileError) -> CapturedItem? {
        guard !hasEnded else { return nil }
        while true {
            let offset = decoder.offset
            do throws(FrameError) {
                let piece = source.piece
                var position = source.position
                defer { source.position = position }
                if let frame = try decoder.next(in: piece.span, from: &position) {
                    return item(frame, at: offset)
                }
            } catch .firstIsNoHello(let frame) {
                decoder.goOnWithoutHello()
                return item(frame, at: offset)
            } catch {
                if case .tooLong = error { hasEnded = true }
                return unreadable(error)
            }
            if try !source.advance() {
                hasEnded = true
                do throws(FrameError) { try decoder.finish() } catch { return unreadable(error) }
                return nil
            }
        }
    }

    private mutating func item(_ frame: [UInt8], at offset: Int) -> CapturedItem {
        let content = CaptureDocument.message(frame)
        if beginsWithHello == nil {
            beginsWithHello =
                if case .message(let message) = content { WireType(message.type) == .hello } else { false }
        }
        return CapturedItem(place: .frame(decoder.frames, offset: offset), content: content, size: frame.count)
    }

    private func unreadable(_ error: FrameError) -> CapturedItem {
        let (number, offset) =
            switch error {
            case .tooLong(let frame, let offset, _, _), .empty(let frame, let offset),
                .truncated(let frame, let offset, _):
                (frame, offset)
            case .firstIsNoHello: (1, 0)
            }
        return CapturedItem(
            place: .frame(number, offset: offset), content: .unreadable(.frame(error)), size: nil)
    }
}
