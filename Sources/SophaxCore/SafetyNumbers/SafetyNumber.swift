import CryptoPrimitives

/// The digits that two people compare to be sure that no one sits between them.
///
/// The apps show four different numbers for the same keys. On iOS a number describes one identity: the newer app shows
/// the owner the v1 form of his own keys, while his friends' phones store the v0 form of them. On Android there is
/// a pair number, which is not symmetric (each side sees another one), and an own number. Format: SophaxChat 7.3.
public struct SafetyNumber: Hashable, Sendable {
    /// Which app shows the number, and where.
    public enum Form: Hashable, Sendable {
        /// iOS: what earlier apps show, and what every app stores for a peer. 6 groups.
        case iosV0
        /// iOS: what newer apps show as one's own. 6 groups.
        case iosV1
        /// Android: one's own. 12 groups.
        case androidOwn
        /// Android: what one side of a pair sees. 12 groups.
        case androidPair
    }

    /// The prefix that the iOS v1 form hashes before the keys: 26 ASCII bytes, no terminator.
    public static let iosV1Prefix = "SophaxChat_SafetyNumber_v1"

    /// Which of the four this is.
    public let form: Form

    /// The groups in order, each 0…99999.
    public let groups: [Int]

    /// The number of one identity as iOS computed it first, and still stores it for peers.
    public static func iosV0(of keys: IdentityPublicKeys) -> SafetyNumber {
        SafetyNumber(form: .iosV0, groups: iosGroups(hashing: keys.signing + keys.dh))
    }

    /// The number of one identity as newer iOS apps show it to its owner.
    public static func iosV1(of keys: IdentityPublicKeys) -> SafetyNumber {
        SafetyNumber(form: .iosV1, groups: iosGroups(hashing: Array(iosV1Prefix.utf8) + keys.signing + keys.dh))
    }

    /// The number that Android shows as one's own.
    public static func androidOwn(of keys: IdentityPublicKeys) -> SafetyNumber {
        SafetyNumber(form: .androidOwn, groups: androidGroups(hashing: keys.signing + keys.dh))
    }

    /// The number that the owner of `mine` sees for `theirs` on Android; the other side sees the one with the arguments
    /// exchanged.
    public static func androidPair(mine: IdentityPublicKeys, theirs: IdentityPublicKeys) -> SafetyNumber {
        let hashed = mine.signing + theirs.signing + mine.dh + theirs.dh
        return SafetyNumber(form: .androidPair, groups: androidGroups(hashing: hashed))
    }

    /// The groups of five ASCII digits (whatever the locale), joined by single spaces, as the apps show and store them.
    public var text: String {
        var ascii: [UInt8] = []
        for (index, group) in groups.enumerated() {
            if index > 0 {
                ascii.append(UInt8(ascii: " "))
            }
            for unit in [10_000, 1_000, 100, 10, 1] {
                ascii.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: group / unit % 10))
            }
        }
        return String(decoding: ascii, as: UTF8.self)
    }

    /// Six groups, each of 5 bytes of SHA-512 as a big-endian number modulo 100,000.
    private static func iosGroups(hashing bytes: [UInt8]) -> [Int] {
        let digest = SHA512.hash(bytes.span)
        return (0..<6).map { group in
            digest[(group * 5)..<(group * 5 + 5)].reduce(0) { $0 << 8 | Int($1) } % 100_000
        }
    }

    /// Twelve groups, each of the first 2 of 5 bytes of SHA-512, so never above 65535.
    private static func androidGroups(hashing bytes: [UInt8]) -> [Int] {
        let digest = SHA512.hash(bytes.span)
        return (0..<12).map { group in
            (Int(digest[group * 5]) << 8 | Int(digest[group * 5 + 1])) % 100_000
        }
    }
}
