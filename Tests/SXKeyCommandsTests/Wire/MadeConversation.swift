import CryptoPrimitives
import Foundation
import SophaxCore
import SophaxFiles

/// A conversation between two people as an app would have it, made with sxkey's own code: Alice says hello, begins a session
/// with Bob, and writes to him in every way there is. Nothing of it is sent by Bob.
struct MadeConversation {
    static let group = GroupID("E8EEABCD-D69B-4E6D-999A-612230CBB467")
    static let hostile = "evil \u{1b}[31m\u{202e}gpj"
    /// Seconds since 2001; an hour before the clock of the tests.
    static let time: Double = CommandRun.now - 3_600 - PreKeyBundle.epoch2001

    private(set) var messages: [(name: String, message: WireMessage)] = []
    /// Bob's keychain when nothing of it had come.
    let keychain: [UInt8]
    private let storageKey = [UInt8](repeating: 0x5A, count: 32)

    static func alice() throws -> Identity {
        try Identity(
            signingSeed: SecretBytes(copying: [UInt8](1...32).span),
            dhPrivate: SecretBytes(copying: [UInt8](33...64).span), username: "Alice")
    }

    static func bob() throws -> Identity {
        try Identity(
            signingSeed: SecretBytes(copying: [UInt8](65...96).span),
            dhPrivate: SecretBytes(copying: [UInt8](97...128).span), username: "Bob")
    }

    static func stranger() throws -> Identity {
        try Identity(
            signingSeed: SecretBytes(copying: [UInt8](129...160).span),
            dhPrivate: SecretBytes(copying: [UInt8](161...192).span), username: "Stranger")
    }

    static func preKey(_ id: UInt32, _ byte: UInt8) throws -> PreKeyPair {
        try PreKeyPair(id: id, privateKey: SecretBytes(copying: [UInt8](repeating: byte, count: 32).span))
    }

    static func sign(
        _ payload: WirePayload, _ identity: borrowing Identity, as id: PeerID? = nil
    ) throws -> WireMessage {
        guard let time = WireDate(secondsSince2001: time) else { fatalError("no time") }
        return try WireMessage.sign(
            payload, from: id ?? PeerID(identity.fingerprint, form: .hex32), at: time, by: identity)
    }

    static func bundle(_ identity: borrowing Identity, signed: PublicPreKey, oneTime: PublicPreKey?) throws
        -> PreKeyBundle
    {
        try PreKeyBundle(signedBy: identity, signedPreKey: signed, oneTimePreKey: oneTime, timestamp: time)
    }

    /// What of an ML-DSA signature there is.
    enum Signing {
        case none, well, badly, half
    }

    /// Which ML-KEM key of Bob's his bundle offers.
    enum Offer {
        case none
        case preKey
        case identityKey
    }

