import Testing

@testable import SophaxCore

@Suite("An onion address")
struct OnionAddressTests {
    @Test("is the one of the check values", arguments: CheckIdentity.both)
    func checkValues(_ check: CheckIdentity) throws {
        #expect(try OnionAddress(of: check.publicKeys()).text == check.onion)
    }

    @Test("does not depend on the DH key")
    func signingKeyOnly() throws {
        let keys = try CheckIdentity.first.publicKeys()
        let other = try IdentityPublicKeys(signing: keys.signing, dh: [UInt8](repeating: 9, count: 32))
        #expect(OnionAddress(of: other) == OnionAddress(of: keys))
    }

    @Test("encodes the lowest and highest keys as Python's base32 and hashlib do")
    func extremes() throws {
        let dh = [UInt8](repeating: 7, count: 32)
        let zeros = try IdentityPublicKeys(signing: [UInt8](repeating: 0, count: 32), dh: dh)
        let ones = try IdentityPublicKeys(signing: [UInt8](repeating: 255, count: 32), dh: dh)
        #expect(OnionAddress(of: zeros).text == "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaam2dqd.onion")
        #expect(OnionAddress(of: ones).text == "777777777777777777777777777777777777777777777777777vpaqd.onion")
    }
}
