import CSimdJSON
import JSONCoding

extension TolerantScanner {
    /// Reads one message object at `position`; nil when its brackets, keys or colons cannot be understood.
    mutating func message() -> MessageRecord? {
        let start = position
        var record = MessageRecord()
        let read = readFields { scanner, key, value in scanner.record(key, value, in: &record) }
        guard read, let offset = UInt32(exactly: start), let length = UInt32(exactly: position - start) else {
            return nil
        }
        record.offset = offset
        record.length = length
        return record
    }

    private mutating func readFields(_ take: (borrowing TolerantScanner, Value, Value) -> Void) -> Bool {
        // The closure gets the scanner for looking at keys; it cannot move it.
        let view = unsafe TolerantScanner(text)
        return elements(keyed: true, depth: 0) { key, value in
            if let key { take(view, key, value) }
        }
    }

    private func record(_ key: Value, _ value: Value, in record: inout MessageRecord) {
        record.broken |= key.broken | value.broken
        let field = fieldNamed(key)
        guard field < SXJ_FIELD_COUNT.rawValue else {
            if record.unknown < UInt16.max { record.unknown += 1 }
            return
        }
        let bit = UInt32(1) << field
        if (record.present | record.null) & bit != 0 { record.repeated |= bit }
        record.present &= ~bit
        record.null &= ~bit
        record.escaped &= ~bit
        record.wrong &= ~bit
        guard let offset = UInt32(exactly: value.range.lowerBound), let length = UInt32(exactly: value.range.count)
        else { return }
        unsafe sxj_message_set_span(&record, field, sxj_span(offset: offset, length: length))
        if value.kind == .null {
            record.null |= bit
            return
        }
        record.present |= bit
        if value.escaped { record.escaped |= bit }
        guard value.kind == expectedKind(field), value.onlyStrings || value.kind == .string else {
            record.wrong |= bit
            return
        }
        if value.kind == .bool { record.edited = value.range.count == 4 ? 1 : 0 }
        if value.kind == .number { setNumber(value.number, field, in: &record) }
    }

    private func fieldNamed(_ key: Value) -> UInt32 {
        withBytes(key.range) { name in
            key.escaped ? fieldNamed(JSONText.unescape(name).bytes.span) : fieldNamed(name)
        }
    }

    private func fieldNamed(_ name: Span<UInt8>) -> UInt32 {
        unsafe name.withUnsafeBufferPointer { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { unsafe sxj_field_named($0.baseAddress, $0.count) }
        }
    }

    /// Whether a key without escapes is one of a message.
    func isField(_ name: Span<UInt8>) -> Bool {
        fieldNamed(name) != SXJ_FIELD_COUNT.rawValue
    }

    private func expectedKind(_ field: UInt32) -> Value.Kind {
        switch field {
        case SXJ_ID.rawValue...SXJ_SENDER_ID.rawValue: .string
        case SXJ_TIMESTAMP.rawValue...SXJ_AUDIO_DURATION.rawValue: .number
        case SXJ_IS_EDITED.rawValue: .bool
        case SXJ_REACTIONS.rawValue: .object
        default: .array
        }
    }

    private func setNumber(_ number: Double, _ field: UInt32, in record: inout MessageRecord) {
        switch field {
        case SXJ_TIMESTAMP.rawValue: record.timestamp = number
        case SXJ_TIMESTAMP_MS.rawValue:
            // One slot for both; in a message with both it is the iOS one's, whatever their order.
            let ios = UInt32(1) << SXJ_TIMESTAMP.rawValue
            if record.present & ios == 0 || record.wrong & ios != 0 { record.timestamp = number }
        case SXJ_EXPIRES_AT.rawValue: record.expires_at = number
        case SXJ_RECEIVED_AT.rawValue: record.received_at = number
        case SXJ_EDITED_AT.rawValue: record.edited_at = number
        case SXJ_HOP_COUNT.rawValue: record.hop_count = number
        default: record.audio_duration = number
        }
    }
}
