import TestSupport
import Testing

@testable import CryptoPrimitives

/// The providers that this machine has.
let providers: [NamedProvider] =
    [NamedProvider(name: "own", provider: .own())]
    + (PostQuantumProvider.isLibcryptoAble ? [NamedProvider(name: "libcrypto", provider: .libcrypto)] : [])

struct NamedProvider: Sendable, CustomTestStringConvertible {
    let name: String
    let provider: PostQuantumProvider
    var testDescription: String { name }
}

/// A source that gives the same bytes whenever it is asked.
func fixedRandom(_ fixed: [UInt8]) -> RandomSource {
    RandomSource(
        secret: { (_: Int) throws(SecretMemoryError) in try SecretBytes(copying: fixed.span) },
        bytes: { _ in fixed })
}

/// A file of lines `name = value`, as the vectors of CCTV are written; values are hexadecimal digits or `{1, 2, …}`.
struct NamedValues {
    private let lines: [(name: String, value: String)]

    init(_ path: String) throws {
        let text = String(decoding: try sharedBytes(path), as: UTF8.self)
        lines = text.split(separator: "\n").map { line in
            let parts = line.split(separator: "=", maxSplits: 1)
            return (trimmed(parts[0]), trimmed(parts[1]))
        }
    }

    /// The bytes of the `number`th value of this name.
    func bytes(_ name: String, number: Int = 0) -> [UInt8] {
        CryptoPrimitivesTests.bytes(value(name, number))
    }

    func numbers(_ name: String, number: Int = 0) -> [Int16] {
        value(name, number).dropFirst().prefix { $0 != "}" }.split(separator: ",").map { Int16(trimmed($0)) ?? -1 }
    }

    private func value(_ name: String, _ number: Int) -> String {
        lines.filter { $0.name == name }.map(\.value)[number]
    }
}

private func trimmed(_ text: Substring) -> String {
    String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
}

/// Plain memory for the arithmetic under test, freed at the end.
func withArea<Element: BitwiseCopyable, R>(
    _ values: [Element], _ body: (ScratchArea<Element>) throws -> R
) rethrows -> R {
    let memory = UnsafeMutablePointer<Element>.allocate(capacity: values.count)
    memory.initialize(from: values, count: values.count)
    defer { memory.deallocate() }
    return try body(ScratchArea(base: memory, count: values.count))
}

extension ScratchArea {
    var values: [Element] { (0..<count).map { self[$0] } }
}

// What `#expect` cannot take are spans and secrets: these take arrays.

func isMLKEMKey(_ key: [UInt8]) -> Bool { MLKEM768.isPublicKey(key.span) }

func isXWingKey(_ key: [UInt8]) -> Bool { XWing.isPublicKey(key.span) }

func opened(
    _ ciphertext: [UInt8], _ seed: borrowing SecretBytes, _ provider: PostQuantumProvider = .current
) throws -> [UInt8] {
    try MLKEM768.decapsulate(ciphertext.span, seed: seed, provider: provider).exposed
}

/// A run of ML-KEM with the key pair that the public draft of FIPS 203 gave a seed, which hashed d alone.
///
/// Vectors from that time are right for everything else.
struct DraftRun: ~Copyable {
    var workspace: MLKEMWorkspace

    init(seed: [UInt8]) throws {
        workspace = try MLKEMWorkspace(reveal: nil)
        workspace.seed.copy(from: seed.span)
        let both = SHA3_512.hash(seed.span.extracting(first: 32))
        withArea(both) { workspace.makeKeys(ofMatrixAndNoise: $0) }
    }

    var publicKey: [UInt8] { workspace.publicKey.array() }

    var longKey: [UInt8] { workspace.longKey }

    /// The ciphertext of a message and its secret.
    mutating func encapsulate(_ message: [UInt8]) -> (ciphertext: [UInt8], secret: [UInt8]) {
        workspace.message.copy(from: message.span)
        workspace.deriveSecret()
        workspace.encrypt()
        return (workspace.ciphertext.array(), workspace.secretAndCoins.part(0, 32).array())
    }

    mutating func decapsulate(_ ciphertext: [UInt8]) -> [UInt8] {
        workspace.ciphertext.copy(from: ciphertext.span)
        workspace.decapsulate()
        return workspace.secretAndCoins.part(0, 32).array()
    }
}
