import Testing

@testable import CryptoPrimitives

@Suite("Hash functions")
struct HashFunctionTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        let message: String
        let sha256: String
        let sha512: String
        let sha3x256: String
        var testDescription: String { "\(message.utf8.count) bytes" }
    }

    /// NIST's examples for FIPS 180-4 and FIPS 202: empty, "abc", 448 bits, 896 bits.
    static let vectors = [
        Vector(
            message: "",
            sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            sha512: "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
                + "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e",
            sha3x256: "a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a"),
        Vector(
            message: "abc",
            sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            sha512: "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
            sha3x256: "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532"),
        Vector(
            message: "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            sha256: "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
            sha512: "204a8fc6dda82f0a0ced7beb8e08a41657c16ef468b228a8279be331a703c335"
                + "96fd15c13b1b07f9aa1d3bea57789ca031ad85c7a71dd70354ec631238ca3445",
            sha3x256: "41c0dba2a9d6240849100376a8235e2c82e1b9998a999e21db32dd97496d3376"),
        Vector(
            message: "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
                + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
            sha256: "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1",
            sha512: "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018"
                + "501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909",
            sha3x256: "916f6061fe879741ca6469b43971dfdb28b1a32dc36cb3254e812be27aad1d18"),
    ]

    @Test("NIST's examples", arguments: vectors)
    func examples(vector: Vector) throws {
        let message = Array(vector.message.utf8)
        #expect(SHA256.hash(message.span) == bytes(vector.sha256))
        #expect(SHA512.hash(message.span) == bytes(vector.sha512))
        #expect(SHA3_256.hash(message.span) == bytes(vector.sha3x256))
        let asSecret = try SecretBytes(copying: message.span)
        #expect(try SHA256.hash(asSecret).exposed == bytes(vector.sha256))
        #expect(try SHA512.hash(asSecret).exposed == bytes(vector.sha512))
        #expect(try SHA3_256.hash(asSecret).exposed == bytes(vector.sha3x256))
    }

    @Test("a million times the letter a, fed in pieces of odd sizes")
    func millionLetters() {
        let letters = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
        #expect(
            inPieces(SHA256(), letters)
                == bytes("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"))
        #expect(
            inPieces(SHA512(), letters)
                == bytes(
                    "e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973eb"
                        + "de0ff244877ea60a4cb0432ce577c31beb009c5c2c49aa2e4eadb217ad8cc09b"))
        #expect(
            inPieces(SHA3_256(), letters)
                == bytes("5c8875ae474a3634ba4fd55ec85bffd661f32aca75c6d699d0cdcb6c115891c1"))
    }

    private func inPieces<Hash: HashFunction & ~Copyable>(_ hash: consuming Hash, _ message: [UInt8]) -> [UInt8] {
        var start = 0
        var length = 1
        while start < message.count {
            let end = min(start + length, message.count)
            hash.update(message.span.extracting(start..<end))
            start = end
            length = length * 3 + 1
        }
        return hash.finish()
    }

    @Test("SHAKE256: the empty example of FIPS 202, and a longer output begins with a shorter")
    func shake() {
        let nothing: [UInt8] = []
        let long = SHAKE256.hash(nothing.span, length: 64)
        #expect(
            long
                == bytes(
                    "46b9dd2b0ba88d13233b3feb743eeb243fcd52ea62b81b82b50c27646ed5762f"
                        + "d75dc4ddd8c0f200cb05019d67b592f6fc821c49479ab48640292eacb3b7c4be"))
        for length in [0, 1, 31, 32, 33, 63] {
            #expect(SHAKE256.hash(nothing.span, length: length) == Array(long[..<length]))
        }
        // FIPS 202's example of 1,600 bits: 200 bytes a3, fed in two pieces.
        let message = [UInt8](repeating: 0xA3, count: 200)
        var hash = SHAKE256()
        hash.update(message.span.extracting(first: 137))
        hash.update(message.span.extracting(137..<200))
        #expect(hash.finish(length: 32) == bytes("cd8a920ed141aa0407a22d59288652e9d9f1a7ee0c1e7c1ca699424da84a904d"))
    }

    @Test("SHA3-512 and SHAKE128: examples of FIPS 202")
    func longerAndShorter() {
        let abc = Array("abc".utf8)
        let nothing: [UInt8] = []
        #expect(
            SHA3_512.hash(abc.span)
                == bytes(
                    "b751850b1a57168a5693cd924b6b096e08f621827444f70d884f5d0240d2712e"
                        + "10e116e9192af3c91a7ec57647e3934057340b4cf408d5a56592f8274eec53f0"))
        #expect(
            SHA3_512.hash(nothing.span)
                == bytes(
                    "a69f73cca23a9ac5c8b567dc185a756e97c982164fe25859e0d1dcc1475c80a6"
                        + "15b2123af1f5f94c11e3e9402c3ac558f500199d95b6d3e301758586281dcd26"))
        #expect(
            SHAKE128.hash(nothing.span, length: 32)
                == bytes("7f9c2ba4e88f827d616045507605853ed73b8093f6efbc88eb1a6eacfa66ef26"))
        let message = [UInt8](repeating: 0xA3, count: 200)
        #expect(
            SHAKE128.hash(message.span, length: 32)
                == bytes("131ab8d2b594946b9c81333f9bb6e0ce75c3b93104fa3469d3917457385da037"))
    }

    @Test("SHAKE256 of a secret is that of its bytes, as a secret")
    func secretShake() throws {
        let message = [UInt8](repeating: 0xA3, count: 200)
        let found = try SHAKE256.hash(SecretBytes(copying: message.span), length: 32).exposed
        #expect(found == bytes("cd8a920ed141aa0407a22d59288652e9d9f1a7ee0c1e7c1ca699424da84a904d"))
    }

    @Test("a hash that is dropped unfinished does no harm to the next")
    func dropped() {
        let text = Array("abc".utf8)
        for _ in 0..<100 {
            var hash = SHA256()
            hash.update(text.span)
        }
        #expect(SHA256.hash(text.span) == bytes(Self.vectors[1].sha256))
    }
}
