import TestSupport
import Testing

@testable import CryptoPrimitives

@Suite("ML-KEM-768: published vectors", .enabled(if: SharedFolder.isThere, "needs ../shared"))
struct MLKEMVectorTests {
    private struct Group<Case: Decodable>: Decodable {
        let tests: [Case]
    }

    private struct KeyCase: Decodable {
        let tcId: Int
        let seed: String
        let ek: String
        let dk: String
    }

    @Test("Wycheproof: the keys of 100 seeds, in both forms", arguments: providers)
    func keys(engine: NamedProvider) throws {
        let file = try WycheproofFile<Group<KeyCase>>.read("mlkem_768_keygen_seed")
        let tests = file.testGroups.flatMap(\.tests)
        #expect(tests.count == 100 && file.numberOfTests == 100)
        for test in tests {
            let seed = try secret(test.seed)
            let publicKey = try MLKEM768.publicKey(ofSeed: seed, provider: engine.provider)
            #expect(publicKey == bytes(test.ek), "case \(test.tcId)")
            let expanded = try LongMLKEMKey.bytes(ofSeed: seed)
            #expect(expanded == bytes(test.dk), "case \(test.tcId)")
        }
    }

    private struct DecapsulationCase: Decodable {
        let tcId: Int
        let seed: String
        let ek: String?
        let c: String
        let K: String
        let result: WycheproofResult
    }

