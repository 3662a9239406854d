import TestSupport
import Testing

@testable import CryptoPrimitives

@Suite("P-256")
struct P256Tests {
    /// RFC 5903, 8.1: the numbers of i and r, the points, and what they share.
    private static let i = "c88f01f510d9ac3f70a292daa2316de544e9aab8afe84049c62a9c57862d1433"
    private static let r = "c6ef9c5d78ae012a011164acb397ce2088685d8f06bf9be0b283ab46476bee53"
    private static let iPublic =
        "04dad0b65394221cf9b051e1feca5787d098dfe637fc90b9ef945d0c3772581180"
        + "5271a0461cdb8252d61f1c456fa3e59ab1f45b33accf5f58389e0577b8990bb3"
    private static let rPublic =
        "04d12dfb5289c8d4f81208b70270398c342296970a0bccb74c736fc7554494bf63"
        + "56fbf3ca366cc23e8157854c13c58d6aac23f046ada30f8353e74f33039872ab"
    private static let shared = "d6840f6b42f6edafd13116e0e12565202fef8e9ece7dce03812464d04b9442de"
    private static let order = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"

    @Test("the exchange of RFC 5903, 8.1")
    func knownAnswer() throws {
        let own = try secret(Self.i)
        let other = try secret(Self.r)
        #expect(try P256.publicKey(of: own) == bytes(Self.iPublic))
        #expect(try P256.publicKey(of: other) == bytes(Self.rPublic))
        let (left, right) = (bytes(Self.rPublic), bytes(Self.iPublic))
        let one = try P256.sharedSecret(privateKey: own, publicKey: left.span)
        let two = try P256.sharedSecret(privateKey: other, publicKey: right.span)
        #expect(one.exposed == bytes(Self.shared))
        #expect(two.exposed == bytes(Self.shared))
    }

