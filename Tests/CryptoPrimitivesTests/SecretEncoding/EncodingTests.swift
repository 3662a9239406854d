import Testing

@testable import CryptoPrimitives

@Suite("Base64 and hexadecimal")
struct EncodingTests {
    /// RFC 4648, 10.
    static let base64Vectors = [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ]

    @Test("the examples of RFC 4648, plain and secret", arguments: base64Vectors)
    func base64(plain: String, encoded: String) throws {
        let plainBytes = Array(plain.utf8)
        let text = Array(encoded.utf8)
        #expect(Base64.encode(plainBytes.span) == encoded)
        #expect(Base64.decode(text.span) == plainBytes)
        #expect(try SecretEncoding.decodeBase64(text.span).exposed == plainBytes)
        #expect(try SecretEncoding.encodeBase64(try secret(text: plain)).exposed == text)
    }

    @Test("all 64 letters of the standard alphabet")
    func alphabet() throws {
        let encoded = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        let text = Array(encoded.utf8)
        let plain = bytes(
            "00108310518720928b30d38f41149351559761969b71d79f8218a39259a7a29aabb2dbafc31cb3d35db7e39ebbf3dfbf")
        #expect(Base64.encode(plain.span) == encoded)
        #expect(Base64.decode(text.span) == plain)
        #expect(try SecretEncoding.decodeBase64(text.span).exposed == plain)
    }

    @Test(
        "every spelling of base64 but the right one is refused",
        arguments: [
            "Z", "Zg", "Zg=", "Zg===", "Zg=a", "Z===", "====", "=", "Zm8", "Zm9vY", "Zm9v=", "Zm9v====", "Zh==", "Zm9=",
            "Zm-_", "Zm9v\n", "Zm9v Zm9v", " Zm9", "Zm9\u{0}", "Zm\u{e9}v", "Zg==Zg==", "Zm.v", "Zm9vYg==Zm9v",
        ])
    func wrongBase64(text: String) {
        let text = Array(text.utf8)
        #expect(Base64.decode(text.span) == nil)
        #expect(throws: EncodingError.malformed) { _ = try SecretEncoding.decodeBase64(text.span) }
    }

    @Test("the two readers of base64 give the same verdict on every byte in every place of a group")
    func readersAgree() throws {
        var disagreements: [[UInt8]] = []
        for original in ["Zm9vYmFy", "Zm9vYmE=", "Zm9vYg=="] {
            for position in 0..<8 {
                for value in 0...255 {
                    var text = Array(original.utf8)
                    text[position] = UInt8(value)
                    let plain = Base64.decode(text.span)
                    var fromSecret: [UInt8]?
                    do {
                        fromSecret = try SecretEncoding.decodeBase64(text.span).exposed
                    } catch {
                        #expect(error == .malformed)
                    }
                    if plain != fromSecret { disagreements.append(text) }
                    if let plain, Array(Base64.encode(plain.span).utf8) != text { disagreements.append(text) }
                }
            }
        }
        #expect(disagreements == [])
    }

    @Test("hexadecimal digits of either case are read, lower case is written")
    func hexadecimal() throws {
        let all = (0...255).map { UInt8($0) }
        let digits = Array("0123456789abcdef".utf8)
        let text = all.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        let upper = Array(String(decoding: text, as: UTF8.self).uppercased().utf8)
        #expect(Array(Hex.encode(all.span).utf8) == text)
        #expect(Hex.decode(text.span) == all)
        #expect(Hex.decode(upper.span) == all)
        #expect(try SecretEncoding.decodeHex(text.span).exposed == all)
        #expect(try SecretEncoding.decodeHex(upper.span).exposed == all)
        let asSecret = try SecretBytes(copying: all.span)
        #expect(try SecretEncoding.encodeHex(asSecret).exposed == text)
    }

    @Test("no digits are no bytes")
    func emptyHexadecimal() throws {
        let nothing: [UInt8] = []
        #expect(Hex.encode(nothing.span) == "")
        #expect(Hex.decode(nothing.span) == [])
        #expect(try SecretEncoding.decodeHex(nothing.span).exposed == [])
        #expect(try SecretEncoding.encodeHex(try SecretBytes(count: 0)).exposed == [])
    }

    @Test(
        "what is not pairs of hexadecimal digits is refused",
        arguments: [
            "0", "000", "0g", "g0", "00 00", " 00 ", "0x00", "00:00", "00\n", "\u{0}\u{0}", "\u{e9}", "//", "::", "@@",
            "GG", "``",
        ])
    func wrongHexadecimal(text: String) {
        let text = Array(text.utf8)
        #expect(Hex.decode(text.span) == nil)
        #expect(throws: EncodingError.malformed) { _ = try SecretEncoding.decodeHex(text.span) }
    }

    @Test("what was encoded is decoded again, for every length to 100", arguments: 0...100)
    func roundTrip(count: Int) throws {
        let plain = Random.bytes(count)
        let base64 = Array(Base64.encode(plain.span).utf8)
        let hex = Array(Hex.encode(plain.span).utf8)
        #expect(Base64.decode(base64.span) == plain)
        #expect(Hex.decode(hex.span) == plain)
        let asSecret = try SecretBytes(copying: plain.span)
        #expect(try SecretEncoding.encodeBase64(asSecret).exposed == base64)
        #expect(try SecretEncoding.encodeHex(asSecret).exposed == hex)
    }
}
