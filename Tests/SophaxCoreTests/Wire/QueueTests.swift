import JSONCoding
import Testing

@testable import SophaxCore

@Suite("queues of unsent and held messages")
struct QueueTests {
    private let wire = #"{"type":"ack","payload":"e30=","senderID":"s","timestamp":1,"signature":""}"#
    private let sealed =
        #"{"ephemeralPublicKey":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=","encryptedPayload":"AA=="}"#

    private func queue(_ json: String) throws -> PendingQueue { try PendingQueue(json: Array(json.utf8)) }

    @Test("unsent messages are read in their order, with whom they are for")
    func pending() throws {
        let queue = try queue(
            #"{"b":[{"wire":\#(wire),"messageID":"1","x":1},{"wire":\#(wire),"messageID":"2"}],"a":[]}"#)
        #expect(queue.entries.map(\.recipient.text) == ["b", "b"])
        #expect(queue.entries.map(\.place) == [0, 1])
        let items = try queue.entries.map { try $0.item.get() }
        #expect(items.map(\.messageID) == [Array("1".utf8), Array("2".utf8)])
        #expect(items[0].unknown.count == 1)
        #expect(WireType(items[0].wire.type) == .ack)
        #expect(try self.queue("{}").entries.isEmpty)
    }

    @Test("an entry that is damaged hides none of the others, and is named")
    func damaged() throws {
        let queue = try queue(
            #"{"a":[{"wire":{"type":"x"},"messageID":"1"},7,{"wire":\#(wire),"messageID":"2"}]}"#)
        #expect(queue.entries.count == 3)
        #expect(queue.entries[0].item == .failure(.field("recipients[0][0].wire.payload", .missing)))
        #expect(queue.entries[1].item == .failure(.field("recipients[0][1]", .wrongType)))
        #expect((try? queue.entries[2].item.get())?.messageID == Array("2".utf8))
        let held = try HeldMessages(
            json: Array(
                #"[{"targetPeerID":"t","messageID":"m","sealed":\#(sealed),"expiresAt":5},{"targetPeerID":"t"},null]"#
                    .utf8))
        #expect(held.items.count == 3)
        #expect(try held.items[0].get().targetPeerID.text == "t")
        #expect(held.items[1] == .failure(.field("[1].messageID", .missing)))
        #expect(held.items[2] == .failure(.field("[2]", .wrongType)))
    }

    @Test("queues are bounded, and what is no queue is refused")
    func bounds() throws {
        func list(_ count: Int) -> String { "[" + Array(repeating: "0", count: count).joined(separator: ",") + "]" }
        #expect(try queue(#"{"a":\#(list(WireLimits.queueMessages))}"#).entries.count == WireLimits.queueMessages)
        #expect(throws: FormatError.field("recipients[0]", .tooMany(limit: WireLimits.queueMessages))) {
            try queue(#"{"a":\#(list(WireLimits.queueMessages + 1))}"#)
        }
        #expect(throws: FormatError.field("", .tooMany(limit: WireLimits.heldMessages))) {
            try HeldMessages(json: Array(list(WireLimits.heldMessages + 1).utf8))
        }
        #expect(
            try HeldMessages(json: Array(list(WireLimits.heldMessages).utf8)).items.count == WireLimits.heldMessages)
        let people = { (count: Int) in "{" + (0..<count).map { "\"\($0)\":[]" }.joined(separator: ",") + "}" }
        #expect(try queue(people(WireLimits.queuePeers)).entries.isEmpty)
        #expect(throws: FormatError.field("", .tooMany(limit: WireLimits.queuePeers))) {
            try queue(people(WireLimits.queuePeers + 1))
        }
        let long = String(repeating: "x", count: 65)
        #expect(throws: FormatError.field("recipients[0]", .tooLong(limit: 64, found: 65))) {
            try queue(#"{"\#(long)":[]}"#)
        }
        #expect(throws: FormatError.field("", .repeated)) { try queue(#"{"a":[],"a":[]}"#) }
        #expect(throws: FormatError.field("recipients[0]", .wrongType)) { try queue(#"{"a":{}}"#) }
        for text in ["", "[]", "{", "7"] { #expect(throws: FormatError.self) { try queue(text) } }
        for text in ["", "{}", "[", "7"] {
            #expect(throws: FormatError.self) { try HeldMessages(json: Array(text.utf8)) }
        }
    }
}
