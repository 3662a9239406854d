/// The name of a private item, as the apps name it in their keychain. Format: SophaxChat 5.1.
///
/// Unknown names are kept as well, so that nothing of an import is lost.
package struct ItemAccount: Hashable, Sendable {
    /// UTF-8, compared byte for byte.
    package let bytes: [UInt8]

    /// The longest name in bytes; the apps' own have at most some hundred.
    package static let maximumLength = 4096

    /// Nil for an empty name, one that is too long or that is not UTF-8.
    package init?(bytes: [UInt8]) {
        guard !bytes.isEmpty, bytes.count <= Self.maximumLength, String(validating: bytes, as: UTF8.self) != nil else {
            return nil
        }
        self.bytes = bytes
    }

    /// A name that the format gives.
    init(known text: String) {
        bytes = Array(text.utf8)
    }

    /// A name that ends in an id; nil when the id makes none.
    init?(_ prefix: String, _ id: [UInt8]) {
        self.init(bytes: Array(prefix.utf8) + id)
    }

    /// For people; not escaped.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// 32 raw bytes, Ed25519 seed.
    package static let signing = ItemAccount(known: "identity.signing")
    /// 32 raw bytes, X25519 private key.
    package static let dh = ItemAccount(known: "identity.dh")
    /// UTF-8.
    package static let username = ItemAccount(known: "user.username")
    /// 32 raw bytes: key of the message store and of attachments.
    package static let storageMaster = ItemAccount(known: "storage.master")
    /// 32 raw bytes: the key that a message store is being encrypted under anew; it becomes `storage.master`.
    package static let storageMasterNext = ItemAccount(known: "storage.master.next")
    /// 32 raw bytes: a key that a message store had before it was encrypted under another one; a copy of that time needs it.
    ///
    /// - Parameter date: the day, as `yyyy-MM-dd`.
    package static func storageMasterBefore(_ date: String, number: Int = 1) -> ItemAccount {
        ItemAccount(known: "storage.master.before-\(date)" + (number > 1 ? "-\(number)" : ""))
    }
    /// 4 bytes, little-endian: id of the current signed prekey.
    package static let signedPreKeyID = ItemAccount(known: "spk.current_id")
    /// 8 bytes, little-endian double, seconds since 2001.
    package static let signedPreKeyDate = ItemAccount(known: "spk.created_at")

    /// 32 raw bytes, X25519: a signed prekey.
    package static func signedPreKey(_ id: UInt32) -> ItemAccount { ItemAccount(known: "spk.\(id)") }
    /// 32 raw bytes, X25519: a one-time prekey.
    package static func oneTimePreKey(_ id: UInt32) -> ItemAccount { ItemAccount(known: "otpk.\(id)") }
}
