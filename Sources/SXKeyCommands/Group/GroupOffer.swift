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
    let refusal: Refusal?

    /// The word in JSON and a sentence, lower case, no full stop.
    struct Refusal {
        let code: String
        let reason: String
    }

    init(
        _ path: FilePath, _ group: GroupID, _ peer: PeerID?, _ kind: Kind, _ iteration: UInt32?, _ key: consuming Key,
        refusal: Refusal? = nil
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

/// Skipped keys that a file offers. A class, since keys cannot be copied.
final class OfferedSkippedKeys {
    let cipher: GroupCipher
    let loaded: SkippedKeysLoaded

    init(_ json: borrowing SecretBytes) throws(GroupKeyError) {
        var cipher = try GroupCipher(limits: .reading)
        loaded = try cipher.loadSkipped(json, at: 0)
        self.cipher = cipher
    }
}

/// What a file offers.
struct GroupOffers {
    var keys: [GroupOffer] = []
    /// The value of `skd.skipped.all`.
    var skipped: OfferedSkippedKeys?
    /// Groups of MLS, whose state is not taken.
    var mls = 0
    /// Items that are none of groups.
    var others = 0

    /// Whose the keys must be, and what stands for it where a file does not say it.
    struct Claims {
        /// Who a distribution or an invitation is from.
        var sender: PeerID?
        /// The identity that own keys must belong to.
        var own: Fingerprint?
        /// An invitation is from whom it names itself, where nobody is named: for reading, which keeps nothing.
        var trustsCreator = false
        /// Own keys are those of `own` where the file does not say whose they are.
        var areOwn = false
    }

    /// Reads a distribution, an invitation, or keychain items.
    init(_ path: FilePath, _ claims: Claims, _ context: Context) throws(CommandError) {
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
            keys = [try Self.distribution(file, path, claims.sender, context.now)]
        } else if object.has("groupName"), object.has("creatorID") {
            keys = try Self.invite(file, path, claims, context.now)
        } else if object.has("payload") || object.has("senderPeerID") || object.has("ciphertext") {
            throw .group(.messageForKeys(path))
        } else {
            try readItems(file, path, claims)
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
        _ file: borrowing SecretBytes, _ path: FilePath, _ claims: Claims, _ now: Double
    ) throws(CommandError) -> [GroupOffer] {
        // Whoever made the file named the creator in it.
        guard claims.sender != nil || claims.trustsCreator else { throw .group(.nobodyNamed(path)) }
        do throws(GroupKeyError) {
            let invite = try GroupInvite(json: file)
            // The user may know the creator by an id of another length.
            let sender = claims.sender.map { $0.isSamePerson(as: invite.creatorID) ? invite.creatorID : $0 }
            let refusal = invite.refusal(sender: sender ?? invite.creatorID).map {
                GroupOffer.Refusal(code: $0.code, reason: $0.sentence)
            }
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

    private mutating func readItems(
        _ file: borrowing SecretBytes, _ path: FilePath, _ claims: Claims
    ) throws(CommandError) {
        let items = try IdentityInput.keychainItems(file, path, for: .keychain)
        let accounts = items.map(\.account)
        let hasIdentity = accounts.contains(.signing) && accounts.contains(.dh)
        var owner = hasIdentity ? try IdentityInput.identity(of: items, path).fingerprint : nil
        if let item = items.first(where: { $0.account == .groupKeysOwner }) {
            let bytes = item.value.withSpan { bytes in bytes.indices.map { bytes[$0] } }
            let named = try? Fingerprint(bytes: bytes)
            guard let named, owner == nil || owner == named else { throw .group(.badOwner(path)) }
            owner = named
        }
        let refusal = Self.refusal(ofKeysOf: owner, claims)
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
                            path, group, nil, .ownSenderKey, iteration, .own(state), refusal: refusal))
                case .groupKey:
                    let key = try Self.copy(item.value)
                    guard key.count == SenderKeyState.keyLength else { throw .keyLength(found: key.count) }
                    keys.append(GroupOffer(path, group, nil, .sharedKey, nil, .shared(key)))
                case .skippedGroupKeys: skipped = try OfferedSkippedKeys(item.value)
                case .mlsState: mls += 1
                default: if item.account != .groupKeysOwner { others += 1 }
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

    /// Why own keys are not taken: with the keys of somebody else, two people would send with the same numbers.
    private static func refusal(ofKeysOf owner: Fingerprint?, _ claims: Claims) -> GroupOffer.Refusal? {
        guard let owner else {
            if claims.areOwn { return nil }
            return GroupOffer.Refusal(
                code: "no-owner", reason: "the file does not say whose own key it is; --own says that it is yours")
        }
        guard owner != claims.own else { return nil }
        return GroupOffer.Refusal(code: "other-identity", reason: "it is the own key of another identity")
    }

    private static func copy(_ key: borrowing SecretBytes) throws(GroupKeyError) -> SecretBytes {
        do throws(SecretMemoryError) { return try key.copy() } catch { throw .memory(error) }
    }
}
