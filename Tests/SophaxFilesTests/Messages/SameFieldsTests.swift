import Testing

@testable import SophaxFiles

@Suite("Messages with the same fields")
struct SameFieldsTests {
    private typealias S = MessageSources

    private static func isSame(_ left: String, _ right: String) throws -> Bool {
        let (one, two) = (try S.read("[" + left + "]"), try S.read("[" + right + "]"))
        let (first, second) = (try #require(one.first), try #require(two.first))
        #expect(first.hasSameFields(as: second) == second.hasSameFields(as: first))
        return first.hasSameFields(as: second)
    }

    @Test("are found in any order, and with isEdited missing where it is false")
    func order() throws {
        let message = #"{"id":"A","peerID":"b","body":"hi","timestamp":1.5,"isEdited":false,"readBy":["x"]}"#
        #expect(try Self.isSame(message, message))
        #expect(
            try Self.isSame(
                message, #"{"readBy":["x"],"timestamp":1.5, "body":"hi","isEdited":false,"peerID":"b","id":"A"}"#))
        #expect(try Self.isSame(message, #"{"readBy":["x"],"timestamp":1.5,"body":"hi","peerID":"b","id":"A"}"#))
    }

    @Test(
        "are not those that differ, or that have anything out of the ordinary",
        arguments: [
            #"{"id":"A","peerID":"b","body":"ho","timestamp":1.5,"isEdited":false}"#,
            #"{"id":"A","peerID":"b","body":"hi!","timestamp":1.5,"isEdited":false}"#,
            #"{"id":"A","peerID":"b","body":"hi","timestamp":1.50,"isEdited":false}"#,
            #"{"id":"A","peerID":"b","body":"hi","timestamp":1.5,"isEdited":true}"#,
            #"{"id":"A","peerID":"b","body":"hi","timestamp":1.5,"isEdited":false,"status":"read"}"#,
            #"{"id":"A","peerID":"b","body":"hi","timestamp":1.5,"isEdited":false,"status":null}"#,
            #"{"id":"A","peerID":"b","body":"hi","timestamp":1.5,"isEdited":false,"x":1}"#,
            #"{"id":"A","peerID":"b","body":"hi","body":"hi","timestamp":1.5,"isEdited":false}"#,
            #"{"id":"A","peerID":"b","body":"hi","timestampMs":1.5,"isEdited":false}"#,
            #"{"id":"A","peerID":"b","body":5,"timestamp":1.5,"isEdited":false}"#,
            #"{"id":"A","peerID":"b","timestamp":1.5,"isEdited":false}"#,
        ])
    func others(_ other: String) throws {
        let message = #"{"id":"A","peerID":"b","body":"hi","timestamp":1.5,"isEdited":false}"#
        #expect(try !Self.isSame(message, other))
        // With itself too, where there is something out of the ordinary in it.
        let isOrdinary = try Self.isSame(other, other)
        let odd = ["null", "\"x\"", "\"body\":\"hi\",\"body\"", "timestampMs", ":5,"].contains { other.contains($0) }
        #expect(isOrdinary == !odd)
    }

    @Test("have one canonical form, whatever is in them")
    func canonical() throws {
        var random = RandomHistory(seed: 11)
        var same = 0
        for _ in 0..<400 {
            let message = random.message("3619e750a2dd52ba", id: "A")
            // Members in another order, cut out by the parser that the canonical form uses.
            let object = try #require(MessageObject(Array(message.utf8)))
            var members = object.members.map { member in
                String(decoding: object.source[member.keyText] + [0x3A] + object.source[member.text], as: UTF8.self)
            }
            for place in members.indices { members.swapAt(place, random.below(members.count)) }
            let other = "{" + members.joined(separator: ",") + "}"
            guard try Self.isSame(message, other) else { continue }
            same += 1
            for form in [nil, PeerIDForm.short] {
                #expect(S.canonical(message, peerIDs: form) == S.canonical(other, peerIDs: form))
            }
        }
        #expect(same > 100)
    }
}