    @Test("Wycheproof: 193 decapsulations, 40 of wrong lengths", arguments: providers)
    func decapsulations(engine: NamedProvider) throws {
        let file = try WycheproofFile<Group<DecapsulationCase>>.read("mlkem_768")
        var counts = [WycheproofResult: Int]()
        for test in file.testGroups.flatMap(\.tests) {
            let seed = try secret(test.seed)
            let ciphertext = bytes(test.c)
            counts[test.result, default: 0] += 1
            if test.result == .invalid {
                let refusal: PostQuantumError =
                    seed.count == 64
                    ? .ciphertextLength(expected: 1088, found: ciphertext.count)
                    : .seedLength(expected: 64, found: seed.count)
                #expect(throws: refusal, "case \(test.tcId)") {
                    _ = try MLKEM768.decapsulate(ciphertext.span, seed: seed, provider: engine.provider)
                }
                continue
            }
            let found = try MLKEM768.decapsulate(ciphertext.span, seed: seed, provider: engine.provider)
            #expect(found.exposed == bytes(test.K), "case \(test.tcId)")
            if let publicKey = test.ek {
                let found = try MLKEM768.publicKey(ofSeed: seed, provider: engine.provider)
                #expect(found == bytes(publicKey), "case \(test.tcId)")
            }
        }
        #expect(counts == [.valid: 153, .invalid: 40])
        #expect(file.numberOfTests == 193)
    }

    private struct EncapsulationCase: Decodable {
        let tcId: Int
        let flags: [String]
        let m: String
        let ek: String
        let c: String
        let K: String
        let result: WycheproofResult
    }

    @Test("Wycheproof: 265 encapsulations, 132 to keys that are refused", arguments: providers)
    func encapsulations(engine: NamedProvider) throws {
        let file = try WycheproofFile<Group<EncapsulationCase>>.read("mlkem_768_encaps")
        var counts = [WycheproofResult: Int]()
        for test in file.testGroups.flatMap(\.tests) {
            let key = bytes(test.ek)
            let random = fixedRandom(bytes(test.m))
            counts[test.result, default: 0] += 1
            #expect(isMLKEMKey(key) == (test.result == .valid), "case \(test.tcId)")
            if test.result == .invalid {
                let refusal: PostQuantumError =
                    key.count == 1184 ? .publicKeyNotReduced : .publicKeyLength(expected: 1184, found: key.count)
                #expect(throws: refusal, "case \(test.tcId)") {
                    _ = try MLKEM768.encapsulate(to: key.span, random: random, provider: engine.provider)
                }
                continue
            }
            let found = try MLKEM768.encapsulate(to: key.span, random: random, provider: engine.provider)
            #expect(found.ciphertext == bytes(test.c), "case \(test.tcId)")
            #expect(found.secret.exposed == bytes(test.K), "case \(test.tcId)")
        }
        #expect(counts == [.valid: 133, .invalid: 132])
        #expect(file.numberOfTests == 265)
    }

    private struct ExpandedCase: Decodable {
        let tcId: Int
        let flags: [String]
        let dk: String
        let c: String
        let K: String?
        let result: WycheproofResult
    }

    @Test("Wycheproof: decapsulation keys in their long form, with the hash check")
    func expandedKeys() throws {
        let file = try WycheproofFile<Group<ExpandedCase>>.read("mlkem_768_semi_expanded_decaps")
        var counts = [WycheproofResult: Int]()
        for test in file.testGroups.flatMap(\.tests) {
            let (key, ciphertext) = (bytes(test.dk), bytes(test.c))
            counts[test.result, default: 0] += 1
            if test.result == .invalid {
                #expect(throws: LongKeyRefusal.self, "case \(test.tcId)") {
                    _ = try LongMLKEMKey.decapsulate(ciphertext, key)
                }
                continue
            }
            let found = try LongMLKEMKey.decapsulate(ciphertext, key)
            if let expected = test.K { #expect(found == bytes(expected), "case \(test.tcId)") }
        }
        #expect(counts == [.valid: 3, .invalid: 6])
        #expect(file.numberOfTests == 9)
    }

    @Test("CCTV: a ciphertext that only a comparison up to a zero byte would take")
    func comparison() throws {
        let values = try NamedValues("vectors/cctv/ML-KEM/strcmp/ML-KEM-768.txt")
        let found = try LongMLKEMKey.decapsulate(values.bytes("c"), values.bytes("dk"))
        #expect(found == values.bytes("K"))
    }

    @Test("CCTV: a seed whose matrix takes more of the stream than usual")
    func unluckySample() throws {
        let values = try NamedValues("vectors/cctv/ML-KEM/unluckysample/ML-KEM-768.txt")
        var run = try DraftRun(seed: values.bytes("d") + values.bytes("z"))
        let (key, longKey) = (run.publicKey, run.longKey)
        #expect(key == values.bytes("ek"))
        #expect(longKey == values.bytes("dk"))
        let made = run.encapsulate(values.bytes("m"))
        #expect(made.ciphertext == values.bytes("c"))
        #expect(made.secret == values.bytes("K"))
        let opened = run.decapsulate(made.ciphertext)
        #expect(opened == made.secret)
        for engine in providers {
            let again = try MLKEM768.encapsulate(
                to: key.span, random: fixedRandom(values.bytes("m")), provider: engine.provider)
            #expect(again.ciphertext == made.ciphertext)
            #expect(again.secret.exposed == made.secret)
        }
    }

    @Test("CCTV: every value from q to 4,095 is refused at some place of the key, and every place refuses one")
    func modulus() throws {
        let packed = SharedFolder.file("vectors/cctv/ML-KEM/modulus/ML-KEM-768.txt.gz")
        let unpacked = ChildProcess.run(["gzip", "-dc", packed])
        #expect(unpacked.status == 0)
        let keys = unpacked.outputText.split(separator: "\n")
        #expect(keys.count == 780)
        for (number, key) in keys.enumerated() {
            let key = bytes(String(key))
            #expect(key.count == 1184)
            #expect(!isMLKEMKey(key), "line \(number + 1)")
            #expect(throws: PostQuantumError.publicKeyNotReduced, "line \(number + 1)") {
                _ = try MLKEM768.encapsulate(to: key.span)
            }
        }
    }

    @Test("CCTV: the values in between")
    func intermediate() throws {
        let values = try NamedValues("vectors/cctv/ML-KEM/intermediate/ML-KEM-768.txt")
        var run = try DraftRun(seed: values.bytes("d") + values.bytes("z"))
        let (key, longKey) = (run.publicKey, run.longKey)
        #expect(key == values.bytes("ek"))
        #expect(Array(key[1152...]) == values.bytes("ρ"))
        #expect(longKey == values.bytes("dk"))
        let hash = run.workspace.publicKeyHash.array()
        #expect(hash == values.bytes("H(ek)"))
        let transformed = run.workspace.secretVector.part(0, 256).values
        #expect(transformed.map(modulo) == values.numbers("NTT(s[0])"))
        withArea(values.numbers("s[0]").map { $0 > 1664 ? $0 - 3329 : $0 }) { area in
            MLKEMRing.transform(area)
            #expect(area.values == transformed)
        }
        let made = run.encapsulate(values.bytes("m"))
        let both = run.workspace.secretAndCoins.array()
        #expect(both == values.bytes("K") + values.bytes("r"))
        #expect(made.ciphertext == values.bytes("c"))
        #expect(
            values.numbers("u[0]").map { Int16(MLKEMCoding.compress($0, bits: 10)) }
                == values.numbers("compress(u[0])"))
        #expect(values.numbers("v").map { Int16(MLKEMCoding.compress($0, bits: 4)) } == values.numbers("compress(v)"))
    }

    /// What CCTV hashes ten thousand runs to, on a stream of SHAKE-128 for nothing, with the draft's keys.
    @Test("CCTV: ten thousand accumulated runs", .enabled(if: LongTests.areWanted, "takes minutes in a debug build"))
    func accumulatedDraft() throws {
        var hash = SHAKE128()
        for input in accumulatedInput(runs: 10_000) {
            var run = try DraftRun(seed: Array(input[..<64]))
            let made = run.encapsulate(Array(input[64..<96]))
            let opened = run.decapsulate(made.ciphertext)
            #expect(opened == made.secret)
            let rejected = run.decapsulate(Array(input[96...]))
            for part in [run.publicKey, run.longKey, made.ciphertext, made.secret, rejected] {
                hash.update(part.span)
            }
        }
        let found = hash.finish(length: 32)
        #expect(found == bytes("f7db260e1137a742e05fe0db9525012812b004d29040a5b606aad3d134b548d3"))
    }
}

