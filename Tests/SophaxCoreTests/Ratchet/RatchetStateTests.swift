import CryptoPrimitives
import Foundation
import JSONCoding
import Testing

@testable import SophaxCore

@Suite("State of a ratchet session")
struct RatchetStateTests {
    /// A session with keys of two chains put aside.
    private func session() throws -> RatchetSession {
        var parties = try Parties()
        _ = try parties.aliceSends("lost")
        _ = try parties.bobReads(parties.aliceSends("one"))
        _ = try parties.aliceReads(parties.bobSends("two"))
        for _ in 0..<3 { _ = try parties.aliceSends("lost") }
        _ = try parties.bobReads(parties.aliceSends("three"))
        return try RatchetSession(stateText: parties.bob.stateText())
    }

    private func error(_ text: [UInt8]) throws -> RatchetStateError? {
        let text = try secret(text)
        return failure { () throws(RatchetStateError) in _ = try RatchetSession(state: text) }
    }

    /// The state as a dictionary, changed and written again.
    private func changed(_ change: (inout [String: Any]) -> Void) throws -> [UInt8] {
        let text = try session().stateText()
        var state = try #require(try JSONSerialization.jsonObject(with: Data(text)) as? [String: Any])
        change(&state)
        return Array(try JSONSerialization.data(withJSONObject: state))
    }

    @Test("is the same text after any number of readings, and the app's decoder finds in it what is there")
    func identity() throws {
        let session = try session()
        let text = try session.stateText()
        #expect(try RatchetSession(stateText: text).stateText() == text)
        let app = try AppState(text)
        #expect(
            app.skippedKeyBundles.values.map { $0.keys.sorted() }.sorted { $0.count < $1.count } == [
                ["0"], ["0", "1", "2"],
            ])
        #expect(app.skippedKeyBundles[app.receivingHeaderKey?.rawData.base64EncodedString() ?? ""]?.count == 3)
        // What Foundation writes of it, in its own order and with its escapes, is the same session.
        for _ in 0..<5 { #expect(try AppState(RatchetSession(stateText: app.json).stateText()) == app) }
    }

    @Test("survives a random walk: 200 sessions of random steps are read as they were written")
    func randomWalk() throws {
        var numbers = SeededNumbers(state: 3)
        var parties = try Parties()
        var waiting: [(Bool, RatchetMessage)] = []
        for step in 0..<200 {
            let fromAlice = step < 3 || Bool.random(using: &numbers)
            waiting.append((fromAlice, fromAlice ? try parties.aliceSends("\(step)") : try parties.bobSends("\(step)")))
            while Int.random(in: 0..<3, using: &numbers) > 0 || step == 2, !waiting.isEmpty {
                let (toBob, message) = waiting.remove(at: Int.random(in: waiting.indices, using: &numbers))
                _ = toBob ? try parties.bobReads(message) : try parties.aliceReads(message)
                if step == 2 { break }
            }
            for text in [try parties.alice.stateText(), try parties.bob.stateText()] {
                #expect(try RatchetSession(stateText: text).stateText() == text)
                _ = try AppState(text)
            }
        }
    }

    @Test("keeps members that are not known, whatever they hold, and the app reads the text")
    func unknownMembers() throws {
        let text = try changed { state in
            state["later"] = ["a": [1, 2, ["b": NSNull()]], "c": "x\"\\\n/é"]
            state["né\"w"] = "text"
            state["flag"] = true
        }
        let written = try RatchetSession(stateText: text).stateText()
        #expect(try RatchetSession(stateText: written).stateText() == written)
        let before = try #require(try JSONSerialization.jsonObject(with: Data(text)) as? NSDictionary)
        #expect(try JSONSerialization.jsonObject(with: Data(written)) as? NSDictionary == before)
        _ = try AppState(written)
    }

    @Test("optional keys may be missing or null, required ones not")
    func missingMembers() throws {
        let optional = [
            "receivingRatchetPublicKey", "sendingChainKey", "receivingChainKey", "sendingHeaderKey",
            "receivingHeaderKey", "nextSendingHeaderKey", "nextReceivingHeaderKey",
        ]
        for name in optional {
            let without = try changed { $0[name] = nil }
            var state = try #require(try JSONSerialization.jsonObject(with: Data(without)) as? [String: Any])
            state[name] = NSNull()
            let null = Array(try JSONSerialization.data(withJSONObject: state))
            let written = try RatchetSession(stateText: without).stateText()
            // Which bundle comes first is Foundation's choice, so the text may be another one.
            #expect(try AppState(RatchetSession(stateText: null).stateText()) == AppState(written))
            #expect(try AppState(written) == AppState(without))
        }
        for name in [
            "sendingRatchetPrivateKey", "sendingRatchetPublicKey", "rootKey", "sendMessageCount", "receiveMessageCount",
            "previousSendingChainLength", "skippedKeyBundles",
        ] {
            #expect(try error(changed { $0[name] = nil }) == .format(.field(name, .missing)), "\(name)")
        }
    }

