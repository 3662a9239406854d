// A message document of any bytes: the strict scan, the tolerant scan, the audit, and every field of every message.

import CSimdJSON
import JSONCoding
@testable import SophaxFiles

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do {
        let input = Array(UnsafeBufferPointer(start: bytes, count: count))
        let buffer = try PlaintextBuffer(copying: input)
        var scanner = try MessageScanner()
        var audit = MessageAudit(now: 1_800_000_000)
        let outcome = try scanner.scan(buffer, 0..<count, into: &audit)

        var read = ReadEverything(buffer: buffer)
        let again = try scanner.scan(buffer, 0..<count, into: &read)
        precondition(again == outcome)
        precondition(read.messages == audit.tally.messages)

        // Where the strict parser is content, the tolerant scanner finds the same messages and mends nothing.
        if outcome == .strict {
            input.withUnsafeBufferPointer { text in
                var tolerant = TolerantScanner(text)
                precondition(tolerant.beginArray())
                var found: [MessageRecord] = []
                while let message = tolerant.nextMessage() { found.append(message) }
                precondition(tolerant.problems.isEmpty)
                precondition(found.count == read.records.count)
                for (strict, tolerant) in zip(read.records, found) {
                    precondition(strict.offset == tolerant.offset && strict.length == tolerant.length)
                    precondition(strict.present == tolerant.present && strict.null == tolerant.null)
                    precondition(strict.wrong == tolerant.wrong)
                    precondition(strict.escaped & ~strict.wrong == tolerant.escaped & ~strict.wrong)
                    precondition(strict.repeated == tolerant.repeated && strict.edited == tolerant.edited)
                    let timed = StoredMessage.Field.timestamp.bit | StoredMessage.Field.timestampMs.bit
                    precondition(strict.present & timed == 0 || same(strict.timestamp, tolerant.timestamp))
                }
            }
        }
    } catch {
        fatalError("\(error)")
    }
    return 0
}

private func same(_ a: Double, _ b: Double) -> Bool { a == b || (a.isNaN && b.isNaN) }

/// Reads every field of every message and checks that what it reads lies inside of the document.
private struct ReadEverything: MessageSink {
    let buffer: PlaintextBuffer
    var messages = 0
    var records: [MessageRecord] = []

    init(buffer: PlaintextBuffer) {
        self.buffer = buffer
    }

    mutating func restart() {
        messages = 0
        records.removeAll()
    }

    mutating func take(_ batch: borrowing MessageBatch) -> Bool {
        let shared = StoredMessage.Batch(batch, in: buffer, at: 0)
        for index in 0..<batch.count {
            let record = batch[index]
            let message = StoredMessage(shared, index)
            records.append(record)
            messages += 1
            let source = message.sourceJSON
            precondition(source.first == UInt8(ascii: "{") && source.last == UInt8(ascii: "}"))
            for field in StoredMessage.Field.allCases {
                _ = message.source(field)
                if let text = message.text(field) {
                    precondition(String(validating: text.bytes, as: UTF8.self) != nil || text.problem != nil)
                }
                _ = message.number(field)
                _ = message.time(field)?.isPlausible
                _ = message.list(field)
            }
            _ = message.reactions
            _ = message.isEdited
            _ = message.status
        }
        return true
    }
}
