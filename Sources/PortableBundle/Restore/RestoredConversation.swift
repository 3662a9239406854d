import JSONCoding
import SophaxFiles

/// The messages of one conversation of a bundle.
struct RestoredConversation {
    let id: ConversationID
    /// In the shape that iOS keeps in its store.
    let messages: [StoredMessage]
    /// Every line is strict JSON.
    let isStrict: Bool
    /// Messages that the entry has.
    let found: Int
    /// Lines that are no message.
    let lost: Int

    /// - Parameter readAt: Unix seconds for messages of Android without a time, which Android takes to be of now.
    init(
        _ lines: consuming [UInt8], of id: ConversationID, platform: MessagePlatform, readAt: Double,
        _ result: inout RestoredStore
    ) throws(OutOfMemory) {
        self.id = id
        let (messages, outcome) = try ConversationText.messages(of: lines, platform: platform)
        found = messages.count
        switch outcome {
        case .strict, .stopped: lost = 0
        case .tolerant(let problems): lost = problems.losses
        case .notMessages: lost = 1
        }
        if messages.contains(where: \.isAndroid) {
            self.messages = try Self.converted(messages, isStrict: outcome.isSound, id, readAt, &result)
            isStrict = true
        } else {
            self.messages = messages
            isStrict = outcome.isSound
        }
        result.messages += self.messages.count
    }

    /// A store has the messages of iOS: those of Android are changed into them.
    private static func converted(
        _ messages: [StoredMessage], isStrict: Bool, _ id: ConversationID, _ readAt: Double,
        _ result: inout RestoredStore
    ) throws(OutOfMemory) -> [StoredMessage] {
        let conversion = PlatformConversion.toIOS(readAt: readAt)
        var list = AppMessageList()
        for message in messages {
            guard message.isAndroid else {
                list.append(message)
                continue
            }
            let rewritten = conversion.convert(message, isStrict: isStrict, in: id)
            switch rewritten {
            case .unchanged: list.append(message)
            case .changed(let json, _): list.append(json)
            case .refused:
                result.refusedMessages += 1
                continue
            }
            result.converted += 1
            if rewritten.isLossy { result.lossy += 1 }
        }
        let buffer = try PlaintextBuffer(copying: list.finished())
        var scanner = try MessageScanner()
        var found = MessageList(buffer, at: 0)
        _ = try scanner.scan(buffer, 0..<buffer.count, into: &found)
        return found.messages
    }

    /// Adds the messages as they stand in the bundle.
    func append(to list: inout AppMessageList, _ result: inout RestoredStore) {
        let rewriter = MessageRewriter(for: .ios)
        var isAtRisk = !isStrict
        for message in messages {
            list.append(message)
            if !isAtRisk, case .unchanged = rewriter.rewrite(message, isStrict: isStrict, in: id) { continue }
            isAtRisk = true
        }
        if isAtRisk { result.atRisk += 1 }
    }
}
