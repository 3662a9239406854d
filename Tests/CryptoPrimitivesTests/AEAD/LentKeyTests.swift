import Testing

@testable import CryptoPrimitives

@Suite("ChaCha20-Poly1305 and X25519 under lent keys")
struct LentKeyTests {
    private let vector = ChaChaPolyTests.vector
    private var box: [UInt8] { bytes(vector.nonce) + bytes(vector.ciphertext) + bytes(vector.tag) }

    private func open(_ box: [UInt8], _ key: [UInt8], _ data: [UInt8]) -> Result<[UInt8], AEADError> {
        var text = [UInt8](repeating: 0xEE, count: max(0, box.count - 28))
        var target = text.mutableSpan
        do throws(AEADError) {
            try ChaChaPoly.open(box.span, key: key.span, authenticating: data.span, into: &target)
            return .success(text)
        } catch {
            if error == .notAuthentic { #expect(text.allSatisfy { $0 == 0 }) }
            return .failure(error)
        }
    }

    @Test("the known answer of RFC 8439, 2.8.2, sealed and opened")
    func knownAnswer() throws {
        let (key, nonce, data, text) = (
            bytes(vector.key), bytes(vector.nonce), bytes(vector.data), bytes(vector.plaintext)
        )
        var sealed = [UInt8](repeating: 0, count: text.count + 28)
        var target = sealed.mutableSpan
        try ChaChaPoly.seal(text.span, key: key.span, nonce: nonce.span, authenticating: data.span, into: &target)
        #expect(sealed == box)
        #expect(open(box, key, data) == .success(text))
    }

    @Test("every single flipped bit of box, key and data is refused, and nothing is given out")
    func bitFlips() {
        let (key, data) = (bytes(vector.key), bytes(vector.data))
        forEachBitFlip(of: box) { flipped, bit in
            #expect(open(flipped, key, data) == .failure(.notAuthentic), "bit \(bit) of the box")
        }
        forEachBitFlip(of: key) { flipped, bit in
            #expect(open(box, flipped, data) == .failure(.notAuthentic), "bit \(bit) of the key")
        }
        forEachBitFlip(of: data) { flipped, bit in
            #expect(open(box, key, flipped) == .failure(.notAuthentic), "bit \(bit) of the data")
        }
    }

    @Test("wrong lengths are refused by name")
    func lengths() {
        let key = bytes(vector.key)
        #expect(open([UInt8](repeating: 0, count: 27), key, []) == .failure(.tooShort(minimum: 28, found: 27)))
        #expect(open(box, Array(key.dropLast()), []) == .failure(.keyLength(expected: 32, found: 31)))
        var sealed = [UInt8](repeating: 0, count: 28)
        let (nothing, nonce) = ([UInt8](), [UInt8](repeating: 0, count: 11))
        #expect(throws: AEADError.nonceLength(expected: 12, found: 11)) {
            var target = sealed.mutableSpan
            try ChaChaPoly.seal(nothing.span, key: key.span, nonce: nonce.span, into: &target)
        }
    }

    @Test("X25519 into lent memory gives the known answers of RFC 7748, 5.2 and refuses small orders")
    func x25519() throws {
        let scalar = bytes("a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4")
        let point = bytes("e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c")
        var shared = [UInt8](repeating: 0, count: 32)
        var target = shared.mutableSpan
        try X25519.sharedSecret(privateKey: scalar.span, publicKey: point.span, into: &target)
        #expect(shared == bytes("c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"))
        let zero = [UInt8](repeating: 0, count: 32)
        #expect(throws: KeyAgreementError.allZero) {
            var target = shared.mutableSpan
            try X25519.sharedSecret(privateKey: scalar.span, publicKey: zero.span, into: &target)
        }
        #expect(shared == zero)
    }
}
