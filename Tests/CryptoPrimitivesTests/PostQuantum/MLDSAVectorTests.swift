import TestSupport
import Testing

@testable import CryptoPrimitives

@Suite("ML-DSA-65: published vectors", .enabled(if: SharedFolder.isThere, "needs ../shared"))
struct MLDSAVectorTests {
    private struct SignCase: Decodable {
        let tcId: Int
        let msg: String?
        let ctx: String?
        let mu: String?
        let rnd: String?
        let sig: String
        let result: WycheproofResult
        let flags: [String]
    }

    private struct SeedGroup: Decodable {
        let privateSeed: String
        let publicKey: String?
        let tests: [SignCase]
    }

    @Test("Wycheproof: 105 signatures of seeds", arguments: providers)
    func seeds(engine: NamedProvider) throws {
        let file = try WycheproofFile<SeedGroup>.read("mldsa_65_sign_seed")
        var counts = Counts()
        for group in file.testGroups {
            let seed = try secret(group.privateSeed)
            if let publicKey = group.publicKey, seed.count == 32 {
                let found = try MLDSA65.publicKey(ofSeed: seed, provider: engine.provider)
                #expect(found == bytes(publicKey))
            }
            for test in group.tests {
                counts.add(test.result)
                if test.result == .invalid {
                    let refusal: PostQuantumError =
                        seed.count == 32
                        ? .contextLength(maximum: 255, found: bytes(test.ctx ?? "").count)
                        : .seedLength(expected: 32, found: seed.count)
                    #expect(throws: refusal, "case \(test.tcId)") {
                        _ = try signature(of: test, seed, engine.provider)
                    }
                    continue
                }
                let found = try signature(of: test, seed, engine.provider)
                #expect(found == bytes(test.sig), "case \(test.tcId)")
            }
        }
        #expect(counts == Counts(valid: 101, invalid: 4))
        #expect(file.numberOfTests == 105)
    }

    private func signature(
        of test: SignCase, _ seed: borrowing SecretBytes, _ provider: PostQuantumProvider
    ) throws -> [UInt8] {
        let hedge: MLDSA65.Hedge = if let rnd = test.rnd { .random(fixedRandom(bytes(rnd))) } else { .deterministic }
        guard let message = test.msg else {
            let representative = MLDSA65.Representative(bytes: bytes(test.mu ?? ""))
            return try MLDSA65.sign(representative, seed: seed, hedge: hedge, provider: provider)
        }
        let (text, context) = (bytes(message), bytes(test.ctx ?? ""))
        return try MLDSA65.sign(text.span, seed: seed, context: context.span, hedge: hedge, provider: provider)
    }

    private struct KeyGroup: Decodable {
        let privateKey: String
        let tests: [SignCase]
    }

    @Test("Wycheproof: 78 signatures of private keys in their long form")
    func expandedKeys() throws {
        let file = try WycheproofFile<KeyGroup>.read("mldsa_65_sign_noseed")
        var counts = Counts()
        for group in file.testGroups {
            let key = try secret(group.privateKey)
            for test in group.tests {
                counts.add(test.result)
                if test.result == .invalid {
                    let refusal: PostQuantumError =
                        if test.flags.contains("IncorrectPrivateKeyLength") {
                            .privateKeyLength(expected: 4032, found: key.count)
                        } else if test.flags.contains("InvalidContext") {
                            .contextLength(maximum: 255, found: bytes(test.ctx ?? "").count)
                        } else {
                            .privateKeyDamaged
                        }
                    #expect(throws: refusal, "case \(test.tcId)") { _ = try signature(of: test, key) }
                    continue
                }
                let found = try signature(of: test, key)
                #expect(found == bytes(test.sig), "case \(test.tcId)")
            }
        }
        #expect(counts == Counts(valid: 73, invalid: 5))
        #expect(file.numberOfTests == 78)
    }

    private func signature(of test: SignCase, _ key: borrowing SecretBytes) throws -> [UInt8] {
        let randomness = try secret(test.rnd ?? String(repeating: "00", count: 32))
        guard let message = test.msg else {
            let representative = bytes(test.mu ?? "")
            return try OwnMLDSA65.sign(
                representative.span, context: nil, expandedKey: key, randomness: randomness)
        }
        let (text, context) = (bytes(message), bytes(test.ctx ?? ""))
        return try OwnMLDSA65.sign(text.span, context: context.span, expandedKey: key, randomness: randomness)
    }

    private struct VerifyGroup: Decodable {
        struct Case: Decodable {
            let tcId: Int
            let msg: String
            let ctx: String?
            let sig: String
            let result: WycheproofResult
            let flags: [String]
        }
        let publicKey: String
        let tests: [Case]
    }

    @Test("Wycheproof: 210 signatures are verified or refused", arguments: providers)
    func verification(engine: NamedProvider) throws {
        let file = try WycheproofFile<VerifyGroup>.read("mldsa_65_verify")
        var counts = Counts()
        for group in file.testGroups {
            let key = bytes(group.publicKey)
            for test in group.tests {
                counts.add(test.result)
                let (text, context, signature) = (bytes(test.msg), bytes(test.ctx ?? ""), bytes(test.sig))
                let isValid = try MLDSA65.isValid(
                    signature: signature.span, for: text.span, publicKey: key.span, context: context.span,
                    provider: engine.provider)
                #expect(isValid == (test.result == .valid), "case \(test.tcId)")
            }
        }
        #expect(counts == Counts(valid: 79, invalid: 131))
        #expect(file.numberOfTests == 210)
    }

    private struct Counts: Equatable {
        var valid = 0
        var invalid = 0

        mutating func add(_ result: WycheproofResult) {
            if result == .valid { valid += 1 } else { invalid += 1 }
        }
    }
}
