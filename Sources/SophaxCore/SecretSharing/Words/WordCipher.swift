import CryptoPrimitives

/// The cipher between a master secret and what SLIP-39 shares: four rounds of Feistel with PBKDF2-HMAC-SHA256.
///
/// Every passphrase opens every set: another one gives another secret, and nothing in the shares tells which was meant.
/// Format: SLIP-39, "Encryption of the master secret".
struct WordCipher: ~Copyable {
    static let rounds: UInt8 = 4
    /// 10,000 · 2^10 iterations for a secret of an identity, some ten seconds; the format has place for 2^15.
    static let maximumExponent = 10
    /// Iterations for one round. PBKDF2 does all of them once more for each further 32 bytes of half a secret.
    static let maximumWork: UInt64 = 2500 << 10

    private let passphrase: SecretBytes
    private let salt: [UInt8]
    private let iterations: UInt32

    /// - Parameter length: bytes of the secret.
    /// - Throws: `.passphrase` unless it is printable ASCII, `.iterationExponent`, `.memory`.
    init(
        passphrase: borrowing SecretBytes, _ parameters: WordShare.Parameters, length: Int
    ) throws(WordShareError) {
        let limit = Self.maximumExponent(forLength: length)
        guard parameters.iterationExponent <= limit else {
            throw .iterationExponent(found: parameters.iterationExponent, limit: limit)
        }
        let isPrintable = passphrase.withSpan { text in text.indices.allSatisfy { 32...126 ~= text[$0] } }
        guard isPrintable else { throw .passphrase }
        do throws(SecretMemoryError) { self.passphrase = try passphrase.copy() } catch { throw .memory(error) }
        // Extendable sets have the same secret whatever their identifier is.
        let identifier = [UInt8(parameters.identifier >> 8), UInt8(parameters.identifier & 0xFF)]
        salt = parameters.isExtendable ? [] : Array("shamir".utf8) + identifier
        iterations = 2500 << UInt32(parameters.iterationExponent)
    }

    /// The highest exponent that is taken for a secret of so many bytes, 512 at the most.
    static func maximumExponent(forLength length: Int) -> Int {
        let blocks = UInt64((length / 2 + 31) / 32)
        return (0...maximumExponent).last { (2500 << UInt64($0)) * blocks <= maximumWork } ?? 0
    }

    func encrypt(_ secret: borrowing SecretBytes) throws(WordShareError) -> SecretBytes {
        try run(secret, Array(0..<Self.rounds))
    }

    func decrypt(_ secret: borrowing SecretBytes) throws(WordShareError) -> SecretBytes {
        try run(secret, (0..<Self.rounds).reversed())
    }

    /// Both halves, through all rounds, changed over at the end.
    private func run(_ secret: borrowing SecretBytes, _ order: [UInt8]) throws(WordShareError) -> SecretBytes {
        let half = secret.count / 2
        var left = try Self.part(secret, 0..<half)
        var right = try Self.part(secret, half..<secret.count)
        for round in order {
            var next = try self.round(round, right)
            next.withMutableSpan { next in
                left.withSpan { left in
                    for index in 0..<half { next[index] ^= left[index] }
                }
            }
            left = right
            right = next
        }
        do throws(SecretMemoryError) { return try right.appending(left) } catch { throw .memory(error) }
    }

    private func round(_ number: UInt8, _ half: borrowing SecretBytes) throws(WordShareError) -> SecretBytes {
        let password = try Self.joined([number], passphrase)
        let salt = try Self.joined(salt, half)
        do throws(KeyDerivationError) {
            return try salt.withSpan { salt throws(KeyDerivationError) in
                try PBKDF2.deriveSHA256(
                    passphrase: password, salt: salt, iterations: iterations, length: half.count)
            }
        } catch {
            throw WordShareError(error)
        }
    }

    private static func joined(_ first: [UInt8], _ rest: borrowing SecretBytes) throws(WordShareError) -> SecretBytes {
        do throws(SecretMemoryError) {
            let start = try SecretBytes(copying: first.span)
            return try start.appending(rest)
        } catch {
            throw .memory(error)
        }
    }

    private static func part(_ secret: borrowing SecretBytes, _ range: Range<Int>) throws(WordShareError) -> SecretBytes
    {
        do throws(SecretMemoryError) { return try secret.slice(range) } catch { throw .memory(error) }
    }
}
