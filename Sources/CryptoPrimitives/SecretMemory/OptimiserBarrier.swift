import CLibcrypto

/// Hides from the optimiser what it could know of a number.
///
/// A mask that is made of one secret bit is only ever all ones or all zeros; a compiler that sees it may turn the mask into
/// a branch, whose time tells the bit (as clang did with the messages of ML-KEM). Masks of bits go through here.
package enum OptimiserBarrier {
    /// The same number.
    @inline(always)
    package static func pass(_ number: UInt64) -> UInt64 { sx_opaque(number) }

    /// All ones for 1, zero for 0.
    @inline(always)
    package static func mask(_ bit: UInt64) -> UInt64 { 0 &- sx_opaque(bit) }
}
