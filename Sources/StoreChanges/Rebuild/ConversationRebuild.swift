import CryptoPrimitives
import JSONCoding
import SophaxFiles

/// Makes one list of messages out of one file or more, as `RebuildRules` want it.
///
/// The same files give the same list each time, so that it can be looked at for the plan, made for the new folder, and made
/// once more for the proof.
package struct ConversationRebuild: Sendable {
    /// What came of it.
    package struct Result: Sendable {
        /// The new list.
        package var text: [UInt8] = []
        package var counts = RebuildCounts()
        /// What the list does not hold.
        package var aside: [AsideEntry] = []
        /// What each message in the list says, in order, taken from the sources wherever the change keeps that.
        var expected: [Expected] = []
        /// The only file says all this already, in strict JSON: it need not be written.
        package var isUnchanged = false
    }

    /// What a message of the new list says.
    enum Expected: Sendable {
        /// The same as one of the old files.
        case message(StoredMessage)
        /// SHA-256 of its canonical form.
        case hash([UInt8])
    }

    /// Older files first.
    package let sources: [StoreFile]
    /// The conversation that the file belongs to by its name, for messages that do not say.
    package let guess: ConversationID
    package let rules: RebuildRules

    package init(_ sources: [StoreFile], guess: ConversationID, rules: RebuildRules) {
        self.sources = sources
        self.guess = guess
        self.rules = rules
    }

    /// Makes the list. `proving`: what it says is wanted as well.
    package func make(
        _ reader: inout StoreFileReader, proving: Bool = false
    ) throws(ChangeStepFailure) -> Result {
        var result = Result()
        var lists: [List] = []
        var isSound = sources.count == 1
        for file in sources {
            let read = try read(file, &reader)
            if !read.outcome.isSound { isSound = false }
            for fragment in read.fragments {
                result.counts.fragments += 1
                result.aside.append(entry(file, guess, .fragment, read.buffer.bytes(in: fragment)))
            }
            result.counts.read += read.messages.count
            lists.append(List(file: file, messages: read.messages, isStrict: read.isStrict))
        }
        let kept = choose(lists, &result)
        let rewriter = rules.rewriter
        var list = AppMessageList(reservingBytes: sources.reduce(0) { $0 + $1.size })
        for item in kept { write(item, rewriter, &list, &result, proving: proving) }
        result.counts.written = list.count
        result.text = list.finished()
        result.isUnchanged = isSound && result.aside.isEmpty && result.counts.saysAllAsBefore
        return result
    }

    private struct List {
        let file: StoreFile
        let messages: [StoredMessage]
        let isStrict: Bool
    }

    private struct Item {
        let file: StoreFile
        let message: StoredMessage
        let isStrict: Bool
        /// Set where it was united with another state of itself.
        var united: [UInt8]?

        var json: [UInt8] { united ?? message.sourceJSON }
        var isObject: Bool { isStrict || StrictJSON.isObject(json) }
    }

    private func read(_ file: StoreFile, _ reader: inout StoreFileReader) throws(ChangeStepFailure) -> FileMessages {
        do throws(StoreFileFailure) { return try reader.messages(of: file) } catch { throw .source(file, error) }
    }

    private func entry(
        _ file: StoreFile, _ conversation: ConversationID, _ reason: AsideEntry.Reason, _ source: [UInt8]
    ) -> AsideEntry {
        AsideEntry(file: file.stem, conversation: conversation, reason: reason, source: source)
    }

    // MARK: - One of each

    /// The messages of all lists, those that come twice resolved, in order of time where several lists meet.
    private func choose(_ lists: [List], _ result: inout Result) -> [Item] {
        var kept: [Item] = []
        var places: [Key: Int] = [:]
        for item in Self.inOrder(lists) {
            guard let key = Key(item.message, guess, rules.peerIDs) else {
                kept.append(item)
                continue
            }
            guard let place = places[key] else {
                places[key] = kept.count
                kept.append(item)
                continue
            }
            switch relation(kept[place], item) {
            case .same: result.counts.copies += 1
            case .merged(let json):
                result.counts.united += 1
                kept[place].united = json
            case .conflicting:
                result.counts.refused += 1
                result.aside.append(
                    entry(
                        item.file, item.message.conversation ?? guess, .conflictingID, item.message.sourceJSON))
            }
        }
        return kept
    }

    /// The rules of a merge (design section 8).
    private func relation(_ first: Item, _ second: Item) -> MessagePair.Verdict {
        let (one, other) = (first.json, second.json)
        if one == other
            || CanonicalMessage(source: one, peerIDs: rules.peerIDs)
                == CanonicalMessage(source: other, peerIDs: rules.peerIDs)
        {
            return .same
        }
        guard first.isObject, second.isObject, let pair = MessagePair(one, other) else {
            return .conflicting(ByteText([]))
        }
        return pair.verdict()
    }

    /// What makes two messages the same one: the id in its conversation; an empty id is none.
    private struct Key: Hashable {
        let conversation: [UInt8]
        let id: [UInt8]

        init?(_ message: StoredMessage, _ guess: ConversationID, _ form: PeerIDForm?) {
            guard let id = message.id, !id.bytes.isEmpty, id.problem == nil else { return nil }
            let own = (message.conversation ?? guess).text.bytes
            conversation = form?.id(own) ?? own
            self.id = id.bytes
        }
    }

    /// All messages; each list keeps its own order, and between lists the earlier one goes first.
    private static func inOrder(_ lists: [List]) -> [Item] {
        var rests = lists.map { list in
            list.messages.map { Item(file: list.file, message: $0, isStrict: list.isStrict) }[...]
        }
        if rests.count == 1 { return Array(rests[0]) }
        var order: [Item] = []
        order.reserveCapacity(rests.reduce(0) { $0 + $1.count })
        while let next = rests.indices.filter({ !rests[$0].isEmpty }).min(by: { time(rests[$0]) < time(rests[$1]) }) {
            order.append(rests[next].removeFirst())
        }
        return order
    }

    private static func time(_ items: ArraySlice<Item>) -> Double {
        guard let message = items.first?.message else { return .infinity }
        let time = (message.time(.receivedAt) ?? message.time)?.unixSeconds ?? -.infinity
        return time.isNaN ? -.infinity : time
    }

    // MARK: - The new list

    private func write(
        _ item: Item, _ rewriter: MessageRewriter, _ list: inout AppMessageList, _ result: inout Result, proving: Bool
    ) {
        let message = item.message
        func expect(_ json: [UInt8]?) {
            guard proving else { return }
            if let json = json ?? item.united {
                let canonical = CanonicalMessage(source: json, peerIDs: rules.peerIDs).bytes
                result.expected.append(.hash(SHA256.hash(canonical.span)))
            } else {
                result.expected.append(.message(message))
            }
        }
        if !rules.forNewestApp, rules.peerIDs == nil, item.isObject {
            list.append(item.json)
            expect(nil)
            return
        }
        let rewritten =
            item.united.map { rewriter.rewrite(source: $0, in: guess) }
            ?? rewriter.rewrite(message, isStrict: item.isStrict, in: guess)
        switch rewritten {
        case .unchanged:
            list.append(item.json)
            expect(nil)
        case .changed(let json, let changes):
            list.append(json)
            result.counts.changed += 1
            for kind in Set(changes.map(\.kind)) { result.counts.changes[kind, default: 0] += 1 }
            if let loss = changes.first(where: \.kind.isLoss) {
                let conversation = message.conversation ?? guess
                result.aside.append(entry(item.file, conversation, .lossy(loss.kind), item.json))
            }
            let saysTheSame = changes.allSatisfy { Self.silent.contains($0.kind) }
            expect(saysTheSame ? nil : json)
        case .refused(let refusal):
            result.counts.refused += 1
            result.aside.append(entry(item.file, message.conversation ?? guess, .refused(refusal), item.json))
        }
    }

    /// Changes that the canonical form does not see.
    private static let silent: Set<MessageChange.Kind> = [.addedIsEdited, .droppedNull, .droppedCopy, .changedPeerID]
}

