import JSONCoding
import SophaxFiles

/// Reads messages again from source JSON that was kept one by one, many at a time.
package struct SourceScanner: ~Copyable {
    /// The source JSON of a message.
    package struct Source: Sendable {
        package let json: [UInt8]
        package let platform: MessagePlatform
        package let isStrict: Bool

        package init(json: [UInt8], platform: MessagePlatform, isStrict: Bool) {
            self.json = json
            self.platform = platform
            self.isStrict = isStrict
        }
    }

    private var scanner: MessageScanner

    package init() throws(OutOfMemory) {
        scanner = try MessageScanner()
    }

    /// The message of each source; nil where it is none.
    ///
    /// Strict neighbours of one platform are scanned together; what is not strict might swallow its neighbours.
    package mutating func messages(_ sources: [Source]) throws(OutOfMemory) -> [StoredMessage?] {
        var messages: [StoredMessage?] = []
        messages.reserveCapacity(sources.count)
        var start = 0
        while start < sources.count {
            var end = start + 1
            if sources[start].isStrict {
                while end < sources.count, sources[end].isStrict, sources[end].platform == sources[start].platform {
                    end += 1
                }
            }
            let found = try scan(Self.list(sources[start..<end]), sources[start].platform)
            if found.count == end - start {
                messages += found
            } else {
                // One of them is not what it was; the others must not be lost with it.
                for source in sources[start..<end] { messages.append(try message(source)) }
            }
            start = end
        }
        return messages
    }

    /// One message alone; nil where its text is none.
    package mutating func message(_ source: Source) throws(OutOfMemory) -> StoredMessage? {
        let found = try scan(Self.list([source]), source.platform)
        guard found.count == 1, found[0].sourceRange.count == source.json.count else { return nil }
        return found[0]
    }

    private mutating func scan(_ list: [UInt8], _ platform: MessagePlatform) throws(OutOfMemory) -> [StoredMessage] {
        let buffer = try PlaintextBuffer(copying: list)
        var messages = MessageList(buffer, at: 0, platform: platform)
        _ = try scanner.scan(buffer, 0..<buffer.count, into: &messages)
        return messages.messages
    }

    private static func list(_ sources: ArraySlice<Source>) -> [UInt8] {
        var list: [UInt8] = []
        list.reserveCapacity(sources.reduce(2) { $0 + $1.json.count + 1 })
        list.append(UInt8(ascii: "["))
        for source in sources {
            if list.count > 1 { list.append(UInt8(ascii: ",")) }
            list += source.json
        }
        list.append(UInt8(ascii: "]"))
        return list
    }
}
