import CryptoPrimitives
import Glibc

// Makes post-quantum keys, encapsulates, decapsulates, signs and verifies, and prints a line for each kind of work: its
// name, seconds, processor seconds, how many. All from bytes to bytes: private keys are seeds.
//
// usage: postquantum-bench ROUNDS [libcrypto]

let arguments = CommandLine.arguments.dropFirst()
let rounds = arguments.first.flatMap { Int($0) } ?? 0
guard rounds > 0 else { fatalError("usage: postquantum-bench ROUNDS [libcrypto]") }
let provider: PostQuantumProvider = arguments.contains("libcrypto") ? .libcrypto : .own()

try measure()

func measure() throws {
    let seed = try MLKEM768.makeSeed()
    let key = try MLKEM768.publicKey(ofSeed: seed, provider: provider)
    let ciphertext = try MLKEM768.encapsulate(to: key.span, provider: provider).ciphertext
    try timed("mlkem keys", rounds) { _ = try MLKEM768.publicKey(ofSeed: seed, provider: provider) }
    try timed("mlkem encapsulate", rounds) { _ = try MLKEM768.encapsulate(to: key.span, provider: provider) }
    try timed("mlkem decapsulate", rounds) {
        _ = try MLKEM768.decapsulate(ciphertext.span, seed: seed, provider: provider)
    }

    let pair = try XWing.makeSeed()
    let pairKey = try XWing.publicKey(ofSeed: pair, provider: provider)
    let pairCiphertext = try XWing.encapsulate(to: pairKey.span, provider: provider).ciphertext
    try timed("xwing keys", rounds) { _ = try XWing.publicKey(ofSeed: pair, provider: provider) }
    try timed("xwing encapsulate", rounds) { _ = try XWing.encapsulate(to: pairKey.span, provider: provider) }
    try timed("xwing decapsulate", rounds) {
        _ = try XWing.decapsulate(pairCiphertext.span, seed: pair, provider: provider)
    }

    let signer = try MLDSA65.makeSeed()
    let signerKey = try MLDSA65.publicKey(ofSeed: signer, provider: provider)
    let text = [UInt8](repeating: UInt8(ascii: "m"), count: 200)
    let signature = try MLDSA65.sign(text.span, seed: signer, provider: provider)
    try timed("mldsa keys", rounds) { _ = try MLDSA65.publicKey(ofSeed: signer, provider: provider) }
    // Fresh randomness each time, so that the tries that are rejected average out.
    try timed("mldsa sign", rounds) { _ = try MLDSA65.sign(text.span, seed: signer, provider: provider) }
    try timed("mldsa verify", rounds) {
        guard
            try MLDSA65.isValid(
                signature: signature.span, for: text.span, publicKey: signerKey.span, provider: provider)
        else { fatalError("a wrong signature") }
    }
}

func timed(_ name: String, _ count: Int, _ work: () throws -> Void) rethrows {
    let start = (clock(CLOCK_MONOTONIC), clock(CLOCK_PROCESS_CPUTIME_ID))
    for _ in 0..<count { try work() }
    let end = (clock(CLOCK_MONOTONIC), clock(CLOCK_PROCESS_CPUTIME_ID))
    print("\(name)\t\(end.0 - start.0)\t\(end.1 - start.1)\t\(count)")
}

func clock(_ id: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(id, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
