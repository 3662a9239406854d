import CommandKit
import SophaxCore

/// Skipped keys of some groups or of all: how many there are, and how many of them the apps would drop or cannot read.
struct GroupSkipped {
    /// Keys that open a message.
    let total: Int
    /// Of those, older than 7 days, which the apps drop.
    let old: Int
    /// Of those, beyond the 200 of a member, of which the apps drop the earliest.
    let beyondLimit: Int
    /// Lists under a name that is no group and member. They open nothing, and stay as they are.
    let withoutOwner: Int
    /// Keys and lists that cannot be read. They stay as they are.
    let unreadable: Int

    /// - Parameters:
    ///   - groups: nil for all, and what belongs to none.
    ///   - now: Unix seconds.
    init(_ cipher: borrowing GroupCipher, of groups: [GroupID]? = nil, now: Double) {
        let seconds = now - KeptGroups.epoch2001
        let age = GroupKeyLimits.skippedKeyAge
        var (total, old, beyond) = (0, 0, 0)
        for group in groups ?? cipher.groups {
            for sender in cipher.senders(in: group) {
                let keys = cipher.skippedIterations(of: sender)
                total += keys.count
                old += keys.count { seconds - $0.storedAt > age }
                beyond += max(keys.count - GroupKeyLimits.app.cache, 0)
            }
        }
        (self.total, self.old, beyondLimit) = (total, old, beyond)
        let chosen = groups.map { Set($0) }
        let left = cipher.unloadedSenders
        withoutOwner = chosen == nil ? left.count { $0 == nil } : 0
        unreadable = left.count { sender in sender.map { chosen?.contains($0.group) ?? true } ?? false }
    }

    /// What there is to say of them, a line each; empty when they are as the apps keep them.
    var lines: [TerminalText] {
        var lines: [TerminalText] = []
        if unreadable > 0 {
            lines.append(
                "\(trusted: "damaged", .red)  \(count: unreadable, "skipped key or list", "skipped keys or lists") that cannot be read; kept as they are"
            )
        }
        if old + beyondLimit > 0 {
            lines.append(
                "\(trusted: "note", .dim)     \(count: old, "skipped key") older than 7 days, \(count: beyondLimit) beyond the 200 of a member: kept here, and dropped by the apps"
            )
        }
        if withoutOwner > 0 {
            lines.append(
                "\(trusted: "note", .dim)     \(count: withoutOwner, "list") of skipped keys without a group or member: kept as they are, and of no use"
            )
        }
        return lines
    }

    func writeMembers(to json: inout JSONWriter) {
        json.member("skippedExpired", old)
        json.member("skippedBeyondLimit", beyondLimit)
        json.member("skippedWithoutOwner", withoutOwner)
        json.member("skippedUnreadable", unreadable)
    }
}
