import CryptoPrimitives
import SophaxCore

extension Party {
    // guide: group
    /// Makes a sender key for a group, and gives the plaintext of the ratchet message that hands it to a member.
    func beginGroup(_ group: GroupID, at time: Double) throws -> SecretBytes {
        guard let date = WireDate(secondsSince2001: time) else { throw PartyError.unexpected("no date") }
        try groups.makeOwn(in: group, at: time)
        var content = MessageContent(body: [], kind: .senderKeyDistribution, timestamp: date)
        content.senderKeyData = HandedOutKey(try groups.distribution(of: group).json())
        return try content.json()
    }

    /// Takes the sender key that a member handed out; the session has proven that it is his.
    func joinGroup(_ plaintext: borrowing SecretBytes, of peer: PeerID, at time: Double) throws {
        guard let key = try MessageContent(json: plaintext).senderKeyData else {
            throw PartyError.unexpected("no key")
        }
        _ = try groups.receive(SenderKeyDistribution(json: key.json), from: peer, at: time)
    }

    func groupMessage(_ text: String, id: String, in group: GroupID, at time: Double) throws -> WireMessage {
        guard let date = WireDate(secondsSince2001: time) else { throw PartyError.unexpected("no date") }
        let box = try groups.seal(Array(text.utf8), as: GroupSender(group: group, peer: peerID), at: time)
        let payload = GroupMessagePayload(
            groupID: group.bytes, messageID: Array(id.utf8), senderPeerID: peerID, senderUsername: Array(name.utf8),
            timestamp: date, ciphertext: box.body, senderKeyIteration: box.iteration)
        return try sign(.groupMessage(payload), at: time)
    }

    /// Opens a group message. Every member has the key, so only the signature says who wrote it.
    func openGroupMessage(_ message: WireMessage, from peer: IdentityPublicKeys, at time: Double) throws -> String {
        guard case .groupMessage(let payload) = try message.readPayload() else {
            throw PartyError.unexpected("no group message")
        }
        let author = GroupSender(group: GroupID(bytes: payload.groupID), peer: payload.senderPeerID)
        guard payload.senderPeerID == message.senderID, message.isSent(by: peer) else { throw PartyError.badSignature }
        let box = GroupCiphertext(iteration: payload.senderKeyIteration, body: payload.ciphertext)
        return String(decoding: try groups.open(box, from: author, at: time).body, as: UTF8.self)
    }
    // guide: end
}
