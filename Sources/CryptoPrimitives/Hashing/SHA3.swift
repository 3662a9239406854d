/// SHA3-256 (FIPS 202), whole or piece by piece.
package struct SHA3_256: HashFunction, ~Copyable {
    package static var digestLength: Int { 32 }
    private var context = DigestContext(.sha3x256)

    package init() {}

    package mutating func update(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBytes { unsafe context.update($0) }
    }

    package mutating func finish(into target: UnsafeMutableRawBufferPointer) {
        precondition(target.count == Self.digestLength, "a digest needs its length")
        unsafe context.finish(into: target)
    }
}

/// SHA3-512 (FIPS 202), whole or piece by piece.
package struct SHA3_512: HashFunction, ~Copyable {
    package static var digestLength: Int { 64 }
    private var context = DigestContext(.sha3x512)

    package init() {}

    package mutating func update(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBytes { unsafe context.update($0) }
    }

    package mutating func finish(into target: UnsafeMutableRawBufferPointer) {
        precondition(target.count == Self.digestLength, "a digest needs its length")
        unsafe context.finish(into: target)
    }
}

/// SHAKE256 (FIPS 202), an extendable function: any number of bytes, of which a longer output begins with a shorter.
package struct SHAKE256: ~Copyable {
    private var context = DigestContext(.shake256)

    package init() {}

    /// The first `length` bytes of the output for `bytes`.
    package static func hash(_ bytes: Span<UInt8>, length: Int) -> [UInt8] {
        var hash = SHAKE256()
        hash.update(bytes)
        return hash.finish(length: length)
    }

    /// Absorbs the next bytes.
    package mutating func update(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBytes { unsafe context.update($0) }
    }

    /// The first `length` bytes of the output for a secret, as a secret.
    package static func hash(
        _ secret: borrowing SecretBytes, length: Int
    ) throws(SecretMemoryError) -> SecretBytes {
        var output = try SecretBytes(count: length)
        var hash = SHAKE256()
        secret.withSpan { hash.update($0) }
        unsafe output.withUnsafeMutableBytes { target in unsafe hash.context.finish(extendedInto: target) }
        return output
    }

    /// Ends the message and returns the first `length` bytes of the output.
    package consuming func finish(length: Int) -> [UInt8] {
        precondition(length >= 0, "a length is not below zero")
        var output = [UInt8](repeating: 0, count: length)
        var span = output.mutableSpan
        unsafe span.withUnsafeMutableBytes { target in unsafe context.finish(extendedInto: target) }
        return output
    }
}

/// SHAKE128 (FIPS 202), an extendable function: any number of bytes, of which a longer output begins with a shorter.
package struct SHAKE128: ~Copyable {
    private var context = DigestContext(.shake128)

    package init() {}

    /// The first `length` bytes of the output for `bytes`.
    package static func hash(_ bytes: Span<UInt8>, length: Int) -> [UInt8] {
        var hash = SHAKE128()
        hash.update(bytes)
        return hash.finish(length: length)
    }

    /// Absorbs the next bytes.
    package mutating func update(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBytes { unsafe context.update($0) }
    }

    /// Ends the message and returns the first `length` bytes of the output.
    package consuming func finish(length: Int) -> [UInt8] {
        precondition(length >= 0, "a length is not below zero")
        var output = [UInt8](repeating: 0, count: length)
        var span = output.mutableSpan
        unsafe span.withUnsafeMutableBytes { target in unsafe context.finish(extendedInto: target) }
        return output
    }
}
