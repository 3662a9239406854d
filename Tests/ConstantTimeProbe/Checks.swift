import CryptoPrimitives
import SophaxCore

/// What must not branch on a secret, nor make an address of one.
let checks: [String: @Sendable () throws -> Void] = [
    "mlkem-keys": { _ = try MLKEM768.publicKey(ofSeed: undefined(count: 64), provider: own) },
    "mlkem-encapsulate": {
        let seed = try plain(count: 64)
        let key = try MLKEM768.publicKey(ofSeed: seed, provider: own)
        _ = try MLKEM768.encapsulate(to: key.span, random: undefinedRandom, provider: own)
    },
    "mlkem-decapsulate": {
        let key = try MLKEM768.publicKey(ofSeed: plain(count: 64), provider: own)
        let made = try MLKEM768.encapsulate(to: key.span, provider: own)
        let found = try MLKEM768.decapsulate(made.ciphertext.span, seed: undefined(count: 64), provider: own)
        guard defined(found) == defined(made.secret) else { fatalError("another secret") }
    },
    "mlkem-reject": {
        let key = try MLKEM768.publicKey(ofSeed: plain(count: 64), provider: own)
        let made = try MLKEM768.encapsulate(to: key.span, provider: own)
        var changed = made.ciphertext
        changed[5] ^= 1
        let found = try MLKEM768.decapsulate(changed.span, seed: undefined(count: 64), provider: own)
        guard defined(found) != defined(made.secret) else { fatalError("the same secret") }
    },
    "xwing-keys": { _ = try XWing.publicKey(ofSeed: undefined(count: 32), provider: own) },
    "xwing-encapsulate": {
        let key = try XWing.publicKey(ofSeed: plain(count: 32), provider: own)
        _ = try XWing.encapsulate(to: key.span, random: undefinedRandom, provider: own)
    },
    "xwing-decapsulate": {
        let key = try XWing.publicKey(ofSeed: plain(count: 32), provider: own)
        let made = try XWing.encapsulate(to: key.span, provider: own)
        let found = try XWing.decapsulate(made.ciphertext.span, seed: undefined(count: 32), provider: own)
        guard defined(found) == defined(made.secret) else { fatalError("another secret") }
    },
    "mldsa-keys": { _ = try MLDSA65.publicKey(ofSeed: undefined(count: 32), provider: own) },
    // Several messages, so that tries are rejected for a long z, for long low bits and, by the last, for too many hints.
    "mldsa-sign": {
        let key = try MLDSA65.publicKey(ofSeed: plain(count: 32), provider: own)
        let messages: [[UInt8]] = (UInt8(0)..<8).map { [$0, 2, 3] } + [[26, 2, 4]]
        for message in messages {
            let signature = try MLDSA65.sign(
                message.span, seed: undefined(count: 32), hedge: .random(undefinedRandom), provider: own)
            guard try MLDSA65.isValid(signature: signature.span, for: message.span, publicKey: key.span) else {
                fatalError("a wrong signature")
            }
        }
    },
    "base64-encode": { _ = try SecretEncoding.encodeBase64(undefined(count: 47)) },
    "base64-decode": { try decode("3q2+7wD/EIABAgME3q2+7wD/EIABAgME3q2+7wD/EIA=", SecretEncoding.decodeBase64) },
    "hex-encode": { _ = try SecretEncoding.encodeHex(undefined(count: 47)) },
    "hex-decode": { try decode("deadBEEF00ff1080", SecretEncoding.decodeHex) },
    "key-encode": {
        let key = try undefined(count: 32)
        var target = [UInt8](repeating: 0, count: 60)
        var span = target.mutableSpan
        key.withSpan { KeyEncoding.encode($0, into: &span, at: 7) }
    },
    "key-decode": {
        let text = try undefined(Array("3q2+7wD/EIABAgME3q2+7wD\\/EIABAgME3q2+7wD/EIA=".utf8))
        var target = [UInt8](repeating: 0, count: 32)
        var span = target.mutableSpan
        text.withSpan { _ = KeyEncoding.decode($0, into: &span) }
    },
    "secrets-compare": {
        let one = try undefined(count: 32)
        let other = try undefined(count: 32)
        var isSame = one.isEqual(to: other)
        define(&isSame)
        guard isSame else { fatalError("the same bytes are not equal") }
    },
    "slots-compare": {
        var slots = try KeySlots(count: 2)
        try slots.set(0, to: undefined(count: 32))
        try slots.set(1, to: undefined(count: 32))
        var isSame = slots.areEqual(0, 1)
        define(&isSame)
        guard isSame else { fatalError("the same keys are not equal") }
    },
    "shamir-split": { _ = try Shamir.split(undefined(count: 64), threshold: 3, total: 5, random: undefinedRandom) },
    "shamir-combine": {
        var points = try SharePoints(capacity: 3, length: 64)
        for place in UInt8(1)...3 { try points.append(undefined(count: 64), at: place) }
        _ = try Shamir.secret(of: points)
        _ = try Shamir.topCoefficient(of: points)
    },
    // The words of SLIP-39, where a word begins and ends being no secret.
    "word-letters": {
        var found = WordList.packedWord(at: undefined(number: 517))
        define(&found)
        guard found == WordList.packedWord(at: 517) else { fatalError("another word") }
    },
    "word-place": {
        let word = WordList.packedWord(at: 517)
        for letters in [word, (word >> 32) << 32] {
            var found = WordList.place(ofPacked: undefined(number: letters))
            define(&found)
            guard found.place == 517, found.isFound != 0 else { fatalError("another place") }
        }
    },
    "word-checksum": {
        var sum = WordChecksum.start(isExtendable: true)
        for word in UInt64(0)..<20 { sum = WordChecksum.step(sum, undefined(number: word &* 51)) }
        define(&sum)
        guard sum < 1 << 30 else { fatalError("a sum of more than 30 bits") }
    },
]