    @Test("a session that lacks a key of a step says so and stays as it was")
    func incomplete() throws {
        var parties = try Parties()
        _ = try parties.bobReads(parties.aliceSends("one"))
        let next = try parties.aliceSends("two")
        for (name, expected) in [
            ("receivingChainKey", RatchetError.incompleteSession), ("receivingHeaderKey", .noHeaderKeyFits),
        ] {
            var state = try #require(
                try JSONSerialization.jsonObject(with: Data(parties.bob.stateText())) as? [String: Any])
            state[name] = nil
            var bob = try RatchetSession(stateText: Array(JSONSerialization.data(withJSONObject: state)))
            let before = try bob.stateText()
            #expect(failure { () throws(RatchetError) in _ = try bob.decrypt(next, ad: [Parties.ad]) } == expected)
            #expect(try bob.stateText() == before)
        }
    }

    @Test("values of another type, length or range are refused by the name of their field")
    func badValues() throws {
        let short = Data(repeating: 1, count: 31).base64EncodedString()
        let other = Data(repeating: 1, count: 32).base64EncodedString()
        func expect(_ expected: RatchetStateError, _ change: (inout [String: Any]) -> Void) throws {
            #expect(try error(changed(change)) == expected)
        }
        try expect(.format(.field("rootKey", .wrongType))) { $0["rootKey"] = other }
        try expect(.format(.field("rootKey.rawData", .missing))) { $0["rootKey"] = ["raw": other] }
        try expect(.format(.field("rootKey.rawData", .wrongType))) { $0["rootKey"] = ["rawData": 5] }
        try expect(.format(.field("rootKey.rawData", .notBase64))) { $0["rootKey"] = ["rawData": "é"] }
        try expect(.format(.field("rootKey.rawData", .wrongLength(expected: 32, found: 31)))) {
            $0["rootKey"] = ["rawData": short]
        }
        try expect(.format(.field("sendingRatchetPrivateKey", .wrongLength(expected: 32, found: 31)))) {
            $0["sendingRatchetPrivateKey"] = short
        }
        try expect(.keyPairMismatch) { $0["sendingRatchetPrivateKey"] = other }
        try expect(.keyPairMismatch) { $0["sendingRatchetPublicKey"] = other }
        try expect(.format(.field("sendMessageCount", .outOfRange))) { $0["sendMessageCount"] = -1 }
        try expect(.format(.field("sendMessageCount", .outOfRange))) { $0["sendMessageCount"] = 4_294_967_296 }
        try expect(.format(.field("skippedKeyBundles", .wrongType))) { $0["skippedKeyBundles"] = [] as [Int] }
        try expect(.format(.field("skippedKeyBundles", .notBase64))) {
            $0["skippedKeyBundles"] = ["x": [:]] as [String: Any]
        }
        for number in ["-1", "01", "1.0", "", "4294967296", "x"] {
            try expect(.format(.field("skippedKeyBundles", .outOfRange))) {
                $0["skippedKeyBundles"] = [other: [number: ["rawData": other]]]
            }
        }
        let text = String(decoding: try session().stateText(), as: UTF8.self)
        let twice = text.replacingOccurrences(
            of: "{\"sendingRatchetPrivateKey\"", with: "{\"rootKey\":{},\"sendingRatchetPrivateKey\"")
        #expect(try error(Array(twice.utf8)) == .format(.field("rootKey", .repeated)))
    }

    @Test("counters up to 4,294,967,294 are read, the highest number is refused as the app refuses it")
    func counters() throws {
        for name in ["sendMessageCount", "receiveMessageCount", "previousSendingChainLength"] {
            #expect(try error(changed { $0[name] = UInt32.max - 1 }) == nil)
            #expect(try error(changed { $0[name] = UInt32.max }) == .counterExhausted(field: name))
        }
    }

    @Test(
        "more skipped keys and chains than later apps read are read; a key or chain that stands twice is refused")
    func importLimits() throws {
        let key = Data(repeating: 7, count: 32).base64EncodedString()
        func bundles(_ count: Int, keys: Int) -> [String: Any] {
            var result: [String: Any] = [:]
            for bundle in 0..<count {
                let label = [UInt8(bundle >> 8), UInt8(bundle & 0xFF)] + [UInt8](repeating: 9, count: 30)
                let header = Data(label).base64EncodedString()
                result[header] = Dictionary(uniqueKeysWithValues: (0..<keys).map { ("\($0)", ["rawData": key]) })
            }
            return result
        }
        for (count, keys, expected) in [
            (1, 1_000, nil), (1, 3_000, nil), (50, 20, nil), (51, 1, nil), (1_000, 1, nil), (2_000, 0, nil),
            (2_001, 0, RatchetStateError.format(.field("skippedKeyBundles", .tooMany(limit: 2_000)))),
        ] {
            #expect(
                try error(changed { $0["skippedKeyBundles"] = bundles(count, keys: keys) }) == expected,
                "\(count) × \(keys)")
        }
        let full = try changed { $0["skippedKeyBundles"] = bundles(50, keys: 20) }
        #expect(try AppState(RatchetSession(stateText: full).stateText()) == AppState(full))
        // The bundle without header key that a state of the app may have, and empty ones.
        let odd = try changed { $0["skippedKeyBundles"] = ["": ["3": ["rawData": key]], key: [:]] as [String: Any] }
        #expect(try AppState(RatchetSession(stateText: odd).stateText()) == AppState(odd))

        let text = String(decoding: try changed { $0["skippedKeyBundles"] = [:] as [String: Any] }, as: UTF8.self)
        func with(_ object: String) -> [UInt8] {
            Array(
                text.replacingOccurrences(of: "\"skippedKeyBundles\":{}", with: "\"skippedKeyBundles\":\(object)").utf8)
        }
        let one = "{\"rawData\":\"\(key)\"}"
        #expect(
            try error(with("{\"\(key)\":{\"1\":\(one),\"1\":\(one)}}"))
                == .format(.field("skippedKeyBundles", .repeated)))
        #expect(
            try error(with("{\"\(key)\":{\"1\":\(one)},\"\(key)\":{}}"))
                == .format(.field("skippedKeyBundles", .repeated)))
        #expect(try error(with("{\"\(key)\":{\"1\":\(one)}}")) == nil)
        // Read as empty, these would be written back as empty.
        for value in ["5", "null", "[]", "\"x\"", "[\(one)]"] {
            #expect(
                try error(with("{\"\(key)\":\(value)}")) == .format(.field("skippedKeyBundles", .wrongType)), "\(value)"
            )
            #expect(
                try error(with("{\"\(key)\":{\"1\":\(value)}}"))
                    == .format(.field("skippedKeyBundles", .wrongType)), "\(value)")
        }
    }

    @Test("what is not JSON, not an object, or larger than any state is refused")
    func notAState() throws {
        for text in ["", "{", "[]", "5", "{}", "{\"rootKey\":}"] {
            #expect(try error(Array(text.utf8)) != nil)
        }
        let large = [UInt8](repeating: UInt8(ascii: " "), count: RatchetStateReader.ceiling + 1)
        #expect(try error(large) == .format(.tooLarge(found: 1_048_577, ceiling: 1_048_576)))
        var cut = try session().stateText()
        while cut.count > 600 {
            cut.removeLast()
            #expect(try error(cut) != nil)
        }
    }

    @Test("the summary tells counters, chains and skipped keys, and prints no key")
    func summary() throws {
        let session = try session()
        let state = try AppState(session.stateText())
        let summary = session.summary
        #expect(summary.version == .encryptedHeaders)
        #expect(summary.sendMessageCount == 0)
        #expect(summary.receiveMessageCount == 4)
        #expect(summary.previousSendingChainLength == 1)
        #expect(
            summary.skipped == [
                .init(messageNumbers: [0], isCurrent: false), .init(messageNumbers: [0, 1, 2], isCurrent: true),
            ])
        #expect(summary.hasSendingChain && summary.hasReceivingChain)
        #expect(summary.hasHeaderKeys == .init(sending: true, receiving: true, nextSending: true, nextReceiving: true))
        #expect(summary.sendingRatchetPublicKey == Array(state.sendingRatchetPublicKey))
        #expect(summary.receivingRatchetPublicKey == state.receivingRatchetPublicKey.map { Array($0) })
        let fresh = try Parties().bob.summary
        #expect(!fresh.hasSendingChain && !fresh.hasReceivingChain && fresh.receivingRatchetPublicKey == nil)
        #expect(fresh.hasHeaderKeys == .init(sending: false, receiving: false, nextSending: true, nextReceiving: true))
    }
}
