import CryptoPrimitives
import Testing

@testable import SophaxCore

@Suite("answering with pairs that are there")
final class AgreementPairTests {
    private let signed: PreKeyPair
    private let oneTime: PreKeyPair

    init() throws {
        signed = try PreKeyPair(id: 7, privateKey: SecretBytes(randomCount: 32))
        oneTime = try PreKeyPair(id: 9, privateKey: SecretBytes(randomCount: 32))
    }

    @Test("both forms give the initiator's secret, with and without a one-time prekey")
    func agrees() throws {
        let ana = try CheckIdentity.first.identity()
        let bob = try CheckIdentity.second.identity()
        for pair in [nil, oneTime.publicPreKey] {
            let bundle = try PreKeyBundle(
                signedBy: bob, signedPreKey: signed.publicPreKey, oneTimePreKey: pair, timestamp: 0)
            let own = try PreKeyBundle(
                signedBy: ana, signedPreKey: signed.publicPreKey, oneTimePreKey: nil, timestamp: 0)
            let begun = try X3DH.initiate(identity: ana, bundle: bundle, requirements: .anyAge)
            let request = begun.request(senderBundle: own)
            let answered: AcceptedSession
            if pair == nil {
                answered = try X3DH.respond(identity: bob, to: request, signedPreKey: signed, requirements: .anyAge)
            } else {
                answered = try X3DH.respond(
                    identity: bob, to: request, signedPreKey: signed, oneTimePreKey: oneTime, requirements: .anyAge)
            }
            let isEqual = answered.sharedSecret.isEqual(to: begun.sharedSecret)
            #expect(isEqual)
        }
    }

    @Test("a one-time prekey that the message names and nobody gives is an error")
    func missing() throws {
        let ana = try CheckIdentity.first.identity()
        let bob = try CheckIdentity.second.identity()
        let bundle = try PreKeyBundle(
            signedBy: bob, signedPreKey: signed.publicPreKey, oneTimePreKey: oneTime.publicPreKey, timestamp: 0)
        let own = try PreKeyBundle(
            signedBy: ana, signedPreKey: signed.publicPreKey, oneTimePreKey: nil, timestamp: 0)
        let request = try X3DH.initiate(identity: ana, bundle: bundle, requirements: .anyAge)
            .request(senderBundle: own)
        #expect(throws: X3DHError.oneTimePreKeyMissing(id: 9)) {
            _ = try X3DH.respond(identity: bob, to: request, signedPreKey: signed, requirements: .anyAge)
        }
    }

    @Test("a copy of a pair has the same key and id")
    func copies() throws {
        let copy = try signed.copy()
        let isEqual = copy.privateKey.isEqual(to: signed.privateKey)
        #expect(isEqual && copy.id == 7 && copy.publicPreKey == signed.publicPreKey)
    }

    @Test("a bundle written as JSON reads back as it was")
    func bundleJSON() throws {
        let bob = try CheckIdentity.second.identity()
        let bundle = try PreKeyBundle(
            signedBy: bob, signedPreKey: signed.publicPreKey, oneTimePreKey: oneTime.publicPreKey, timestamp: 0.5)
        #expect(try PreKeyBundle(json: bundle.json) == bundle)
        #expect(throws: (any Error).self) {
            try PreKeyBundle(json: [UInt8](repeating: 0x20, count: PreKeyBundle.longestText + 1))
        }
    }
}