/// The inputs of accumulated runs: seed, message and a ciphertext that nobody made.
private func accumulatedInput(runs: Int) -> [[UInt8]] {
    let perRun = 32 + 32 + 32 + 1088
    let stream = SHAKE128.hash(Span<UInt8>(), length: perRun * runs)
    return (0..<runs).map { Array(stream[($0 * perRun)..<(($0 + 1) * perRun)]) }
}

@Suite("ML-KEM-768: accumulated runs of the standard")
struct MLKEMAccumulatedTests {
    /// What Go's `crypto/mlkem` (TestAccumulated) hashes so many runs to.
    private static let known = [
        100: "1114b1b6699ed191734fa339376afa7e285c9e6acf6ff0177d346696ce564415",
        10_000: "8a518cc63da366322a8e7a818c7a0d63483cb3528d34a4cf42f35d5ad73f22fc",
    ]

    @Test("a hundred runs, with any provider", arguments: providers)
    func hundred(engine: NamedProvider) throws {
        let found = try accumulate(runs: 100, engine.provider)
        #expect(found == bytes(Self.known[100] ?? ""))
    }

    @Test(
        "ten thousand runs", .enabled(if: LongTests.areWanted, "takes minutes in a debug build"), arguments: providers)
    func tenThousand(engine: NamedProvider) throws {
        let found = try accumulate(runs: 10_000, engine.provider)
        #expect(found == bytes(Self.known[10_000] ?? ""))
    }

    private func accumulate(runs: Int, _ provider: PostQuantumProvider) throws -> [UInt8] {
        var hash = SHAKE128()
        for input in accumulatedInput(runs: runs) {
            let seed = try SecretBytes(copying: input.span.extracting(first: 64))
            let key = try MLKEM768.publicKey(ofSeed: seed, provider: provider)
            let made = try MLKEM768.encapsulate(
                to: key.span, random: fixedRandom(Array(input[64..<96])), provider: provider)
            let found = try opened(made.ciphertext, seed, provider)
            #expect(found == made.secret.exposed)
            hash.update(key.span)
            hash.update(made.ciphertext.span)
            hash.update(found.span)
            let rejected = try opened(Array(input[96...]), seed, provider)
            hash.update(rejected.span)
        }
        return hash.finish(length: 32)
    }
}

func modulo(_ value: Int16) -> Int16 {
    value < 0 ? value % 3329 + (value % 3329 == 0 ? 0 : 3329) : value % 3329
}
