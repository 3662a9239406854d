import CryptoPrimitives
import Foundation
import JSONCoding
import TestSupport
import Testing

@testable import SophaxCore

/// Conversations between Alice and Bob that the app's own code has had, of `../shared/fixtures/march`.
enum MarchFixture {
    static func data(_ name: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: SharedFolder.file("fixtures/march/" + name)))
    }

    static func bytes(_ name: String) throws -> [UInt8] { Array(try data(name)) }

    static func object(_ json: [UInt8]) throws -> JSONObject { try JSONObject(json, ceiling: 1 << 20) }

    static func bundle(_ name: String) throws -> PreKeyBundle { try PreKeyBundle(object(bytes(name))) }

    static func session(_ name: String) throws -> RatchetSession { try RatchetSession(stateText: bytes(name)) }

    /// The items of a keychain dump.
    struct Keychain {
        let items: [String: Data]

        init(_ name: String) throws { items = try JSONDecoder().decode([String: Data].self, from: data(name)) }

        func secretItem(_ account: String) throws -> SecretBytes { try secret(Array(#require(items[account]))) }

        func identity() throws -> Identity {
            try Identity(
                signingSeed: secretItem("identity.signing"), dhPrivate: secretItem("identity.dh"),
                username: String(decoding: #require(items["user.username"]), as: UTF8.self))
        }

        func pair(_ kind: String, _ id: UInt32) throws -> PreKeyPair {
            try PreKeyPair(id: id, privateKey: secretItem("\(kind).\(id)"))
        }
    }

    /// The messages of `ratchet-steps.json`, in the order of delivery.
    struct Steps: Decodable {
        struct Step: Decodable {
            let from: String
            let message: AppMessage
            let plaintextBody: String
        }

        let associatedDataUTF8: String
        let steps: [Step]

        var ad: [UInt8] { Array(associatedDataUTF8.utf8) }
        static func read() throws -> Steps { try JSONDecoder().decode(Self.self, from: data("ratchet-steps.json")) }
    }

    /// The first message, in its envelope.
    struct FirstMessage {
        let envelope: WireMessage
        let request: SessionRequest
        let message: RatchetMessage

        init() throws {
            envelope = try WireMessage(object(MarchFixture.bytes("wire-1-initiateSession.json")))
            let payload = try object(envelope.payload)
            let bundle = try #require(try payload.object("senderBundle"))
            let ephemeral = try #require(try payload.data("ephemeralPublicKey"))
            let signedID = try #require(try payload.uint32("usedSignedPreKeyId"))
            let initial = try #require(try payload.object("initialMessage"))
            request = try SessionRequest(
                senderBundle: PreKeyBundle(bundle), ephemeralPublicKey: ephemeral, usedSignedPreKeyID: signedID,
                usedOneTimePreKeyID: payload.uint32("usedOneTimePreKeyId"))
            message = try RatchetMessage(initial)
        }
    }

    struct Expected: Decodable { let x3dhSharedSecret: Data }

    /// The `body` of a message's content.
    static func body(_ plaintext: [UInt8]) throws -> String {
        String(decoding: try #require(try object(plaintext).text("body")), as: UTF8.self)
    }
}
