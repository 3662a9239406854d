import CryptoPrimitives
import JSONCoding

/// A sender's chain at one position, as it is stored: the value of `skd.mine.<groupID>`, and each in `skd.peers.<groupID>`.
///
/// The chain key gives the key of message `iteration` and of all later ones, and of none before. Format: SophaxChat 4.5.
public struct SenderKeyState: ~Copyable, Sendable {
    /// 32 bytes.
    public let chainKey: SecretBytes
    /// Where the chain stands, and what is known about it.
    public var position: SenderKeyPosition
    /// What a newer version stored beside these.
    var unknown: [SecretField]

    /// Length of a chain key and of a message key.
    public static let keyLength = 32

    /// Takes ownership of a chain key.
    /// - Throws: `.keyLength` unless it is 32 bytes.
    public init(chainKey: consuming SecretBytes, position: SenderKeyPosition) throws(GroupKeyError) {
        try self.init(chainKey: chainKey, position: position, unknown: [])
    }

    init(
        chainKey: consuming SecretBytes, position: SenderKeyPosition, unknown: [SecretField]
    ) throws(GroupKeyError) {
        guard chainKey.count == Self.keyLength else { throw .keyLength(found: chainKey.count) }
        self.chainKey = chainKey
        self.position = position
        self.unknown = unknown
    }

    private static let known: [StaticString] = ["chainKey", "iteration", "messageCount", "createdAt", "receivedAt"]

    /// Reads the object of either platform; Android leaves an iteration of 0 out.
    package init(_ object: JSONObject) throws(FormatError) {
        let position = SenderKeyPosition(
            iteration: try object.uint32("iteration") ?? 0, messageCount: try object.uint32("messageCount"),
            createdAt: try object.time("createdAt"), receivedAt: try object.time("receivedAt"))
        let unknown = try SecretField.unknown(in: object, besides: Self.known)
        let chainKey = try object.required("chainKey", object.secret("chainKey", length: Self.keyLength))
        self.chainKey = chainKey
        self.position = position
        self.unknown = unknown
    }

    /// Reads the JSON of one state.
    public init(json: borrowing SecretBytes) throws(GroupKeyError) {
        do throws(FormatError) {
            self = try SenderKeyState(JSONObject(secret: json, ceiling: GroupKeyLimits.stateText))
        } catch {
            throw .format(error)
        }
    }

    /// The JSON that the apps' decoders of every version read.
    public func json() throws(GroupKeyError) -> SecretBytes {
        do throws(SecretMemoryError) {
            var text = try SecretObjectText(capacity: 256)
            try chainKey.withSpan { key throws(SecretMemoryError) in
                try text.add(chainKey: key, position, unknown)
            }
            return try text.finish()
        } catch {
            throw .memory(error)
        }
    }
}

extension SecretObjectText {
    /// The members of a sender key's state.
    mutating func add(
        chainKey: Span<UInt8>, _ position: SenderKeyPosition, _ unknown: [SecretField]
    ) throws(SecretMemoryError) {
        try add("chainKey", secret: chainKey)
        try add("iteration", integer: position.iteration)
        try add("messageCount", integer: position.messageCount)
        try add("createdAt", number: position.createdAt)
        try add("receivedAt", number: position.receivedAt)
        for field in unknown { try add(key: field.key, json: field.value) }
    }
}
