import CommandKit
import CryptoPrimitives
import Keyring
import SophaxCore
import SystemIO

/// What is known of a member's sender key, as text and as JSON.
struct GroupMemberSummary {
    let peer: PeerID
    let name: [UInt8]?
    /// Nil when only skipped keys are kept.
    let position: SenderKeyPosition?
    /// Numbers of messages whose keys are kept, ascending.
    let skipped: [UInt32]
    let isStale: Bool
    let isStaleForEarlier: Bool

    init(_ sender: GroupSender, in kept: KeptGroups, _ keys: OpenedKeys, now: Double) {
        peer = sender.peer
        name = GroupText.name(of: sender.peer, keys)
        position = kept.cipher.position(of: sender)
        skipped = kept.cipher.skippedIterations(of: sender).map(\.iteration)
        let seconds = now - KeptGroups.epoch2001
        isStale = position.map { SenderKeyPolicy.later.isStale($0, at: seconds) } ?? false
        isStaleForEarlier = position.map { SenderKeyPolicy.earlier.isStale($0, at: seconds) } ?? false
    }

    var notes: TerminalText {
        if position == nil { return "only skipped keys" }
        if isStaleForEarlier { return TerminalText(trusted: "stale", .yellow) + ": older than 30 days" }
        if isStale { return TerminalText(trusted: "stale", .yellow) + " for later versions: older than 14 days" }
        return ""
    }

    func writeMembers(now: Double, to json: inout JSONWriter) {
        json.member("peerID", peer.bytes)
        json.member("contact", name)
        GroupText.write(position, now: now, to: &json)
        json.member("stale", isStale)
        json.member("staleForEarlierApps", isStaleForEarlier)
        json.member("skippedKeys", skipped.count)
        json.member("firstSkipped", skipped.first.map { Int($0) })
        json.member("lastSkipped", skipped.last.map { Int($0) })
    }
}

/// One group, without its keys.
struct GroupSummary {
    let id: GroupID
    let members: [GroupMemberSummary]
    let own: SenderKeyPosition?
    let rotation: SenderKeyPolicy.RotationReason?
    let hasSharedKey: Bool
    let isMLS: Bool
    /// Items of the group that cannot be read.
    let unreadable: [(account: ItemAccount, reason: GroupKeyError)]

    init(_ group: GroupID, in kept: KeptGroups, _ keys: OpenedKeys, now: Double) {
        id = group
        members = kept.cipher.senders(in: group).map { GroupMemberSummary($0, in: kept, keys, now: now) }
        own = kept.cipher.ownPosition(in: group)
        rotation = own.flatMap { SenderKeyPolicy.later.rotationReason($0, at: now - KeptGroups.epoch2001) }
        hasSharedKey = kept.cipher.hasSharedKey(of: group)
        isMLS = kept.mls.contains(group)
        unreadable = kept.unreadable(of: group)
    }

    var skippedCount: Int { members.reduce(0) { $0 + $1.skipped.count } }

    /// The words for the kinds of keys in JSON.
    var kinds: [String] {
        (hasSharedKey ? ["shared-key"] : []) + (own != nil || !members.isEmpty ? ["sender-keys"] : [])
            + (isMLS ? ["mls"] : [])
    }

    var kindText: TerminalText {
        let words = kinds.map { $0 == "mls" ? "MLS" : $0 == "shared-key" ? "shared key" : "sender keys" }
        return words.isEmpty ? "–" : "\(trusted: words.joined(separator: ", "))"
    }

    /// What a person should know, shortly.
    var notes: TerminalText {
        var notes: [TerminalText] = unreadable.isEmpty ? [] : [TerminalText(trusted: "damaged", .red)]
        if rotation != nil { notes.append(TerminalText(trusted: "own key due", .yellow)) }
        let stale = members.count(where: \.isStale)
        if stale > 0 { notes.append("\(count: stale) stale") }
        if skippedCount > 0 { notes.append("\(count: skippedCount, "skipped key")") }
        return notes.joined(", ")
    }

    func writeMembers(now: Double, to json: inout JSONWriter) {
        json.member("group", id.bytes)
        json.member("conversation", id.conversation)
        json.member("kinds") { json in json.array(kinds) { json, kind in json.value(kind) } }
        json.member("own") { json in
            guard let own else { return json.null() }
            json.object { json in
                GroupText.write(own, now: now, to: &json)
                json.member("rotationDue", rotation != nil)
            }
        }
        json.member("members") { json in
            json.array(members) { json, member in
                json.object { json in member.writeMembers(now: now, to: &json) }
            }
        }
        json.member("skippedKeys", skippedCount)
        json.member("unreadable") { json in
            json.array(unreadable) { json, item in
                json.object { json in
                    json.member("item", item.account.bytes)
                    json.member("reason", item.reason.sentence)
                }
            }
        }
    }
}

/// Parts of what the group commands print.
enum GroupText {
    /// An id as errors name it: a file may hold one that fills a screen.
    static func cut(_ id: [UInt8]) -> [UInt8] {
        let longest = 80
        return id.count > longest ? Array(id.prefix(longest)) + Array("…".utf8) : id
    }

    static func name(of peer: PeerID, _ keys: OpenedKeys) -> [UInt8]? {
        if let own = keys.publicKeys, peer.matches(own.fingerprint) { return keys.username }
        return keys.name(of: peer)
    }

    /// `Alice (08c4cab788bd5f92)`, or the id alone.
    static func title(_ peer: PeerID, _ name: [UInt8]?) -> TerminalText {
        guard let name else { return "\(peer.bytes)" }
        return "\(name) (\(Array(peer.bytes.prefix(16))))"
    }

    static func unix(_ seconds: Double?) -> Double? { seconds.map { $0 + KeptGroups.epoch2001 } }

    static func write(_ position: SenderKeyPosition?, now: Double, to json: inout JSONWriter) {
        json.member("iteration", position.map { Int($0.iteration) })
        json.member("messageCount", position?.messageCount.map { Int($0) })
        json.member("created", unix(position?.createdAt).flatMap { RFC3339.format(unixSeconds: $0) })
        json.member("received", unix(position?.receivedAt).flatMap { RFC3339.format(unixSeconds: $0) })
        let time = unix(position?.receivedAt ?? position?.createdAt)
        json.member("ageSeconds", time.map { now - $0 })
    }

    static func reason(_ reason: SenderKeyPolicy.RotationReason) -> String {
        switch reason {
        case .messages(let count): "\(Quantity.count(Int(count), "message")) sent with it"
        case .age(let seconds): "\(Quantity.duration(seconds)) old"
        }
    }

    /// `at message 3, 3 sent, made 2026-11-30 12:00`.
    static func own(_ position: SenderKeyPosition, _ zone: LocalZone) -> TerminalText {
        var text: TerminalText = "at message \(Int(position.iteration))"
        if let count = position.messageCount { text += ", \(count: Int(count)) sent" }
        if let made = unix(position.createdAt) { text += ", made \(ContactText.minute(made, zone))" }
        return text
    }
}
