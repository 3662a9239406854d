import TestSupport

@testable import CryptoPrimitives

/// What vectors have and sxkey neither takes nor writes: private keys in the long form of FIPS 203 and 204.

/// A private key in its long form has another length, a value that no key has or the hash of another public key.
struct LongKeyRefusal: Error {}

/// The decapsulation key of ML-KEM-768 in its long form, 2,400 bytes: ŝ, the encapsulation key, its hash, z.
enum LongMLKEMKey {
    /// FIPS 203, algorithm 16.
    static func bytes(ofSeed seed: borrowing SecretBytes) throws -> [UInt8] {
        var workspace = try MLKEMWorkspace(reveal: nil)
        workspace.seed.copy(from: seed)
        workspace.makeKeys()
        return workspace.longKey
    }

    /// The secret in a ciphertext, with all checks of FIPS 203, 7.3.
    static func decapsulate(_ ciphertext: [UInt8], _ key: [UInt8]) throws -> [UInt8] {
        guard key.count == 2400, ciphertext.count == 1088 else { throw LongKeyRefusal() }
        var workspace = try MLKEMWorkspace(reveal: nil)
        workspace.publicKey.copy(from: key.span.extracting(1152..<2336))
        workspace.readPublicKey()
        guard workspace.publicKeyHash.array() == Array(key[2336..<2368]) else { throw LongKeyRefusal() }
        workspace.seed.part(32, 32).copy(from: key.span.extracting(2368..<2400))
        for i in 0..<3 {
            withArea(Array(key[(384 * i)..<(384 * i + 384)])) {
                MLKEMCoding.decode12($0, into: workspace.secretVector.part(i * 256, 256))
            }
        }
        workspace.ciphertext.copy(from: ciphertext.span)
        workspace.decapsulate()
        return workspace.secretAndCoins.part(0, 32).array()
    }
}

extension MLKEMWorkspace {
    /// The decapsulation key in its long form, after `makeKeys`.
    var longKey: [UInt8] {
        var secret = [UInt8]()
        for i in 0..<3 {
            secret += withArea([UInt8](repeating: 0, count: 384)) { area in
                MLKEMCoding.encode12(secretVector.part(i * 256, 256), into: area)
                return area.values
            }
        }
        return secret + publicKey.array() + publicKeyHash.array() + seed.part(32, 32).array()
    }
}

/// A private key of ML-DSA-65 in its long form, 4,032 bytes.
struct LongMLDSAKey: ~Copyable {
    private var workspace: MLDSAWorkspace

    /// skDecode (FIPS 204, algorithm 25).
    init(_ key: borrowing SecretBytes) throws {
        let bytes = key.exposed
        guard bytes.count == 4032 else { throw LongKeyRefusal() }
        var workspace = try MLDSAWorkspace(reveal: nil)
        try Self.read(bytes, into: &workspace)
        self.workspace = workspace
    }

    private static func read(_ bytes: [UInt8], into workspace: inout MLDSAWorkspace) throws {
        workspace.publicKey.part(0, 32).copy(from: bytes.span.extracting(0..<32))
        workspace.seeds.part(96, 32).copy(from: bytes.span.extracting(32..<64))
        workspace.publicKeyHash.copy(from: bytes.span.extracting(64..<128))
        workspace.makeMatrix()
        for i in 0..<11 {
            let target = i < 5 ? workspace.part(i, of: workspace.secret1) : workspace.part(i - 5, of: workspace.secret2)
            withArea(Array(bytes[(128 + 128 * i)..<(256 + 128 * i)])) {
                MLDSACoding.unpack($0, bits: 4, reflectedAt: 4, into: target)
            }
            guard target.values.allSatisfy({ abs($0) <= 4 }) else { throw LongKeyRefusal() }
            MLDSARing.transform(target)
        }
        for i in 0..<6 {
            let target = workspace.part(i, of: workspace.low)
            withArea(Array(bytes[(1536 + 416 * i)..<(1952 + 416 * i)])) {
                MLDSACoding.unpack($0, bits: 13, reflectedAt: 1 << 12, into: target)
            }
            MLDSARing.transform(target)
        }
    }

    mutating func sign(_ message: [UInt8], context: [UInt8], _ randomness: borrowing SecretBytes) throws -> [UInt8] {
        try MLDSA65.check(context: context.span)
        workspace.readMessage(message.span, context: context.span)
        return try sign(randomness)
    }

    mutating func sign(representative: [UInt8], _ randomness: borrowing SecretBytes) throws -> [UInt8] {
        workspace.representative.copy(from: representative.span)
        return try sign(randomness)
    }

    private mutating func sign(_ randomness: borrowing SecretBytes) throws -> [UInt8] {
        workspace.randomness.copy(from: randomness)
        try workspace.sign()
        return workspace.copy(of: workspace.signature)
    }
}