// MARK: - For the mechanism

extension ConversationRebuild {
    /// The new file: made, and after it was read back compared with the old ones message by message.
    package var produced: ProducedText {
        ProducedText(
            produce: { (reader) throws(ChangeStepFailure) in try make(&reader).text },
            check: { (reader, text) throws(ChangeStepFailure) in try check(text, &reader) })
    }

    /// Holds the list that was read back against the old files.
    private func check(_ text: Span<UInt8>, _ reader: inout StoreFileReader) throws(ChangeStepFailure) {
        let expected = try make(&reader, proving: true)
        guard expected.counts.addsUp else {
            throw .differs("\(expected.counts.read) messages were read, and the counts do not add up to that")
        }
        let back: FileMessages
        do {
            back = try reader.messages(in: PlaintextBuffer(copying: text))
        } catch let error as StoreFileFailure {
            throw .source(sources[0], error)
        } catch {
            throw .other("no memory for \(text.count) bytes")
        }
        guard back.outcome.isSound else { throw .differs("the new list is not strict JSON") }
        guard back.messages.count == expected.expected.count else {
            throw .differs("\(back.messages.count) messages in place of \(expected.expected.count)")
        }
        for (message, expected) in zip(back.messages, expected.expected) where !says(message, expected) {
            throw .differs("message \(message.id?.string ?? "without id") says something else")
        }
    }

    private func says(_ message: StoredMessage, _ expected: Expected) -> Bool {
        switch expected {
        case .message(let source):
            // As most do: nothing has to be taken apart then.
            if message.hasSameFields(as: source) { return true }
            let canonical = CanonicalMessage(source: source.sourceJSON, peerIDs: rules.peerIDs)
            return CanonicalMessage(message, peerIDs: rules.peerIDs) == canonical
        case .hash(let hash):
            let bytes = CanonicalMessage(message, peerIDs: rules.peerIDs).bytes
            return SHA256.hash(bytes.span) == hash
        }
    }
}
