import CMemcheck
import CryptoPrimitives

/// A secret whose bytes memcheck takes for undefined.
func undefined(_ bytes: [UInt8]) throws(SecretMemoryError) -> SecretBytes {
    var secret = try SecretBytes(copying: bytes.span)
    secret.withUnsafeMutableBytes { memcheck_make_undefined($0.baseAddress, $0.count) }
    return secret
}

/// The same with so many bytes, each another.
func undefined(count: Int) throws(SecretMemoryError) -> SecretBytes {
    try undefined((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 73 &+ 5) })
}

/// A number that memcheck takes for undefined.
func undefined(number: UInt64) -> UInt64 {
    var number = number
    withUnsafeMutableBytes(of: &number) { memcheck_make_undefined($0.baseAddress, $0.count) }
    return number
}

/// A random source that gives undefined bytes.
let undefinedRandom = RandomSource(
    secret: { (count) throws(SecretMemoryError) in try undefined(count: count) },
    bytes: { (0..<$0).map { UInt8(truncatingIfNeeded: $0) } })

/// A plain copy of what memcheck takes for undefined, defined.
func defined(_ secret: borrowing SecretBytes) -> [UInt8] {
    var bytes = secret.withSpan { span in span.indices.map { span[$0] } }
    define(&bytes)
    return bytes
}

/// Marks an outcome as no secret, for what comes after a check.
func define<T: BitwiseCopyable>(_ value: inout T) {
    withUnsafeMutableBytes(of: &value) { memcheck_make_defined($0.baseAddress, $0.count) }
}

func define(_ bytes: inout [UInt8]) {
    bytes.withUnsafeMutableBytes { memcheck_make_defined($0.baseAddress, $0.count) }
}

/// sxkey's own code, which says what it takes for public.
let own = PostQuantumProvider.own(
    reveal: RevealHook { memcheck_make_defined($0.baseAddress, $0.count) })
