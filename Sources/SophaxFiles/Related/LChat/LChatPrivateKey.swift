import CryptoPrimitives
import JSONCoding

/// Reads a private key of lchat: 32 raw bytes, PKCS#8 in DER or PEM, or a JWK (RFC 7517, 7518).
package enum LChatPrivateKey {
    /// Letters of a PEM text, far above the some 240 of a key.
    static let longestPEM = 8_192

    /// A key in PEM: one block `PRIVATE KEY` with nothing but white space around it.
    ///
    /// `isEscaped`: the text is the content of a JSON string, in which line breaks are `\n` and `\r`.
    static func pem(_ text: Span<UInt8>, isEscaped: Bool = false) throws(RelatedKeyError) -> SecretBytes {
        guard text.count <= longestPEM else { throw .tooLarge(limit: longestPEM) }
        var reader = PEMText(isEscaped: isEscaped)
        guard let label = reader.begin(text) else { throw .unknownForm }
        switch label {
        case .privateKey: break
        case .encrypted: throw .encryptedPEM
        case .other: throw .otherPEM
        }
        let der: SecretBytes
        do throws(EncodingError) {
            guard let letters = try reader.letters(text) else { throw EncodingError.malformed }
            der = try letters.withSpan { (span) throws(EncodingError) in try SecretEncoding.decodeBase64(span) }
        } catch {
            if case .memory = error { throw .memory }
            throw .notPKCS8
        }
        do throws(P256Error) { return try P256.privateKey(pkcs8: der) } catch { throw RelatedKeyError(error) }
    }

    /// A key in a JWK: `kty` EC, `crv` P-256, `d`, and the public key, which must be that of `d`.
    static func jwk(_ object: JSONObject) throws(RelatedKeyError) -> SecretBytes {
        do throws(FormatError) {
            guard try object.text("kty") == Array("EC".utf8) else { throw object.problem("kty", .unknownWord) }
            guard try object.text("crv") == Array("P-256".utf8) else { throw object.problem("crv", .unknownWord) }
        } catch {
            if case .field("crv", .unknownWord) = error { throw .otherCurve }
            throw .format(error)
        }
        let number = try coordinate(object, "d")
        guard number.count == P256.privateKeyLength else {
            throw .keyLength(.privateKey, expected: P256.privateKeyLength, found: number.count)
        }
        let own: [UInt8]
        do throws(P256Error) { own = try P256.publicKey(of: number) } catch { throw RelatedKeyError(error) }
        let x = try coordinate(object, "x")
        let y = try coordinate(object, "y")
        let isOwn = x.isEqual(to: own.span.extracting(1..<33)) && y.isEqual(to: own.span.extracting(33..<65))
        guard isOwn else { throw .publicKeyDiffers }
        return number
    }

    /// A number in base64url without padding.
    private static func coordinate(_ object: JSONObject, _ key: StaticString) throws(RelatedKeyError) -> SecretBytes {
        let member: JSONMember
        do throws(FormatError) {
            member = try object.required(key, try object.value(key, .string))
        } catch {
            throw .format(error)
        }
        do throws(EncodingError) {
            return try object.buffer.withSpan { (text) throws(EncodingError) in
                try SecretEncoding.decodeBase64URL(text.extracting(member.value))
            }
        } catch {
            if case .memory = error { throw .memory }
            throw .format(object.problem(key, .notBase64))
        }
    }
}

/// Takes a PEM text apart (RFC 7468), whose letters are a secret: where its lines end is none.
private struct PEMText {
    enum Label {
        case privateKey, encrypted, other
    }

    let isEscaped: Bool
    private var place = 0

    init(isEscaped: Bool) {
        self.isEscaped = isEscaped
    }

    /// Bytes of the white space at a place: 2 for an escape of JSON.
    private func blank(_ text: Span<UInt8>, at place: Int) -> Int {
        switch text[place] {
        case 0x20, 0x09, 0x0A, 0x0D: return 1
        case UInt8(ascii: "\\") where isEscaped && place + 1 < text.count:
            return [UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t")].contains(text[place + 1]) ? 2 : 0
        default: return 0
        }
    }

    private mutating func skipBlanks(_ text: Span<UInt8>) {
        while place < text.count {
            let width = blank(text, at: place)
            guard width > 0 else { return }
            place += width
        }
    }

    private mutating func take(_ word: StaticString, _ text: Span<UInt8>) -> Bool {
        let word = word.bytes
        guard text.count - place >= word.count else { return false }
        for index in word.indices where text[place + index] != word[index] { return false }
        place += word.count
        return true
    }

    /// Reads the first line; nil where there is none of PEM.
    mutating func begin(_ text: Span<UInt8>) -> Label? {
        skipBlanks(text)
        guard take("-----BEGIN ", text) else { return nil }
        if take("PRIVATE KEY-----", text) { return .privateKey }
        return take("ENCRYPTED PRIVATE KEY-----", text) ? .encrypted : .other
    }

    /// The letters up to the end line, without white space; nil where the text does not end with that line.
    mutating func letters(_ text: Span<UInt8>) throws(EncodingError) -> SecretBytes? {
        var letters: SecretBytes
        do { letters = try SecretBytes(count: text.count) } catch { throw .memory(error) }
        var count = 0
        while place < text.count {
            let width = blank(text, at: place)
            if width > 0 {
                place += width
                continue
            }
            // No letter of base64, so that the end shows in the place alone.
            if text[place] == UInt8(ascii: "-") { break }
            // In JSON a slash may be written with a backslash before it.
            if isEscaped, text[place] == UInt8(ascii: "\\"), place + 1 < text.count { place += 1 }
            let byte = text[place]
            letters.withMutableSpan { $0[count] = byte }
            count += 1
            place += 1
        }
        guard take("-----END PRIVATE KEY-----", text) else { return nil }
        skipBlanks(text)
        guard place == text.count else { return nil }
        do { return try letters.prefix(count) } catch { throw .memory(error) }
    }
}
