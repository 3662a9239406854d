import CryptoPrimitives
import Testing

@testable import SophaxCore

@Suite("An identity")
struct IdentityTests {
    @Test("has the public keys of the check values", arguments: CheckIdentity.both)
    func publicKeys(_ check: CheckIdentity) throws {
        let identity = try check.identity()
        #expect(identity.publicKeys.signing == bytes(hex: check.signingPublic))
        #expect(identity.publicKeys.dh == bytes(hex: check.dhPublic))
        #expect(identity.username == check.name)
    }

    @Test("has the fingerprint of the check values", arguments: CheckIdentity.both)
    func fingerprint(_ check: CheckIdentity) throws {
        let identity = try check.identity()
        #expect(identity.fingerprint.hex == check.fingerprint)
        #expect(identity.fingerprint.bytes == bytes(hex: check.fingerprint))
        #expect(try check.publicKeys().fingerprint == identity.fingerprint)
    }

    @Test("keeps the private keys as they were given, clamped or not")
    func keepsPrivateKeys() throws {
        let identity = try CheckIdentity.first.identity()
        let seed = CheckIdentity.first.signingSeed
        let dhPrivate = CheckIdentity.first.dhPrivate
        let keepsSeed = identity.signingSeed.isEqual(to: seed.span)
        let keepsPrivate = identity.dhPrivate.isEqual(to: dhPrivate.span)
        #expect(keepsSeed)
        #expect(keepsPrivate)
    }

    private func identity(signingSeed: [UInt8], dhPrivate: [UInt8]) throws -> Identity {
        let seed = try SecretBytes(copying: signingSeed.span)
        return try Identity(signingSeed: seed, dhPrivate: SecretBytes(copying: dhPrivate.span), username: "")
    }

    @Test("refuses private keys of any other length", arguments: [0, 31, 33, 64])
    func privateKeyLengths(_ length: Int) throws {
        let right = Array(CheckIdentity.first.signingSeed)
        let wrong = [UInt8](repeating: 1, count: length)
        #expect(throws: IdentityError.wrongLength(.signingSeed, expected: 32, found: length)) {
            _ = try identity(signingSeed: wrong, dhPrivate: right)
        }
        #expect(throws: IdentityError.wrongLength(.dhPrivate, expected: 32, found: length)) {
            _ = try identity(signingSeed: right, dhPrivate: wrong)
        }
    }

    @Test("refuses public keys of any other length", arguments: [0, 31, 33, 64])
    func publicKeyLengths(_ length: Int) {
        let right = [UInt8](repeating: 1, count: 32)
        let wrong = [UInt8](repeating: 1, count: length)
        #expect(throws: IdentityError.wrongLength(.signingPublic, expected: 32, found: length)) {
            try IdentityPublicKeys(signing: wrong, dh: right)
        }
        #expect(throws: IdentityError.wrongLength(.dhPublic, expected: 32, found: length)) {
            try IdentityPublicKeys(signing: right, dh: wrong)
        }
    }
}

@Suite("A fingerprint")
struct FingerprintTests {
    @Test("reads back the text that it writes")
    func roundTrip() throws {
        let text = CheckIdentity.first.fingerprint
        let fingerprint = try Fingerprint(hex: Array(text.utf8).span)
        #expect(fingerprint.hex == text)
        #expect(try Fingerprint(bytes: fingerprint.bytes) == fingerprint)
    }

    @Test("refuses text that is not 64 digits", arguments: [0, 1, 32, 63, 65, 128])
    func lengths(_ length: Int) {
        let text = [UInt8](repeating: UInt8(ascii: "a"), count: length)
        #expect(throws: IdentityError.wrongLength(.fingerprint, expected: 64, found: length)) {
            try Fingerprint(hex: text.span)
        }
    }

    @Test("refuses bytes that are not 32", arguments: [0, 31, 33, 64])
    func byteLengths(_ length: Int) {
        #expect(throws: IdentityError.wrongLength(.fingerprint, expected: 32, found: length)) {
            try Fingerprint(bytes: [UInt8](repeating: 0, count: length))
        }
    }

    @Test("refuses upper case and everything beside the hex digits at any place")
    func digits() {
        for wrong in ["A", "F", "g", "/", ":", "`", " ", "\0"].flatMap(\.utf8) + [0xFF] {
            for place in [0, 1, 31, 63] {
                var text = Array(CheckIdentity.first.fingerprint.utf8)
                text[place] = wrong
                #expect(throws: IdentityError.notHexadecimal(.fingerprint)) { try Fingerprint(hex: text.span) }
            }
        }
    }
}
