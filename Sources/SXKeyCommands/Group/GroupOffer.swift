import CommandKit
import CryptoPrimitives
import JSONCoding
import Keyring
import SophaxCore
import SophaxFiles
import SystemIO

/// One key that a file offers. A class, since keys cannot be copied.
final class GroupOffer {
    enum Key: ~Copyable {
        case peer(SenderKeyState)
        case own(SenderKeyState)
        case shared(SecretBytes)
    }

    /// What is offered; the words are those in JSON.
    enum Kind: String {
        case senderKey = "sender-key"
        case ownSenderKey = "own-sender-key"
        case sharedKey = "shared-key"
        case skippedKeys = "skipped-keys"
    }

    let path: FilePath
    let group: GroupID
    /// Whose key it is; nil for one's own and for shared ones.
    let peer: PeerID?
    let kind: Kind
    /// The number that it begins at.
    let iteration: UInt32?
    let key: Key
    /// Why it is not taken, whatever is known.
    let refusal: String?

    init(
        _ path: FilePath, _ group: GroupID, _ peer: PeerID?, _ kind: Kind, _ iteration: UInt32?, _ key: consuming Key,
        refusal: String? = nil
    ) {
        self.path = path
        self.group = group
        self.peer = peer
        self.kind = kind
        self.iteration = iteration
        self.key = key
        self.refusal = refusal
    }
}

/// What a file offers.
struct GroupOffers {
    var keys: [GroupOffer] = []
    /// The value of `skd.skipped.all`.
    var skipped: PrivateItem?
    /// Groups of MLS, whose state is not taken.
    var mls = 0
    /// Items that are none of groups.
    var others = 0

    /// Reads a distribution, an invitation, or keychain items.
    /// - Parameters:
    ///   - sender: who a distribution or invitation is from.
    ///   - own: the identity that own keys must belong to.
    init(
        _ path: FilePath, from sender: PeerID?, own: Fingerprint?, _ context: Context
    ) throws(CommandError) {
        var input = try InputFile.forCommand(path)
        context.warnOfExposure(input)
        let file: SecretBytes
        do throws(SecretInputError) {
            file = try SecretInput.keyFile(&input)
        } catch {
            throw .secret(error, what: "keys of groups")
        }
        let object: JSONObject
        do throws(FormatError) {
            object = try JSONObject(secret: file, ceiling: StoreKey.fileSizeCeiling)
        } catch {
            throw .group(.badFile(.format(error), path))
        }
        if object.has("chainKey"), object.has("groupID") {
            keys = [try Self.distribution(file, path, sender, context.now)]
        } else if object.has("groupName"), object.has("creatorID") {
            keys = try Self.invite(file, path, sender, context.now)
        } else {
            try readItems(file, path, own)
        }
    }

    private static func distribution(
        _ file: borrowing SecretBytes, _ path: FilePath, _ sender: PeerID?, _ now: Double
    ) throws(CommandError) -> GroupOffer {
        guard let sender else { throw .group(.nobodyNamed(path)) }
        do throws(GroupKeyError) {
            let distribution = try SenderKeyDistribution(json: file)
            let state = try SenderKeyState(
                chainKey: copy(distribution.chainKey),
                position: SenderKeyPosition(
                    iteration: distribution.iteration, receivedAt: now - KeptGroups.epoch2001))
            return GroupOffer(
                path, distribution.groupID, sender, .senderKey, distribution.iteration, .peer(state))
        } catch {
            throw .group(.badFile(error, path))
        }
    }

    private static func invite(
        _ file: borrowing SecretBytes, _ path: FilePath, _ sender: PeerID?, _ now: Double
    ) throws(CommandError) -> [GroupOffer] {
        do throws(GroupKeyError) {
            let invite = try GroupInvite(json: file)
            let refusal = invite.refusal(sender: sender ?? invite.creatorID).map(Self.sentence)
            var offers: [GroupOffer] = []
            switch invite.sender {
            case .some(let state):
                let iteration = state.position.iteration
                let key = try SenderKeyState(
                    chainKey: copy(state.chainKey),
                    position: SenderKeyPosition(iteration: iteration, receivedAt: now - KeptGroups.epoch2001))
                offers.append(
                    GroupOffer(
                        path, invite.groupID, invite.creatorID, .senderKey, iteration, .peer(key), refusal: refusal))
            case .none: break
            }
            switch invite.sharedKey {
            case .some(let key):
                offers.append(
                    GroupOffer(path, invite.groupID, nil, .sharedKey, nil, .shared(try copy(key)), refusal: refusal))
            case .none: break
            }
            return offers
        } catch {
            throw .group(.badFile(error, path))
        }
    }

    private static func sentence(_ refusal: GroupInvite.Refusal) -> String {
        switch refusal {
        case .notFromCreator: "it is not from the group's creator, and the apps take an invitation from nobody else"
        case .tooManyMembers(let found): "it has \(found) members, and the apps take \(GroupInvite.maximumMembers)"
        case .idTooLong(let found): "it has a member id" + Self.length(found)
        case .groupIDTooLong(let found): "its group has an id" + Self.length(found)
        case .creatorIDTooLong(let found): "its creator has an id" + Self.length(found)
        }
    }

    private static func length(_ found: Int) -> String {
        " of \(found) characters, and the apps take \(GroupInvite.maximumIDLength)"
    }

    private mutating func readItems(
        _ file: borrowing SecretBytes, _ path: FilePath, _ own: Fingerprint?
    ) throws(CommandError) {
        let items = try IdentityInput.keychainItems(file, path, for: .keychain)
        let accounts = items.map(\.account)
        let hasIdentity = accounts.contains(.signing) && accounts.contains(.dh)
        let isForeign = hasIdentity ? try IdentityInput.identity(of: items, path).fingerprint != own : false
        for item in items {
            let group = GroupID(bytes: item.account.subject)
            do throws(GroupKeyError) {
                switch item.account.kind {
                case .peerSenderKeys: keys += try Self.peers(item.value, group, path)
                case .ownSenderKey:
                    let state = try SenderKeyState(json: item.value)
                    let iteration = state.position.iteration
                    keys.append(
                        GroupOffer(
                            path, group, nil, .ownSenderKey, iteration, .own(state),
                            refusal: isForeign ? "it is the own key of another identity" : nil))
                case .groupKey:
                    let key = try Self.copy(item.value)
                    guard key.count == SenderKeyState.keyLength else { throw .keyLength(found: key.count) }
                    keys.append(GroupOffer(path, group, nil, .sharedKey, nil, .shared(key)))
                case .skippedGroupKeys: skipped = item
                case .mlsState: mls += 1
                default: others += 1
                }
            } catch {
                throw .group(.badFile(error, path))
            }
        }
        guard !keys.isEmpty || skipped != nil || mls > 0 else { throw .group(.notGroupKeys(path)) }
    }

    /// The chains of an item of members' keys, each by itself.
    private static func peers(
        _ json: borrowing SecretBytes, _ group: GroupID, _ path: FilePath
    ) throws(GroupKeyError) -> [GroupOffer] {
        var cipher = try GroupCipher()
        try cipher.loadPeers(json, of: group)
        return try cipher.senders(in: group).map { (sender) throws(GroupKeyError) in
            let state = try cipher.state(of: sender)
            let iteration = state.position.iteration
            return GroupOffer(path, group, sender.peer, .senderKey, iteration, .peer(state))
        }
    }

    private static func copy(_ key: borrowing SecretBytes) throws(GroupKeyError) -> SecretBytes {
        do throws(SecretMemoryError) { return try key.copy() } catch { throw .memory(error) }
    }
}
