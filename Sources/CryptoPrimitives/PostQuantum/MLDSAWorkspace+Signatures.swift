/// Signing and verifying, after the keys have been made or read.
extension MLDSAWorkspace {
    private static let challengeLength = 48
    private static let maskBound: Int32 = 1 << 19
    /// So many tries take more luck than there is: with right hashes it happens once in 10^900 times. FIPS 204 (appendix C)
    /// asks for 814 or more; after 13,107 the counter would come round.
    private static let maximumTries = 10_000
    /// β = τ · η: the most that c s1 and c s2 can be.
    private static let slack: Int32 = 196

    /// `representative` of a message: context and message behind a byte that says that the message is whole (the first
    /// half of algorithms 2 and 3). The context has at most 255 bytes.
    mutating func readMessage(_ message: Span<UInt8>, context: Span<UInt8>) {
        shake256.absorb(publicKeyHash)
        shake256.absorb(byte: 0)
        shake256.absorb(byte: UInt8(truncatingIfNeeded: context.count))
        shake256.absorb(context)
        shake256.absorb(message)
        shake256.finish(extendedInto: representative)
    }

    // MARK: Signing

    /// Signs `representative` with `randomness` into `signature` (algorithm 7).
    ///
    /// How many tries it takes, and why one is rejected, is no secret. Nor is c̃ of a rejected try: it is a hash of w1,
    /// which cannot be guessed; z and w of one are secret.
    mutating func sign() throws(PostQuantumError) {
        shake256.absorb(seeds.part(96, 32))
        shake256.absorb(randomness)
        shake256.absorb(representative)
        shake256.finish(extendedInto: maskSeed)
        for number in 0..<Self.maximumTries where trySigning(UInt16(number * Self.columns)) { return }
        throw .libraryFailure
    }

    private mutating func trySigning(_ counter: UInt16) -> Bool {
        commit(counter)
        let hash = signature.part(0, Self.challengeLength)
        hashCommitment(into: hash)
        hash.reveal(reveal)
        makeChallenge(hash)
        return respond() && makeHints() && writeSignature()
    }

    /// The mask y and w = A y.
    private mutating func commit(_ counter: UInt16) {
        let bytes = stream.part(0, 640)
        for i in 0..<Self.columns {
            let number = counter &+ UInt16(i)
            shake256.absorb(maskSeed)
            shake256.absorb(byte: UInt8(truncatingIfNeeded: number))
            shake256.absorb(byte: UInt8(truncatingIfNeeded: number &>> 8))
            shake256.finish(extendedInto: bytes)
            MLDSACoding.unpackMask(bytes, into: part(i, of: mask))
            part(i, of: vector).copy(from: part(i, of: mask))
            MLDSARing.transform(part(i, of: vector))
        }
        for i in 0..<Self.rows {
            let target = part(i, of: commitment)
            MLDSARing.innerProduct(matrixRow(i), vector, into: target)
            MLDSARing.inverseTransform(target)
            for j in 0..<Self.polynomial { target[j] = MLDSARing.canonical(target[j]) }
        }
    }

    /// c̃ of `representative` and the high parts of `commitment`.
    private mutating func hashCommitment(into target: ScratchArea<UInt8>) {
        let bytes = stream.part(0, 128)
        shake256.absorb(representative)
        for i in 0..<Self.rows {
            MLDSACoding.packHigh(part(i, of: commitment), into: bytes)
            shake256.absorb(bytes)
        }
        shake256.finish(extendedInto: target)
    }

    /// ĉ of c̃, which is public, also that of a rejected try.
    private mutating func makeChallenge(_ hash: ScratchArea<UInt8>) {
        var count = 136
        while true {
            shake256.absorb(hash)
            let bytes = stream.part(0, count)
            shake256.finish(extendedInto: bytes)
            if MLDSACoding.sampleChallenge(bytes, into: challenge) { break }
            precondition(count < 1088, "a hash function gives no small numbers")
            count *= 2
        }
        MLDSARing.transform(challenge)
    }

    /// z = y + c s1 and w - c s2; false when one of them could tell of the secret.
    private func respond() -> Bool {
        var excess: Int32 = 0
        for i in 0..<Self.columns {
            MLDSARing.multiply(challenge, part(i, of: secret1), into: product)
            MLDSARing.inverseTransform(product)
            let (mask, target) = (part(i, of: mask), part(i, of: vector))
            for j in 0..<Self.polynomial {
                let z = MLDSARing.centred(MLDSARing.reduced(mask[j] &+ product[j]))
                target[j] = z
                excess |= MLDSARounding.exceeds(z, Self.maskBound &- Self.slack)
            }
        }
        if isRejected(excess) { return false }
        for i in 0..<Self.rows {
            MLDSARing.multiply(challenge, part(i, of: secret2), into: product)
            MLDSARing.inverseTransform(product)
            let target = part(i, of: commitment)
            for j in 0..<Self.polynomial {
                let value = MLDSARing.reduced(target[j] &- product[j])
                target[j] = value
                excess |= MLDSARounding.exceeds(
                    MLDSARounding.decompose(value).low, MLDSARounding.gamma2 &- Self.slack)
            }
        }
        return !isRejected(excess)
    }

