import CryptoPrimitives
import Foundation
import TestSupport
import Testing

@testable import SophaxCore

/// Right values by Python's `kyber-py` and `hashlib`, and those of the X-Wing draft.
@Suite("Checked seeds")
struct CheckedSeedTests {
    static let seed = Array(UInt8(0)..<64)
    /// SHA3-256 of the ML-KEM-768 public key of `seed`.
    static let hash = "a24e16d8f8f9383a95b77050f4d9fd2f5733eec1d63ef3c23ebf9918173669a7"

    private func read(_ bytes: [UInt8], as form: CheckedSeed.Form) throws -> [UInt8] {
        try CheckedSeed.read(secret(bytes), as: form).exposed
    }

    @Test("an ML-KEM-768 seed is stored with the hash of its public key, and read back")
    func lattice() throws {
        let stored = Self.seed + bytes(hex: Self.hash)
        #expect(try CheckedSeed.text(of: secret(Self.seed), as: .mlkem768).exposed == stored)
        #expect(try read(stored, as: .mlkem768) == Self.seed)
        let pair = try PostQuantumPreKeyPair(id: 5, stored: secret(stored))
        #expect(SHA3_256.hash(pair.publicKey.span) == bytes(hex: Self.hash))
        #expect(try pair.stored().exposed == stored)
        let copy = try pair.copy()
        #expect(copy.id == 5 && copy.publicKey == pair.publicKey && copy.seed.exposed == Self.seed)
    }

    @Test("an X-Wing seed too, with the public key of the draft's vectors", .enabled(if: SharedFolder.isThere))
    func wing() throws {
        struct Vector: Decodable { let seed, pk: String }
        let data = try Data(contentsOf: URL(fileURLWithPath: SharedFolder.file("vectors/xwing/test-vectors.json")))
        for vector in try JSONDecoder().decode([Vector].self, from: data) {
            let seed = bytes(hex: vector.seed)
            let publicKey = bytes(hex: vector.pk)
            let stored = seed + SHA3_256.hash(publicKey.span)
            #expect(try CheckedSeed.text(of: secret(seed), as: .xwing).exposed == stored)
            #expect(try read(stored, as: .xwing) == seed)
        }
    }

    @Test("a changed bit of d or the hash is a mismatch, one of z cannot be seen, another length is told")
    func refused() throws {
        let stored = Self.seed + bytes(hex: Self.hash)
        for bit in stride(from: 0, to: stored.count * 8, by: 61) {
            var changed = stored
            changed[bit / 8] ^= 1 << (bit % 8)
            // z of FIPS 203, which no public key depends on.
            if (32..<64).contains(bit / 8) {
                #expect(try read(changed, as: .mlkem768) == Array(changed.prefix(64)))
                continue
            }
            #expect(throws: CheckedSeedError.mismatch, "bit \(bit)") { try read(changed, as: .mlkem768) }
        }
        for length in [0, 64, 95, 97] {
            let cut = Array((stored + stored).prefix(length))
            #expect(throws: CheckedSeedError.length(expected: 96, found: length)) { try read(cut, as: .mlkem768) }
        }
        #expect(throws: CheckedSeedError.length(expected: 64, found: 96)) { try read(stored, as: .xwing) }
        #expect(throws: CheckedSeedError.mismatch) { try read(Array(stored.prefix(64)), as: .xwing) }
        #expect(throws: CheckedSeedError.length(expected: 64, found: 32)) {
            _ = try CheckedSeed.text(of: secret(Array(Self.seed.prefix(32))), as: .mlkem768)
        }
    }

    @Test("fresh keys differ, and their ids are none of those taken")
    func fresh() throws {
        let ids = SecretQueue(hashesFrom: 1).source
        let source = RandomSource(secret: ids.secret) { count in [UInt8](repeating: count == 4 ? 7 : 0, count: count) }
        let first = try PostQuantumPreKeyPair.make(excluding: [])
        let second = try PostQuantumPreKeyPair.makeForIdentity()
        #expect(first.publicKey != second.publicKey)
        #expect(first.id.map { $0 > 0 } == true && second.id == nil)
        // Two hashes do not fit into 64 bytes: a source that gives less than was asked for is no seed.
        let short = failure { () throws(CheckedSeedError) in
            _ = try PostQuantumPreKeyPair.make(excluding: [], random: source)
        }
        #expect(short == .length(expected: 64, found: 32))
    }
}

@Suite("ML-DSA keys of a keychain")
struct PostQuantumSigningKeyTests {
    private static let seed = Array(UInt8(1)...32)
    /// SHA3-256 of the ML-DSA-65 public key of `seed`, by Python's `dilithium-py`.
    private static let hash = "2fe3c3c8e3751136ef8d17166c2e7a0732b679ca76d3ec2a0632cec54ab58f16"

    private func read(_ bytes: [UInt8], known: [[UInt8]] = []) throws -> [UInt8]? {
        switch try PostQuantumSigningKey.read(secret(bytes), known: known) {
        case .some(let key): key.seed.exposed
        case .none: nil
        }
    }

    @Test("seed and hash are read; a bare seed, or one before other bytes, only when its public key is known")
    func layouts() throws {
        let key = try PostQuantumSigningKey(seed: secret(Self.seed))
        let stored = try key.stored().exposed
        #expect(stored == Self.seed + bytes(hex: Self.hash))
        let other = [UInt8](repeating: 9, count: PostQuantumSigningKey.publicKeyLength)
        #expect(try read(stored) == Self.seed)
        #expect(try read(Self.seed) == nil)
        #expect(try read(Self.seed, known: [other]) == nil)
        #expect(try read(Self.seed, known: [other, key.publicKey]) == Self.seed)
        var changed = stored
        changed[40] ^= 1
        #expect(try read(changed) == nil)
        #expect(try read(changed, known: [key.publicKey]) == Self.seed)
        changed[0] ^= 1
        #expect(try read(changed, known: [key.publicKey]) == nil)
        for length in [0, 31, 33, 63, 65, 4_032] {
            #expect(try read([UInt8](repeating: 1, count: length), known: [key.publicKey]) == nil)
        }
    }
}
