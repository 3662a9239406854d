import CryptoPrimitives
import Foundation
import SophaxCore

/// What a phone keeps: a message store and the items of its keychain. Format: SophaxChat 5 and 6.
///
/// The keys of the example go into a file in clear, because `sxkey` shall look at them. A daemon keeps them where its
/// system keeps secrets, and never in a `Data` or a `String`.
extension Party {
    func write(to folder: URL, peer: Fingerprint, called peerName: String, group: GroupID) throws {
        let store = folder.appending(path: "sophax_messages")
        try FileManager.default.createDirectory(
            at: store, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        for (conversation, messages) in Dictionary(grouping: messages, by: \.conversation) {
            let json = [UInt8](try JSONSerialization.data(withJSONObject: messages.map(object)))
            // guide: store
            let file = try StoreSeal.seal(json.span, key: storageKey)
            // guide: end
            try write(Data(file), to: store.appending(path: conversation + ".enc"))
        }
        let items = try keychain(peer: peer, called: peerName, group: group).mapValues { $0.base64EncodedString() }
        try write(
            try JSONSerialization.data(withJSONObject: items, options: [.sortedKeys, .prettyPrinted]),
            to: folder.appending(path: "keychain.json"))
    }

    func write(_ data: Data, to file: URL) throws {
        try data.write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    }

    /// Every message with all keys that any app version requires; `isEdited` above all.
    private func object(of message: StoredMessage) -> [String: Any] {
        var object: [String: Any] = [
            "id": message.id, "peerID": message.conversation, "direction": message.isSent ? "sent" : "received",
            "body": message.body, "timestamp": message.time, "status": "delivered", "isEdited": false,
        ]
        object["senderID"] = message.sender
        return object
    }

    private func keychain(peer: Fingerprint, called peerName: String, group: GroupID) throws -> [String: Data] {
        var items: [String: Data] = [:]
        func put(_ account: String, _ value: borrowing SecretBytes) {
            items[account] = Data(value.withSpan { bytes in bytes.indices.map { bytes[$0] } })
        }
        put("identity.signing", identity.signingSeed)
        put("identity.dh", identity.dhPrivate)
        put("storage.master", storageKey)
        put("spk.\(signedPreKey.id)", signedPreKey.privateKey)
        for (id, oneTime) in oneTimePreKeys { put("otpk.\(id)", oneTime.pair.privateKey) }
        items["user.username"] = Data(name.utf8)
        items["peer.aliases"] = try JSONSerialization.data(
            withJSONObject: [PeerID(peer, form: .hex32).text: peerName])
        items["spk.current_id"] = Data(LittleEndian.bytes(of: signedPreKey.id))
        // guide: state
        put("session.mac_key", macKey)
        if let state = try session?.state() {
            put("session.\(PeerID(peer, form: .hex32).text)", try SessionBlob.seal(state, macKey: macKey))
        }
        if let own = try groups.own(of: group) { put("skd.mine.\(group.text)", own) }
        if let peers = try groups.peers(of: group) { put("skd.peers.\(group.text)", peers) }
        if let skipped = try groups.skipped() { put("skd.skipped.all", skipped) }
        // guide: end
        return items
    }

    // guide: load
    /// A session as it was kept; one whose HMAC is wrong is none.
    func loadSession(_ blob: borrowing SecretBytes) throws -> RatchetSession {
        try RatchetSession(state: SessionBlob.open(blob, macKey: macKey))
    }
    // guide: end
}
