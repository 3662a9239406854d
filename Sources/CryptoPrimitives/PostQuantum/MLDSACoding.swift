/// How ML-DSA-65 samples polynomials and writes them as bytes (FIPS 204, 7.1 to 7.3).
///
/// Polynomials have 256 coefficients. Only the functions whose values are public branch on them.
enum MLDSACoding {
    static let hintCount = 55

    // MARK: Sampling

    /// RejNTTPoly (algorithm 30): takes the next coefficients from the bytes of the stream, which are public; false when
    /// they do not suffice.
    static func sampleUniform(_ bytes: Span<UInt8>, into target: ScratchArea<Int32>) -> Bool {
        var filled = 0
        var place = 0
        while filled < 256, place <= bytes.count - 3 {
            let value = Int32(bytes[place]) | Int32(bytes[place + 1]) << 8 | Int32(bytes[place + 2] & 127) << 16
            if value < MLDSARing.q {
                target[filled] = value
                filled += 1
            }
            place += 3
        }
        return filled == 256
    }

    /// The first half of RejBoundedPoly for η = 4 (algorithm 31): for each half byte 1 in `verdicts` when it is one of the
    /// nine that are taken, else 0.
    static func judge(_ bytes: ScratchArea<UInt8>, into verdicts: ScratchArea<UInt8>) {
        for i in 0..<bytes.count {
            verdicts[2 &* i] = ((bytes[i] & 15) &- 9) &>> 7
            verdicts[2 &* i &+ 1] = (bytes[i] &>> 4 &- 9) &>> 7
        }
    }

    /// The other half: the coefficients between -4 and 4 of those that are taken; false when they do not suffice.
    ///
    /// Which half bytes are taken is no secret: it says nothing of the value of those that are.
    static func sampleBounded(
        _ bytes: ScratchArea<UInt8>, _ verdicts: ScratchArea<UInt8>, into target: ScratchArea<Int32>
    ) -> Bool {
        var filled = 0
        var place = 0
        while filled < 256, place < verdicts.count {
            if verdicts[place] != 0 {
                let shift = UInt8(truncatingIfNeeded: (place & 1) &* 4)
                target[filled] = 4 &- Int32((bytes[place &>> 1] &>> shift) & 15)
                filled &+= 1
            }
            place &+= 1
        }
        return filled == 256
    }

    /// SampleInBall (algorithm 29): 49 coefficients 1 or -1 from bytes that are public; false when they do not suffice.
    static func sampleChallenge(_ bytes: ScratchArea<UInt8>, into target: ScratchArea<Int32>) -> Bool {
        for i in 0..<256 { target[i] = 0 }
        var signs: UInt64 = 0
        for i in 0..<8 { signs |= UInt64(bytes[i]) << UInt64(8 * i) }
        var place = 8
        for i in 207..<256 {
            while place < bytes.count, Int(bytes[place]) > i { place += 1 }
            guard place < bytes.count else { return false }
            let j = Int(bytes[place])
            place += 1
            target[i] = target[j]
            target[j] = 1 - 2 * Int32(truncatingIfNeeded: signs & 1)
            signs >>= 1
        }
        return true
    }

    // MARK: Bits

    /// SimpleBitPack and BitPack (algorithms 16 and 17): `bits` bits for each coefficient, or for `high` less it.
    @inline(always)
    static func pack(
        _ f: ScratchArea<Int32>, bits: Int, reflectedAt high: Int32?, into bytes: ScratchArea<UInt8>
    ) {
        assert(bytes.count == 32 * bits)
        var waiting: UInt64 = 0
        var count = 0
        var place = 0
        for i in 0..<256 {
            let value = if let high { high &- f[i] } else { f[i] }
            waiting |= UInt64(UInt32(bitPattern: value)) &<< UInt64(truncatingIfNeeded: count)
            count &+= bits
            while count >= 8 {
                bytes[place] = UInt8(truncatingIfNeeded: waiting)
                waiting &>>= 8
                count &-= 8
                place &+= 1
            }
        }
    }

    /// SimpleBitUnpack and BitUnpack (algorithms 18 and 19).
    @inline(always)
    static func unpack(
        _ bytes: ScratchArea<UInt8>, bits: Int, reflectedAt high: Int32?, into f: ScratchArea<Int32>
    ) {
        assert(bytes.count == 32 * bits)
        let mask = (UInt64(1) &<< UInt64(truncatingIfNeeded: bits)) &- 1
        var waiting: UInt64 = 0
        var count = 0
        var place = 0
        for i in 0..<256 {
            while count < bits {
                waiting |= UInt64(bytes[place]) &<< UInt64(truncatingIfNeeded: count)
                count &+= 8
                place &+= 1
            }
            let value = Int32(truncatingIfNeeded: waiting & mask)
            f[i] = if let high { high &- value } else { value }
            waiting &>>= UInt64(truncatingIfNeeded: bits)
            count &-= bits
        }
    }

    /// The coefficients of the mask or of z, above -2^19 and at most 2^19, from 640 bytes.
    static func unpackMask(_ bytes: ScratchArea<UInt8>, into f: ScratchArea<Int32>) {
        for i in 0..<128 {
            let (first, second) = (Int32(bytes[5 &* i]), Int32(bytes[5 &* i &+ 1]))
            let (third, fourth) = (Int32(bytes[5 &* i &+ 2]), Int32(bytes[5 &* i &+ 3]))
            let fifth = Int32(bytes[5 &* i &+ 4])
            f[2 &* i] = (1 << 19) &- (first | second &<< 8 | (third & 15) &<< 16)
            f[2 &* i &+ 1] = (1 << 19) &- (third &>> 4 | fourth &<< 4 | fifth &<< 12)
        }
    }

    /// w1Encode (algorithm 28) of one polynomial: the high parts of coefficients from 0 up to q, 128 bytes.
    static func packHigh(_ f: ScratchArea<Int32>, into bytes: ScratchArea<UInt8>) {
        for i in 0..<128 {
            let low = MLDSARounding.decompose(f[2 &* i]).high
            let high = MLDSARounding.decompose(f[2 &* i &+ 1]).high
            bytes[i] = UInt8(truncatingIfNeeded: low | high &<< 4)
        }
    }

    // MARK: Hints

    /// HintBitPack (algorithm 20) of six polynomials of zeros and ones, at most 55 of these: 61 bytes. Hints are public.
    static func packHints(_ hints: ScratchArea<UInt8>, into bytes: ScratchArea<UInt8>) {
        for i in 0..<bytes.count { bytes[i] = 0 }
        var index = 0
        for polynomial in 0..<6 {
            for j in 0..<256 where hints[polynomial * 256 + j] != 0 {
                bytes[index] = UInt8(j)
                index += 1
            }
            bytes[hintCount + polynomial] = UInt8(index)
        }
    }

    /// HintBitUnpack (algorithm 21); false for bytes that no hints are packed to.
    static func unpackHints(_ bytes: ScratchArea<UInt8>, into hints: ScratchArea<UInt8>) -> Bool {
        for i in 0..<hints.count { hints[i] = 0 }
        var index = 0
        for polynomial in 0..<6 {
            let end = Int(bytes[hintCount + polynomial])
            guard end >= index, end <= hintCount else { return false }
            let first = index
            while index < end {
                guard index == first || bytes[index - 1] < bytes[index] else { return false }
                hints[polynomial * 256 + Int(bytes[index])] = 1
                index += 1
            }
        }
        while index < hintCount {
            guard bytes[index] == 0 else { return false }
            index += 1
        }
        return true
    }
}
