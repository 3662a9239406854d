import CryptoPrimitives
import JSONCoding
import Testing

@testable import SophaxCore

/// Right values made with Python's `cryptography` 38: `Ed25519PrivateKey.from_private_bytes(bytes(range(32)))` signs
/// type + payload + sender + time.
@Suite("signatures of wire messages")
struct WireSigningTests {
    private let time = WireDate(secondsSince2001: 817_695_221.75)
    private let sender = PeerID("3619e750a2dd52ba978807b2a00df56d")

    private func typing() -> WirePayload { .typing(TypingPayload(isTyping: true)) }

    private func signed() throws -> WireMessage {
        try WireMessage.sign(typing(), from: sender, at: #require(time), by: CheckIdentity.first.identity())
    }

    @Test("what is signed is type, payload, sender and whole seconds")
    func signedBytes() throws {
        let message = try signed()
        let expected =
            "747970696e677b226973547970696e67223a747275657d33363139653735306132646435326261393738383037623261303064663536"
            + "64323032362d31312d33305430313a33333a34315a"
        #expect(message.signedBytes(.ios) == bytes(hex: expected))
        #expect(
            message.signature
                == bytes(
                    hex: "73023025391e7b9fc97cb7101f130f76f631c0d8ecbf3a3ffaf91c6580cb6c06"
                        + "a48c5d9483852691580a2486db9cd36b085312a4ac3161cd4eb21731eebeb30b"))
        #expect(message.signedForm(by: try CheckIdentity.first.publicKeys().signing)?.suffix == .ios)
        #expect(!message.isSigned(by: try CheckIdentity.second.publicKeys().signing))
    }

