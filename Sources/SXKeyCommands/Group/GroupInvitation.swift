import CommandKit
import Keyring
import SophaxCore

/// `--invite` and `--member`: what stands in an invitation besides the key.
struct GroupInvitation: Sendable {
    static let options: [OptionSpecification] = [
        .value("invite", "NAME", .text, "write an invitation to a group of this name"),
        .value(
            "member", "PEER", .text, "a member of the group besides you: a contact or a peer id", isRepeatable: true),
        GroupPeer.digits,
    ]

    /// UTF-8.
    let name: [UInt8]
    private let members: [[UInt8]]
    private let form: PeerID.Form

    /// Nil when no invitation is asked for.
    init?(_ arguments: ParsedArguments) throws(UsageError) {
        members = arguments.values("member")
        form = GroupPeer.form(arguments)
        guard let typed = arguments.value("invite") else {
            if !members.isEmpty { throw .other("--member is for an invitation: --invite NAME") }
            return nil
        }
        // The apps show the name to every member: no escape and no turned direction belongs in it.
        guard let name = IdentityName(typed: typed), !name.text.unicodeScalars.contains(where: Self.isUnseen) else {
            throw .other(
                "--invite is no name: 1 to \(IdentityName.maximumCharacters) characters, and none that controls the text"
            )
        }
        self.name = name.bytes
    }

    private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        // Emoji are joined with U+200D.
        case .format: scalar.value != 0x200D
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
        default: false
        }
    }

    /// The members, oneself first and everybody once, with ids of the digits that were asked for as far as they are known.
    func invite(
        from identity: KeyringIdentity, in opened: OpenedKeyring
    ) throws(CommandError) -> GroupKeyWritten.Invite {
        try invite(from: PeerID(identity.fingerprint, form: form)) { (word, form) throws(CommandError) in
            try GroupPeer.id(word, form: form, in: opened)
        }
    }

    /// The same for keys that may be of a dump, where the people may be of no keyring.
    func invite(from keys: OpenedKeys) throws(CommandError) -> GroupKeyWritten.Invite {
        guard let own = keys.publicKeys?.fingerprint else { throw .group(.noCreator(keys.origin)) }
        return try invite(from: PeerID(own, form: form)) { (word, form) throws(CommandError) in
            if let keyring = keys.keyring { return try GroupPeer.id(word, form: form, in: keyring) }
            guard let typed = GroupPeer.typed(word, form: form) else { throw .contact(.noContact(word, known: [])) }
            return typed
        }
    }

    private func invite(
        from own: PeerID, _ id: ([UInt8], PeerID.Form) throws(CommandError) -> PeerID
    ) throws(CommandError) -> GroupKeyWritten.Invite {
        var ids = [own]
        for word in members {
            let member = try id(word, form)
            if !ids.contains(where: { $0.isSamePerson(as: member) }) { ids.append(member) }
        }
        return GroupKeyWritten.Invite(name: name, members: ids, creator: own)
    }
}
