import CryptoPrimitives
import Keyring
import SophaxCore

/// A group in the sample's keyring, with a sender key of its own and one of a member, and messages of that member.
enum SampleGroup {
    static let group = GroupID("E8EEABCD-D69B-4E6D-999A-612230CBB467")
    static let messagesFileName = "group.jsonl"
    static let keyFileName = "group-key.json"
    private static let member = PeerID("08c4cab788bd5f92f16ff0814022b379")
    private static let time: Double = 801_692_000

    private static func secret(_ byte: UInt8) throws -> SecretBytes {
        let bytes = [UInt8](repeating: byte, count: 32)
        return try SecretBytes(copying: bytes.span)
    }

    /// The items of the group, for an identity of the keyring.
    static func add(to keyring: Keyring, of identity: KeyringIdentity) throws {
        var cipher = try GroupCipher()
        _ = try cipher.receive(distribution(), from: member, at: time)
        try cipher.makeOwn(in: group, at: time)
        guard let peersAccount = ItemAccount.peerSenderKeys(group.bytes),
            let ownAccount = ItemAccount.ownSenderKey(group.bytes)
        else { fatalError("no account") }
        switch try cipher.peers(of: group) {
        case .some(let peers): try keyring.setItem(peersAccount, of: identity, to: peers, at: 1_780_000_000)
        case .none: fatalError("no keys")
        }
        switch try cipher.own(of: group) {
        case .some(let own): try keyring.setItem(ownAccount, of: identity, to: own, at: 1_780_000_000)
        case .none: fatalError("no key")
        }
    }

    private static func distribution() throws -> SenderKeyDistribution {
        try SenderKeyDistribution(groupID: group, chainKey: secret(0x31), iteration: 0)
    }

    /// What the member handed out, as a file.
    static func keyFile() throws -> [UInt8] {
        try distribution().json().withSpan { span in span.indices.map { span[$0] } }
    }

    /// Three messages of the member, a line each, the second one first.
    static func messages() throws -> [UInt8] {
        var cipher = try GroupCipher()
        _ = try cipher.receiveOwn(
            SenderKeyState(chainKey: secret(0x31), position: SenderKeyPosition(iteration: 0)), of: group)
        var lines: [[UInt8]] = []
        for (number, text) in ["Who has the red bicycle?", "It is me, Carla", "I do"].enumerated() {
            let sealed = try cipher.seal(Array(text.utf8), as: GroupSender(group: group, peer: member))
            guard let date = WireDate(secondsSince2001: time + Double(number)) else { fatalError("no time") }
            let payload = GroupMessagePayload(
                groupID: group.bytes, messageID: Array("M\(number)".utf8), senderPeerID: member,
                senderUsername: Array("Carla".utf8), timestamp: date, ciphertext: sealed.body,
                senderKeyIteration: sealed.iteration)
            let message = WireMessage(
                type: Array("groupMessage".utf8), payload: WirePayload.groupMessage(payload).json, senderID: member,
                time: date, signature: [UInt8](repeating: 0, count: 64))
            lines.append(message.json)
        }
        lines.swapAt(0, 1)
        return Array(lines.joined(separator: [0x0A])) + [0x0A]
    }
}
