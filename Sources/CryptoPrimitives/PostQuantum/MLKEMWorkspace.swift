/// The memory and the steps of one run of ML-KEM-768 (FIPS 203, sections 5 and 6).
///
/// The areas are inputs and results of the steps: each step says which it reads and writes. Everything is wiped when the
/// workspace goes.
struct MLKEMWorkspace: ~Copyable {
    private static let rank = 3
    private static let polynomial = 256

    private var scratch: SecretScratch
    /// d ‖ z.
    let seed: ScratchArea<UInt8>
    /// The encapsulation key: three polynomials in 384 bytes each, then the seed of the matrix.
    let publicKey: ScratchArea<UInt8>
    /// SHA3-256 of the encapsulation key.
    let publicKeyHash: ScratchArea<UInt8>
    /// m, 32 bytes.
    let message: ScratchArea<UInt8>
    /// The shared secret and, behind it, the randomness of the encryption: 32 bytes each.
    let secretAndCoins: ScratchArea<UInt8>
    let ciphertext: ScratchArea<UInt8>
    /// The ciphertext that decapsulation makes again.
    private let again: ScratchArea<UInt8>
    /// Outputs of hash functions.
    private let hashed: ScratchArea<UInt8>
    private let stream: ScratchArea<UInt8>

    /// Â, row after row; public.
    private let matrix: ScratchArea<Int16>
    /// t̂; public.
    private let publicVector: ScratchArea<Int16>
    /// ŝ.
    let secretVector: ScratchArea<Int16>
    /// ŷ, and u when a ciphertext is read.
    private let vector: ScratchArea<Int16>
    private let product: ScratchArea<Int16>
    private let noise: ScratchArea<Int16>

    private var shake128 = RepeatedDigest(.shake128)
    private var shake256 = RepeatedDigest(.shake256)
    private var sha256 = RepeatedDigest(.sha3x256)
    private var sha512 = RepeatedDigest(.sha3x512)
    private let reveal: RevealHook?

    init(reveal: RevealHook?) throws(PostQuantumError) {
        self.reveal = reveal
        scratch = try SecretScratch(count: 18_432)
        seed = scratch.take(64, of: UInt8.self)
        publicKey = scratch.take(MLKEM768.publicKeyLength, of: UInt8.self)
        publicKeyHash = scratch.take(32, of: UInt8.self)
        message = scratch.take(32, of: UInt8.self)
        secretAndCoins = scratch.take(64, of: UInt8.self)
        ciphertext = scratch.take(MLKEM768.ciphertextLength, of: UInt8.self)
        again = scratch.take(MLKEM768.ciphertextLength, of: UInt8.self)
        hashed = scratch.take(128, of: UInt8.self)
        stream = scratch.take(504, of: UInt8.self)
        matrix = scratch.take(9 * Self.polynomial, of: Int16.self)
        publicVector = scratch.take(Self.rank * Self.polynomial, of: Int16.self)
        secretVector = scratch.take(Self.rank * Self.polynomial, of: Int16.self)
        vector = scratch.take(Self.rank * Self.polynomial, of: Int16.self)
        product = scratch.take(Self.polynomial, of: Int16.self)
        noise = scratch.take(Self.polynomial, of: Int16.self)
    }

    // MARK: Keys

    /// Makes the key pair of `seed` (algorithms 13 and 16): `secretVector`, `publicKey` and its hash, and what encryption
    /// needs.
    mutating func makeKeys() {
        sha512.absorb(seed.part(0, 32))
        sha512.absorb(byte: UInt8(Self.rank))
        let both = hashed.part(0, 64)
        sha512.finish(into: both)
        makeKeys(ofMatrixAndNoise: both)
    }

    /// The same from the seed of the matrix and, behind it, that of the secret: 32 bytes each.
    mutating func makeKeys(ofMatrixAndNoise both: ScratchArea<UInt8>) {
        // The seed of the matrix is part of the public key.
        let matrixSeed = publicKey.part(1152, 32)
        matrixSeed.copy(from: both.part(0, 32))
        matrixSeed.reveal(reveal)
        makeMatrix()

        let noiseSeed = secretAndCoins.part(0, 32)
        noiseSeed.copy(from: both.part(32, 32))
        for i in 0..<Self.rank {
            let part = secretVector.part(i * Self.polynomial, Self.polynomial)
            sampleNoise(noiseSeed, UInt8(i), into: part)
            MLKEMRing.transform(part)
        }
        for i in 0..<Self.rank {
            sampleNoise(noiseSeed, UInt8(Self.rank + i), into: noise)
            MLKEMRing.transform(noise)
            MLKEMRing.innerProduct(
                matrix.part(i * 3 * Self.polynomial, 3 * Self.polynomial), stride: 1, secretVector, into: product)
            let part = publicVector.part(i * Self.polynomial, Self.polynomial)
            for j in 0..<Self.polynomial {
                part[j] = MLKEMRing.centred(
                    MLKEMRing.product(product[j], MLKEMRing.correction) &+ noise[j])
            }
            MLKEMCoding.encode12(part, into: publicKey.part(384 * i, 384))
        }
        publicKey.reveal(reveal)
        hashPublicKey()
    }

    /// Reads `publicKey`, given from outside: the same values as after `makeKeys`, but for `secretVector`.
    mutating func readPublicKey() {
        for i in 0..<Self.rank {
            MLKEMCoding.decode12(
                publicKey.part(384 * i, 384), into: publicVector.part(i * Self.polynomial, Self.polynomial))
        }
        makeMatrix()
        hashPublicKey()
    }

