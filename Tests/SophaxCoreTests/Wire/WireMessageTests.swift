import Testing

@testable import SophaxCore

/// Signatures of the first check identity, made with Python's `cryptography`.
@Suite("envelope of messages")
struct WireMessageTests {
    private func message(_ signature: String, timestamp: Double = 817_695_221.75) throws -> WireMessage {
        try WireMessage(
            type: Array("hello".utf8), payload: Array(#"{"bundle":{}}"#.utf8), senderID: PeerID("3619e750a2dd52ba"),
            time: #require(WireDate(secondsSince2001: timestamp)), signature: bytes(hex: signature))
    }

    /// Over `2026-11-30T01:33:41Z`.
    private static let ios =
        "8d6815cdf60f684b9384ed5b311ec2dab61a541a61e1995c12c8f7e731aa066b"
        + "f1f495983b6664e5b0138a5a2e5550fc18a2513103c3162f5705b25d112b4908"
    /// Over `2026-11-30T01:33:42Z`.
    private static let oneSecondLater =
        "251d510189d2ab5fd2a75c3f4148da3186ef1275febeef14e57433a3c6775f50"
        + "f255a8cf208160d61c23cc5bbcdb154773210fc5ff0c7d7b761fd12ba807970f"
    /// Over `2026-11-30T01:33:43Z`.
    private static let twoSecondsLater =
        "8f14b940bb50efad015b446fc377861fb798545d89876f3e94aed1e149255233"
        + "70c3d4b85219baa4c60de8e220c5a397222c661fcc75b7d740b34574db9cd40c"
    /// Over `2026-11-30T01:33:41+0000`.
    private static let android =
        "6a402cd944a40609a0dc71e59170593be79f980fdb879b1079c8bdbfda0309f7"
        + "3d80910bfb01479fb1a42b80ad0b9221d40c703fc24178227c285911aefc9d07"

    @Test("signatures of both platforms hold, and those of the first version, a second apart, for who asks for them")
    func signatures() throws {
        let key = try CheckIdentity.first.publicKeys().signing
        for signature in [Self.ios, Self.android] { #expect(try message(signature).isSigned(by: key)) }
        #expect(try !message(Self.oneSecondLater).isSigned(by: key))
        #expect(try !message(Self.oneSecondLater).isSent(by: CheckIdentity.first.publicKeys()))
        #expect(try message(Self.oneSecondLater).isSigned(by: key, neighbouringSeconds: true))
        #expect(try message(Self.oneSecondLater).signedForm(by: key, neighbouringSeconds: true)?.secondsLater == 1)
        #expect(try !message(Self.ios, timestamp: 817_695_222.1).isSigned(by: key))
        #expect(try message(Self.ios, timestamp: 817_695_222.1).isSigned(by: key, neighbouringSeconds: true))
    }

    @Test("another time, sender, type, payload, key or signature does not hold")
    func forgeries() throws {
        let key = try CheckIdentity.first.publicKeys().signing
        #expect(try !message(Self.twoSecondsLater).isSigned(by: key, neighbouringSeconds: true))
        #expect(try !message(Self.ios).isSigned(by: try CheckIdentity.second.publicKeys().signing))
        let good = try message(Self.ios)
        let forged = [
            WireMessage(
                type: Array("hellp".utf8), payload: good.payload, senderID: good.senderID, time: good.time,
                signature: good.signature),
            WireMessage(
                type: good.type, payload: Array("{}".utf8), senderID: good.senderID, time: good.time,
                signature: good.signature),
            WireMessage(
                type: good.type, payload: good.payload, senderID: PeerID("3619e750a2dd52bb"),
                time: good.time, signature: good.signature),
            WireMessage(
                type: good.type, payload: good.payload, senderID: good.senderID,
                time: try #require(WireDate(secondsSince2001: 1e300)),
                signature: good.signature),
            WireMessage(
                type: good.type, payload: good.payload, senderID: good.senderID, time: good.time,
                signature: []),
        ]
        for message in forged { #expect(!message.isSigned(by: key)) }
    }

    @Test("times are those of Python's datetime, the fraction cut off")
    func times() {
        func text(_ seconds: Double) -> String? {
            WireTime.text(secondsSince2001: seconds).map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(text(0) == "2001-01-01T00:00:00")
        #expect(text(-1) == "2000-12-31T23:59:59")
        #expect(text(99_791_999) == "2004-02-29T23:59:59")
        #expect(text(817_695_221.999) == "2026-11-30T01:33:41")
        #expect(text(-63_113_904_000) == "0001-01-01T00:00:00")
        #expect(text(252_423_993_599) == "9999-12-31T23:59:59")
        for seconds in [-63_113_904_001, 252_423_993_600, .nan, .infinity, -.infinity, 1e300] {
            #expect(text(seconds) == nil)
        }
        #expect(WireTime.text(secondsSince2001: 252_423_993_599, later: 1) == nil)
    }
}
