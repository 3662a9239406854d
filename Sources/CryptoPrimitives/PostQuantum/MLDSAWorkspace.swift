/// The memory of one run of ML-DSA-65 (FIPS 204, sections 5 and 6), and how its keys are made.
///
/// The areas are inputs and results of the steps: each step says which it reads and writes. Everything is wiped when the
/// workspace goes.
struct MLDSAWorkspace: ~Copyable {
    static let rows = 6
    static let columns = 5
    static let polynomial = 256
    /// What the areas of secrets need, less than the 64 KiB that many systems let a process lock.
    static let secretLength = 46_400

    private var scratch: SecretScratch
    private let plain: PlainScratch
    /// ξ.
    let seed: ScratchArea<UInt8>
    /// rnd: 32 bytes, zero for a signature that is the same every time.
    let randomness: ScratchArea<UInt8>
    /// The seed of the matrix, then 320 bytes a polynomial of t1.
    let publicKey: ScratchArea<UInt8>
    /// tr: SHAKE-256 of the public key, 64 bytes.
    let publicKeyHash: ScratchArea<UInt8>
    /// μ: SHAKE-256 of tr and the message, 64 bytes.
    let representative: ScratchArea<UInt8>
    /// c̃, z and the hints.
    let signature: ScratchArea<UInt8>
    /// ρ, ρ' and K of the seed: 32, 64 and 32 bytes.
    let seeds: ScratchArea<UInt8>
    let maskSeed: ScratchArea<UInt8>
    /// Outputs of hash functions.
    let stream: ScratchArea<UInt8>
    /// What is told of secrets on purpose: which half bytes are taken, and whether a try is rejected.
    let verdicts: ScratchArea<UInt8>
    let hints: ScratchArea<UInt8>

    /// Â, row after row; public, and so outside of the guarded memory, which systems have little of.
    let matrix: ScratchArea<Int32>
    /// ŝ1, ŝ2 and t̂0.
    let secret1: ScratchArea<Int32>
    let secret2: ScratchArea<Int32>
    let low: ScratchArea<Int32>
    let mask: ScratchArea<Int32>
    /// ŷ, then z.
    let vector: ScratchArea<Int32>
    /// w, then w - c s2.
    let commitment: ScratchArea<Int32>
    let challenge: ScratchArea<Int32>
    let product: ScratchArea<Int32>

    var shake128 = RepeatedDigest(.shake128)
    var shake256 = RepeatedDigest(.shake256)
    let reveal: RevealHook?

    init(reveal: RevealHook?) throws(PostQuantumError) {
        self.reveal = reveal
        plain = PlainScratch(count: Self.rows * Self.columns * Self.polynomial)
        matrix = plain.area
        scratch = try SecretScratch(count: Self.secretLength)
        seed = scratch.take(32, of: UInt8.self)
        randomness = scratch.take(32, of: UInt8.self)
        publicKey = scratch.take(MLDSA65.publicKeyLength, of: UInt8.self)
        publicKeyHash = scratch.take(64, of: UInt8.self)
        representative = scratch.take(64, of: UInt8.self)
        signature = scratch.take(MLDSA65.signatureLength, of: UInt8.self)
        seeds = scratch.take(128, of: UInt8.self)
        maskSeed = scratch.take(64, of: UInt8.self)
        stream = scratch.take(1088, of: UInt8.self)
        verdicts = scratch.take(2176, of: UInt8.self)
        hints = scratch.take(Self.rows * Self.polynomial, of: UInt8.self)
        secret1 = scratch.take(Self.columns * Self.polynomial, of: Int32.self)
        secret2 = scratch.take(Self.rows * Self.polynomial, of: Int32.self)
        low = scratch.take(Self.rows * Self.polynomial, of: Int32.self)
        mask = scratch.take(Self.columns * Self.polynomial, of: Int32.self)
        vector = scratch.take(Self.columns * Self.polynomial, of: Int32.self)
        commitment = scratch.take(Self.rows * Self.polynomial, of: Int32.self)
        challenge = scratch.take(Self.polynomial, of: Int32.self)
        product = scratch.take(Self.polynomial, of: Int32.self)
    }

