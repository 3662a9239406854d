/// Two messages with one id, from any two sources: whether they are one, and which of them to show.
///
/// The same whichever comes first, so that an archive shows the same in whatever order its sources came.
package enum MessageMeeting: Equatable, Sendable {
    /// One message; the second adds nothing.
    case known(secondIsBetter: Bool)
    /// One message at two times, or as two versions of an app write it; the second knows something that the first does not.
    case changed(secondIsBetter: Bool)
    /// Two messages; the key in which they differ, empty where one of them is not strict JSON.
    case conflicting(ByteText)

    /// A message, and whether its own object is strict JSON.
    package struct Side {
        let message: StoredMessage
        let isStrict: Bool
        let json: [UInt8]
        let canonical: CanonicalMessage

        package init(_ message: StoredMessage, isStrict: Bool) {
            self.message = message
            self.isStrict = isStrict
            json = message.sourceJSON
            canonical = CanonicalMessage(message, peerIDs: .short)
        }
    }

    package init(_ first: Side, _ second: Side) {
        if first.canonical == second.canonical {
            self = .known(secondIsBetter: Self.isLess(first, second))
            return
        }
        if let related = RelatedMeeting(first, second) {
            if let key = related.difference {
                self = .conflicting(ByteText(key))
            } else {
                self = .known(secondIsBetter: related.secondIsBetter ?? Self.isLess(first, second))
            }
            return
        }
        guard let pair = Self.pair(first, second) else {
            self = .conflicting(ByteText([]))
            return
        }
        let secondIsBetter = pair.secondIsNewer ?? Self.isLess(first, second)
        switch pair.verdict() {
        case .same: self = .known(secondIsBetter: secondIsBetter)
        case .merged: self = .changed(secondIsBetter: secondIsBetter)
        case .conflicting(let key): self = .conflicting(key)
        }
    }

    /// What decides between two that are equally new: iOS tells more than Android, long ids more than short ones.
    private static func isLess(_ first: Side, _ second: Side) -> Bool {
        if first.message.isAndroid != second.message.isAndroid { return first.message.isAndroid }
        if first.json.count != second.json.count { return first.json.count < second.json.count }
        return first.json.lexicographicallyPrecedes(second.json)
    }

    /// Nil where one is not strict JSON. Of two platforms, Android's is taken as iOS has it.
    private static func pair(_ first: Side, _ second: Side) -> MessagePair? {
        guard first.isStrict, second.isStrict else { return nil }
        switch (first.message.isAndroid, second.message.isAndroid) {
        case (false, false): return MessagePair(first.json, second.json)
        case (true, true): return MessagePair(first.json, second.json, platform: .android)
        case (false, true):
            return converted(second, beside: first).flatMap { MessagePair(first.json, $0) }
        case (true, false):
            return converted(first, beside: second).flatMap { MessagePair($0, second.json) }
        }
    }

    private static func converted(_ android: Side, beside ios: Side) -> [UInt8]? {
        let conversion = PlatformConversion.toIOS().beside(ios.json)
        guard case .changed(let json, _) = conversion.convert(android.message, isStrict: true) else { return nil }
        return json
    }
}
