import CryptoPrimitives

/// The top coefficient by which sxkey's shares prove what they give: a code of the secret, and the key of that code.
///
/// The apps take any top coefficient without a zero byte, so shares with such a one are shares like all others to them, also
/// after an app has dropped every field that it does not know. Format: sxkey-formats(5), "Shares of an identity".
///
/// Why there and not beside the shares: a digest beside a share must survive every program that passes the share on, and
/// stands in the hand of each holder. As a coefficient it comes out only where the secret does. To `threshold` - 1 holders it
/// is a relation of 16 bytes among the 64 of the secret: each of the two keys still has all of the values that it has
/// without it, and which pairs are left cannot be told but by trying the codes of 2^128 at the least, which is what finding
/// one of the keys from its public key costs anyway.
enum ShareCheck {
    static let codeLength = 16
    private static let context = Array("sxkey identity shares 1".utf8)
    /// A code has a zero byte, which no coefficient may have, once in 16 times; so often in a row never.
    private static let maximumTries = 64

    /// A top coefficient for `secret`; nil when the source of random bytes gives the same again and again.
    static func coefficient(
        for secret: borrowing SecretBytes, _ set: ShareSetID, random: RandomSource
    ) throws(ShamirError) -> SecretBytes? {
        for _ in 0..<maximumTries {
            let key = try Shamir.withoutZeros(count: secret.count - codeLength, random: random)
            do throws(SecretMemoryError) {
                let code = try code(of: secret, set, key: key)
                // How often it was tried is told by the time, and says nothing of the code that was taken.
                if !hasZero(code) { return try code.appending(key) }
            } catch {
                throw .memory(error)
            }
        }
        return nil
    }

    /// Whether `coefficient` was made for this secret, compared in constant time.
    static func isCoefficient(
        _ coefficient: borrowing SecretBytes, of secret: borrowing SecretBytes, _ set: ShareSetID
    ) throws(SecretMemoryError) -> Bool {
        guard coefficient.count == secret.count, secret.count > codeLength else { return false }
        let right = try code(of: secret, set, key: coefficient.slice(codeLength..<coefficient.count))
        return try right.isEqual(to: coefficient.prefix(codeLength))
    }

    private static func code(
        of secret: borrowing SecretBytes, _ set: ShareSetID, key: borrowing SecretBytes
    ) throws(SecretMemoryError) -> SecretBytes {
        var code = HMAC(key: key, using: .sha256)
        code.update(context.span)
        let head = set.bytes
        code.update(head.span)
        code.update(secret)
        return try code.finishSecret().prefix(codeLength)
    }

    private static func hasZero(_ code: borrowing SecretBytes) -> Bool {
        code.withSpan { code in
            var found = 0
            for index in 0..<code.count { found |= (Int(code[index]) - 1) >> (Int.bitWidth - 1) }
            return found != 0
        }
    }
}

/// What a set of shares is: its id and its two numbers, as they go into the check.
struct ShareSetID: Hashable, Sendable {
    /// 16 bytes of the UUID, the threshold, the total.
    let bytes: [UInt8]

    /// Nil for an id that is no UUID: sxkey made no such set.
    init?(id: [UInt8], threshold: UInt8, total: UInt8) {
        let parts = id.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.map(\.count) == [8, 4, 4, 4, 12] else { return nil }
        let digits = Array(parts.joined())
        guard let uuid = Hex.decode(digits.span) else { return nil }
        bytes = uuid + [threshold, total]
    }

    /// A new random UUID (RFC 9562, version 4) as the apps write it: upper case with hyphens.
    static func newID(_ random: RandomSource) -> [UInt8] {
        var uuid = random.bytes(16)
        uuid[6] = uuid[6] & 0x0F | 0x40
        uuid[8] = uuid[8] & 0x3F | 0x80
        let digits = Array(Hex.encode(uuid.span).utf8).map { $0 >= UInt8(ascii: "a") ? $0 & ~0x20 : $0 }
        let hyphen = [UInt8(ascii: "-")]
        let groups = [digits[0..<8], digits[8..<12], digits[12..<16], digits[16..<20], digits[20..<32]]
        return Array(groups.map { Array($0) }.joined(separator: hyphen))
    }
}