    /// Â from its seed, the last 32 bytes of `publicKey`.
    private mutating func makeMatrix() {
        for row in 0..<Self.rank {
            for column in 0..<Self.rank {
                let entry = matrix.part((row * Self.rank + column) * Self.polynomial, Self.polynomial)
                // Three blocks of the sponge are enough for 99 of 100 polynomials.
                absorbPlace(column, row)
                shake128.finish(extendedInto: stream)
                let filled = unsafe MLKEMCoding.sampleUniform(
                    UnsafeRawBufferPointer(stream.bytes).bindMemory(to: UInt8.self).span, into: entry, filled: 0)
                guard filled < Self.polynomial else { continue }
                var count = 2 * stream.count
                while true {
                    absorbPlace(column, row)
                    let longer = shake128.finish(publicCount: count)
                    if MLKEMCoding.sampleUniform(longer.span, into: entry, filled: 0) == Self.polynomial { break }
                    count *= 2
                }
            }
        }
    }

    private mutating func absorbPlace(_ column: Int, _ row: Int) {
        shake128.absorb(publicKey.part(1152, 32))
        shake128.absorb(byte: UInt8(column))
        shake128.absorb(byte: UInt8(row))
    }

    private mutating func hashPublicKey() {
        sha256.absorb(publicKey)
        sha256.finish(into: publicKeyHash)
    }

    /// PRF and SamplePolyCBD: a small polynomial from a 32-byte seed and its number.
    private mutating func sampleNoise(_ seed: ScratchArea<UInt8>, _ number: UInt8, into target: ScratchArea<Int16>) {
        shake256.absorb(seed)
        shake256.absorb(byte: number)
        shake256.finish(extendedInto: hashed)
        MLKEMCoding.sampleSmall(hashed, into: target)
    }

    // MARK: Encryption

    /// `secretAndCoins` of `message` under the public key (the first half of algorithm 17).
    mutating func deriveSecret() {
        sha512.absorb(message)
        sha512.absorb(publicKeyHash)
        sha512.finish(into: secretAndCoins)
    }

    /// K-PKE.Encrypt (algorithm 14): `message` with the randomness of `secretAndCoins` into `ciphertext`.
    mutating func encrypt() {
        encrypt(into: ciphertext)
    }

    private mutating func encrypt(into target: ScratchArea<UInt8>) {
        let coins = secretAndCoins.part(32, 32)
        for i in 0..<Self.rank {
            let part = vector.part(i * Self.polynomial, Self.polynomial)
            sampleNoise(coins, UInt8(i), into: part)
            MLKEMRing.transform(part)
        }
        for i in 0..<Self.rank {
            // Column i of the matrix is row i of its transpose.
            MLKEMRing.innerProduct(
                matrix.part(i * Self.polynomial, 7 * Self.polynomial), stride: 3, vector, into: product)
            MLKEMRing.inverseTransform(product)
            sampleNoise(coins, UInt8(Self.rank + i), into: noise)
            for j in 0..<Self.polynomial { product[j] = MLKEMRing.centred(product[j] &+ noise[j]) }
            MLKEMCoding.encodeCompressed10(product, into: target.part(320 * i, 320))
        }
        MLKEMRing.innerProduct(publicVector, stride: 1, vector, into: product)
        MLKEMRing.inverseTransform(product)
        sampleNoise(coins, UInt8(2 * Self.rank), into: noise)
        for j in 0..<Self.polynomial { product[j] = MLKEMRing.centred(product[j] &+ noise[j]) }
        MLKEMCoding.addMessage(message, to: product)
        for j in 0..<Self.polynomial { product[j] = MLKEMRing.centred(product[j]) }
        MLKEMCoding.encodeCompressed4(product, into: target.part(960, 128))
    }

    // MARK: Decryption

    /// The shared secret of `ciphertext` for the keys and z, the second half of `seed`, into the first half of
    /// `secretAndCoins` (algorithm 18): of a ciphertext that encryption does not give, the secret is a hash of z and it.
    mutating func decapsulate() {
        decrypt()
        deriveSecret()
        encrypt(into: again)
        let rejected = hashed.part(0, 32)
        shake256.absorb(seed.part(32, 32))
        shake256.absorb(ciphertext)
        shake256.finish(extendedInto: rejected)
        let same = ciphertext.equalityMask(again)
        for i in 0..<32 { secretAndCoins[i] = (secretAndCoins[i] & same) | (rejected[i] & ~same) }
    }

    /// K-PKE.Decrypt (algorithm 15): `ciphertext` into `message`.
    private mutating func decrypt() {
        for i in 0..<Self.rank {
            let part = vector.part(i * Self.polynomial, Self.polynomial)
            MLKEMCoding.decodeCompressed10(ciphertext.part(320 * i, 320), into: part)
            MLKEMRing.transform(part)
        }
        MLKEMRing.innerProduct(secretVector, stride: 1, vector, into: product)
        MLKEMRing.inverseTransform(product)
        MLKEMCoding.decodeCompressed4(ciphertext.part(960, 128), into: noise)
        for j in 0..<Self.polynomial { product[j] = MLKEMRing.centred(noise[j] &- product[j]) }
        MLKEMCoding.decodeMessage(product, into: message)
    }
}