    /// The hints where c t0 changes the high part; false when they are too many or c t0 is too large.
    ///
    /// The latter is what FIPS 204 asks for, but cannot be: c t0 is at most 49 · 2^12, which is below γ2.
    private func makeHints() -> Bool {
        var excess: Int32 = 0
        var count: Int32 = 0
        for i in 0..<Self.rows {
            MLDSARing.multiply(challenge, part(i, of: low), into: product)
            MLDSARing.inverseTransform(product)
            let (rest, target) = (part(i, of: commitment), hints.part(i * Self.polynomial, Self.polynomial))
            for j in 0..<Self.polynomial {
                let shift = MLDSARing.centred(MLDSARing.canonical(product[j]))
                excess |= MLDSARounding.exceeds(shift, MLDSARounding.gamma2)
                let hint = MLDSARounding.hint(rest[j], MLDSARing.reduced(rest[j] &+ shift))
                count &+= hint
                target[j] = UInt8(truncatingIfNeeded: hint)
            }
        }
        return !isRejected(excess | (Int32(MLDSACoding.hintCount) &- count) &>> 31)
    }

    /// Whether `excess` is not zero: the verdict on a try, which is no secret.
    private func isRejected(_ excess: Int32) -> Bool {
        let verdict = verdicts.part(0, 1)
        verdict[0] = UInt8(truncatingIfNeeded: OptimiserBarrier.pass(UInt64(UInt32(bitPattern: excess))) & 1)
        verdict.reveal(reveal)
        return verdict[0] != 0
    }

    /// z and the hints of a try that is accepted, and so public, behind c̃.
    private func writeSignature() -> Bool {
        for i in 0..<Self.columns {
            MLDSACoding.pack(
                part(i, of: vector), bits: 20, reflectedAt: Self.maskBound,
                into: signature.part(Self.challengeLength + 640 * i, 640))
        }
        hints.reveal(reveal)
        MLDSACoding.packHints(hints, into: signature.part(Self.challengeLength + 3200, 61))
        signature.reveal(reveal)
        return true
    }

    // MARK: Verifying

    /// Whether `signature` is one of `representative` under `publicKey`, whose matrix has been made (algorithm 8).
    mutating func verify() -> Bool {
        let hash = signature.part(0, Self.challengeLength)
        guard MLDSACoding.unpackHints(signature.part(Self.challengeLength + 3200, 61), into: hints) else {
            return false
        }
        var excess: Int32 = 0
        for i in 0..<Self.columns {
            let z = part(i, of: vector)
            MLDSACoding.unpackMask(signature.part(Self.challengeLength + 640 * i, 640), into: z)
            for j in 0..<Self.polynomial { excess |= MLDSARounding.exceeds(z[j], Self.maskBound &- Self.slack) }
            MLDSARing.transform(z)
        }
        guard excess == 0 else { return false }
        makeChallenge(hash)
        let packed = stream.part(0, 128)
        shake256.absorb(representative)
        for i in 0..<Self.rows {
            let high = part(i, of: low)
            MLDSACoding.unpack(publicKey.part(32 + 320 * i, 320), bits: 10, reflectedAt: nil, into: high)
            for j in 0..<Self.polynomial { high[j] = high[j] &<< 13 }
            MLDSARing.transform(high)
            MLDSARing.innerProduct(matrixRow(i), vector, minus: challenge, high, into: product)
            MLDSARing.inverseTransform(product)
            for j in 0..<128 {
                let at = 2 &* j
                let first = MLDSARounding.usingHint(
                    hints[i &* Self.polynomial &+ at] != 0, MLDSARing.canonical(product[at]))
                let second = MLDSARounding.usingHint(
                    hints[i &* Self.polynomial &+ at &+ 1] != 0, MLDSARing.canonical(product[at &+ 1]))
                packed[j] = UInt8(truncatingIfNeeded: first | second &<< 4)
            }
            shake256.absorb(packed)
        }
        let again = maskSeed.part(0, Self.challengeLength)
        shake256.finish(extendedInto: again)
        return again.equalityMask(hash) != 0
    }
}
