import CryptoPrimitives
import Keyring
import SophaxCore

/// Opens group messages with the keys that are kept, and with those that messages of the same run handed out.
struct WireGroups: ~Copyable {
    private let keys: OpenedKeys
    private var cipher: GroupCipher
    private var loaded: Set<GroupID> = []
    private var hasSkipped = false
    /// Groups whose keys are kept and cannot be read.
    private var unreadable: [GroupID: GroupKeyError] = [:]

    init(_ keys: OpenedKeys) throws(CommandError) {
        self.keys = keys
        do throws(GroupKeyError) {
            cipher = try GroupCipher(limits: .reading)
        } catch {
            throw .secret(.memory(.exhausted(requested: SenderKeyState.keyLength)), what: KeyFileUse.keychain.what)
        }
    }

    mutating func open(_ payload: GroupMessagePayload, isOwn: Bool) throws(WireOpenFailure) -> OpenedGroupMessage {
        let group = GroupID(bytes: payload.groupID)
        load(group)
        let message = GroupCiphertext(
            iteration: payload.senderKeyIteration, body: payload.ciphertext, attachment: payload.attachmentCiphertext)
        let sender = GroupSender(group: group, peer: payload.senderPeerID)
        do throws(GroupKeyError) {
            if isOwn { try loadOwn(sender) }
            return try cipher.open(message, from: sender, at: 0)
        } catch {
            if isOwn, error == .noKey { throw .sentByOneself }
            throw .group(error == .noKey ? unreadable[group] ?? error : error)
        }
    }

    /// Takes the key that a content of `sender` hands out; one that cannot be taken opens nothing later, which says so then.
    /// - Parameter mayReplace: the user knows the sender. Of a stranger, no key takes the place of the one that all members
    ///   of a group share and that is kept: whoever is called the creator, says the invitation alone.
    mutating func take(_ content: MessageContent, from sender: PeerID, at time: Double, mayReplace: Bool) {
        if let key = content.senderKeyData, let distribution = try? SenderKeyDistribution(json: key.json) {
            load(distribution.groupID)
            _ = try? cipher.receive(distribution, from: sender, at: time)
        }
        guard let key = content.groupInviteData, let invite = try? GroupInvite(json: key.json),
            invite.creatorID.isSamePerson(as: sender)
        else { return }
        load(invite.groupID)
        switch invite.sender {
        case .some(let state):
            _ = try? cipher.receive(state, from: GroupSender(group: invite.groupID, peer: invite.creatorID), at: time)
        case .none: break
        }
        switch invite.sharedKey {
        case .some(let key):
            guard mayReplace || !cipher.hasSharedKey(of: invite.groupID) else { return }
            _ = try? cipher.receiveShared(key, of: invite.groupID)
        case .none: break
        }
    }

    /// Takes one's own chain for that of the sender. It has passed what was sent, unless the keys are of an earlier day.
    private mutating func loadOwn(_ sender: GroupSender) throws(GroupKeyError) {
        guard cipher.position(of: sender) == nil, let account = ItemAccount.ownSenderKey(sender.group.bytes),
            let json = try? keys.item(account)
        else { return }
        _ = try cipher.receive(SenderKeyState(json: json), from: sender, at: 0)
    }

    /// Loads what is kept of a group, once. To open what was captured, no key that was put aside is too old.
    private mutating func load(_ group: GroupID) {
        guard loaded.insert(group).inserted else { return }
        do throws(GroupKeyError) {
            if let account = ItemAccount.peerSenderKeys(group.bytes), let json = try? keys.item(account) {
                try cipher.loadPeers(json, of: group)
            }
            if let account = ItemAccount.groupKey(group.bytes), let key = try? keys.item(account) {
                try cipher.loadShared(key, of: group)
            }
            if !hasSkipped, let json = try? keys.item(.skippedGroupKeys) {
                try cipher.loadSkipped(json, at: 0)
            }
            hasSkipped = true
        } catch {
            unreadable[group] = error
        }
    }
}
