import CryptoPrimitives
import JSONCoding
import SophaxFiles
import SystemIO

/// One conversation of a merged store, and the files of both stores that it is made from.
package struct ConversationUnion: Sendable {
    /// The name in `sophax_messages`, without `.enc`.
    package let stem: ByteText
    package let conversation: ConversationID
    /// Files of the first store, the older name rule first.
    package internal(set) var first: [StoreFile]
    /// Files of the second one, likewise.
    package internal(set) var second: [StoreFile]
    /// The form that peer ids of the second store get.
    let peerIDs: PeerIDForm?

    /// Its place in the new store.
    package var target: FilePath {
        StoreFolder.messagesName.appending(FilePath(bytes: stem.bytes).appendingSuffix(".enc"))
    }

    /// What became of its messages.
    package struct Result: Sendable {
        package let conversation: ConversationID
        /// Messages of the first store.
        package var first = 0
        /// Messages of the second store, by outcome.
        package var counts = MessageMerge.Counts()
        /// Elements of the lists of the first and the second store that are no messages; their files come along beside.
        package var lostOfFirst = 0
        package var lostOfSecond = 0
        package var conflicts: [MessageMerge.Conflict] = []
        /// Messages that newer apps cannot read, and which no change could help without losing something.
        package var unreadableByApps = 0
        /// Messages that were given what newer apps require.
        package var completed = 0
    }

    /// The text of the new file. Errors: a file could not be read.
    func merged(
        _ firstKey: SharedKey, _ secondKey: SharedKey
    ) throws(ChangeStepFailure) -> (text: [UInt8], result: Result) {
        var result = Result(conversation: conversation)
        var merge = MessageMerge(
            .init([], isStrict: true, conversation: conversation), peerIDs: peerIDs)
        for list in try Self.read(first, firstKey) {
            result.lostOfFirst += list.lost
            merge.add(list.side, isOwn: true)
        }
        let items = merge.items.count
        result.first = items
        for list in try Self.read(second, secondKey) {
            result.lostOfSecond += list.lost
            merge.add(list.side)
        }
        result.counts = merge.counts
        result.conflicts = merge.conflicts
        var text = AppMessageList(reservingBytes: (first + second).reduce(0) { max($0, $1.size) })
        let rewriter = MessageRewriter()
        for item in merge.items { append(item, rewriter, to: &text, &result) }
        return (text.finished(), result)
    }

    /// A message in the newest shape where that loses nothing, else as it stands.
    private func append(
        _ item: MessageMerge.Item, _ rewriter: MessageRewriter, to text: inout AppMessageList, _ result: inout Result
    ) {
        let rewritten =
            item.written.map { rewriter.rewrite(source: $0, in: conversation) }
            ?? rewriter.rewrite(item.message, isStrict: item.isStrict, in: conversation)
        switch rewritten {
        case .changed(let json, _) where !rewritten.isLossy:
            result.completed += 1
            text.append(json)
        case .unchanged where item.written == nil: text.append(item.message)
        case .unchanged: text.append(item.json)
        case .changed, .refused:
            result.unreadableByApps += 1
            text.append(item.json)
        }
    }

    /// Proves a text: with it, neither store has a message that is not there.
    func check(
        _ text: Span<UInt8>, _ firstKey: SharedKey, _ secondKey: SharedKey
    ) throws(ChangeStepFailure) {
        let side: MessageMerge.Side
        do throws(OutOfMemory) {
            let buffer = try PlaintextBuffer(copying: text)
            var scanner = try MessageScanner()
            var list = MessageList(buffer, at: 0)
            let outcome = try scanner.scan(buffer, 0..<buffer.count, into: &list)
            side = .init(list.messages, isStrict: outcome == .strict, conversation: conversation)
        } catch {
            throw .other("no memory for \(error.requested) bytes")
        }
        var proof = MessageMerge(side)
        // One file at a time: a text needs several times its length as messages.
        for file in first { for list in try Self.read([file], firstKey) { proof.add(list.side) } }
        for file in second { for list in try Self.read([file], secondKey) { proof.add(list.side) } }
        let missing = proof.counts.total - proof.counts.alreadyThere
        guard missing == 0 else { throw .differs("\(missing) messages are not in it") }
    }

    private static func read(
        _ files: [StoreFile], _ key: SharedKey
    ) throws(ChangeStepFailure) -> [(side: MessageMerge.Side, lost: Int)] {
        guard !files.isEmpty else { return [] }
        var lists: [(side: MessageMerge.Side, lost: Int)] = []
        do throws(StoreFileFailure) {
            var reader = try ConversationReader(key: key.bytes)
            for file in files {
                for group in ConversationFiles.grouping([file]) {
                    let content = reader.read(group)
                    if let failure = content.failures.first { throw failure.failure }
                    let lost = content.problems.count(where: \.problem.losesMessage) + content.unlistedLosses
                    let side = MessageMerge.Side(
                        content.messages, isStrict: content.isStrict, conversation: content.guess)
                    lists.append((side, lost))
                }
            }
            return lists
        } catch {
            throw .source(files[0], error)
        }
    }
}
