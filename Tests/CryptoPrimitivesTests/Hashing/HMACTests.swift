import TestSupport
import Testing

@testable import CryptoPrimitives

@Suite("HMAC")
struct HMACTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let key: String
        let message: String
        let sha256: String
        let sha512: String
    }

    /// RFC 4231, 4.2 to 4.8; test case 5 gives only the first half of the code.
    static let vectors = [
        Vector(
            testDescription: "test case 1", key: String(repeating: "0b", count: 20), message: "4869205468657265",
            sha256: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
            sha512: "87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cde"
                + "daa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854"),
        Vector(
            testDescription: "test case 2", key: "4a656665",
            message: "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
            sha256: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
            sha512: "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
                + "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737"),
        Vector(
            testDescription: "test case 3", key: String(repeating: "aa", count: 20),
            message: String(repeating: "dd", count: 50),
            sha256: "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe",
            sha512: "fa73b0089d56a284efb0f0756c890be9b1b5dbdd8ee81a3655f83e33b2279d39"
                + "bf3e848279a722c806b485a47e67c807b946a337bee8942674278859e13292fb"),
        Vector(
            testDescription: "test case 4", key: "0102030405060708090a0b0c0d0e0f10111213141516171819",
            message: String(repeating: "cd", count: 50),
            sha256: "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b",
            sha512: "b0ba465637458c6990e5a8c5f61d4af7e576d97ff94b872de76f8050361ee3db"
                + "a91ca5c11aa25eb4d679275cc5788063a5f19741120c4f2de2adebeb10a298dd"),
        Vector(
            testDescription: "test case 5", key: String(repeating: "0c", count: 20),
            message: "546573742057697468205472756e636174696f6e",
            sha256: "a3b6167473100ee06e0c796c2955552b", sha512: "415fad6271580a531d4179bc891d87a6"),
        Vector(
            testDescription: "test case 6, a key longer than the block", key: String(repeating: "aa", count: 131),
            message: "54657374205573696e67204c6172676572205468616e20426c6f636b2d53697a65204b6579202d2048617368204b65"
                + "79204669727374",
            sha256: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
            sha512: "80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f352"
                + "6b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598"),
    ]

    @Test("the known answers of RFC 4231", arguments: vectors)
    func knownAnswers(vector: Vector) throws {
        let key = try secret(vector.key)
        let message = bytes(vector.message)
        for (hash, expected) in [(HMAC.Hash.sha256, bytes(vector.sha256)), (.sha512, bytes(vector.sha512))] {
            let code = HMAC.code(for: message.span, key: key, using: hash)
            #expect(Array(code.prefix(expected.count)) == expected)
            #expect(try HMAC.secretCode(for: message.span, key: key, using: hash).exposed == code)
            var hmac = HMAC(key: key, using: hash)
            for index in message.indices { hmac.update(message.span.extracting(index..<(index + 1))) }
            #expect(hmac.finish() == code)
            let isValid = HMAC.isValid(code.span, for: message.span, key: key, using: hash)
            #expect(isValid)
        }
    }

    @Test("every single flipped bit of code, message and key is refused")
    func bitFlips() throws {
        let key = try secret(Self.vectors[1].key)
        let message = bytes(Self.vectors[1].message)
        let code = bytes(Self.vectors[1].sha256)
        forEachBitFlip(of: code) { flipped, bit in
            let isValid = HMAC.isValid(flipped.span, for: message.span, key: key, using: .sha256)
            #expect(!isValid, "bit \(bit) of the code")
        }
        forEachBitFlip(of: message) { flipped, bit in
            let isValid = HMAC.isValid(code.span, for: flipped.span, key: key, using: .sha256)
            #expect(!isValid, "bit \(bit) of the message")
        }
        try forEachBitFlip(of: bytes(Self.vectors[1].key)) { flipped, bit in
            let other = try SecretBytes(copying: flipped.span)
            let isValid = HMAC.isValid(code.span, for: message.span, key: other, using: .sha256)
            #expect(!isValid, "bit \(bit) of the key")
        }
    }

    @Test("a code cut to at least its half is judged, a shorter or longer one refused")
    func cutCodes() throws {
        let key = try secret(Self.vectors[1].key)
        let message = bytes(Self.vectors[1].message)
        for (hash, text) in [(HMAC.Hash.sha256, Self.vectors[1].sha256), (.sha512, Self.vectors[1].sha512)] {
            let code = bytes(text)
            for length in 0...code.count {
                let cut = Array(code[..<length])
                let isValid = HMAC.isValid(cut.span, for: message.span, key: key, using: hash)
                #expect(isValid == (length >= code.count / 2), "\(length) bytes")
            }
            let longer = code + [0]
            let isLongerValid = HMAC.isValid(longer.span, for: message.span, key: key, using: hash)
            #expect(!isLongerValid)
        }
    }

    @Test("an empty key and an empty message have a code too")
    func empty() throws {
        // RFC 2104 with no key is the code under a block of zeros.
        let nothing: [UInt8] = []
        let emptyKey = try SecretBytes(count: 0)
        let zeroKey = try SecretBytes(count: 64)
        let code = HMAC.code(for: nothing.span, key: emptyKey, using: .sha256)
        #expect(code == HMAC.code(for: nothing.span, key: zeroKey, using: .sha256))
        #expect(code == bytes("b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"))
    }

    private struct Group: Decodable {
        struct Case: Decodable {
            let tcId: Int
            let key: String
            let msg: String
            let tag: String
            let result: WycheproofResult
        }
        let tagSize: Int
        let tests: [Case]
    }

    @Test(
        "Wycheproof: every verdict agrees",
        .enabled(if: SharedFolder.isThere, "needs ../shared"),
        arguments: [(HMAC.Hash.sha256, "hmac_sha256"), (.sha512, "hmac_sha512")])
    func wycheproof(hash: HMAC.Hash, name: String) throws {
        let file = try WycheproofFile<Group>.read(name)
        var valid = 0
        var invalid = 0
        for test in file.testGroups.flatMap(\.tests) {
            let message = bytes(test.msg)
            let code = bytes(test.tag)
            let isValid = HMAC.isValid(code.span, for: message.span, key: try secret(test.key), using: hash)
            #expect(isValid == (test.result == .valid), "case \(test.tcId)")
            if test.result == .valid { valid += 1 } else { invalid += 1 }
        }
        #expect(valid == 66)
        #expect(invalid == 108)
        #expect(valid + invalid == file.numberOfTests)
    }
}
