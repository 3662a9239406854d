import CryptoPrimitives
import SophaxCore

/// Why the example ended early.
enum PartyError: Error {
    case noSession
    case noPreKey(UInt32)
    case badSignature
    case unexpected(String)
}

/// One daemon: an identity with its prekeys, a session with the other one, and the sender keys of its groups.
final class Party {
    // guide: identity
    let identity: Identity
    let signedPreKey: PreKeyPair
    /// A one-time prekey serves one session and is then thrown away.
    private(set) var oneTimePreKeys: [UInt32: OneTimePreKey] = [:]

    init(name: String) throws {
        identity = try Identity(
            signingSeed: SecretBytes(randomCount: Identity.keyLength),
            dhPrivate: SecretBytes(randomCount: Identity.keyLength), username: name)
        signedPreKey = try PreKeyPair.make(excluding: [])
        for _ in 0..<PreKeyPolicy.standard.oneTimeTarget {
            let pair = OneTimePreKey(try PreKeyPair.make(excluding: Set(oneTimePreKeys.keys)))
            oneTimePreKeys[pair.pair.id] = pair
        }
        groups = try GroupCipher()
        macKey = try SecretBytes(randomCount: SessionBlob.codeLength)
        storageKey = try SecretBytes(randomCount: StoreSeal.keyLength)
    }
    // guide: end

    var session: RatchetSession?
    var groups: GroupCipher
    /// Under which the states of sessions are authenticated.
    let macKey: SecretBytes
    /// Of the message store.
    let storageKey: SecretBytes
    private(set) var messages: [StoredMessage] = []

    var name: String { identity.username }
    /// The id in the length that the newest iOS app uses.
    var peerID: PeerID { PeerID(identity.fingerprint, form: .hex32) }

    func keep(_ message: StoredMessage) { messages.append(message) }

    func removeOneTimePreKey(_ id: UInt32) { oneTimePreKeys[id] = nil }
}

/// A pair in a dictionary: a `PreKeyPair` has one owner, so a class holds it.
final class OneTimePreKey {
    let pair: PreKeyPair

    init(_ pair: consuming PreKeyPair) {
        self.pair = pair
    }
}

/// What a party keeps of a message.
struct StoredMessage {
    let id: String
    /// A peer id, or `group.` and the group's id.
    let conversation: String
    let isSent: Bool
    let body: String
    /// Seconds since 2001.
    let time: Double
    /// Who wrote it, in a group.
    var sender: String?
}
