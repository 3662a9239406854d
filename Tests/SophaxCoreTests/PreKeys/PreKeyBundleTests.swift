import CryptoPrimitives
import Testing

@testable import SophaxCore

/// Values of the first check identity with X25519 private keys `80…9f` and `a0…bf`, made with Python's `cryptography`.
@Suite("bundles of prekeys")
struct PreKeyBundleTests {
    static let timestamp = 817_695_221.1040374
    static let signedPreKey = bytes(hex: "493e82fc74464a59268817623d2053c5eb8e2cc4a988b4fee179ec6b010d531d")
    static let keyOnly = bytes(
        hex: "8b1cdc6cb55c316620511c323a9d214f80fdfea753d74b258f2e4c171caf37c2"
            + "5f3f2ba41a936595a00493cb43189677007740d6a75e1409e3a46e2556bae202")
    static let keysAndTime = bytes(
        hex: "5761f183c411802a647a337d31a02360e41cd5d5b37922af120eacf6f77f7762"
            + "a3428edba16500abf650305aa71dcbae2bf8f096c3f3d8233eb6111455812500")

    private func bundle(
        _ signature: [UInt8], key: [UInt8] = signedPreKey, timestamp: Double = timestamp, id: UInt64 = 7,
        platform: PreKeyBundle.Platform = .ios, oneTimeID: UInt64? = nil
    ) throws -> PreKeyBundle {
        try PreKeyBundle(
            platform: platform, identityKeys: CheckIdentity.first.publicKeys(),
            signedPreKey: PublicPreKey(id: id, key: key), signature: signature,
            oneTimePreKey: oneTimeID.map { try PublicPreKey(id: $0, key: key) }, username: [],
            timestamp: timestamp)
    }

    @Test("the newer signature is over signing key, prekey and the bytes of the double")
    func signedBytes() throws {
        let keys = try CheckIdentity.first.publicKeys()
        func signed(_ form: PreKeySignatureForm) -> [UInt8] {
            form.signedBytes(signingKey: keys.signing, signedPreKey: Self.signedPreKey, timestamp: Self.timestamp)
        }
        #expect(signed(.keyOnly) == Self.signedPreKey)
        #expect(
            signed(.keysAndTime)
                == bytes(
                    hex: "03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8"
                        + "493e82fc74464a59268817623d2053c5eb8e2cc4a988b4fee179ec6b010d531d19518dfa845ec841"))
    }

    @Test("the form of a signature is found out")
    func forms() throws {
        #expect(try bundle(Self.keyOnly).signatureForm == .keyOnly)
        #expect(try bundle(Self.keysAndTime).signatureForm == .keysAndTime)
    }

    @Test("the older signature does not hold the time, the newer one to the last bit")
    func time() throws {
        let other = Self.timestamp.nextUp
        #expect(try bundle(Self.keyOnly, timestamp: other).signatureForm == .keyOnly)
        #expect(try bundle(Self.keysAndTime, timestamp: other).signatureForm == nil)
        #expect(try bundle(Self.keysAndTime, timestamp: -Self.timestamp).signatureForm == nil)
    }

    @Test("one changed bit of signature or prekey is no signature", arguments: [keyOnly, keysAndTime])
    func bits(signature: [UInt8]) throws {
        for bit in 0..<512 {
            var changed = signature
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(try bundle(changed).signatureForm == nil)
        }
        for bit in 0..<256 {
            var changed = Self.signedPreKey
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(try bundle(signature, key: changed).signatureForm == nil)
        }
    }

    @Test("a bundle made here has the signature that another library makes")
    func make() throws {
        let identity = try CheckIdentity.first.identity()
        for (form, signature) in [(PreKeySignatureForm.keyOnly, Self.keyOnly), (.keysAndTime, Self.keysAndTime)] {
            let made = try PreKeyBundle(
                signedBy: identity, signedPreKey: PublicPreKey(id: 7, key: Self.signedPreKey), oneTimePreKey: nil,
                timestamp: Self.timestamp, form: form)
            #expect(made.signature == signature)
            #expect(made.signatureForm == form)
            #expect(made.username == Array("first".utf8))
        }
    }

    @Test("lengths, ids and times that cannot be are refused")
    func limits() throws {
        for count in [0, 63, 65] {
            #expect(throws: PreKeyError.wrongLength(.signature, expected: 64, found: count)) {
                try bundle([UInt8](repeating: 1, count: count))
            }
        }
        for count in [0, 31, 33] {
            #expect(throws: PreKeyError.wrongLength(.signedPreKey, expected: 32, found: count)) {
                try PublicPreKey(id: 1, key: [UInt8](repeating: 1, count: count))
            }
        }
        for time in [Double.nan, .infinity, -.infinity] {
            #expect(throws: PreKeyError.timestampNotFinite) { try bundle(Self.keyOnly, timestamp: time) }
        }
        for id: UInt64 in [0, 1, 0xFF_FFFF, 0x100_0000, 0xFFFF_FFFF] {
            #expect(try bundle(Self.keyOnly, id: id, oneTimeID: id).signedPreKey.id == id)
        }
        #expect(throws: PreKeyError.idTooLarge(.signedPreKey, found: 1 << 32)) {
            try bundle(Self.keyOnly, id: 1 << 32)
        }
        #expect(throws: PreKeyError.idTooLarge(.oneTimePreKey, found: 1 << 32)) {
            try bundle(Self.keyOnly, oneTimeID: 1 << 32)
        }
        #expect(
            try bundle(Self.keyOnly, id: UInt64(Int64.max), platform: .android).signedPreKey.id == UInt64(Int64.max))
        #expect(throws: PreKeyError.idTooLarge(.signedPreKey, found: 1 << 63)) {
            try bundle(Self.keyOnly, id: 1 << 63, platform: .android)
        }
    }

    @Test("a peer id of 16, 32 or 64 digits fits the keys, another one does not")
    func peerIDs() throws {
        let bundle = try bundle(Self.keyOnly)
        let digits = CheckIdentity.first.fingerprint
        for count in [16, 32, 64] { #expect(bundle.fits(PeerID(String(digits.prefix(count))))) }
        for text in [String(digits.prefix(17)), "", String(CheckIdentity.second.fingerprint.prefix(16))] {
            #expect(!bundle.fits(PeerID(text)))
        }
    }

    @Test("keys that give everybody the same secret are found")
    func weakKeys() throws {
        #expect(try bundle(Self.keyOnly).weakKeys.isEmpty)
        // RFC 7748 section 6.1: u = 0 and u = 1 have small order, and two more from Bernstein's list.
        let small = [
            [UInt8](repeating: 0, count: 32), [1] + [UInt8](repeating: 0, count: 31),
            bytes(hex: "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800"),
            bytes(hex: "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157"),
        ]
        for key in small { #expect(try bundle(Self.keyOnly, key: key).weakKeys == [key]) }
    }

    @Test("two spellings of a name are two names")
    func names() throws {
        func named(_ name: String) throws -> PreKeyBundle {
            try PreKeyBundle(
                identityKeys: CheckIdentity.first.publicKeys(),
                signedPreKey: PublicPreKey(id: 1, key: Self.signedPreKey), signature: Self.keyOnly,
                username: Array(name.utf8), timestamp: 0)
        }
        #expect(try named("caf\u{e9}") != named("cafe\u{301}"))
    }
}
