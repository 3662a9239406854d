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

    @Test("a recipient whose list is damaged hides no other's messages, and is written again as it stood")
    func damagedRecipients() throws {
        let long = String(repeating: "x", count: 65)
        let many = "[" + Array(repeating: "0", count: WireLimits.queueMessages + 1).joined(separator: ",") + "]"
        let damaged = [
            ("a", #"{ "why" : 1 }"#), ("b", "7"), ("c", #""text""#), ("d", "null"), (long, "[]"), ("e", many),
            ("good", "[ ]"),
        ]
        let good = #"{"wire":\#(wire),"messageID":"1"}"#
        let text =
            #"{"good":[\#(good),{"wire": 5}],"# + damaged.map { #""\#($0.0)":\#($0.1)"# }.joined(separator: ",")
            + #","last":[\#(good)]}"#
        var queue = try queue(text)
        #expect(queue.entries.map(\.recipient.text) == ["good", "good", "last"])
        #expect(queue.damagedLists.map(\.recipient.text) == damaged.map(\.0))
        #expect(
            queue.damagedLists.map(\.error) == [
                .field("recipients[1]", .wrongType), .field("recipients[2]", .wrongType),
                .field("recipients[3]", .wrongType), .field("recipients[4]", .wrongType),
                .field("recipients[5]", .tooLong(limit: 64, found: 65)),
                .field("recipients[6]", .tooMany(limit: WireLimits.queueMessages)), .field("recipients[7]", .repeated),
            ])
        // Nothing is lost, and what cannot be read stands as it stood.
        #expect(String(decoding: queue.json, as: UTF8.self) == text)
        let item = try #require(try? queue.entries[0].item.get())
        for recipient in ["a", "e", "good"] {
            #expect(throws: QueueError.listDamaged) { try queue.append(item, for: PeerID(recipient)) }
        }
        #expect(throws: QueueError.idTooLong(limit: 64, found: 65)) { try queue.append(item, for: PeerID(long)) }
        // What is sent goes, what could not be read stays.
        #expect(queue.takeAll(for: PeerID("good")) == [item])
        #expect(queue.takeAll(for: PeerID("last")) == [item])
        #expect(queue.entries.count == 1)
        #expect(
            String(decoding: queue.json, as: UTF8.self)
                == #"{"good":[{"wire": 5}],"# + damaged.map { #""\#($0.0)":\#($0.1)"# }.joined(separator: ",") + "}")
    }

    @Test("a queue that is written holds 100 messages for one person, in their order")
    func writing() throws {
        var queue = PendingQueue()
        #expect(queue.json == Array("{}".utf8))
        let message = try WireMessage(json: Array(wire.utf8))
        func item(_ number: Int) -> PendingQueue.Item {
            PendingQueue.Item(wire: message, messageID: Array("\(number)".utf8))
        }
        for number in 0..<100 { try queue.append(item(number), for: PeerID("a")) }
        #expect(throws: QueueError.full(limit: 100)) { try queue.append(item(100), for: PeerID("a")) }
        try queue.append(item(7), for: PeerID("b"))
        var again = try PendingQueue(json: queue.json)
        #expect(again.takeAll(for: PeerID("a")) == (0..<100).map(item))
        #expect(again.takeAll(for: PeerID("c")).isEmpty)
        #expect(again.takeAll(for: PeerID("b")) == [item(7)])
        #expect(again.json == Array("{}".utf8))
    }

    @Test("30 messages are held for one person and 300 in all, for 48 hours at most, and what is damaged stays")
    func holding() throws {
        let now: Double = 800_000_000
        func message(_ number: Int, until end: Double, for target: String = "3619e750a2dd52ba") throws
            -> StoreAndForwardPayload
        {
            StoreAndForwardPayload(
                targetPeerID: PeerID(target), messageID: Array("\(number)".utf8),
                sealed: SealedMessage(ephemeralPublicKey: [UInt8](repeating: 1, count: 32), encryptedPayload: [2]),
                expiresAt: try #require(WireDate(secondsSince2001: end)))
        }
        var held = try HeldMessages(json: Array(#"[{"targetPeerID": "t"}]"#.utf8))
        for number in 0..<30 { try held.append(message(number, until: now + 1e9), at: now) }
        // The same person by a longer id.
        #expect(throws: QueueError.full(limit: 30)) {
            try held.append(message(30, until: now + 1, for: "3619e750a2dd52ba978807b2a00df56d"), at: now)
        }
        #expect(try held.items[1].get().expiresAt.secondsSince2001 == now + 48 * 3_600)
        for number in 0..<269 {
            let target = String(repeating: "0", count: 13) + String(100 + number / 30)
            try held.append(message(number, until: now + 60, for: target), at: now)
        }
        #expect(throws: QueueError.full(limit: 300)) {
            try held.append(message(0, until: now, for: "ffffffffffffffff"), at: now)
        }
        var again = try HeldMessages(json: held.json)
        #expect(again.items.count == 300 && again.json == held.json)
        #expect(again.removeExpired(at: now + 59.5) == 0)
        #expect(again.removeExpired(at: now + 60) == 269)
        #expect(again.takeAll(for: PeerID("3619e750a2dd52ba978807b2a00df56d")).map(\.messageID).count == 30)
        #expect(String(decoding: again.json, as: UTF8.self) == #"[{"targetPeerID": "t"}]"#)
        #expect(HeldMessages().json == Array("[]".utf8))
    }

    @Test("queues are bounded, and what is no queue is refused")
    func bounds() throws {
        func list(_ count: Int) -> String { "[" + Array(repeating: "0", count: count).joined(separator: ",") + "]" }
        #expect(try queue(#"{"a":\#(list(WireLimits.queueMessages))}"#).entries.count == WireLimits.queueMessages)
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
        for text in ["", "[]", "{", "7"] { #expect(throws: FormatError.self) { try queue(text) } }
        for text in ["", "{}", "[", "7"] {
            #expect(throws: FormatError.self) { try HeldMessages(json: Array(text.utf8)) }
        }
    }
}