/// What memcheck has to complain about.
let leaks: [String: @Sendable () throws -> Void] = [
    "branch": {
        let key = try undefined(count: 32)
        key.withSpan { bytes in
            for index in bytes.indices where bytes[index] == 7 { print("seven") }
        }
    },
    "index": {
        let key = try undefined(count: 32)
        let table = (0..<256).map { UInt8(truncatingIfNeeded: $0 &* 5) }
        var sum: UInt8 = 0
        key.withSpan { bytes in
            for index in bytes.indices { sum &+= table.withUnsafeBufferPointer { $0[Int(bytes[index])] } }
        }
        define(&sum)
        if sum == 0 { print("no sum") }
    },
    "division": {
        var quotient = leakByDivision(try plain(count: 1), UInt8(truncatingIfNeeded: names.count))
        define(&quotient)
        // A table of two, so that there is something to complain about besides.
        let key = try undefined(count: 1)
        key.withSpan { if $0[0] > quotient { print("larger") } }
    },
    // A hook that says nothing is public: the matrix of a key is made of a part of the seed, with branches.
    "mlkem-unrevealed": { _ = try MLKEM768.publicKey(ofSeed: undefined(count: 64), provider: .own()) },
    "mldsa-unrevealed": {
        let message: [UInt8] = [1]
        _ = try MLDSA65.sign(message.span, seed: undefined(count: 32), provider: .own())
    },
]

/// A division by what the compiler does not know, which takes longer for larger numbers. memcheck does not see it: the
/// disassembler has to.
@inline(never)
func leakByDivision(_ secret: borrowing SecretBytes, _ divisor: UInt8) -> UInt8 {
    secret.withSpan { bytes in bytes[0] / divisor }
}

/// The bytes of `undefined(count:)`, defined.
private func plain(count: Int) throws -> SecretBytes {
    let bytes = defined(try undefined(count: count))
    return try SecretBytes(copying: bytes.span)
}

/// Decodes a text whose letters are undefined; how many bytes its padding leaves is no secret.
private func decode(_ text: String, _ decode: (Span<UInt8>) throws -> SecretBytes) throws {
    let bytes = Array(text.utf8)
    var text = try undefined(bytes)
    text.withUnsafeMutableBytes { target in
        for index in bytes.indices where bytes[index] == UInt8(ascii: "=") {
            define(&target[index])
        }
        // The letter before the padding tells whether there is more of it.
        if bytes.last == UInt8(ascii: "=") { define(&target[bytes.count - 2]) }
    }
    _ = try text.withSpan { text in try decode(text) }
}