    /// - Parameters:
    ///   - damaged: Bob's ML-KEM key has a changed bit.
    ///   - aliceSigns: Alice's bundle has an ML-DSA key and this much of a good signature.
    init(
        _ offer: Offer = .none, bobKeepsIt: Bool = true, damaged: Bool = false, aliceSigns: Signing = .none
    ) throws {
        let alice = try Self.alice()
        let bob = try Self.bob()
        let signed = try Self.preKey(11, 0x11)
        let oneTime = try Self.preKey(12, 0x12)
        let aliceKey = try Self.preKey(21, 0x21)
        var aliceBundle = try Self.bundle(alice, signed: aliceKey.publicPreKey, oneTime: nil)
        if aliceSigns != .none {
            let seed = [UInt8](repeating: 0x41, count: 32)
            let key = try PostQuantumSigningKey(seed: SecretBytes(copying: seed.span))
            try aliceBundle.addSignature(by: key)
            var extras = aliceBundle.extras
            if aliceSigns == .badly { extras.mldsaSignature?[7] ^= 1 }
            if aliceSigns == .half { extras.mldsaSignature = nil }
            aliceBundle = try PreKeyBundle(
                signedBy: alice, signedPreKey: aliceKey.publicPreKey, oneTimePreKey: nil, timestamp: Self.time,
                extras: extras)
        }
        var bobBundle = try Self.bundle(bob, signed: signed.publicPreKey, oneTime: oneTime.publicPreKey)
        var lattice: [String: [UInt8]] = [:]
        if offer != .none {
            let seed = [UInt8](repeating: 0x31, count: 64)
            let pair = try PostQuantumPreKeyPair(
                id: offer == .preKey ? 31 : nil, seed: SecretBytes(copying: seed.span))
            var extras = PreKeyBundle.Extras()
            extras.offer(pair)
            bobBundle = try PreKeyBundle(
                signedBy: bob, signedPreKey: signed.publicPreKey, oneTimePreKey: oneTime.publicPreKey,
                timestamp: Self.time, extras: extras)
            let stored = try pair.stored()
            var bytes = stored.withSpan { span in span.indices.map { span[$0] } }
            if damaged { bytes[3] ^= 1 }
            if bobKeepsIt { lattice[offer == .preKey ? "pqspk.31" : "identity.pq"] = bytes }
        }
        keychain = try Self.keychain(bob, storageKey: storageKey, lattice)

        let agreed = try X3DH.initiate(identity: alice, bundle: bobBundle, requirements: .anyAge)
        let request = agreed.request(senderBundle: aliceBundle)
        var session = try RatchetSession(initiator: agreed)
        let ad = AssociatedData.candidates(alice.fingerprint, bob.fingerprint)[0]
        func encrypted(_ content: MessageContent) throws -> RatchetMessage {
            try session.encrypt(content.json(), ad: ad)
        }
        func chat(_ content: MessageContent, _ id: String) throws -> WirePayload {
            .message(ChatMessagePayload(ratchetMessage: try encrypted(content), messageID: Array(id.utf8)))
        }
        func text(_ body: String) throws -> MessageContent {
            guard let time = WireDate(secondsSince2001: Self.time) else { fatalError("no time") }
            return MessageContent(body: Array(body.utf8), timestamp: time)
        }
        func sealed(_ message: WireMessage) throws -> SealedMessage {
            try SealedSender.seal(message.json, to: bob.publicKeys.dh)
        }
        func add(_ name: String, _ payload: WirePayload) throws {
            messages.append((name, try Self.sign(payload, alice)))
        }

        try add("hello", .hello(HelloPayload(bundle: CarriedBundle(aliceBundle))))
        try add(
            "initiate",
            .initiateSession(
                InitiateSessionPayload(request, initialMessage: encrypted(text("first words")))))
        var picture = try text("look")
        picture.kind = .image
        picture.attachmentData = [0xFF, 0xD8, 0xFF]
        picture.attachmentMimeType = Array("image/jpeg".utf8)
        try add("picture", chat(picture, "M-picture"))
        try add("hostile", chat(text(Self.hostile + "\nsecond line"), "M-hostile"))
        let inSeal = try Self.sign(chat(text("under seal"), "M-sealed"), alice)
        try add("sealed", .sealed(sealed(inSeal)))

        var cipher = try GroupCipher()
        try cipher.makeOwn(in: Self.group, at: Self.time)
        var key = try text("")
        key.kind = .senderKeyDistribution
        key.senderKeyData = HandedOutKey(try cipher.distribution(of: Self.group).json())
        try add("group key", chat(key, "M-key"))
        let sender = GroupSender(group: Self.group, peer: PeerID(alice.fingerprint, form: .hex32))
        let groupBox = try cipher.seal(Array("hello all".utf8), as: sender)
        guard let time = WireDate(secondsSince2001: Self.time) else { fatalError("no time") }
        try add(
            "group",
            .groupMessage(
                GroupMessagePayload(
                    groupID: Self.group.bytes, messageID: Array("M-group".utf8), senderPeerID: sender.peer,
                    senderUsername: Array("Alice".utf8), timestamp: time, ciphertext: groupBox.body,
                    senderKeyIteration: groupBox.iteration)))
        let inRelay = try Self.sign(.sealed(sealed(Self.sign(chat(text("by a relay"), "M-relayed"), alice))), alice)
        try add(
            "relay",
            .relay(
                RelayPayload(
                    id: Array("R1".utf8), targetPeerID: PeerID(bob.fingerprint, form: .hex32),
                    originPeerID: sender.peer, ttl: 4, hopCount: 2, message: inRelay)))
        let inDelivery = try Self.sign(chat(text("was held"), "M-held"), alice)
        try add(
            "delivery",
            .storeAndForwardDelivery(
                StoreAndForwardDeliveryPayload(items: [
                    .init(messageID: Array("M-held".utf8), sealed: sealed(inDelivery))
                ])))
        var edit = try text("")
        edit.editPayload = .init(messageID: Array("M-picture".utf8), newBody: Array("do look".utf8), editedAt: time)
        try add(
            "edit",
            .editMessage(
                .withID(ChatMessagePayload(ratchetMessage: encrypted(edit), messageID: Array("M-edit".utf8)))))
        try add("ack", .ack(AckPayload(messageID: Array("M-0".utf8), status: .delivered)))
    }

    func message(_ name: String) -> WireMessage {
        guard let found = messages.first(where: { $0.name == name }) else { fatalError("no \(name)") }
        return found.message
    }

    /// All of it as frames.
    var frames: [UInt8] { Self.frames(messages.map(\.message)) }

    static func frames(_ messages: [WireMessage]) -> [UInt8] {
        messages.flatMap { message in
            let json = message.json
            return [0, UInt8(json.count >> 16), UInt8(json.count >> 8 & 255), UInt8(json.count & 255)] + json
        }
    }

    static func lines(_ messages: [WireMessage]) -> [UInt8] {
        Array(messages.map(\.json).joined(separator: [0x0A]))
    }

    private static func keychain(
        _ bob: borrowing Identity, storageKey: [UInt8], _ more: [String: [UInt8]]
    ) throws -> [UInt8] {
        func text(_ secret: borrowing SecretBytes) -> String {
            secret.withSpan { span in Data(span.indices.map { span[$0] }).base64EncodedString() }
        }
        var items: [String: String] = [
            "identity.signing": text(bob.signingSeed), "identity.dh": text(bob.dhPrivate),
            "user.username": Data("Bob".utf8).base64EncodedString(),
            "spk.11": Data([UInt8](repeating: 0x11, count: 32)).base64EncodedString(),
            "otpk.12": Data([UInt8](repeating: 0x12, count: 32)).base64EncodedString(),
            "storage.master": Data(storageKey).base64EncodedString(),
        ]
        for (account, value) in more { items[account] = Data(value).base64EncodedString() }
        return try Array(JSONSerialization.data(withJSONObject: items, options: .sortedKeys))
    }

    /// A queue of an app, encrypted under the storage key.
    func encrypted(_ text: [UInt8]) throws -> [UInt8] {
        var cipher = try AESGCM(key: SecretBytes(copying: storageKey.span))
        return try cipher.sealCombined(text.span)
    }
}
