import Foundation
import TestSupport
import Testing

@testable import SophaxCore

/// Messages that the app's own code made.
@Suite("wire messages of the app", .enabled(if: SharedFolder.isThere, "the shared folder is not here"))
struct WireFixtureTests {
    private func message(_ name: String) throws -> WireMessage {
        let path = SharedFolder.file("fixtures/march/wire-\(name).json")
        return try WireMessage(json: Array(Data(contentsOf: URL(fileURLWithPath: path))))
    }

    private func signingKey(_ person: String) throws -> [UInt8] {
        let path = SharedFolder.file("fixtures/march/expected.json")
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path)))
        let person = try #require((object as? [String: Any])?[person] as? [String: String])
        let text = try #require(person["signingKeyPublic"])
        return try Array(#require(Data(base64Encoded: text)))
    }

    @Test(
        "types, times, senders and signatures are right",
        arguments: [
            ("1-initiateSession", WireType.initiateSession, "alice", 817_695_221.1173118),
            ("2-sealed-noaad", .sealed, "alice", 817_695_221.1456733),
            ("3-sealed-aad", .sealed, "alice", 817_695_221.1464341),
            ("4-hello", .hello, "bob", 817_695_221.1475314), ("5-ack", .ack, "bob", 817_695_221.1484308),
        ])
    func authentic(name: String, type: WireType, sender: String, time: Double) throws {
        let message = try message(name)
        #expect(WireType(message.type) == type)
        #expect(message.timestamp == time)
        #expect(
            message.senderID.text
                == (sender == "alice" ? "08c4cab788bd5f92f16ff0814022b379" : "64b66560c6772ad669c8a7ea44956351"))
        let form = try #require(message.signedForm(by: signingKey(sender)))
        #expect(form.suffix == .ios)
        #expect(form.secondsLater == 0)
        #expect(!message.isSigned(by: try signingKey(sender == "alice" ? "bob" : "alice")))
        #expect(try message.readPayload().wireType == type)
        #expect(try WireMessage(json: message.json) == message)
        #expect(try WirePayload(type: message.type, payload: message.readPayload().json) == message.readPayload())
    }

    @Test("the forged one is signed by neither")
    func forged() throws {
        let message = try message("6-forged")
        #expect(WireType(message.type) == .ack)
        for person in ["alice", "bob"] { #expect(!message.isSigned(by: try signingKey(person))) }
    }

    @Test("payloads say what they say")
    func payloads() throws {
        guard case .ack(let ack) = try message("5-ack").readPayload(),
            case .hello(let hello) = try message("4-hello").readPayload(),
            case .initiateSession(let first) = try message("1-initiateSession").readPayload()
        else {
            Issue.record("other types")
            return
        }
        #expect(ack.messageID == Array("E190B447-27EB-48EC-BF50-08A05A4BDB51".utf8))
        #expect(ack.status == .delivered)
        #expect(hello.bundle.bundle.username == Array("Bob".utf8))
        #expect(hello.bundle.bundle.fits(try message("4-hello").senderID))
        #expect(first.senderBundle.bundle.username == Array("Alice".utf8))
        #expect(first.usedSignedPreKeyId == 3_241_306_249)
        #expect(first.usedOneTimePreKeyId == 2_117_419_924)
        #expect(first.initialMessage.plainHeader == nil)
    }

    @Test("no bit of a message can be changed and the message still be the same and signed")
    func bitFlips() throws {
        let good = try message("5-ack")
        let key = try signingKey("bob")
        let json = good.json
        var taken = 0
        for bit in 0..<json.count * 8 {
            var changed = json
            changed[bit / 8] ^= 1 << (bit % 8)
            guard let message = try? WireMessage(json: changed), message.isSigned(by: key) else { continue }
            // Only the fraction of the time is not signed.
            #expect(message.payload == good.payload)
            #expect(message.type == good.type)
            #expect(message.senderID == good.senderID)
            #expect(message.signature == good.signature)
            #expect(message.timestamp.rounded(.down) == good.timestamp.rounded(.down))
            taken += 1
        }
        #expect(taken < 80)
    }
}
