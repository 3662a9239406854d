import CryptoPrimitives
import Foundation
import TestSupport
import Testing

@testable import SophaxCore

extension SecretBytes {
    /// A plain copy, so that `#expect` can compare and print it.
    var exposed: [UInt8] {
        withSpan { span in span.indices.map { span[$0] } }
    }
}

/// A secret with these bytes.
func secret(_ bytes: [UInt8]) throws -> SecretBytes { try SecretBytes(copying: bytes.span) }

/// The state of a session as the app declares it: what its decoder takes and what its encoder writes. SophaxChat 4.6.
struct AppState: Codable, Equatable {
    struct WrappedKey: Codable, Equatable { var rawData: Data }

    var sendingRatchetPrivateKey: Data
    var sendingRatchetPublicKey: Data
    var receivingRatchetPublicKey: Data?
    var rootKey: WrappedKey
    var sendingChainKey: WrappedKey?
    var receivingChainKey: WrappedKey?
    var sendingHeaderKey: WrappedKey?
    var receivingHeaderKey: WrappedKey?
    var nextSendingHeaderKey: WrappedKey?
    var nextReceivingHeaderKey: WrappedKey?
    var sendMessageCount: UInt32
    var receiveMessageCount: UInt32
    var previousSendingChainLength: UInt32
    var skippedKeyBundles: [String: [String: WrappedKey]]

    init(_ json: [UInt8]) throws { self = try JSONDecoder().decode(Self.self, from: Data(json)) }

    /// The JSON that Foundation writes: keys in any order, `/` escaped.
    var json: [UInt8] {
        get throws { Array(try JSONEncoder().encode(self)) }
    }
}

/// The header and the message of the ratchet as the app declares them.
struct AppHeader: Codable, Equatable {
    var senderRatchetKey: Data
    var previousChainLength: UInt32
    var messageNumber: UInt32
}

struct AppMessage: Codable, Equatable {
    var encryptedHeader: Data
    var ciphertext: Data

    var message: RatchetMessage {
        RatchetMessage(encryptedHeader: Array(encryptedHeader), ciphertext: Array(ciphertext))
    }
}

extension RatchetSession {
    /// The state's text; two sessions are the same exactly when it is.
    func stateText() throws -> [UInt8] { try state().exposed }

    init(stateText: [UInt8]) throws { try self.init(state: secret(stateText)) }
}

/// Random numbers that are the same in every run (SplitMix64).
struct SeededNumbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var number = state
        number = (number ^ number >> 30) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ number >> 27) &* 0x94D0_49BB_1331_11EB
        return number ^ number >> 31
    }
}

/// Secrets in a given order, each once.
final class SecretQueue: Sendable {
    private let next: @Sendable () -> [UInt8]

    /// SHA-256 of one byte after the other, from `first` on: the ratchet keys of `IndependentTranscripts`.
    init(hashesFrom first: UInt8) {
        let counter = Counter(first)
        next = {
            let byte = [counter.next()]
            return SHA256.hash(byte.span)
        }
    }

    var source: RandomSource {
        RandomSource(
            secret: { [next] (_) throws(SecretMemoryError) in
                let bytes = next()
                return try SecretBytes(copying: bytes.span)
            }, bytes: { [UInt8](repeating: 0, count: $0) })
    }

    private final class Counter: @unchecked Sendable {
        private var value: UInt8
        init(_ value: UInt8) { self.value = value }

        func next() -> UInt8 {
            defer { value += 1 }
            return value
        }
    }
}

/// Two ends of a session that has just begun, by the check identities and fixed prekeys.
struct Parties: ~Copyable {
    var alice: RatchetSession
    var bob: RatchetSession
    static let ad = AssociatedData.between(
        PeerID("3619e750a2dd52ba978807b2a00df56d"), PeerID("ce04d757588b607db7dd1e31c428b180"))

    static let signedPreKey: [UInt8] = Array(0x80...0x9F)
    static let oneTimePreKey: [UInt8] = Array(0xA0...0xBF)
    static let ephemeralKey: [UInt8] = Array(0xC0...0xDF)
    /// X3DH of the above with four DH, by Python's `cryptography`.
    static let sharedSecret = "8337f93cbe581868416e7d0c1bf1052a47ae6b32172fe340cba61d78c6d55310"

    init(aliceKeys: RandomSource? = nil) throws {
        let shared = try secret(bytes(hex: Self.sharedSecret))
        let pair = try PreKeyPair(id: 7, privateKey: secret(Self.signedPreKey))
        let first = try RatchetSession(
            initiatorSecret: shared, signedPreKey: pair.publicPreKey.key, random: aliceKeys)
        let second = try RatchetSession(responderSecret: shared, signedPreKey: pair)
        alice = first
        bob = second
    }

    mutating func aliceSends(_ text: String, form: RatchetHeaderForm? = nil) throws -> RatchetMessage {
        let text = Array(text.utf8)
        return try alice.encrypt(text.span, ad: Self.ad, headerForm: form)
    }

    mutating func bobSends(_ text: String, form: RatchetHeaderForm? = nil) throws -> RatchetMessage {
        let text = Array(text.utf8)
        return try bob.encrypt(text.span, ad: Self.ad, headerForm: form)
    }

    mutating func bobReads(_ message: RatchetMessage) throws -> String {
        String(decoding: try bob.decrypt(message, ad: [Self.ad]), as: UTF8.self)
    }

    mutating func aliceReads(_ message: RatchetMessage) throws -> String {
        String(decoding: try alice.decrypt(message, ad: [Self.ad]), as: UTF8.self)
    }
}

/// The error of an operation, nil when it succeeds: `#expect(throws:)` cannot take what holds a noncopyable value.
func failure<E: Error>(_ body: () throws(E) -> Void) -> E? {
    do throws(E) {
        try body()
        return nil
    } catch {
        return error
    }
}
