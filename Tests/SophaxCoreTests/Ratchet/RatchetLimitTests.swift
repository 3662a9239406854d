import CryptoPrimitives
import Foundation
import Testing

@testable import SophaxCore

@Suite("Limits of a ratchet session")
struct RatchetLimitTests {
    @Test(
        "999 and 1,000 messages are skipped at once and all open afterwards; 1,001 are refused",
        arguments: [999, 1_000])
    func skippedAtOnce(count: Int) throws {
        var parties = try Parties()
        var skipped: [RatchetMessage] = []
        for number in 0..<count { skipped.append(try parties.aliceSends("\(number)")) }
        #expect(try parties.bobReads(parties.aliceSends("last")) == "last")
        #expect(parties.bob.summary.skipped == [.init(messageNumbers: (0..<UInt32(count)).map { $0 }, isCurrent: true)])
        let text = try parties.bob.stateText()
        #expect(text.count < 100_000)
        parties.bob = try RatchetSession(stateText: text)
        #expect(try parties.bob.stateText() == text)
        for (number, message) in skipped.enumerated().reversed() {
            #expect(try parties.bobReads(message) == "\(number)")
        }
        #expect(parties.bob.summary.skipped == [])
    }

    @Test("more than 1,000 are refused at once, and the session goes on with an earlier message")
    func tooMany() throws {
        var parties = try Parties()
        let first = try parties.aliceSends("first")
        for _ in 0..<1_000 { _ = try parties.aliceSends("") }
        let before = try parties.bob.stateText()
        let last = try parties.aliceSends("last")
        let error = failure { () throws(RatchetError) in _ = try parties.bob.decrypt(last, ad: [Parties.ad]) }
        #expect(error == .tooManySkippedKeys(limit: 1_000))
        #expect(try parties.bob.stateText() == before)
        #expect(try parties.bobReads(first) == "first")
        #expect(try parties.bobReads(last) == "last")
        #expect(parties.bob.summary.skippedKeyCount == 1_000)
    }

    @Test("beyond 1,000 in all the oldest are given up, message by message")
    func inAll() throws {
        var parties = try Parties()
        var old: [RatchetMessage] = []
        for number in 0..<600 { old.append(try parties.aliceSends("\(number)")) }
        #expect(try parties.bobReads(parties.aliceSends("now")) == "now")
        #expect(try parties.aliceReads(parties.bobSends("turn")) == "turn")
        var new: [RatchetMessage] = []
        for number in 0..<401 { new.append(try parties.aliceSends("\(number)")) }
        #expect(try parties.bobReads(parties.aliceSends("now")) == "now")
        #expect(parties.bob.summary.skippedKeyCount == 1_000)
        #expect(parties.bob.summary.skipped.map(\.messageNumbers.count) == [599, 401])
        let error = failure { () throws(RatchetError) in _ = try parties.bob.decrypt(old[0], ad: [Parties.ad]) }
        #expect(error == .alreadyReceived(messageNumber: 0))
        #expect(try parties.bobReads(old[1]) == "1")
        #expect(try parties.bobReads(new[0]) == "0")
        parties.bob.removeSkippedKeys()
        #expect(parties.bob.summary.skippedKeyCount == 0)
        let gone = failure { () throws(RatchetError) in _ = try parties.bob.decrypt(new[1], ad: [Parties.ad]) }
        #expect(gone == .alreadyReceived(messageNumber: 1))
        #expect(try parties.bobReads(parties.aliceSends("on")) == "on")
    }

    @Test("a state from elsewhere that has a key put aside for a message that is yet to be skipped keeps that key")
    func keyAheadOfTheChain() throws {
        var parties = try Parties()
        #expect(try parties.bobReads(parties.aliceSends("0")) == "0")
        var state = try AppState(parties.bob.stateText())
        let header = try #require(state.receivingHeaderKey).rawData.base64EncodedString()
        state.skippedKeyBundles = [header: ["1": state.rootKey]]
        parties.bob = try RatchetSession(stateText: state.json)
        let skipped = try parties.aliceSends("1")
        let places = parties.bob.skipped.free.count
        #expect(try parties.bobReads(parties.aliceSends("2")) == "2")
        #expect(try AppState(parties.bob.stateText()).skippedKeyBundles == state.skippedKeyBundles)
        #expect(parties.bob.skipped.free.count == places)
        let error = failure { () throws(RatchetError) in _ = try parties.bob.decrypt(skipped, ad: [Parties.ad]) }
        #expect(error == .notAuthentic)
        #expect(try parties.bobReads(parties.aliceSends("3")) == "3")
    }

