import CryptoPrimitives

/// A prekey of one's own: an X25519 private key in wiped memory, and the number that others name it by.
public struct PreKeyPair: ~Copyable, Sendable {
    /// 1…2³²−1 when made here; keychains of the apps may have any.
    public let id: UInt32

    /// X25519 private key as stored, 32 bytes, not necessarily clamped.
    public let privateKey: SecretBytes

    /// What is handed out.
    public let publicPreKey: PublicPreKey

    /// Takes ownership of a private key and derives the public one.
    /// - Throws: `.wrongLength` unless it is 32 bytes; `.memory`, `.libraryFailure`.
    public init(id: UInt32, privateKey: consuming SecretBytes) throws(PreKeyError) {
        let publicKey: [UInt8]
        do throws(KeyAgreementError) {
            publicKey = try X25519.publicKey(of: privateKey)
        } catch {
            switch error {
            case .keyLength(let expected, let found):
                throw .wrongLength(.signedPreKey, expected: expected, found: found)
            case .memory(let memory): throw .memory(memory)
            case .allZero, .libraryFailure: throw .libraryFailure
            }
        }
        publicPreKey = try PublicPreKey(id: UInt64(id), key: publicKey)
        self.id = id
        self.privateKey = privateKey
    }

    /// A second value with the same key.
    public func copy() throws(PreKeyError) -> PreKeyPair {
        do throws(SecretMemoryError) {
            return PreKeyPair(id: id, privateKey: try privateKey.copy(), publicPreKey: publicPreKey)
        } catch {
            throw .memory(error)
        }
    }

    private init(id: UInt32, privateKey: consuming SecretBytes, publicPreKey: PublicPreKey) {
        self.id = id
        self.privateKey = privateKey
        self.publicPreKey = publicPreKey
    }

    /// Makes a fresh pair whose id is none of `taken`.
    /// - Parameter random: gives that many random bytes; tests pass their own.
    public static func make(
        excluding taken: Set<UInt32>, random: (Int) -> [UInt8] = Self.systemRandom
    ) throws(PreKeyError) -> PreKeyPair {
        var id: UInt32 = 0
        // Ids are public; taken ones are a few dozen of four thousand million, so this ends at once.
        while id == 0 || taken.contains(id) { id = LittleEndian.uint32(random(4).span) ?? 0 }
        let privateKey: SecretBytes
        do throws(SecretMemoryError) {
            privateKey = try SecretBytes(randomCount: X25519.keyLength)
        } catch {
            throw .memory(error)
        }
        return try PreKeyPair(id: id, privateKey: privateKey)
    }

    /// Random bytes of the system.
    public static func systemRandom(_ count: Int) -> [UInt8] { Random.bytes(count) }
}
