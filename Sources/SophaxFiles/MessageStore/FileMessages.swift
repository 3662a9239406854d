import JSONCoding

/// The messages of one authentic file, and what is between them.
package struct FileMessages: Sendable {
    package let buffer: PlaintextBuffer
    package let messages: [StoredMessage]
    package let outcome: ScanOutcome

    /// Every message is strict JSON, and nothing else stands in the list.
    package var isStrict: Bool { outcome == .strict }

    /// Bytes of the text that are part of no message, brackets, commas and white space of the list aside: elements that could
    /// not be read, and what stands behind the end. All of it where the text is no list.
    package var fragments: [Range<Int>] {
        switch outcome {
        case .strict: []
        case .notMessages: buffer.count == 0 ? [] : [0..<buffer.count]
        case .stopped, .tolerant:
            Self.gaps(buffer, 0..<buffer.count, between: messages.map(\.sourceRange))
        }
    }

    /// What of `range` is in none of the `pieces`, which are in order, separators aside. The last gap is kept to its end: it
    /// may be cut in the middle of a string.
    package static func gaps(
        _ buffer: PlaintextBuffer, _ range: Range<Int>, between pieces: [Range<Int>]
    ) -> [Range<Int>] {
        buffer.withSpan { text in
            var found: [Range<Int>] = []
            var start = range.lowerBound
            for piece in pieces {
                if let gap = trimmed(text, start..<max(start, piece.lowerBound)) { found.append(gap) }
                start = max(start, piece.upperBound)
            }
            if let gap = trimmed(text, start..<max(start, range.upperBound)) {
                found.append(gap.lowerBound..<range.upperBound)
            }
            return found
        }
    }

    private static func trimmed(_ text: Span<UInt8>, _ gap: Range<Int>) -> Range<Int>? {
        var (start, end) = (gap.lowerBound, gap.upperBound)
        while start < end, isSeparator(text[start]) { start += 1 }
        while end > start, isSeparator(text[end - 1]) { end -= 1 }
        return start < end ? start..<end : nil
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ","), 0x20, 0x09, 0x0A, 0x0D: true
        default: false
        }
    }
}

extension StoreFileReader {
    /// Opens a conversation's file and reads its messages.
    package mutating func messages(of file: StoreFile) throws(StoreFileFailure) -> FileMessages {
        let (buffer, _) = try openForKeeping(file)
        return try messages(in: buffer)
    }

    /// Reads the messages of a text.
    package mutating func messages(in buffer: PlaintextBuffer) throws(StoreFileFailure) -> FileMessages {
        var list = MessageList(buffer, at: 0)
        do throws(OutOfMemory) {
            let outcome = try scanner.scan(buffer, 0..<buffer.count, into: &list)
            let isList = outcome != .notMessages
            return FileMessages(buffer: buffer, messages: isList ? list.messages : [], outcome: outcome)
        } catch {
            throw .outOfMemory(requested: error.requested)
        }
    }
}