    @Test("zero, the order and more are no private keys; one and the order less one are")
    func scalarRange() throws {
        let zeros = String(repeating: "00", count: 32)
        let most = String(repeating: "ff", count: 32)
        let point = bytes(Self.rPublic)
        for text in [zeros, Self.order, most] {
            let key = try secret(text)
            #expect(throws: P256Error.notAPrivateKey) { _ = try P256.publicKey(of: key) }
            #expect(throws: P256Error.notAPrivateKey) {
                _ = try P256.sharedSecret(privateKey: key, publicKey: point.span)
            }
        }
        let one = try P256.publicKey(of: try secret(String(zeros.dropLast(2)) + "01"))
        let last = try P256.publicKey(of: try secret(String(Self.order.dropLast(2)) + "50"))
        // SP 800-186: the generator; the other point has its x.
        #expect(one[1..<33] == bytes("6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296")[...])
        #expect(one[1..<33] == last[1..<33])
        #expect(one[33...] != last[33...])
        for length in [0, 31, 33] {
            let key = try SecretBytes(copying: [UInt8](repeating: 1, count: length).span)
            #expect(throws: P256Error.privateKeyLength(found: length)) { _ = try P256.publicKey(of: key) }
        }
    }

    @Test("only a point of the curve in its uncompressed form is a public key")
    func points() throws {
        let key = try secret(Self.i)
        let good = bytes(Self.rPublic)
        var wrong: [[UInt8]] = [[], [0], [4], Array(good.dropLast()), good + [0], Array(good.dropFirst())]
        // Compressed, both signs; hybrid, both signs; infinity with a point behind it.
        let x = Array(good[1..<33])
        wrong += [[2] + x, [3] + x, [6] + good.dropFirst(), [7] + good.dropFirst(), [0] + good.dropFirst()]
        // Off the curve, the origin, and coordinates that are the prime of the field or more.
        var off = good
        off[64] ^= 1
        let prime = bytes("ffffffff00000001000000000000000000000000ffffffffffffffffffffffff")
        wrong += [off, [4] + [UInt8](repeating: 0, count: 64), [4] + prime + prime]
        wrong += [[4] + [UInt8](repeating: 255, count: 64), [4] + prime + good[33...]]
        for point in wrong {
            let isKey = P256.isPublicKey(point.span)
            #expect(!isKey, "\(point)")
            #expect(throws: P256Error.notAPoint, "\(point)") {
                _ = try P256.sharedSecret(privateKey: key, publicKey: point.span)
            }
        }
        let isKey = P256.isPublicKey(good.span)
        #expect(isKey)
    }

    @Test("fresh keys differ and agree; a number out of range is drawn again")
    func freshKeys() throws {
        let one = try P256.makePrivateKey()
        let other = try P256.makePrivateKey()
        let (onePublic, otherPublic) = (try P256.publicKey(of: one), try P256.publicKey(of: other))
        #expect(onePublic != otherPublic)
        let left = try P256.sharedSecret(privateKey: one, publicKey: otherPublic.span)
        let right = try P256.sharedSecret(privateKey: other, publicKey: onePublic.span)
        #expect(left.exposed == right.exposed)
        let broken = RandomSource(
            secret: { (count) throws(SecretMemoryError) in try SecretBytes(count: count) },
            bytes: { [UInt8](repeating: 0, count: $0) })
        #expect(throws: P256Error.libraryFailure) { _ = try P256.makePrivateKey(broken) }
    }

    // MARK: PKCS#8

    /// Made by `openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256` and `openssl pkcs8 -topk8 -nocrypt` (OpenSSL
    /// 3.0.22), and its number as `openssl pkey -text` shows it.
    private static let pkcs8 =
        "308187020100301306072a8648ce3d020106082a8648ce3d030107046d306b0201010420454b803e762b08904d"
        + "f5f12dea71f03fa2886f055ecf285c851198cffc5033c8a144034200041acdc24a78ecfc089907c200ed173f8a"
        + "407fdd4fa8e6d4cd23225ba473bf42cc129082221b5d8ebae478814b410d5a3d2ebb8f7741aac124a2603242a5"
        + "beb5cb"
    private static let number = "454b803e762b08904df5f12dea71f03fa2886f055ecf285c851198cffc5033c8"

    @Test("PKCS#8 of OpenSSL is read, and written the same")
    func pkcs8RoundTrip() throws {
        let key = try P256.privateKey(pkcs8: try secret(Self.pkcs8))
        #expect(key.exposed == bytes(Self.number))
        let text = try P256.pkcs8(of: key)
        #expect(text.exposed == bytes(Self.pkcs8))
    }

    @Test("PKCS#8 without the public key is read")
    func pkcs8WithoutPublicKey() throws {
        let short =
            "3041020100301306072a8648ce3d020106082a8648ce3d030107042730250201010420" + Self.number
        let key = try P256.privateKey(pkcs8: try secret(short))
        #expect(key.exposed == bytes(Self.number))
    }

    @Test("another structure, another curve, another public key, or something behind it is refused")
    func pkcs8Hostile() throws {
        let good = bytes(Self.pkcs8)
        func refusal(_ text: [UInt8]) throws -> P256Error? {
            let text = try SecretBytes(copying: text.span)
            do throws(P256Error) { _ = try P256.privateKey(pkcs8: text) } catch { return error }
            return nil
        }
        #expect(try refusal([]) == .notPKCS8)
        #expect(try refusal(good + [0]) == .notPKCS8)
        #expect(try refusal(good + good) == .notPKCS8)
        #expect(try refusal(good + [UInt8](repeating: 0, count: P256.maximumPKCS8)) == .notPKCS8)
        for count in stride(from: 1, to: good.count, by: 7) {
            #expect(try refusal(Array(good.prefix(count))) == .notPKCS8)
        }
        // The number of the private key is another one, the public key stays.
        var other = good
        other[40] ^= 1
        #expect(try refusal(other) == .publicKeyDiffers)
        // secp256k1 (1.3.132.0.10) in place of the curve, by a key of OpenSSL.
        #expect(
            try refusal(
                bytes(
                    "308184020100301006072a8648ce3d020106052b8104000a046d306b0201010420ac18a8faba076553adf2cd51"
                        + "72da1969b003884ab223e015c4199e680f0dfe56a14403420004c8ea683c8b82ab16f4d1157af28f8ba47f6b7b"
                        + "ffde2016fe8a24464177d7cd77213668610d0cbbe58358f8279ab603fd48c017b07bb0a4d21ffd623ac68e4e71"))
                == .otherCurve)
        // Ed25519 and RSA are other keys altogether.
        #expect(try refusal(bytes("302e020100300506032b657004220420" + Self.number)) == .notPKCS8)
    }

    @Test("no changed bit of PKCS#8 traps or gives another key")
    func pkcs8BitFlips() throws {
        let good = bytes(Self.pkcs8)
        try forEachBitFlip(of: good) { flipped, bit in
            let text = try SecretBytes(copying: flipped.span)
            guard let key = try? P256.privateKey(pkcs8: text) else { return }
            #expect(key.exposed == bytes(Self.number), "bit \(bit)")
        }
    }

    // MARK: Wycheproof

    private struct Group: Decodable {
        struct Case: Decodable {
            let tcId: Int
            let flags: [String]
            let `public`: String
            let `private`: String
            let shared: String
            let result: WycheproofResult
        }
        let tests: [Case]
    }

    /// A number of Wycheproof, which comes with zeros before it or without, as 32 bytes.
    private func scalar(_ hex: String) -> [UInt8] {
        let number = bytes(hex.count.isMultiple(of: 2) ? hex : "0" + hex)
        let short = Array(number.drop { $0 == 0 })
        return [UInt8](repeating: 0, count: 32 - short.count) + short
    }

    private func agreement(_ test: Group.Case, point: [UInt8]) throws -> [UInt8]? {
        let key = try SecretBytes(copying: scalar(test.private).span)
        do throws(P256Error) {
            return try P256.sharedSecret(privateKey: key, publicKey: point.span).exposed
        } catch {
            #expect(error == .notAPoint, "case \(test.tcId)")
            return nil
        }
    }

    @Test(
        "Wycheproof: every point of the file agrees or is refused",
        .enabled(if: SharedFolder.isThere, "needs ../shared"))
    func wycheproofPoints() throws {
        let file = try WycheproofFile<Group>.read("ecdh_secp256r1_ecpoint")
        var agreed = 0
        var refused = 0
        for test in file.testGroups.flatMap(\.tests) {
            if let shared = try agreement(test, point: bytes(test.public)) {
                #expect(test.result == .valid, "case \(test.tcId)")
                #expect(shared == bytes(test.shared), "case \(test.tcId)")
                agreed += 1
            } else {
                // The one acceptable case is a compressed point.
                #expect(test.result != .valid, "case \(test.tcId)")
                refused += 1
            }
        }
        #expect(agreed == 330)
        #expect(refused == 25)
        #expect(agreed + refused == file.numberOfTests)
    }

    @Test(
        "Wycheproof: the keys of the other file that name the curve and hold a point, agree or are refused",
        .enabled(if: SharedFolder.isThere, "needs ../shared"))
    func wycheproofKeys() throws {
        let file = try WycheproofFile<Group>.read("ecdh_secp256r1")
        // SEQUENCE { { id-ecPublicKey, prime256v1 }, BIT STRING (66) }
        let head = "3059301306072a8648ce3d020106082a8648ce3d030107034200"
        var agreed = 0
        var refused = 0
        for test in file.testGroups.flatMap(\.tests) where test.public.hasPrefix(head) {
            if let shared = try agreement(test, point: bytes(String(test.public.dropFirst(head.count)))) {
                #expect(shared == bytes(test.shared), "case \(test.tcId)")
                #expect(test.result != .invalid, "case \(test.tcId)")
                agreed += 1
            } else {
                #expect(test.result != .valid, "case \(test.tcId)")
                refused += 1
            }
        }
        #expect(agreed == 330)
        #expect(refused == 20)
    }
}
