/// What a person may have, and which export of the apps holds it (formats section 9).
package enum PortableKind: String, CaseIterable, Hashable, Sendable {
    /// The two private keys and the name.
    case identity
    case messages
    /// Keys and names of people.
    case contacts
    /// Files that messages refer to.
    case attachments
    /// Names and members of groups.
    case groups
    case groupKeys = "group-keys"
    case preKeys = "prekeys"
    /// Ratchets.
    case sessions
    case aliases
    case verifiedMarks = "verified-marks"
    case blockedPeople = "blocked-people"
    case pinnedMessages = "pinned-messages"
    case timers
    /// Earlier keys of people, and when they were seen.
    case keyHistory = "key-history"
    /// Messages that wait to be sent or passed on, and other files beside the conversations.
    case blobs
    case linkedDevices = "linked-devices"
    case shares
    /// The post-quantum keys of the identity, its picture, and other items of the keychain.
    case otherItems = "other-items"

    /// What the kind's own app brings back from such a file, not only what stands in it.
    package func isHeld(by kind: BundleKind) -> Bool {
        switch self {
        case .identity: kind == .identity || kind == .fullExport
        case .messages: kind != .identity
        // The full export has them, but no app version takes them out again (formats section 3.4); nor does Android's.
        case .contacts: kind == .backup
        case .attachments, .groups, .groupKeys, .preKeys, .sessions, .aliases, .verifiedMarks, .blockedPeople,
            .pinnedMessages, .timers, .keyHistory, .blobs, .linkedDevices, .shares, .otherItems:
            false
        }
    }

    /// What stands in the file, whether an app reads it or not.
    package func isWritten(in kind: BundleKind) -> Bool {
        isHeld(by: kind) || (self == .contacts && kind != .identity)
    }
}

/// Something that an export will not hold, with how many there are of it.
package struct FormatLoss: Equatable, Sendable {
    /// Why it will be missing.
    package enum Reason: Hashable, Sendable {
        /// The format has no place for it.
        case noPlace(PortableKind)
        /// It stands in the file, but no app version takes it out again.
        case notRestored(PortableKind)
        /// Contacts whose keys are not known, which iOS requires.
        case contactsWithoutKeys
        /// Messages that the app could not read, and why.
        case messagesRefused(MessageRefusal)
        /// Messages of which something cannot be kept.
        case messagesChanged(MessageChange)
        /// The Android app drops all but the last 500 messages of a conversation when it saves; they stand in the file.
        case droppedByAndroid

        /// A short code for JSON output.
        package var code: String {
            switch self {
            case .noPlace(let kind): kind.rawValue
            case .notRestored(let kind): "\(kind.rawValue)-not-restored"
            case .contactsWithoutKeys: "contacts-without-keys"
            case .messagesRefused: "messages-refused"
            case .messagesChanged(let change): "messages-\(change.kind.rawValue)"
            case .droppedByAndroid: "dropped-by-android"
            }
        }
    }

    package let reason: Reason
    package var count: Int

    package init(_ reason: Reason, count: Int) {
        self.reason = reason
        self.count = count
    }
}

/// Counts what will be lost, in the order in which it is first met.
package struct FormatLosses: Sendable {
    package private(set) var all: [FormatLoss] = []
    private var places: [FormatLoss.Reason: Int] = [:]

    package init() {}

    package var isEmpty: Bool { all.isEmpty }

    package mutating func add(_ reason: FormatLoss.Reason, count: Int = 1) {
        guard count > 0 else { return }
        if let place = places[reason] {
            all[place].count += count
        } else {
            places[reason] = all.count
            all.append(FormatLoss(reason, count: count))
        }
    }

    /// What of this does not come back from an export of `kind`; `inventory` says how much there is.
    package mutating func add(_ inventory: [PortableKind: Int], notHeldBy kind: BundleKind) {
        for part in PortableKind.allCases where !part.isHeld(by: kind) {
            add(part.isWritten(in: kind) ? .notRestored(part) : .noPlace(part), count: inventory[part] ?? 0)
        }
    }

    /// What was lost of a message.
    package mutating func add(_ message: RewrittenMessage) {
        switch message {
        case .unchanged: break
        case .changed(_, let changes):
            for change in changes where change.kind.isLoss { add(.messagesChanged(change)) }
        case .refused(let refusal): add(.messagesRefused(refusal))
        }
    }
}
