import TestSupport
import Testing

@testable import CryptoPrimitives

/// A group of Wycheproof's AEAD vectors; sizes are in bits.
struct AEADGroup: Decodable {
    struct Case: Decodable {
        let tcId: Int
        let key: String
        let iv: String
        let aad: String
        let msg: String
        let ct: String
        let tag: String
        let result: WycheproofResult
    }

    let keySize: Int
    let ivSize: Int
    let tagSize: Int
    let tests: [Case]
}

@Suite("AEAD, Wycheproof", .enabled(if: SharedFolder.isThere, "needs ../shared"))
struct AEADWycheproofTests {
    @Test("AES-GCM: every case with our sizes agrees, every other one is refused for its size")
    func aesGCM() throws {
        let file = try WycheproofFile<AEADGroup>.read("aes_gcm")
        var ran = 0
        var refusedForKey = 0
        var refusedForNonce = 0
        for group in file.testGroups {
            for test in group.tests {
                let key = try secret(test.key)
                guard group.keySize == 256 else {
                    #expect(throws: AEADError.keyLength(expected: 32, found: group.keySize / 8)) {
                        _ = try AESGCM(key: key)
                    }
                    refusedForKey += 1
                    continue
                }
                #expect(group.tagSize == 128)
                var cipher = try AESGCM(key: key)
                if group.ivSize == 96 {
                    try check(test, &cipher)
                    ran += 1
                } else {
                    checkRefusedForNonce(test, &cipher)
                    refusedForNonce += 1
                }
            }
        }
        #expect(ran == 66)
        #expect(refusedForKey == 211)
        #expect(refusedForNonce == 39)
        #expect(ran + refusedForKey + refusedForNonce == file.numberOfTests)
    }

    @Test("ChaCha20-Poly1305: every case with our sizes agrees, every other one is refused for its size")
    func chaChaPoly() throws {
        let file = try WycheproofFile<AEADGroup>.read("chacha20_poly1305")
        var ran = 0
        var refusedForNonce = 0
        for group in file.testGroups {
            #expect(group.keySize == 256 && group.tagSize == 128)
            for test in group.tests {
                var cipher = try ChaChaPoly(key: try secret(test.key))
                if group.ivSize == 96 {
                    try check(test, &cipher)
                    ran += 1
                } else {
                    #expect(test.result == .invalid)
                    checkRefusedForNonce(test, &cipher)
                    refusedForNonce += 1
                }
            }
        }
        #expect(ran == 316)
        #expect(refusedForNonce == 9)
        #expect(ran + refusedForNonce == file.numberOfTests)
    }

    /// Opens the case in each way there is, and seals it when it is valid.
    private func check<Cipher: AEADCipher & ~Copyable>(_ test: AEADGroup.Case, _ cipher: inout Cipher) throws {
        let nonce = bytes(test.iv)
        let data = bytes(test.aad)
        let plaintext = bytes(test.msg)
        let ciphertext = bytes(test.ct)
        let tag = bytes(test.tag)
        let box = nonce + ciphertext + tag
        switch test.result {
        case .valid, .acceptable:
            let opened = try cipher.open(ciphertext.span, nonce: nonce.span, tag: tag.span, authenticating: data.span)
            #expect(opened.exposed == plaintext, "case \(test.tcId)")
            let fromBox = try cipher.openCombined(box.span, authenticating: data.span)
            #expect(fromBox.exposed == plaintext, "case \(test.tcId)")
            let sealed = try cipher.sealCombined(plaintext.span, nonce: nonce.span, authenticating: data.span)
            #expect(sealed == box, "case \(test.tcId)")
        case .invalid:
            #expect(throws: AEADError.notAuthentic, "case \(test.tcId)") {
                _ = try cipher.open(ciphertext.span, nonce: nonce.span, tag: tag.span, authenticating: data.span)
            }
            var inPlace = box
            var span = inPlace.mutableSpan
            do {
                _ = try cipher.openCombined(inPlace: &span, authenticating: data.span)
                Issue.record("case \(test.tcId) was opened")
            } catch {
                #expect(error == .notAuthentic, "case \(test.tcId)")
            }
            let wiped: [UInt8] = nonce + [UInt8](repeating: 0, count: ciphertext.count) + tag
            #expect(inPlace == wiped, "case \(test.tcId)")
        }
    }

    private func checkRefusedForNonce<Cipher: AEADCipher & ~Copyable>(
        _ test: AEADGroup.Case, _ cipher: inout Cipher
    ) {
        let nonce = bytes(test.iv)
        let plaintext = bytes(test.msg)
        let ciphertext = bytes(test.ct)
        let tag = bytes(test.tag)
        let refusal = AEADError.nonceLength(expected: 12, found: nonce.count)
        #expect(throws: refusal, "case \(test.tcId)") {
            _ = try cipher.open(ciphertext.span, nonce: nonce.span, tag: tag.span)
        }
        #expect(throws: refusal, "case \(test.tcId)") {
            _ = try cipher.sealCombined(plaintext.span, nonce: nonce.span)
        }
    }
}
