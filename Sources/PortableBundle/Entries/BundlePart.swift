import SophaxFiles

/// What a bundle may hold, in the order in which it stands there.
package enum BundlePart: String, CaseIterable, Comparable, Hashable, Sendable {
    /// The two identity keys, the name, and all other items of an identity that are not in the parts below.
    case identity
    /// Signed, one-time and post-quantum prekeys with their private halves.
    case preKeys = "prekeys"
    /// People: their keys, verified marks and history, and the items of the keychain that are about people.
    case contacts
    /// Groups and their keys.
    case groups
    /// States of ratchets; only when asked for.
    case sessions
    /// The messages, one entry a conversation.
    case conversations
    /// What waits beside the conversations, such as messages that were not sent yet.
    case blobs
    case attachments

    package static func < (left: BundlePart, right: BundlePart) -> Bool { left.place < right.place }

    private var place: Int { Self.allCases.firstIndex(of: self) ?? Self.allCases.count }

    /// The name of the one entry that is this part; nil for a part of many entries.
    package var documentName: String? {
        switch self {
        case .identity, .preKeys, .contacts, .groups, .sessions: rawValue + ".json"
        case .conversations, .blobs, .attachments: nil
        }
    }

    /// What the names of its entries begin and end with; nil for a part of one entry.
    var nameForm: (prefix: String, suffix: String)? {
        switch self {
        case .identity, .preKeys, .contacts, .groups, .sessions: nil
        case .conversations: ("conversations/", ".jsonl")
        case .blobs: ("blobs/", ".json")
        case .attachments: ("attachments/", "")
        }
    }

    /// Parts with private keys in them: they are made and read in wiped memory only.
    package var isSecret: Bool { documentName != nil }

    /// Bytes of one document at most; the largest items are some megabytes, and there are thousands of prekeys at most.
    package static let documentCeiling = 128 << 20

    /// The part whose items are called so. Format: SophaxChat 5.1.
    package init(ofAccount account: [UInt8]) {
        func begins(_ words: [StaticString]) -> Bool {
            words.contains { word in word.withUTF8Buffer { unsafe account.starts(with: $0) } }
        }
        func isOne(_ words: [StaticString]) -> Bool {
            words.contains { word in word.withUTF8Buffer { unsafe account.elementsEqual($0) } }
        }
        if begins(["spk.", "otpk.", "pqspk."]) {
            self = .preKeys
        } else if begins(["group.key.", "skd.", "mls.state."]) {
            self = .groups
        } else if begins(["session.", "stale.session."]) {
            self = .sessions
        } else if isOne([
            "verified.peers", "peer.aliases", "blocked.peers", "pinned.messages", "linked.devices", "trustedWipePeers",
        ]) {
            self = .contacts
        } else {
            self = .identity
        }
    }

    /// Accounts whose values say whom the owner trusts: verified marks, and devices and people with rights on this one. A
    /// bundle of somebody unknown must not bring them.
    package static func isTrust(_ account: [UInt8]) -> Bool {
        let names: [StaticString] = ["verified.peers", "linked.devices", "trustedWipePeers"]
        return names.contains { name in name.withUTF8Buffer { unsafe account.elementsEqual($0) } }
    }
}
