import CryptoPrimitives
import JSONCoding

/// What a new member of a group is sent: who is in it, and the creator's key. The content of a `groupInvite`.
///
/// Format: SophaxChat 4.5.
public struct GroupInvite: ~Copyable, Sendable {
    public let groupID: GroupID
    /// UTF-8.
    public let name: [UInt8]
    /// Own id included.
    public let memberIDs: [PeerID]
    public let creatorID: PeerID
    /// The creator's chain: in the second version and later ones.
    public let sender: SenderKeyState?
    /// The key of a group of the first version; the second may carry it too.
    public let sharedKey: SecretBytes?
    /// What a newer version sent beside these.
    let unknown: [SecretField]

    private static let known: [StaticString] = [
        "groupID", "groupName", "memberIDs", "creatorID", "senderChainKey", "senderIteration", "groupKeyData",
    ]

    /// The most members that a receiver takes.
    public static let maximumMembers = 100
    /// The longest id of the group, its creator or a member that a receiver takes, in characters.
    public static let maximumIDLength = 64

    public init(
        groupID: GroupID, name: [UInt8], memberIDs: [PeerID], creatorID: PeerID, sender: consuming SenderKeyState?,
        sharedKey: consuming SecretBytes? = nil
    ) {
        self.init(
            groupID: groupID, name: name, memberIDs: memberIDs, creatorID: creatorID, sender: sender,
            sharedKey: sharedKey, unknown: [])
    }

    init(
        groupID: GroupID, name: [UInt8], memberIDs: [PeerID], creatorID: PeerID, sender: consuming SenderKeyState?,
        sharedKey: consuming SecretBytes?, unknown: [SecretField]
    ) {
        self.groupID = groupID
        self.name = name
        self.memberIDs = memberIDs
        self.creatorID = creatorID
        self.sender = sender
        self.sharedKey = sharedKey
        self.unknown = unknown
    }

    /// Why the apps would not take an invitation.
    public enum Refusal: Error, Hashable, Sendable {
        /// The creator is not who sent it.
        case notFromCreator
        case tooManyMembers(found: Int)
        case idTooLong(found: Int)
        case groupIDTooLong(found: Int)
        case creatorIDTooLong(found: Int)
    }

    /// What the apps check before they take the invitation that `sender` sent; nil when they take it.
    public func refusal(sender: PeerID) -> Refusal? {
        guard creatorID == sender else { return .notFromCreator }
        guard memberIDs.count <= Self.maximumMembers else { return .tooManyMembers(found: memberIDs.count) }
        // Counted in scalars, where the app counts characters: the same for every id that an app makes.
        let (group, creator) = (groupID.text.unicodeScalars.count, creatorID.text.unicodeScalars.count)
        guard group <= Self.maximumIDLength else { return .groupIDTooLong(found: group) }
        guard creator <= Self.maximumIDLength else { return .creatorIDTooLong(found: creator) }
        let longest = memberIDs.map { $0.text.unicodeScalars.count }.max() ?? 0
        guard longest <= Self.maximumIDLength else { return .idTooLong(found: longest) }
        return nil
    }

    /// Members beyond this many are not even read.
    static let readMembers = 10_000

    /// Reads the object of any version.
    package init(_ object: JSONObject) throws(FormatError) {
        let groupID = GroupID(bytes: try object.required("groupID", object.text("groupID")))
        let name = try object.required("groupName", object.text("groupName"))
        let memberIDs = try object.required("memberIDs", object.texts("memberIDs", limit: Self.readMembers))
        let creatorID = PeerID(bytes: try object.required("creatorID", object.text("creatorID")))
        let sender = try Self.sender(object)
        let unknown = try SecretField.unknown(in: object, besides: Self.known)
        let sharedKey = try object.secret("groupKeyData", length: SenderKeyState.keyLength)
        self.init(
            groupID: groupID, name: name, memberIDs: memberIDs.map { PeerID(bytes: $0) }, creatorID: creatorID,
            sender: sender, sharedKey: sharedKey, unknown: unknown)
    }

    /// Reads the JSON of an invitation.
    public init(json: borrowing SecretBytes) throws(GroupKeyError) {
        do throws(FormatError) {
            self = try GroupInvite(JSONObject(secret: json, ceiling: GroupKeyLimits.distributionText))
        } catch {
            throw .format(error)
        }
    }

    /// The JSON that the apps' decoders read: with a sender key all from the second version on, with a shared key the
    /// first two.
    public func json() throws(GroupKeyError) -> SecretBytes {
        do throws(SecretMemoryError) {
            var text = try SecretObjectText(capacity: 512 + memberIDs.count * 40)
            try text.add("groupID", text: groupID.bytes)
            try text.add("groupName", text: name)
            try text.add("memberIDs", texts: memberIDs.map(\.bytes))
            try text.add("creatorID", text: creatorID.bytes)
            switch sender {
            case .some(let sender):
                try text.add("senderChainKey", secret: sender.chainKey)
                try text.add("senderIteration", integer: sender.position.iteration)
            case .none: break
            }
            switch sharedKey {
            case .some(let key): try text.add("groupKeyData", secret: key)
            case .none: break
            }
            for field in unknown { try text.add(key: field.key, json: field.value) }
            return try text.finish()
        } catch {
            throw .memory(error)
        }
    }
}

extension GroupInvite {
    private static func sender(_ object: JSONObject) throws(FormatError) -> SenderKeyState? {
        guard object.has("senderChainKey") else { return nil }
        let iteration = try object.required("senderIteration", object.uint32("senderIteration"))
        let chainKey = try object.required(
            "senderChainKey", object.secret("senderChainKey", length: SenderKeyState.keyLength))
        do throws(GroupKeyError) {
            return try SenderKeyState(chainKey: chainKey, position: SenderKeyPosition(iteration: iteration))
        } catch {
            // Its length was checked.
            throw object.problem("senderChainKey", .wrongType)
        }
    }
}
