import CryptoPrimitives

@testable import SophaxCore

/// A chain that begins with the key 00…1f, and what Python's `cryptography` seals under it.
///
/// `key = start; n times: key = HMAC-SHA256(key, 02)`, message key `HMAC-SHA256(key, 01)`, then
/// `nonce + ChaCha20Poly1305(message key).encrypt(nonce, text, aad)`, nonce c0…cb for the body and d0…db for the attachment,
/// aad `<group>/<sender>/<n>/body` and `…/att`, or none.
enum GroupCheck {
    static let group = GroupID("E8EEABCD-D69B-4E6D-999A-612230CBB467")
    static let sender = GroupSender(group: group, peer: PeerID("3619e750a2dd52ba978807b2a00df56d"))
    static let body = Array("hello group".utf8)
    static let attachment: [UInt8] = Array(0..<8)
    static let start: [UInt8] = Array(0x00...0x1F)
    static let sharedKey: [UInt8] = Array(0x40...0x5F)
    static let now: Double = 800_000_000

    private static let bodyNonce = "c0c1c2c3c4c5c6c7c8c9cacb"
    private static let attachmentNonce = "d0d1d2d3d4d5d6d7d8d9dadb"

    private static let bound: [UInt32: (body: String, attachment: String)] = [
        0: (
            "e96b9f2d47b65d2cb7885aa7ea826637aa5a20d2dd8e87ba093747", "99e29229603fb4e33688e2931b78fe8cb70671e7eb96426e"
        ),
        2: (
            "5f83f47a3ce4fc0c3ee6b1a59d8240bd9a4e09ec0eaa3aa029e192", "3ea67851fd9e5ed816267ab68e9c9ce5f45dd5d6c998ed8c"
        ),
        100: (
            "d9ebdf96baeebce39c4842476cf530d9b68b8d1cb4dc17b8281af9", "4ae75327b842065a5102dc7e15bae35ef8042d8d1210bab0"
        ),
    ]
    private static let plain: [UInt32: (body: String, attachment: String)] = [
        0: (
            "e96b9f2d47b65d2cb7885a943b64ddcee6fe31e8f71dbe2d124657", "99e29229603fb4e318d0feb41628ab3659983bd8b8b407cc"
        ),
        2: (
            "5f83f47a3ce4fc0c3ee6b18c8f822cc62a331b22b8149804b9061f", "3ea67851fd9e5ed83ccfb14db880053b4ddf9f3489376af4"
        ),
        100: (
            "d9ebdf96baeebce39c4842e34564edf356e66facb9677f422741d9", "4ae75327b842065ae6846ded7c715bf9d78b1711cfe35460"
        ),
    ]
    static let iterations: [UInt32] = [0, 2, 100]

    /// The message with this number, as Python sealed it.
    static func message(_ iteration: UInt32, _ form: GroupMessageForm) -> GroupCiphertext {
        let parts = (form == .bound ? bound : plain)[iteration] ?? ("", "")
        return GroupCiphertext(
            iteration: iteration, body: bytes(hex: bodyNonce + parts.body),
            attachment: bytes(hex: attachmentNonce + parts.attachment))
    }

    /// `first version` under the shared key 40…5f.
    static let shared = GroupCiphertext(
        iteration: nil,
        body: bytes(hex: "c0c1c2c3c4c5c6c7c8c9cacbedccb89cf0bab57ebe2212dae475e2ca3d8c523737e6ab363473dc939d"))

    static func secret(_ bytes: [UInt8]) throws(SecretMemoryError) -> SecretBytes {
        try SecretBytes(copying: bytes.span)
    }

    static func state(_ key: [UInt8] = start, at iteration: UInt32 = 0) throws -> SenderKeyState {
        try SenderKeyState(chainKey: secret(key), position: SenderKeyPosition(iteration: iteration))
    }

    /// One that knows the chain from its beginning.
    static func receiver(
        limits: GroupKeyLimits = .app, at iteration: UInt32 = 0, key: [UInt8] = start
    ) throws -> GroupCipher {
        var cipher = try GroupCipher(limits: limits)
        _ = try cipher.receive(state(key, at: iteration), from: sender, at: now)
        return cipher
    }

    /// One whose own chain it is, at the beginning.
    static func author() throws -> GroupCipher {
        var cipher = try GroupCipher()
        _ = try cipher.receiveOwn(state(), of: group)
        return cipher
    }

    /// The keys of the chain before each message, and the one after the last.
    static func chain(_ count: Int) throws -> [[UInt8]] {
        var keys = [start]
        for _ in 0..<count {
            let next = try HMAC.secretCode(for: [0x02].span, key: secret(keys[keys.count - 1]), using: .sha256)
            keys.append(next.withSpan { span in span.indices.map { span[$0] } })
        }
        return keys
    }
}

extension SecretBytes {
    /// The bytes in plain memory, for comparing.
    var plain: [UInt8] { withSpan { span in span.indices.map { span[$0] } } }
}

extension GroupCipher {
    /// Everything that would be stored of the check group, for seeing whether anything has changed.
    func stored() throws -> [[UInt8]] {
        var texts: [[UInt8]] = []
        if let peers = try peers(of: GroupCheck.group) { texts.append(peers.plain) }
        if let own = try own(of: GroupCheck.group) { texts.append(own.plain) }
        if let skipped = try skipped() { texts.append(skipped.plain) }
        return texts
    }
}
