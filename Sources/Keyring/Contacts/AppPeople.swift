import CryptoPrimitives
import JSONCoding
import SophaxCore

/// What the items of an app say about people: whom its owner verified, renamed and blocked. Format: SophaxChat 5.1.
package struct AppPeople: Sendable {
    /// Peer ids with the safety number when they were verified.
    package private(set) var verified: [(id: PeerID, number: [UInt8])] = []
    /// Peer ids with the name that the owner gave.
    package private(set) var aliases: [(id: PeerID, name: [UInt8])] = []
    package private(set) var blocked: [PeerID] = []

    /// Takes what there is; an item that cannot be read says nothing.
    package init(_ items: [PrivateItem]) {
        for item in items {
            switch item.account {
            case .verifiedPeers: verified = Self.texts(item.value).map { (PeerID(bytes: $0.key), $0.value) }
            case .peerAliases: aliases = Self.texts(item.value).map { (PeerID(bytes: $0.key), $0.value) }
            case .blockedPeers: blocked = ((try? BlockedPeers(item.value))?.ids ?? []).map { PeerID(bytes: $0) }
            default: break
            }
        }
    }

    package var isEmpty: Bool { verified.isEmpty && aliases.isEmpty && blocked.isEmpty }

    private static func texts(_ value: borrowing SecretBytes) -> [(key: [UInt8], value: [UInt8])] {
        guard let object = try? JSONObject(secret: value, ceiling: ItemSeal.maximumLength) else { return [] }
        return (try? ItemText.texts(of: object)) ?? []
    }
}

/// What the contact book would take of an app's people. Only contacts that are there are in it.
package struct AppPeoplePlan: Sendable {
    /// Contacts with a current key that the number fits, and that have no mark yet.
    package fileprivate(set) var marks: [(contact: Contact, mark: VerifiedMark)] = []
    /// Contacts that have another name.
    package fileprivate(set) var names: [(contact: Contact, name: IdentityName)] = []
    /// Contacts that are not blocked.
    package fileprivate(set) var blocks: [Contact] = []
    /// Verified contacts whose number is not that of their current key: it was another one then.
    package fileprivate(set) var unfitting: [Contact] = []
    /// Entries that the contact book has already.
    package fileprivate(set) var equal = 0
    /// Entries about nobody here, or with a name that no contact can have.
    package fileprivate(set) var left = 0

    package var isEmpty: Bool { marks.isEmpty && names.isEmpty && blocks.isEmpty }
}

extension Keyring {
    /// What of an app's people is new to the contact book; nothing is changed.
    ///
    /// - Parameters:
    ///   - owner: whose app it was: Android's pair numbers are of both.
    ///   - time: Unix seconds, of the marks.
    package func plan(
        for people: AppPeople, of owner: IdentityPublicKeys, at time: Double
    ) throws(KeyringError) -> AppPeoplePlan {
        var plan = AppPeoplePlan()
        guard !people.isEmpty else { return plan }
        let contacts = try contacts()
        func contact(_ id: PeerID) -> Contact? {
            // Sixteen digits may belong to two people only by force, and then neither is meant.
            let found = contacts.filter { contact in contact.currentKey.map { id.matches($0.fingerprint) } ?? false }
            return found.count == 1 ? found.first : nil
        }
        for (id, number) in people.verified {
            guard let contact = contact(id), let key = contact.currentKey else {
                plan.left += 1
                continue
            }
            let pair = SafetyNumberPair(mine: owner, theirs: key.keys)
            let proof = SafetyNumberPair.Proof.allCases.first { Array(pair.number($0).text.utf8) == number }
            guard let proof else {
                plan.unfitting.append(contact)
                continue
            }
            if key.mark != nil {
                plan.equal += 1
            } else {
                let mark = VerifiedMark(
                    form: proof, number: pair.number(proof).text, markedAt: time, byIdentity: owner.fingerprint)
                plan.marks.append((contact, mark))
            }
        }
        for (id, alias) in people.aliases {
            guard let contact = contact(id), let name = IdentityName(typed: alias) else {
                plan.left += 1
                continue
            }
            if contact.name == name { plan.equal += 1 } else { plan.names.append((contact, name)) }
        }
        for id in people.blocked {
            guard let contact = contact(id) else {
                plan.left += 1
                continue
            }
            if contact.isBlocked { plan.equal += 1 } else { plan.blocks.append(contact) }
        }
        return plan
    }

    /// Does what the plan says, as a whole or not at all.
    package func take(_ plan: AppPeoplePlan, at time: Double) throws(KeyringError) {
        try changing { () throws(KeyringError) in
            for (contact, mark) in plan.marks { try self.mark(contact, mark) }
            for (contact, name) in plan.names { try rename(contact, to: name, at: time) }
            for contact in plan.blocks { _ = try setBlocked(contact, true, at: time) }
        }
    }
}
