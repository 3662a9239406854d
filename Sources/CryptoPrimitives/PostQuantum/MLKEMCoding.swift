/// How ML-KEM samples polynomials and writes them as bytes (FIPS 203, 4.2), parameters of ML-KEM-768.
///
/// Polynomials have 256 coefficients. Nothing here but `sampleUniform`, which makes public values from public bytes,
/// branches on its data.
enum MLKEMCoding {
    // MARK: Sampling

    /// SampleNTT (algorithm 7): takes the next coefficients from the bytes of the stream; returns how many there are now.
    ///
    /// - Parameters:
    ///   - bytes: a multiple of three bytes.
    ///   - filled: how many coefficients `target` has already.
    static func sampleUniform(_ bytes: Span<UInt8>, into target: ScratchArea<Int16>, filled: Int) -> Int {
        var filled = filled
        var place = 0
        while filled < 256, place <= bytes.count - 3 {
            let (first, second, third) = (UInt16(bytes[place]), UInt16(bytes[place + 1]), UInt16(bytes[place + 2]))
            let low = first | (second & 15) << 8
            let high = second >> 4 | third << 4
            if low < 3329 {
                target[filled] = Int16(low)
                filled += 1
            }
            if high < 3329, filled < 256 {
                target[filled] = Int16(high)
                filled += 1
            }
            place += 3
        }
        return filled
    }

    /// SamplePolyCBD for η = 2 (algorithm 8): coefficients between -2 and 2 from 128 bytes.
    static func sampleSmall(_ bytes: ScratchArea<UInt8>, into target: ScratchArea<Int16>) {
        for i in 0..<32 {
            let word =
                UInt32(bytes[4 &* i]) | UInt32(bytes[4 &* i &+ 1]) &<< 8 | UInt32(bytes[4 &* i &+ 2]) &<< 16
                | UInt32(bytes[4 &* i &+ 3]) &<< 24
            // Each pair of bits becomes the number of its ones.
            let sums = (word & 0x5555_5555) &+ ((word &>> 1) & 0x5555_5555)
            for j in 0..<8 {
                let x = Int16(truncatingIfNeeded: (sums &>> UInt32(4 &* j)) & 3)
                let y = Int16(truncatingIfNeeded: (sums &>> UInt32(4 &* j &+ 2)) & 3)
                target[8 &* i &+ j] = x &- y
            }
        }
    }

    // MARK: Twelve bits

    /// ByteEncode12 (algorithm 5) of coefficients between -q and q: 384 bytes.
    static func encode12(_ f: ScratchArea<Int16>, into bytes: ScratchArea<UInt8>) {
        for i in 0..<128 {
            let low = UInt16(bitPattern: MLKEMRing.canonical(f[2 &* i]))
            let high = UInt16(bitPattern: MLKEMRing.canonical(f[2 &* i &+ 1]))
            bytes[3 &* i] = UInt8(truncatingIfNeeded: low)
            bytes[3 &* i &+ 1] = UInt8(truncatingIfNeeded: low &>> 8 | high &<< 4)
            bytes[3 &* i &+ 2] = UInt8(truncatingIfNeeded: high &>> 4)
        }
    }

    /// ByteDecode12 (algorithm 6) of 384 bytes; centred.
    static func decode12(_ bytes: ScratchArea<UInt8>, into f: ScratchArea<Int16>) {
        for i in 0..<128 {
            let (first, second) = (Int16(bytes[3 &* i]), Int16(bytes[3 &* i &+ 1]))
            let third = Int16(bytes[3 &* i &+ 2])
            f[2 &* i] = MLKEMRing.centred(first | (second & 15) &<< 8)
            f[2 &* i &+ 1] = MLKEMRing.centred(second &>> 4 | third &<< 4)
        }
    }

    /// Whether all coefficients in the bytes, a multiple of three, are below q: the modulus check (FIPS 203, 7.2). The
    /// bytes are public.
    static func isReduced(_ bytes: Span<UInt8>) -> Bool {
        var place = 0
        while place <= bytes.count - 3 {
            let (first, second, third) = (UInt16(bytes[place]), UInt16(bytes[place + 1]), UInt16(bytes[place + 2]))
            guard first | (second & 15) << 8 < 3329, second >> 4 | third << 4 < 3329 else { return false }
            place += 3
        }
        return true
    }

    // MARK: Compression

    /// Compress (4.2.1) of a coefficient from 0 up to q to `bits` bits, 1 to 10: the nearest of 2^bits steps.
    @inline(always)
    static func compress(_ x: Int16, bits: UInt32) -> UInt32 {
        // 330,282,857 is 2^40 / q, rounded up: right for every x and every number of bits, as the tests see.
        let scaled = UInt64(UInt32(truncatingIfNeeded: Int32(x)) &<< bits &+ 1664)
        return UInt32(truncatingIfNeeded: (scaled &* 330_282_857) &>> 40) & ((1 &<< bits) &- 1)
    }

