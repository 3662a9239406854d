import Testing

@testable import CryptoPrimitives

/// One known answer.
struct AEADVector: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let key: String
    let nonce: String
    let plaintext: String
    let data: String
    let ciphertext: String
    let tag: String
}

@Suite("AES-256-GCM")
struct AESGCMTests {
    /// McGrew and Viega, "The Galois/Counter Mode of Operation", appendix B, test cases 13 to 16.
    static let vectors: [AEADVector] = {
        let key = "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308"
        let zeroKey = String(repeating: "00", count: 32)
        let zeroNonce = String(repeating: "00", count: 12)
        let plaintext =
            "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
            + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255"
        let ciphertext =
            "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
            + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad"
        return [
            AEADVector(
                testDescription: "test case 13", key: zeroKey, nonce: zeroNonce, plaintext: "", data: "",
                ciphertext: "", tag: "530f8afbc74536b9a963b4f1c4cb738b"),
            AEADVector(
                testDescription: "test case 14", key: zeroKey, nonce: zeroNonce,
                plaintext: String(repeating: "00", count: 16), data: "",
                ciphertext: "cea7403d4d606b6e074ec5d3baf39d18", tag: "d0d1c8a799996bf0265b98b5d48ab919"),
            AEADVector(
                testDescription: "test case 15", key: key, nonce: "cafebabefacedbaddecaf888", plaintext: plaintext,
                data: "", ciphertext: ciphertext, tag: "b094dac5d93471bdec1a502270e3cc6c"),
            AEADVector(
                testDescription: "test case 16", key: key, nonce: "cafebabefacedbaddecaf888",
                plaintext: String(plaintext.dropLast(8)), data: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
                ciphertext: String(ciphertext.dropLast(8)), tag: "76fc6ece0f4e1768cddf8853bb2d551b"),
        ]
    }()

    @Test("known answers of the authors of GCM, sealed and opened", arguments: vectors)
    func knownAnswers(vector: AEADVector) throws {
        var cipher = try AESGCM(key: try secret(vector.key))
        try expectKnownAnswer(vector, &cipher)
    }

    @Test("one context seals and opens in any order, each box under its own nonce")
    func contextIsReused() throws {
        let key = try secret(Self.vectors[3].key)
        var cipher = try AESGCM(key: key)
        for round in 0..<3 {
            for vector in [Self.vectors[2], Self.vectors[3]] {
                try expectKnownAnswer(vector, &cipher)
                let broken = bytes(vector.nonce) + bytes(vector.ciphertext) + [UInt8](repeating: 0, count: 16)
                #expect(throws: AEADError.notAuthentic, "round \(round)") { _ = try cipher.openCombined(broken.span) }
            }
        }
    }

    @Test("every single flipped bit of nonce, ciphertext, tag, data and key is refused, and nothing is given out")
    func bitFlips() throws {
        var cipher = try AESGCM(key: try secret(Self.vectors[3].key))
        try expectBitFlipsRefused(Self.vectors[3], &cipher)
        let box = bytes(Self.vectors[3].nonce) + bytes(Self.vectors[3].ciphertext) + bytes(Self.vectors[3].tag)
        let data = bytes(Self.vectors[3].data)
        try forEachBitFlip(of: bytes(Self.vectors[3].key)) { flipped, bit in
            var other = try AESGCM(key: try SecretBytes(copying: flipped.span))
            #expect(throws: AEADError.notAuthentic, "bit \(bit) of the key") {
                _ = try other.openCombined(box.span, authenticating: data.span)
            }
        }
    }

    @Test("boxes of 0 to 27 bytes are refused untouched, 28 bytes are an empty text")
    func shortBoxes() throws {
        var cipher = try AESGCM(key: try secret(Self.vectors[0].key))
        try expectShortBoxesRefused(&cipher)
    }

    @Test("every truncation of a box is refused")
    func truncations() throws {
        var cipher = try AESGCM(key: try secret(Self.vectors[2].key))
        try expectTruncationsRefused(Self.vectors[2], &cipher)
    }

    @Test("wrong lengths of key, nonce and tag are refused by name", arguments: [0, 11, 13, 15, 17, 31, 33])
    func wrongLengths(length: Int) throws {
        let wrong = [UInt8](repeating: 0, count: length)
        let nonce = [UInt8](repeating: 0, count: 12)
        let tag = [UInt8](repeating: 0, count: 16)
        let key = try SecretBytes(copying: wrong.span)
        #expect(throws: AEADError.keyLength(expected: 32, found: length)) { _ = try AESGCM(key: key) }
        var cipher = try AESGCM(key: try SecretBytes(count: 32))
        #expect(throws: AEADError.nonceLength(expected: 12, found: length)) {
            _ = try cipher.open(tag.span, nonce: wrong.span, tag: tag.span)
        }
        #expect(throws: AEADError.tagLength(expected: 16, found: length)) {
            _ = try cipher.open(tag.span, nonce: nonce.span, tag: wrong.span)
        }
        #expect(throws: AEADError.nonceLength(expected: 12, found: length)) {
            _ = try cipher.sealCombined(tag.span, nonce: wrong.span)
        }
    }

    @Test("what is longer than one call of the library takes is fed in pieces", arguments: [16, 48, 1008, 1024])
    func pieces(pieceLength: Int) throws {
        let key = try SecretBytes(randomCount: 32)
        let nonce = Random.bytes(12)
        let plaintext = Random.bytes(1024 + 7)
        let data = Random.bytes(1024 + 3)
        var whole = try AESGCM(key: key)
        var inPieces = try AESGCM(key: key, pieceLength: pieceLength)
        let box = try whole.sealCombined(plaintext.span, nonce: nonce.span, authenticating: data.span)
        let pieceBox = try inPieces.sealCombined(plaintext.span, nonce: nonce.span, authenticating: data.span)
        #expect(pieceBox == box)
        var inPlace = box
        var span = inPlace.mutableSpan
        let range = try inPieces.openCombined(inPlace: &span, authenticating: data.span)
        #expect(Array(inPlace[range]) == plaintext)
    }

    @Test("a text above 2 GiB is sealed and opened in place", .enabled(if: isLongRun, "set SXKEY_LONG=1"))
    func aboveTwoGiB() throws {
        let count = (2 << 30) + 1000
        let nonce = [UInt8](repeating: 9, count: 12)
        var cipher = try AESGCM(key: try SecretBytes(count: 32))
        var text = [UInt8](repeating: 0x5A, count: count)
        let hash = SHA256.hash(text.span)
        var span = text.mutableSpan
        let tag = try cipher.seal(inPlace: &span, nonce: nonce.span)
        let sealedHash = SHA256.hash(span.span)
        #expect(sealedHash != hash)
        try cipher.open(inPlace: &span, nonce: nonce.span, tag: tag.span)
        let openedHash = SHA256.hash(span.span)
        #expect(openedHash == hash)
    }

    @Test("two boxes of the same text differ, as each has a fresh nonce")
    func freshNonces() throws {
        let text = bytes("0102")
        var cipher = try AESGCM(key: try SecretBytes(count: 32))
        let one = try cipher.sealCombined(text.span)
        let other = try cipher.sealCombined(text.span)
        #expect(one[..<12] != other[..<12])
        #expect(one.count == 30)
        let opened = try cipher.openCombined(other.span)
        #expect(opened.exposed == text)
    }
}
