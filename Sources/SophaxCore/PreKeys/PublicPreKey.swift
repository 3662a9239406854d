/// The public half of a prekey with the number that its owner files it under.
public struct PublicPreKey: Hashable, Sendable {
    /// Length of an X25519 public key in bytes.
    public static let keyLength = 32

    /// The highest id on iOS; ids made there are random from 1 on.
    public static let highestID = UInt64(UInt32.max)

    /// The highest id on Android, whose ids have 63 bits.
    public static let highestAndroidID = UInt64(Int64.max)

    /// The owner's number for the key.
    public let id: UInt64

    /// X25519 public key, 32 bytes.
    public let key: [UInt8]

    /// Takes a key with its id; `part` is what an error calls it.
    /// - Throws: `.wrongLength` unless the key is 32 bytes.
    public init(id: UInt64, key: [UInt8], part: PreKeyError.Part = .signedPreKey) throws(PreKeyError) {
        guard key.count == Self.keyLength else {
            throw .wrongLength(part, expected: Self.keyLength, found: key.count)
        }
        self.id = id
        self.key = key
    }
}
