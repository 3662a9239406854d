import CryptoPrimitives
import JSONCoding

/// How a member hands its sender key to the others: the content of a ratchet message of type `senderKeyDistribution`.
///
/// Who it is from is not in it: the session that it came through tells. Format: SophaxChat 4.5.
public struct SenderKeyDistribution: ~Copyable, Sendable {
    public let groupID: GroupID
    /// 32 bytes: the key of message `iteration` and of all later ones.
    public let chainKey: SecretBytes
    public let iteration: UInt32
    /// What a newer version sent beside these.
    let unknown: [SecretField]

    private static let known: [StaticString] = ["groupID", "chainKey", "iteration"]

    /// Takes ownership of a chain key.
    /// - Throws: `.keyLength` unless it is 32 bytes.
    public init(groupID: GroupID, chainKey: consuming SecretBytes, iteration: UInt32) throws(GroupKeyError) {
        guard chainKey.count == SenderKeyState.keyLength else { throw .keyLength(found: chainKey.count) }
        self.groupID = groupID
        self.chainKey = chainKey
        self.iteration = iteration
        unknown = []
    }

    /// Reads the object of either platform; Android leaves an iteration of 0 out.
    package init(_ object: JSONObject) throws(FormatError) {
        let groupID = GroupID(bytes: try object.required("groupID", object.text("groupID")))
        let iteration = try object.uint32("iteration") ?? 0
        let unknown = try SecretField.unknown(in: object, besides: Self.known)
        let chainKey = try object.required("chainKey", object.secret("chainKey", length: SenderKeyState.keyLength))
        self.groupID = groupID
        self.chainKey = chainKey
        self.iteration = iteration
        self.unknown = unknown
    }

    /// Reads the JSON of a distribution.
    public init(json: borrowing SecretBytes) throws(GroupKeyError) {
        do throws(FormatError) {
            self = try SenderKeyDistribution(JSONObject(secret: json, ceiling: GroupKeyLimits.distributionText))
        } catch {
            throw .format(error)
        }
    }

    /// The JSON that the apps' decoders read, unknown members at the end.
    public func json() throws(GroupKeyError) -> SecretBytes {
        do throws(SecretMemoryError) {
            var text = try SecretObjectText(capacity: 256)
            try text.add("groupID", text: groupID.bytes)
            try text.add("chainKey", secret: chainKey)
            try text.add("iteration", integer: iteration)
            for field in unknown { try text.add(key: field.key, json: field.value) }
            return try text.finish()
        } catch {
            throw .memory(error)
        }
    }
}