    /// Decompress (4.2.1) of `bits` bits, 1 to 10: a coefficient from 0 up to q.
    @inline(always)
    static func decompress(_ y: UInt32, bits: UInt32) -> Int16 {
        Int16(truncatingIfNeeded: (y &* 3329 &+ (1 &<< (bits &- 1))) &>> bits)
    }

    /// Compresses coefficients between -q and q to 10 bits each: 320 bytes.
    static func encodeCompressed10(_ f: ScratchArea<Int16>, into bytes: ScratchArea<UInt8>) {
        for i in 0..<64 {
            let a = compress(MLKEMRing.canonical(f[4 &* i]), bits: 10)
            let b = compress(MLKEMRing.canonical(f[4 &* i &+ 1]), bits: 10)
            let c = compress(MLKEMRing.canonical(f[4 &* i &+ 2]), bits: 10)
            let d = compress(MLKEMRing.canonical(f[4 &* i &+ 3]), bits: 10)
            bytes[5 &* i] = UInt8(truncatingIfNeeded: a)
            bytes[5 &* i &+ 1] = UInt8(truncatingIfNeeded: a &>> 8 | b &<< 2)
            bytes[5 &* i &+ 2] = UInt8(truncatingIfNeeded: b &>> 6 | c &<< 4)
            bytes[5 &* i &+ 3] = UInt8(truncatingIfNeeded: c &>> 4 | d &<< 6)
            bytes[5 &* i &+ 4] = UInt8(truncatingIfNeeded: d &>> 2)
        }
    }

    /// The coefficients that 320 bytes hold in 10 bits each, from 0 up to q.
    static func decodeCompressed10(_ bytes: ScratchArea<UInt8>, into f: ScratchArea<Int16>) {
        for i in 0..<64 {
            let (first, second) = (UInt32(bytes[5 &* i]), UInt32(bytes[5 &* i &+ 1]))
            let (third, fourth) = (UInt32(bytes[5 &* i &+ 2]), UInt32(bytes[5 &* i &+ 3]))
            let fifth = UInt32(bytes[5 &* i &+ 4])
            f[4 &* i] = decompress((first | second &<< 8) & 1023, bits: 10)
            f[4 &* i &+ 1] = decompress((second &>> 2 | third &<< 6) & 1023, bits: 10)
            f[4 &* i &+ 2] = decompress((third &>> 4 | fourth &<< 4) & 1023, bits: 10)
            f[4 &* i &+ 3] = decompress((fourth &>> 6 | fifth &<< 2) & 1023, bits: 10)
        }
    }

    /// Compresses coefficients between -q and q to 4 bits each: 128 bytes.
    static func encodeCompressed4(_ f: ScratchArea<Int16>, into bytes: ScratchArea<UInt8>) {
        for i in 0..<128 {
            let low = compress(MLKEMRing.canonical(f[2 &* i]), bits: 4)
            let high = compress(MLKEMRing.canonical(f[2 &* i &+ 1]), bits: 4)
            bytes[i] = UInt8(truncatingIfNeeded: low | high &<< 4)
        }
    }

    /// The coefficients that 128 bytes hold in 4 bits each, from 0 up to q.
    static func decodeCompressed4(_ bytes: ScratchArea<UInt8>, into f: ScratchArea<Int16>) {
        for i in 0..<128 {
            f[2 &* i] = decompress(UInt32(bytes[i]) & 15, bits: 4)
            f[2 &* i &+ 1] = decompress(UInt32(bytes[i]) &>> 4, bits: 4)
        }
    }

    // MARK: Messages

    /// Adds the 32 bytes of a message to coefficients between -1,664 and 1,664, each of its bits as 0 or (q + 1) / 2.
    static func addMessage(_ message: ScratchArea<UInt8>, to f: ScratchArea<Int16>) {
        for i in 0..<32 {
            for j in 0..<8 {
                let bit = UInt64((message[i] &>> UInt8(truncatingIfNeeded: j)) & 1)
                let mask = Int16(truncatingIfNeeded: OptimiserBarrier.mask(bit))
                f[8 &* i &+ j] = f[8 &* i &+ j] &+ (mask & 1665)
            }
        }
    }

    /// The 32 bytes of the message whose bits coefficients between -q and q are nearest to.
    static func decodeMessage(_ f: ScratchArea<Int16>, into message: ScratchArea<UInt8>) {
        for i in 0..<32 {
            var byte: UInt8 = 0
            for j in 0..<8 {
                let bit = compress(MLKEMRing.canonical(f[8 &* i &+ j]), bits: 1)
                byte |= UInt8(truncatingIfNeeded: bit) &<< UInt8(truncatingIfNeeded: j)
            }
            message[i] = byte
        }
    }
}