    @Test("keys of 50 chains are kept, of 51 the oldest are given up")
    func bundles() throws {
        var parties = try Parties()
        var lost: [RatchetMessage] = []
        for number in 0..<51 {
            lost.append(try parties.aliceSends("\(number)"))
            #expect(try parties.bobReads(parties.aliceSends("on")) == "on")
            #expect(try parties.aliceReads(parties.bobSends("turn")) == "turn")
            #expect(parties.bob.summary.skipped.count == min(number + 1, 50))
            parties.bob = try RatchetSession(stateText: parties.bob.stateText())
        }
        let error = failure { () throws(RatchetError) in _ = try parties.bob.decrypt(lost[0], ad: [Parties.ad]) }
        #expect(error == .noHeaderKeyFits)
        for number in (1..<51).shuffled() { #expect(try parties.bobReads(lost[number]) == "\(number)") }
        #expect(parties.bob.summary.skipped == [])
    }

    @Test("a sending counter ends two below the highest number, so that the app reads the state that is written")
    func sendingCounter() throws {
        var parties = try Parties()
        var state = try AppState(parties.alice.stateText())
        state.sendMessageCount = .max - 2
        parties.alice = try RatchetSession(stateText: state.json)
        _ = try parties.aliceSends("the last one")
        let text = try parties.alice.stateText()
        #expect(try AppState(text).sendMessageCount == .max - 1)
        #expect(try RatchetSession(stateText: text).stateText() == text)
        let error = failure { () throws(RatchetError) in _ = try parties.alice.encrypt(Span(), ad: Parties.ad) }
        #expect(error == .counterExhausted)
        #expect(try parties.alice.stateText() == text)
    }

    @Test("a receiving counter takes the last number that a sender gives")
    func receivingCounter() throws {
        var parties = try Parties()
        #expect(try parties.bobReads(parties.aliceSends("first")) == "first")
        var (alice, bob) = (try AppState(parties.alice.stateText()), try AppState(parties.bob.stateText()))
        alice.sendMessageCount = .max - 2
        bob.receiveMessageCount = .max - 2
        parties.alice = try RatchetSession(stateText: alice.json)
        parties.bob = try RatchetSession(stateText: bob.json)
        #expect(try parties.bobReads(parties.aliceSends("last")) == "last")
        #expect(try AppState(parties.bob.stateText()).receiveMessageCount == .max - 1)
    }

    /// Bob's session behind one message, with `keys` keys of each of `chains` chains put aside, and `empty` empty chains.
    private func overfull(
        _ parties: inout Parties, chains: Int, keys: Int, empty: Int = 0
    ) throws -> RatchetSession {
        #expect(try parties.bobReads(parties.aliceSends("first")) == "first")
        var state = try AppState(parties.bob.stateText())
        for chain in 0..<chains + empty {
            let label = [UInt8(chain)] + [UInt8](repeating: 9, count: 31)
            var filed: [String: AppState.WrappedKey] = [:]
            for number in 0..<(chain < chains ? keys : 0) { filed["\(number)"] = state.rootKey }
            state.skippedKeyBundles[Data(label).base64EncodedString()] = filed
        }
        return try RatchetSession(stateText: state.json)
    }

    @Test("what a state of an earlier app has beyond 1,000 keys stays until a key is added, then the oldest go")
    func keysBeyondTheLimit() throws {
        var parties = try Parties()
        parties.bob = try overfull(&parties, chains: 2, keys: 700)
        #expect(parties.bob.summary.skippedKeyCount == 1_400)
        let text = try parties.bob.stateText()
        #expect(try RatchetSession(stateText: text).stateText() == text)
        #expect(try parties.bobReads(parties.aliceSends("next")) == "next")
        #expect(parties.bob.summary.skippedKeyCount == 1_400)
        let lost = try parties.aliceSends("lost")
        #expect(try parties.bobReads(parties.aliceSends("beyond")) == "beyond")
        #expect(parties.bob.summary.skipped.map(\.messageNumbers.count) == [299, 700, 1])
        #expect(parties.bob.summary.skipped[0].messageNumbers == Array(401..<700))
        #expect(try parties.bobReads(lost) == "lost")
    }

    @Test("more than 50 chains stay in the same way; those without keys go first")
    func chainsBeyondTheLimit() throws {
        var parties = try Parties()
        parties.bob = try overfull(&parties, chains: 60, keys: 1)
        #expect(parties.bob.summary.skipped.count == 60)
        #expect(try parties.bobReads(parties.aliceSends("next")) == "next")
        #expect(parties.bob.summary.skipped.count == 60)
        _ = try parties.aliceSends("lost")
        #expect(try parties.bobReads(parties.aliceSends("beyond")) == "beyond")
        #expect(parties.bob.summary.skipped.count == 50)

        var others = try Parties()
        others.bob = try overfull(&others, chains: 49, keys: 1, empty: 30)
        _ = try others.aliceSends("lost")
        #expect(try others.bobReads(others.aliceSends("beyond")) == "beyond")
        #expect(others.bob.summary.skipped.count == 50)
        #expect(others.bob.summary.skippedKeyCount == 50)
    }

    @Test("keys of a chain that a state has before the chain begins are filed with those that the chain skips")
    func sameChainTwice() throws {
        var parties = try Parties()
        #expect(try parties.bobReads(parties.aliceSends("one")) == "one")
        #expect(try parties.aliceReads(parties.bobSends("two")) == "two")
        var state = try AppState(parties.bob.stateText())
        let next = try #require(state.nextReceivingHeaderKey).rawData.base64EncodedString()
        state.skippedKeyBundles = [next: ["50": state.rootKey]]
        parties.bob = try RatchetSession(stateText: state.json)
        let lost = try parties.aliceSends("lost")
        #expect(try parties.bobReads(parties.aliceSends("three")) == "three")
        #expect(parties.bob.summary.skipped == [.init(messageNumbers: [0, 50], isCurrent: true)])
        let text = try parties.bob.stateText()
        parties.bob = try RatchetSession(stateText: text)
        #expect(try parties.bob.stateText() == text)
        #expect(try parties.bobReads(lost) == "lost")
    }

    @Test("members beside a key that are not known are kept with it, and go with it")
    func unknownBesideKeys() throws {
        var parties = try Parties()
        let lost = try parties.aliceSends("lost")
        #expect(try parties.bobReads(parties.aliceSends("one")) == "one")
        let text = String(decoding: try parties.bob.stateText(), as: UTF8.self)
        let marked = text.replacingOccurrences(
            of: "\"rootKey\":{", with: "\"later\":1,\"rootKey\":{\"made\":[\"\\\"\",{}],\"a\":-1,"
        ).replacingOccurrences(of: "\"0\":{", with: "\"0\":{\"of\":\"late\",")
        #expect(marked != text)
        func members(_ name: String) throws -> (Set<String>, Set<String>, Bool) {
            let written = try parties.bob.stateText()
            #expect(try RatchetSession(stateText: written).stateText() == written)
            let object = try #require(try JSONSerialization.jsonObject(with: Data(written)) as? [String: Any])
            let root = try #require(object["rootKey"] as? [String: Any])
            let bundles = try #require(object["skippedKeyBundles"] as? [String: [String: [String: Any]]])
            return (
                Set(root.keys), Set(bundles.values.flatMap { $0.values.flatMap(\.keys) }), object["later"] as? Int == 1
            )
        }
        parties.bob = try RatchetSession(stateText: Array(marked.utf8))
        #expect(try members("read") == (["rawData", "made", "a"], ["rawData", "of"], true))
        #expect(try parties.bobReads(lost) == "lost")
        #expect(try parties.aliceReads(parties.bobSends("two")) == "two")
        _ = try parties.aliceSends("lost")
        #expect(try parties.bobReads(parties.aliceSends("three")) == "three")
        #expect(try members("gone on") == (["rawData", "made", "a"], ["rawData"], true))
    }
}
