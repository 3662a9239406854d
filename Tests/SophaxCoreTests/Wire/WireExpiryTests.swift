import CryptoPrimitives
import Testing

@testable import SophaxCore

@Suite("how long what was received is kept")
struct WireExpiryTests {
    private static let now: Double = 817_695_221.5

    private func date(_ seconds: Double) throws -> WireDate { try #require(WireDate(secondsSince2001: seconds)) }

    @Test("nothing is kept longer than the apps keep it, and nothing longer than it says itself")
    func limits() throws {
        let sealed = SealedMessage(ephemeralPublicKey: [UInt8](repeating: 1, count: 32), encryptedPayload: [])
        let peer = PeerID("3619e750a2dd52ba")
        let day: Double = 86_400
        let cases: [(Double, (WireDate) throws -> WireDate?)] = [
            (
                2 * day,
                { end in
                    StoreAndForwardPayload(targetPeerID: peer, messageID: [], sealed: sealed, expiresAt: end)
                        .expiry(receivedAt: Self.now)
                }
            ),
            (
                day / 2,
                { end in
                    DeadDropPayload(id: [], targetPeerID: peer, sealed: sealed, expiresAt: end)
                        .expiry(receivedAt: Self.now)
                }
            ),
            (
                365 * day,
                { end in
                    var content = MessageContent(body: [], timestamp: end)
                    content.expiresAt = end
                    return content.expiry(receivedAt: Self.now)
                }
            ),
            (
                365 * day,
                { end in
                    GroupMessagePayload(
                        groupID: [], messageID: [], senderPeerID: peer, senderUsername: [], timestamp: end,
                        ciphertext: [], expiresAt: end
                    ).expiry(receivedAt: Self.now)
                }
            ),
        ]
        for (lifetime, expiry) in cases {
            for seconds in [-1e9, 0, lifetime - 1, lifetime] {
                #expect(try expiry(date(Self.now + seconds))?.secondsSince2001 == Self.now + seconds)
            }
            for seconds in [lifetime + 0.5, 1e12, 1e300] {
                #expect(try expiry(date(Self.now + seconds))?.secondsSince2001 == Self.now + lifetime)
            }
        }
        #expect(MessageContent(body: [], timestamp: try date(1)).expiry(receivedAt: Self.now) == nil)
        let android = try #require(WireDate(androidSecondsSince2001: Self.now + 1e8))
        #expect(android.atMost(60, after: Self.now).text == Array("2026-11-30T01:34:41+0000".utf8))
        #expect(android.atMost(1e9, after: Self.now) == android)
    }

    @Test("a device is linked within 10 minutes, and a request without an end has none")
    func deviceLink() throws {
        let identity = try CheckIdentity.first.identity()
        let bundle = try PreKeyBundle(
            signedBy: identity, signedPreKey: PublicPreKey(id: 1, key: identity.publicKeys.dh), oneTimePreKey: nil,
            timestamp: Self.now)
        let request = DeviceLinkPayload(
            deviceLabel: [], bundle: CarriedBundle(bundle), expiresAt: DeviceLinkPayload.expiry(madeAt: Self.now))
        #expect(request.expiresAt?.secondsSince2001 == Self.now + 600)
        #expect(!request.isExpired(at: Self.now - 1e6))
        #expect(!request.isExpired(at: Self.now + 599.75))
        #expect(request.isExpired(at: Self.now + 600))
        #expect(request.isExpired(at: Self.now + 1e9))
        let endless = DeviceLinkPayload(deviceLabel: [], bundle: CarriedBundle(bundle))
        #expect(!endless.isExpired(at: 1e300))
    }

    @Test("a bundle is carried in the JSON of its own platform")
    func carriedBundles() throws {
        let keys = try CheckIdentity.first.publicKeys()
        for oneTime in [nil, try PublicPreKey(id: UInt64(Int64.max), key: keys.signing, part: .oneTimePreKey)] {
            var extras = PreKeyBundle.Extras()
            extras.tcpAddress = oneTime.map { _ in Array("h:1".utf8) }
            let bundle = try PreKeyBundle(
                platform: .android, identityKeys: keys, signedPreKey: PublicPreKey(id: 1 << 40, key: keys.dh),
                signature: [UInt8](repeating: 7, count: 64), oneTimePreKey: oneTime, username: Array("Zoë".utf8),
                timestamp: 817_695_221, claimedPeerID: PeerID("3619e750a2dd52ba"), extras: extras)
            let carried = CarriedBundle(bundle)
            #expect(try PreKeyBundle(json: carried.json) == bundle)
            let text = String(decoding: carried.json, as: UTF8.self)
            #expect(text.hasPrefix(#"{"peerID":"3619e750a2dd52ba","username":"Zoë","#))
            #expect(text.contains(#""timestamp":"2026-11-30T01:33:41+0000""#))
            // Android has no default for what is missing.
            #expect(text.contains(#""oneTimePreKeyPublic":null,"oneTimePreKeyId":null"#) == (oneTime == nil))
            #expect(text.contains(#""tcpAddress":null"#) == (oneTime == nil))
        }
    }

    @Test("a header in clear beside an encrypted one is kept")
    func bothHeaders() throws {
        let text = #"{"encryptedHeader":"AA==","ciphertext":"AQ==","header":{"a":1},"later":2}"#
        let chat = try WirePayload(
            type: Array("message".utf8), payload: Array(#"{"ratchetMessage":\#(text),"messageID":"m"}"#.utf8))
        guard case .message(let payload) = chat else {
            Issue.record("no message")
            return
        }
        #expect(payload.ratchetMessage.plainHeader == nil)
        #expect(payload.ratchetMessage.encryptedHeader == [0])
        #expect(String(decoding: chat.json, as: UTF8.self).contains(text))
    }
}