    @Test("for Android the time is text and ends in its own way")
    func android() throws {
        let time = try #require(WireDate(androidSecondsSince2001: 817_695_221.75))
        let message = try WireMessage.sign(
            typing(), from: PeerID("3619e750a2dd52ba"), at: time, by: CheckIdentity.first.identity())
        #expect(
            message.signature
                == bytes(
                    hex: "6f3120faf07cb18ba7896dccaf50f99903cdde9e72c42300d7edf7b9be1d887e"
                        + "403aad4395d52343cbc8dd1afb700375c56ccd4deeba21d19cb2a273c4a95908"))
        #expect(String(decoding: message.json, as: UTF8.self).contains(#""timestamp":"2026-11-30T01:33:41+0000""#))
        let again = try WireMessage(json: message.json)
        #expect(again == message)
        #expect(again.signedForm(by: try CheckIdentity.first.publicKeys().signing)?.suffix == .android)
    }

    @Test("a payload that is no JSON, of a type that is not known, is signed as it is")
    func unknownType() throws {
        let message = try WireMessage.sign(
            .unknown(type: Array("future".utf8), payload: [0x01, 0xFF]), from: sender, at: #require(time),
            by: CheckIdentity.first.identity())
        #expect(
            message.signature
                == bytes(
                    hex: "31f50dd35c76bfc9b95bd68635ab6b7a3046e60de5a56e068d7557cd89b43527"
                        + "215291d7e9ee03990c03830838f30f15f46f51ec5c930473f6a2a8c97e669706"))
    }

    @Test("a time that no calendar has is not signed")
    func calendar() throws {
        let time = try #require(WireDate(secondsSince2001: 1e300))
        #expect(throws: WireSigningError.timeOutOfRange) {
            try WireMessage.sign(typing(), from: sender, at: time, by: CheckIdentity.first.identity())
        }
    }

    @Test("every bit of type, payload, sender, signature and whole seconds is under the signature")
    func bitFlips() throws {
        let good = try signed()
        let key = try CheckIdentity.first.publicKeys().signing
        #expect(good.isSigned(by: key))
        func flipped(_ bytes: [UInt8]) -> [[UInt8]] {
            (0..<bytes.count * 8).map { bit in
                var changed = bytes
                changed[bit / 8] ^= 1 << (bit % 8)
                return changed
            }
        }
        var forged: [WireMessage] = []
        func add(
            type: [UInt8]? = nil, payload: [UInt8]? = nil, sender: [UInt8]? = nil, time: WireDate? = nil,
            signature: [UInt8]? = nil
        ) {
            forged.append(
                WireMessage(
                    type: type ?? good.type, payload: payload ?? good.payload,
                    senderID: sender.map { PeerID(bytes: $0) } ?? good.senderID, time: time ?? good.time,
                    signature: signature ?? good.signature))
        }
        for type in flipped(good.type) { add(type: type) }
        for payload in flipped(good.payload) { add(payload: payload) }
        for sender in flipped(good.senderID.bytes) { add(sender: sender) }
        for signature in flipped(good.signature) { add(signature: signature) }
        for bit in 0..<64 {
            let seconds = Double(bitPattern: good.timestamp.bitPattern ^ 1 << UInt64(bit))
            // The fraction is not signed.
            guard !(good.timestamp - 0.75..<good.timestamp + 0.25).contains(seconds),
                let time = WireDate(secondsSince2001: seconds)
            else { continue }
            add(time: time)
        }
        #expect(forged.count > 900)
        for message in forged where message.isSigned(by: key) { Issue.record("taken: \(message)") }
    }

    @Test("moving bytes between type and payload, or cutting the signature, forges nothing")
    func boundaries() throws {
        let good = try signed()
        let key = try CheckIdentity.first.publicKeys().signing
        for count in [0, 1, 63, 65] {
            let signature = Array((good.signature + [0]).prefix(count))
            let message = WireMessage(
                type: good.type, payload: good.payload, senderID: good.senderID, time: good.time, signature: signature)
            #expect(!message.isSigned(by: key))
        }
        // The format has no separators, so this holds; the type is then one that nobody knows.
        let moved = WireMessage(
            type: good.type + good.payload.prefix(1), payload: Array(good.payload.dropFirst()),
            senderID: good.senderID, time: good.time, signature: good.signature)
        #expect(moved.isSigned(by: key))
        #expect(WireType(moved.type) == nil)
    }

    @Test("an envelope is written as Foundation's decoder reads it, with what is not known")
    func envelope() throws {
        let good = try signed()
        #expect(try WireMessage(json: good.json) == good)
        var text = String(decoding: good.json, as: UTF8.self)
        text.removeLast()
        let extended = try WireMessage(json: Array((text + #","later":{"a":[true]},"other":"é"}"#).utf8))
        #expect(extended.unknown.count == 2)
        #expect(try WireMessage(json: extended.json) == extended)
        #expect(String(decoding: extended.json, as: UTF8.self).hasSuffix(#","later":{"a":[true]},"other":"é"}"#))
        #expect(extended.isSigned(by: try CheckIdentity.first.publicKeys().signing))
    }

    @Test("the age limits are those of the apps, to the second")
    func age() throws {
        let message = try signed()
        func verdict(_ seconds: Double, _ route: WireAge.Route) -> WireAge.Verdict {
            WireAge(of: message, now: message.timestamp + seconds).verdict(route)
        }
        for (seconds, direct, relayed) in [
            (0.0, WireAge.Verdict.timely, WireAge.Verdict.timely), (299.75, .timely, .timely), (300, .tooOld, .timely),
            (599.75, .tooOld, .timely), (600, .tooOld, .tooOld), (-29.75, .timely, .timely),
            (-30, .fromFuture, .fromFuture), (1e12, .tooOld, .tooOld), (.infinity, .tooOld, .tooOld),
            (-.infinity, .fromFuture, .fromFuture), (.nan, .tooOld, .tooOld),
        ] {
            #expect(verdict(seconds, .direct) == direct, "\(seconds)")
            #expect(verdict(seconds, .relayed) == relayed, "\(seconds)")
        }
    }
}
