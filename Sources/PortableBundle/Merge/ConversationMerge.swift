import JSONCoding
import SophaxCore
import SophaxFiles

/// Merges the conversations of two bundles, message by message (`MessageMerge`).
///
/// App versions disagree about the length of peer ids: a conversation that the two bundles have under ids of 16 and of 32
/// digits is one, and keeps the id of the first bundle.
enum ConversationMerge {
    /// The merged conversations, in the order of their ids.
    static func merged(
        _ first: MergeContent, _ second: MergeContent, _ names: inout EntryNames, _ report: inout MergeReport
    ) throws(EntryError) -> [HeldText] {
        var pairs = pair(first.conversations, second.conversations)
        pairs.sort { $0.id < $1.id }
        var held: [HeldText] = []
        for pair in pairs { held.append(try merged(pair, &names, &report)) }
        return held
    }

    /// What the two sides have of one conversation.
    private struct Pair {
        var id: ConversationID
        var first: MergeContent.Conversation?
        var second: MergeContent.Conversation?
    }

    private static func pair(
        _ first: [MergeContent.Conversation], _ second: [MergeContent.Conversation]
    ) -> [Pair] {
        var pairs = first.map { Pair(id: $0.id, first: $0, second: nil) }
        var places: [ConversationID: Int] = [:]
        for (place, pair) in pairs.enumerated() { places[pair.id] = place }
        var left: [MergeContent.Conversation] = []
        for conversation in second {
            if let place = places[conversation.id], pairs[place].second == nil {
                pairs[place].second = conversation
            } else {
                left.append(conversation)
            }
        }
        // Those of the first side that nothing was found for, under the short form of their ids.
        var alone: [ConversationID: [Int]] = [:]
        for (place, pair) in pairs.enumerated() where pair.second == nil {
            alone[PeerIDForm.short.conversation(pair.id), default: []].append(place)
        }
        for conversation in left {
            let short = PeerIDForm.short.conversation(conversation.id)
            // Of one length they only begin alike: those are two people.
            if let others = alone[short], others.count == 1,
                pairs[others[0]].id.text.bytes.count != conversation.id.text.bytes.count
            {
                pairs[others[0]].second = conversation
                alone[short] = nil
            } else {
                pairs.append(Pair(id: conversation.id, first: nil, second: conversation))
            }
        }
        return pairs
    }

    private static func merged(
        _ pair: Pair, _ names: inout EntryNames, _ report: inout MergeReport
    ) throws(EntryError) -> HeldText {
        let name = names.name(for: pair.id.text, in: .conversations)
        guard let mine = pair.first, let theirs = pair.second else {
            guard let only = pair.first ?? pair.second else { throw .missing(entry: name) }
            let lines = only.lines.reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) }
            if pair.first == nil {
                report[.conversations].fromSecond += lines
            } else {
                report[.conversations].fromFirst += lines
            }
            return HeldText(
                name: name, bytes: only.lines, content: .conversation(pair.id, only.platform, messages: lines))
        }
        let merge: MessageMerge
        do throws(OutOfMemory) {
            merge = MessageMerge(try side(mine, pair.id), try side(theirs, theirs.id), peerIDs: form(mine, theirs))
        } catch {
            throw .outOfMemory(requested: error.requested)
        }
        var lines: [UInt8] = []
        lines.reserveCapacity(mine.lines.count + theirs.lines.count / 8)
        for item in merge.items { ConversationText.append(item.json, to: &lines) }
        count(merge, pair.id, &report)
        let platform: MessagePlatform = mine.platform == theirs.platform ? mine.platform : .ios
        return HeldText(
            name: name, bytes: lines, content: .conversation(pair.id, platform, messages: merge.items.count))
    }

    private static func side(
        _ conversation: MergeContent.Conversation, _ id: ConversationID
    ) throws(OutOfMemory) -> MessageMerge.Side {
        let (messages, outcome) = try ConversationText.messages(
            of: conversation.lines, platform: conversation.platform)
        return MessageMerge.Side(messages, isStrict: outcome == .strict, conversation: id)
    }

    /// The form that peer ids of the second side get; nil where both have the same.
    private static func form(
        _ first: MergeContent.Conversation, _ second: MergeContent.Conversation
    ) -> PeerIDForm? {
        guard first.id != second.id else { return nil }
        let id = PeerID(bytes: first.id.text.bytes)
        return id.form.digits == PeerIDForm.short.digits ? .short : .long(known: [id])
    }

    private static func count(_ merge: MessageMerge, _ id: ConversationID, _ report: inout MergeReport) {
        let counts = merge.counts
        report[.conversations].fromFirst +=
            merge.items.count - counts.new - counts.conflicting
            - counts.alreadyThere - counts.changed
        report[.conversations].fromSecond += counts.new
        report[.conversations].same += counts.alreadyThere
        report[.conversations].updated += counts.changed
        report[.conversations].conflicting += counts.conflicting
        for conflict in merge.conflicts {
            let field = conflict.field.bytes.isEmpty ? "" : " in \(conflict.field.string)"
            report.note(
                .conversations, conflict.id, "two messages with this id, which differ\(field): both are kept", in: id)
        }
    }
}
