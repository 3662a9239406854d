import CSimdJSON
import Glibc

extension StoredMessage {
    /// Whether the two messages' own objects are the same bytes.
    package func hasSameSource(as other: StoredMessage) -> Bool {
        withSourceJSON { mine in other.withSourceJSON { Self.isSame(mine, $0) } }
    }

    /// Whether both have the same fields with the same text, in whatever order, and nothing else: their canonical forms are
    /// equal then. That is so of most messages of two copies of one history, and nothing has to be taken apart to see it.
    ///
    /// False says nothing.
    package func hasSameFields(as other: StoredMessage) -> Bool {
        let (mine, others) = (record, other.record)
        guard mine.isOrdinary, others.isOrdinary, !isAndroid, !other.isAndroid else { return false }
        let missing = mine.present ^ others.present
        if missing != 0 {
            // The app takes a missing `isEdited` for false.
            guard missing == Field.isEdited.bit, mine.edited == 0, others.edited == 0 else { return false }
        }
        for number in 0..<SXJ_FIELD_COUNT.rawValue {
            guard let field = Field(rawValue: number), mine.present & others.present & field.bit != 0 else { continue }
            guard mine.span(field).length == others.span(field).length else { return false }
            let isSame = withSource(field) { text in other.withSource(field) { Self.isSame(text, $0) } }
            guard isSame else { return false }
        }
        return true
    }

    private static func isSame(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
        guard left.count == right.count else { return false }
        return unsafe left.withUnsafeBufferPointer { one in
            unsafe right.withUnsafeBufferPointer { two in
                guard let first = one.baseAddress, let second = two.baseAddress else { return true }
                return unsafe memcmp(first, second, one.count) == 0
            }
        }
    }
}

extension MessageRecord {
    /// Each field once at most, of the type that the format says, none unknown or null, all of it strict JSON.
    fileprivate var isOrdinary: Bool {
        broken == 0 && repeated == 0 && wrong == 0 && null == 0 && unknown == 0
    }
}