    /// Polynomial `i` of a vector.
    func part(_ i: Int, of vector: ScratchArea<Int32>) -> ScratchArea<Int32> {
        vector.part(i * Self.polynomial, Self.polynomial)
    }

    /// A plain copy of an area that is public by now.
    func copy(of area: ScratchArea<UInt8>) -> [UInt8] {
        withExtendedLifetime(scratch) { area.array() }
    }

    // MARK: Making keys

    /// Makes the key pair of `seed` (algorithm 6): `publicKey` and its hash, and what signing needs.
    mutating func makeKeys() {
        shake256.absorb(seed)
        shake256.absorb(byte: UInt8(Self.rows))
        shake256.absorb(byte: UInt8(Self.columns))
        shake256.finish(extendedInto: seeds)
        // The seed of the matrix is part of the public key.
        let matrixSeed = publicKey.part(0, 32)
        matrixSeed.copy(from: seeds.part(0, 32))
        matrixSeed.reveal(reveal)
        makeMatrix()
        for i in 0..<Self.columns {
            sampleSecret(UInt8(i), into: part(i, of: secret1))
            MLDSARing.transform(part(i, of: secret1))
        }
        for i in 0..<Self.rows {
            let error = part(i, of: secret2)
            sampleSecret(UInt8(Self.columns + i), into: error)
            MLDSARing.innerProduct(matrixRow(i), secret1, into: product)
            MLDSARing.inverseTransform(product)
            let lowPart = part(i, of: low)
            for j in 0..<Self.polynomial {
                let (high, low) = MLDSARounding.powerOfTwo(MLDSARing.reduced(product[j] &+ error[j]))
                product[j] = high
                lowPart[j] = low
            }
            MLDSACoding.pack(product, bits: 10, reflectedAt: nil, into: publicKey.part(32 + 320 * i, 320))
            MLDSARing.transform(error)
            MLDSARing.transform(lowPart)
        }
        publicKey.reveal(reveal)
        hashPublicKey()
    }

    func matrixRow(_ i: Int) -> ScratchArea<Int32> {
        matrix.part(i * Self.columns * Self.polynomial, Self.columns * Self.polynomial)
    }

    mutating func hashPublicKey() {
        shake256.absorb(publicKey)
        shake256.finish(extendedInto: publicKeyHash)
    }

    /// ExpandA (algorithm 32) from the first 32 bytes of `publicKey`.
    mutating func makeMatrix() {
        let bytes = stream.part(0, 840)
        for row in 0..<Self.rows {
            for column in 0..<Self.columns {
                let entry = part(row * Self.columns + column, of: matrix)
                // Five blocks of the sponge suffice but for once in 2^132 times.
                absorbPlace(row, column)
                shake128.finish(extendedInto: bytes)
                let isDone = unsafe MLDSACoding.sampleUniform(
                    UnsafeRawBufferPointer(bytes.bytes).bindMemory(to: UInt8.self).span, into: entry)
                var count = 2 * bytes.count
                while !isDone {
                    absorbPlace(row, column)
                    if MLDSACoding.sampleUniform(shake128.finish(publicCount: count).span, into: entry) { break }
                    count *= 2
                }
            }
        }
    }

    private mutating func absorbPlace(_ row: Int, _ column: Int) {
        shake128.absorb(publicKey.part(0, 32))
        shake128.absorb(byte: UInt8(column))
        shake128.absorb(byte: UInt8(row))
    }

    /// One polynomial of ExpandS (algorithm 33).
    private mutating func sampleSecret(_ number: UInt8, into target: ScratchArea<Int32>) {
        // Two blocks suffice but for once in 100,000 times; eight always do.
        var count = 272
        while true {
            shake256.absorb(seeds.part(32, 64))
            shake256.absorb(byte: number)
            shake256.absorb(byte: 0)
            let bytes = stream.part(0, count)
            shake256.finish(extendedInto: bytes)
            let taken = verdicts.part(0, 2 * count)
            MLDSACoding.judge(bytes, into: taken)
            taken.reveal(reveal)
            if MLDSACoding.sampleBounded(bytes, taken, into: target) { return }
            precondition(count < 1088, "a hash function gives no small numbers")
            count *= 2
        }
    }
}
