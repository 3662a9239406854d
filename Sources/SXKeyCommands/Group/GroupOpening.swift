import CryptoPrimitives
import Keyring
import SophaxCore
import SophaxFiles
import SystemIO

/// What became of one message.
struct GroupMessageResult {
    let captured: CapturedGroupMessage
    /// Nil where it is no group message, and of one that was not tried.
    var outcome: Result<OpenedGroupMessage, GroupKeyError>?
    /// Nothing proves that the sender made it, and a key would be used up by it: it was not tried.
    var isLeftClosed = false

    /// The payload of a group message.
    var payload: GroupMessagePayload? {
        if case .message(let payload) = captured.content { return payload }
        return nil
    }

    /// What the messages are counted by; the words are those in JSON.
    enum Kind: String, CaseIterable {
        case opened
        case noKey = "no-key"
        case tooFar = "too-far"
        case alreadyUsed = "already-used"
        case notAuthentic = "not-authentic"
        /// With `--advance`: not proven to be from the sender.
        case unproven
        case unreadable
        /// Sealed for somebody else, changed, or too deep.
        case sealed
        case mls
    }

    var kind: Kind {
        switch captured.content {
        case .unreadable: return .unreadable
        case .sealed: return .sealed
        case .mls: return .mls
        case .message: break
        }
        if isLeftClosed { return .unproven }
        switch outcome {
        case .success: return .opened
        case .failure(.noKey), nil: return .noKey
        case .failure(.tooFarAhead): return .tooFar
        case .failure(.keyGone), .failure(.chainExhausted): return .alreadyUsed
        case .failure(.notAuthentic): return .notAuthentic
        case .failure: return .unreadable
        }
    }

    /// The payload names another sender than the envelope: whoever has the group's keys can make such a message.
    var isFromAnother: Bool {
        guard let payload, let sender = captured.envelopeSender else { return false }
        return !payload.senderPeerID.isSamePerson(as: sender)
    }

    /// Something is wrong with who it is from.
    var isFinding: Bool {
        guard payload != nil else { return false }
        return captured.proof.strength == .bad || captured.proof.strength == .replacedKey || isFromAnother
    }

    /// The sender made it: it may move his chain, and use up its key.
    var isFromSender: Bool { captured.proof.isSigned && captured.envelopeSender != nil && !isFromAnother }
}

/// Keys that a file brings, for this reading only. A class, since keys cannot be copied.
final class GroupReadingKeys {
    var cipher: GroupCipher

    init(_ offers: GroupOffers, limits: GroupKeyLimits) throws(GroupKeyError) {
        cipher = try GroupCipher(
            limits: GroupKeyLimits(skip: limits.skip, cache: limits.cache, total: limits.total, keyAge: .infinity))
        for offer in offers.keys.sorted(by: { ($0.iteration ?? 0) < ($1.iteration ?? 0) }) {
            switch offer.key {
            case .peer(let state):
                let sender = GroupSender(group: offer.group, peer: offer.peer ?? PeerID(bytes: []))
                // A later one of the same chain changes nothing; the earliest opens the most.
                _ = try cipher.receive(state, from: sender, at: 0)
            case .own: break
            case .shared(let key): _ = try cipher.receiveShared(key, of: offer.group)
            }
        }
        if let skipped = try offers.skipped?.cipher.skipped() { try cipher.loadSkipped(skipped, at: 0) }
    }
}

/// Opens captured messages, each sender's in the order in which they were sent.
struct GroupOpening {
    /// Files whose keys are tried after the kept ones.
    let others: [GroupReadingKeys]
    /// Seconds since 2001.
    let now: Double
    /// One's own keys as members know them, whose chains may open own messages; nil in a run that changes the keyring.
    let own: Fingerprint?
    /// The chains move on for good: only a message that is proven to be from its sender may move one.
    let advances: Bool

    /// The results in the order of the messages.
    ///
    /// What the senders are proven to have sent comes first, and what they are proven not to have sent last: every member has
    /// the keys, and a message that another one made must not use up that of a genuine one.
    func open(_ messages: [CapturedGroupMessage], with kept: KeptGroups) -> [GroupMessageResult] {
        var results = messages.map { GroupMessageResult(captured: $0) }
        var order: [Step] = []
        for (index, result) in results.enumerated() {
            guard let payload = result.payload else { continue }
            if advances, !result.isFromSender {
                results[index].isLeftClosed = true
            } else {
                order.append(Step(index, payload, rank: result.isFinding ? 2 : result.isFromSender ? 0 : 1))
            }
        }
        order.sort()
        for step in order { results[step.index].outcome = open(step.payload, with: kept) }
        return results
    }

    /// A message and when its turn is.
    private struct Step: Comparable {
        let index: Int
        let payload: GroupMessagePayload
        let rank: Int

        init(_ index: Int, _ payload: GroupMessagePayload, rank: Int) {
            self.index = index
            self.payload = payload
            self.rank = rank
        }

        static func == (left: Step, right: Step) -> Bool { left.index == right.index }

        static func < (left: Step, right: Step) -> Bool {
            let (one, two) = (left.payload, right.payload)
            if one.groupID != two.groupID { return one.groupID.lexicographicallyPrecedes(two.groupID) }
            if one.senderPeerID != two.senderPeerID {
                return one.senderPeerID.bytes.lexicographicallyPrecedes(two.senderPeerID.bytes)
            }
            let (first, second) = (one.senderKeyIteration ?? 0, two.senderKeyIteration ?? 0)
            return (left.rank, first, left.index) < (right.rank, second, right.index)
        }
    }

    private func open(
        _ payload: GroupMessagePayload, with kept: KeptGroups
    ) -> Result<OpenedGroupMessage, GroupKeyError> {
        let group = GroupID(bytes: payload.groupID)
        let sender = GroupSender(group: group, peer: payload.senderPeerID)
        let message = GroupCiphertext(
            iteration: payload.senderKeyIteration, body: payload.ciphertext, attachment: payload.attachmentCiphertext)
        if let own, sender.peer.matches(own) { takeOwn(sender, kept) }
        var failure: GroupKeyError
        do throws(GroupKeyError) {
            return .success(try kept.cipher.open(message, from: sender, at: now))
        } catch {
            failure = error
        }
        for other in others {
            do throws(GroupKeyError) {
                return .success(try other.cipher.open(message, from: sender, at: now))
            } catch {
                if failure == .noKey { failure = error }
            }
        }
        return .failure(failure)
    }

    /// One's own chain opens what one's other devices sent since.
    private func takeOwn(_ sender: GroupSender, _ kept: KeptGroups) {
        guard kept.cipher.position(of: sender) == nil else { return }
        do throws(GroupKeyError) {
            switch try kept.cipher.own(of: sender.group) {
            case .some(let json): _ = try kept.cipher.receive(SenderKeyState(json: json), from: sender, at: now)
            case .none: break
            }
        } catch {
            // Then the message has no key, and says so.
        }
    }
}
