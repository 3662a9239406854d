import JSONCoding

/// What an app stores about a group beside its keys. No secrets. Format: SophaxChat 4.5.
public struct GroupInfo: Hashable, Sendable {
    /// How messages of the group are encrypted.
    public enum Cryptography: Hashable, Sendable {
        /// Sender keys, or a shared key in the first version: `skv2`.
        case senderKeys
        case mls
        /// A word that is none of these.
        case other([UInt8])

        init(_ word: [UInt8]) {
            switch word {
            case Array("skv2".utf8): self = .senderKeys
            case Array("mls".utf8): self = .mls
            default: self = .other(word)
            }
        }

        /// The word in JSON.
        public var word: [UInt8] {
            switch self {
            case .senderKeys: Array("skv2".utf8)
            case .mls: Array("mls".utf8)
            case .other(let word): word
            }
        }
    }

    public let id: GroupID
    /// UTF-8.
    public let name: [UInt8]
    /// Own id included.
    public let memberIDs: [PeerID]
    public let creatorID: PeerID
    /// Nil where the version has no such key: sender keys then, unless there is a state of MLS (see `isMLS`).
    public let cryptography: Cryptography?
    /// Nil where the version has no such key: the creator then.
    public let currentCoordinatorID: PeerID?
    /// Members of the JSON that are none of these, as they stood.
    package let unknown: [JSONField]

    public init(
        id: GroupID, name: [UInt8], memberIDs: [PeerID], creatorID: PeerID, cryptography: Cryptography? = .senderKeys,
        currentCoordinatorID: PeerID? = nil
    ) {
        self.id = id
        self.name = name
        self.memberIDs = memberIDs
        self.creatorID = creatorID
        self.cryptography = cryptography
        self.currentCoordinatorID = currentCoordinatorID
        unknown = []
    }

    /// Whether the group is one of MLS. When a member leaves the app forgets what the group is and stores `skv2`, so that an
    /// item `mls.state.<id>` of the keychain is the better sign.
    public func isMLS(hasState: Bool) -> Bool { hasState || cryptography == .mls }

    private static let known: [StaticString] = [
        "id", "name", "memberIDs", "creatorID", "cryptoVersion", "currentCoordinatorID",
    ]

    /// The longest text of one group's record: names of `GroupInvite.readMembers` members.
    public static let longestText = 1 << 20

    /// Reads the JSON of any version, four keys or six.
    /// - Throws: `.tooLarge` above `longestText`; `.notJSON`; `.field` with the member that is wrong.
    public init(json: [UInt8]) throws(FormatError) {
        try self.init(JSONObject(json, ceiling: Self.longestText))
    }

    /// Reads the object of any version, four keys or six.
    package init(_ object: JSONObject) throws(FormatError) {
        id = GroupID(bytes: try object.required("id", object.text("id")))
        name = try object.required("name", object.text("name"))
        memberIDs = try object.required("memberIDs", object.texts("memberIDs", limit: GroupInvite.readMembers)).map {
            PeerID(bytes: $0)
        }
        creatorID = PeerID(bytes: try object.required("creatorID", object.text("creatorID")))
        cryptography = try object.text("cryptoVersion").map(Cryptography.init)
        currentCoordinatorID = try object.text("currentCoordinatorID").map { PeerID(bytes: $0) }
        unknown = object.unknown(besides: Self.known)
    }

    /// The object as the apps' decoders read it: six keys, or the four of the group that had no more.
    public var json: [UInt8] {
        var text = JSONObjectText()
        text.add("id", text: id.bytes)
        text.add("name", text: name)
        text.add("memberIDs", texts: memberIDs.map(\.bytes))
        text.add("creatorID", text: creatorID.bytes)
        text.add("cryptoVersion", text: cryptography?.word)
        text.add("currentCoordinatorID", text: currentCoordinatorID?.bytes)
        text.add(unknown)
        return text.finished
    }
}
