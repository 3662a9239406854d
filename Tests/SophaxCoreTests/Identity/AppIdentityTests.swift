import CryptoPrimitives
import Foundation
import TestSupport
import Testing

@testable import SophaxCore

/// The identities of the shared fixtures, made by the app's own code.
@Suite("The app's own identities", .enabled(if: SharedFolder.isThere, "../shared is not here"))
struct AppIdentityTests {
    struct Expected: Decodable {
        struct Person: Decodable {
            let signingKeyPublic: Data
            let dhKeyPublic: Data
            let peerID16: String
            let safetyNumber: String
            let username: String
        }

        let alice: Person
        let bob: Person
    }

    static func read(_ name: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: #require(SharedFolder.path) + "/fixtures/march/" + name))
    }

    @Test("have the peer id and the stored safety number that the app computed")
    func publicValues() throws {
        let expected = try JSONDecoder().decode(Expected.self, from: Self.read("expected.json"))
        for person in [expected.alice, expected.bob] {
            let keys = try IdentityPublicKeys(signing: Array(person.signingKeyPublic), dh: Array(person.dhKeyPublic))
            #expect(PeerID(keys.fingerprint, form: .hex32).text == person.peerID16)
            #expect(PeerID(person.peerID16).matches(keys.fingerprint))
            #expect(SafetyNumber.iosV0(of: keys).text == person.safetyNumber)
            #expect(SafetyNumber.iosV1(of: keys).text != person.safetyNumber)
        }
    }

    @Test("have private keys in the keychain that give the public ones", arguments: ["alice", "bob"])
    func privateKeys(_ name: String) throws {
        let expected = try JSONDecoder().decode(Expected.self, from: Self.read("expected.json"))
        let person = name == "alice" ? expected.alice : expected.bob
        let items = try JSONDecoder().decode([String: Data].self, from: Self.read("keychain-\(name).json"))
        let identity = try Identity(
            signingSeed: SecretBytes(copying: Array(#require(items["identity.signing"])).span),
            dhPrivate: SecretBytes(copying: Array(#require(items["identity.dh"])).span),
            username: person.username
        )
        #expect(identity.publicKeys.signing == Array(person.signingKeyPublic))
        #expect(identity.publicKeys.dh == Array(person.dhKeyPublic))
    }
}
