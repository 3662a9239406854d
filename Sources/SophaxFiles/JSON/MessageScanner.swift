import CSimdJSON
import JSONCoding

/// The flat record of one message: offsets into its document. See `CSimdJSON.h`.
package typealias MessageRecord = sxj_message

/// Takes messages as they are found.
package protocol MessageSink {
    /// Forgets everything taken so far: the document turned out not to be strict JSON and is read again from its start.
    mutating func restart()
    /// Takes the next messages, in document order. Returns false to stop.
    mutating func take(_ batch: borrowing MessageBatch) -> Bool
}

/// Some messages of one document, lent to a sink.
@safe
package struct MessageBatch: ~Copyable {
    let text: UnsafeRawBufferPointer
    let records: UnsafeBufferPointer<MessageRecord>

    /// How many messages.
    package var count: Int { unsafe records.count }

    /// Lends the records and the document they point into.
    borrowing func withRecords<R>(_ body: (Span<MessageRecord>, Span<UInt8>) -> R) -> R {
        unsafe body(records.span, text.assumingMemoryBound(to: UInt8.self).span)
    }

    /// A copy of one record.
    package subscript(index: Int) -> MessageRecord {
        precondition(index >= 0 && index < count)
        return unsafe records[index]
    }
}

/// What a scan found besides messages.
package enum ScanOutcome: Equatable, Sendable {
    /// Strict JSON, every value checked.
    case strict
    /// The sink asked to stop.
    case stopped
    /// Not strict JSON: read by the tolerant scanner, with what it could not read or had to repair.
    /// Without problems it is strict JSON all the same, such as keys with escapes.
    case tolerant(TextProblems)
    /// Not an array of messages at all.
    case notMessages

    /// Nothing in it would stop a decoder of JSON.
    package var isSound: Bool { self == .strict || self == .tolerant([]) }
}

/// Reads arrays of messages; keeps its buffers from one document to the next.
@safe
package struct MessageScanner: ~Copyable {
    /// Messages handed to the sink at a time: 256 × 280 bytes stay in the second-level cache.
    static let batchSize = 256

    private let parser: OpaquePointer
    private let batch: UnsafeMutableBufferPointer<MessageRecord>

    package init() throws(OutOfMemory) {
        guard let parser = unsafe sxj_parser_new() else { throw OutOfMemory(requested: 0) }
        unsafe self.parser = parser
        unsafe batch = .allocate(capacity: Self.batchSize)
    }

    deinit {
        unsafe sxj_parser_free(parser)
        unsafe batch.deallocate()
    }

    /// Scans a part of a buffer.
    package mutating func scan<S: MessageSink>(
        _ buffer: PlaintextBuffer, _ range: Range<Int>, into sink: inout S
    ) throws(OutOfMemory) -> ScanOutcome {
        unsafe try buffer.withUnsafeBytes(in: range) { (text) throws(OutOfMemory) in
            unsafe try scan(text, into: &sink)
        }
    }

    /// Scans `text`, behind which `PlaintextMemory.padding` bytes are readable.
    mutating func scan<S: MessageSink>(
        _ text: UnsafeRawBufferPointer, into sink: inout S
    ) throws(OutOfMemory) -> ScanOutcome {
        let status = unsafe scanStrictly(text) { records in
            unsafe sink.take(MessageBatch(text: text, records: records))
        }
        switch status {
        case SXJ_OK: return .strict
        case SXJ_STOPPED: return .stopped
        case SXJ_MEMORY: throw OutOfMemory(requested: text.count)
        case SXJ_UNEXPECTED_ROOT: return .notMessages
        case SXJ_TOO_LARGE, SXJ_NEEDS_TOLERANCE: break
        default: break
        }
        sink.restart()
        return unsafe scanTolerantly(text, into: &sink)
    }

    private mutating func scanStrictly(_ text: UnsafeRawBufferPointer, _ take: Take) -> sxj_status {
        guard text.count > 0, let bytes = unsafe text.baseAddress?.assumingMemoryBound(to: CChar.self) else {
            return SXJ_NEEDS_TOLERANCE
        }
        return unsafe withoutActuallyEscaping(take) { take in
            var take = unsafe take
            var errorOffset = 0
            return unsafe withUnsafeMutablePointer(to: &take) { context in
                unsafe sxj_scan_messages(
                    parser, bytes, text.count, batch.baseAddress, batch.count,
                    { context, records, count in
                        guard let take = unsafe context?.assumingMemoryBound(to: Take.self) else { return 1 }
                        return unsafe take.pointee(UnsafeBufferPointer(start: records, count: count)) ? 0 : 1
                    }, context, &errorOffset)
            }
        }
    }

    /// Reads single messages of a document that was scanned before; `places` are where their objects begin.
    mutating func scan<S: MessageSink>(
        _ buffer: PlaintextBuffer, _ range: Range<Int>, at places: [UInt32], into sink: inout S
    ) {
        unsafe buffer.withUnsafeBytes(in: range) { text in
            var scanner = unsafe TolerantScanner(text.assumingMemoryBound(to: UInt8.self))
            var filled = 0
            for (number, place) in places.enumerated() {
                scanner.position = Int(place)
                if let record = scanner.message() {
                    unsafe batch[filled] = record
                    filled += 1
                }
                guard unsafe filled == batch.count || number + 1 == places.count else { continue }
                let some = unsafe UnsafeBufferPointer(rebasing: batch[..<filled])
                guard filled == 0 || sink.take(unsafe MessageBatch(text: text, records: some)) else { return }
                filled = 0
            }
        }
    }

    private mutating func scanTolerantly<S: MessageSink>(
        _ text: UnsafeRawBufferPointer, into sink: inout S
    ) -> ScanOutcome {
        var scanner = unsafe TolerantScanner(text.assumingMemoryBound(to: UInt8.self))
        guard scanner.beginArray() else { return .notMessages }
        var filled = 0
        while let record = scanner.nextMessage() {
            unsafe batch[filled] = record
            filled += 1
            if unsafe filled == batch.count {
                guard unsafe sink.take(MessageBatch(text: text, records: UnsafeBufferPointer(batch))) else {
                    return .stopped
                }
                filled = 0
            }
        }
        let rest = unsafe UnsafeBufferPointer(rebasing: batch[..<filled])
        if filled > 0, !sink.take(unsafe MessageBatch(text: text, records: rest)) { return .stopped }
        return .tolerant(scanner.problems)
    }
}

private typealias Take = (UnsafeBufferPointer<MessageRecord>) -> Bool
