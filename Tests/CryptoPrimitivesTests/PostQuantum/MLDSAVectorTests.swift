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
            let publicKey = bytes(group.publicKey ?? "")
            if seed.count == 32 {
                let found = try MLDSA65.publicKey(ofSeed: seed, provider: engine.provider)
                #expect(found == publicKey)
            }
            for test in group.tests {
                counts.add(test.result)
                if test.result == .invalid {
                    let refusal: PostQuantumError =
                        seed.count == 32
                        ? .contextLength(maximum: 255, found: bytes(test.ctx ?? "").count)
                        : .seedLength(expected: 32, found: seed.count)
                    #expect(throws: refusal, "case \(test.tcId)") {
                        _ = try signature(of: test, seed, publicKey, engine.provider)
                    }
                    continue
                }
                let found = try signature(of: test, seed, publicKey, engine.provider)
                #expect(found == bytes(test.sig), "case \(test.tcId)")
            }
        }
        #expect(counts == Counts(valid: 101, invalid: 4))
        #expect(file.numberOfTests == 105)
    }

    private func signature(
        of test: SignCase, _ seed: borrowing SecretBytes, _ publicKey: [UInt8], _ provider: PostQuantumProvider
    ) throws -> [UInt8] {
        let hedge: MLDSA65.Hedge = if let rnd = test.rnd { .random(fixedRandom(bytes(rnd))) } else { .deterministic }
        guard let message = test.msg else {
            let representative = MLDSA65.Representative(
                publicKeyHash: SHAKE256.hash(publicKey.span, length: 64), bytes: bytes(test.mu ?? ""))
            return try MLDSA65.sign(representative, seed: seed, hedge: hedge, provider: provider)
        }
        let (text, context) = (bytes(message), bytes(test.ctx ?? ""))
        return try MLDSA65.sign(text.span, seed: seed, context: context.span, hedge: hedge, provider: provider)
    }

    @Test("Wycheproof: what stands for a message is its μ, however the message is cut")
    func representatives() throws {
        let file = try WycheproofFile<SeedGroup>.read("mldsa_65_sign_seed")
        var count = 0
        for group in file.testGroups {
            let key = bytes(group.publicKey ?? "")
            for test in group.tests {
                guard let mu = test.mu, let msg = test.msg else { continue }
                let (text, context) = (bytes(msg), bytes(test.ctx ?? ""))
                for cut in Set([0, 1, 7, 72, 136, 137, text.count]) where cut <= text.count {
                    var message = try MLDSA65.Message(publicKey: key.span, context: context.span)
                    message.update(text.span.extracting(first: cut))
                    message.update(text.span.extracting(droppingFirst: cut))
                    #expect(message.representative().bytes == bytes(mu), "case \(test.tcId), cut at \(cut)")
                }
                count += 1
            }
        }
        #expect(count == 84)
    }

    private struct KeyGroup: Decodable {
        let privateKey: String
        let publicKey: String?
        let tests: [SignCase]
    }

    // The same keys stand there as PKCS#8 and as DER too, forms that sxkey does not read.
    @Test("Wycheproof: 78 signatures of private keys in their long form")
    func expandedKeys() throws {
        let file = try WycheproofFile<KeyGroup>.read("mldsa_65_sign_noseed")
        var counts = Counts()
        for group in file.testGroups {
            let key = try secret(group.privateKey)
            for test in group.tests {
                counts.add(test.result)
                if test.result == .invalid {
                    if test.flags.contains("InvalidContext") {
                        let length = bytes(test.ctx ?? "").count
                        #expect(throws: PostQuantumError.contextLength(maximum: 255, found: length)) {
                            _ = try signature(of: test, key)
                        }
                    } else {
                        #expect(throws: LongKeyRefusal.self) { _ = try signature(of: test, key) }
                    }
                    continue
                }
                let found = try signature(of: test, key)
                #expect(found == bytes(test.sig), "case \(test.tcId)")
                guard let publicKey = group.publicKey, test.mu == nil else { continue }
                let (text, context) = (bytes(test.msg ?? ""), bytes(test.ctx ?? ""))
                let isValid = try MLDSA65.isValid(
                    signature: found.span, for: text.span, publicKey: bytes(publicKey).span, context: context.span)
                #expect(isValid, "case \(test.tcId)")
            }
        }
        #expect(counts == Counts(valid: 73, invalid: 5))
        #expect(file.numberOfTests == 78)
    }

    private func signature(of test: SignCase, _ key: borrowing SecretBytes) throws -> [UInt8] {
        let randomness = try secret(test.rnd ?? String(repeating: "00", count: 32))
        var run = try LongMLDSAKey(key)
        guard let message = test.msg else { return try run.sign(representative: bytes(test.mu ?? ""), randomness) }
        return try run.sign(bytes(message), context: bytes(test.ctx ?? ""), randomness)
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
