/// Why a text is no link to a person.
public enum ContactLinkError: Error, Equatable, Sendable {
    /// The members of a link's query.
    public enum Member: String, Hashable, Sendable {
        case id, onion, port, pid, name, sk, dk
    }

    /// Another scheme, or another host than `add` and `meet`.
    case notALink
    /// `SXPH-…`: how such a code is made from the keys is not known.
    case inviteCode
    /// More bytes than `ContactLink.longestText`.
    case tooLong(limit: Int)
    /// A byte that no link has as it is: a space, a control character, one that is not ASCII.
    case forbiddenByte(UInt8, offset: Int)
    /// A percent sign without two hex digits.
    case badPercent(offset: Int)
    case missing(Member)
    /// A member that stands twice: apps would not agree on which counts.
    case repeated(Member)
    /// Not 16, 32 or 64 hex digits.
    case badPeerID([UInt8])
    case notBase64(Member)
    case keyLength(Member, found: Int)
    /// Not a point that any private key has.
    case invalidKey(Member)
    case nameNotUTF8
    case nameTooLong(characters: Int)
}
