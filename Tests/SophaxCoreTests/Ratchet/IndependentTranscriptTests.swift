import CryptoPrimitives
import Foundation
import JSONCoding
import Testing

@testable import SophaxCore

@Suite("Ratchet messages of another implementation")
struct IndependentTranscriptTests {
    @Test("open in the order of delivery, out of order, in both header forms, and leave the other one's states")
    func deliveries() throws {
        let (aliceKeys, bobKeys) = (SecretQueue(hashesFrom: 1), SecretQueue(hashesFrom: 101))
        var parties = try Parties(aliceKeys: aliceKeys.source)
        // What the other side counted as sent: four before anything came, and so on, as the texts say.
        let sent = [("a", 4), ("b", 3), ("a", 2), ("b", 1), ("a", 2)]
        let short = AssociatedData.between(PeerID("3619e750a2dd52ba"), PeerID("ce04d757588b607d"))
        var sends = sent.makeIterator()
        func send(_ parties: inout Parties) throws {
            guard let (who, count) = sends.next() else { return }
            for _ in 0..<count { _ = who == "a" ? try parties.aliceSends("") : try parties.bobSends("") }
        }
        // Behind which deliveries the next burst was sent.
        let bursts: Set = ["a0", "b1", "b2", "a4"]
        try send(&parties)
        for delivery in IndependentTranscripts.deliveries {
            let message = RatchetMessage(encryptedHeader: delivery.header, ciphertext: delivery.body)
            let candidates = [Parties.ad, short]
            let plaintext =
                delivery.receiver == "a"
                ? try parties.alice.decrypt(message, ad: candidates, random: aliceKeys.source)
                : try parties.bob.decrypt(message, ad: candidates, random: bobKeys.source)
            #expect(String(decoding: plaintext, as: UTF8.self) == delivery.text)
            let fitted =
                delivery.receiver == "a" ? parties.alice.fittedAssociatedData : parties.bob.fittedAssociatedData
            #expect(fitted == (delivery.text == "b2" ? 1 : 0))
            if bursts.contains(delivery.text) { try send(&parties) }
        }
        #expect(try AppState(parties.alice.stateText()) == AppState(Array(IndependentTranscripts.aliceEnd.utf8)))
        #expect(try AppState(parties.bob.stateText()) == AppState(Array(IndependentTranscripts.bobEnd.utf8)))
    }
}

/// Sessions of the first app versions, whose headers go in clear.
@Suite("Sessions with headers in clear (v0)")
struct PlainHeaderSessionTests {
    private func start() throws -> RatchetSession {
        try RatchetSession(stateText: Array(IndependentTranscripts.oldBobStart.utf8))
    }

    private func message(_ delivery: IndependentTranscripts.OldDelivery) throws -> RatchetMessage {
        let key = try #require(Data(base64Encoded: delivery.ratchetKey))
        let header = RatchetHeader(
            senderRatchetKey: Array(key), previousChainLength: delivery.previousChainLength,
            messageNumber: delivery.messageNumber)
        return RatchetMessage(header: try #require(header), ciphertext: bytes(hex: delivery.body))
    }

    @Test("a state is read and messages open, whatever order of keys the encoder had: the other one's state comes out")
    func opens() throws {
        var bob = try start()
        #expect(bob.version == .plainHeaders)
        #expect(bob.summary.skipped.map(\.messageNumbers) == [[0, 1, 2]])
        let keys = SecretQueue(hashesFrom: 102)
        for delivery in IndependentTranscripts.oldDeliveries {
            let message = try message(delivery)
            // As it goes over the wire, too.
            let json = message.json
            #expect(try RatchetMessage(JSONObject(json, ceiling: 4_096)) == message)
            let plaintext = try bob.decrypt(message, ad: [[], Parties.ad], random: keys.source)
            #expect(String(decoding: plaintext, as: UTF8.self) == delivery.text)
        }
        func canonical(_ text: [UInt8]) throws -> NSDictionary {
            try #require(try JSONSerialization.jsonObject(with: Data(text)) as? NSDictionary)
        }
        #expect(try canonical(bob.stateText()) == canonical(Array(IndependentTranscripts.oldBobEnd.utf8)))
    }

    @Test("nothing is sealed, encrypted headers do not open, and a changed message leaves the state as it was")
    func refusals() throws {
        var bob = try start()
        let before = try bob.stateText()
        #expect(try RatchetSession(stateText: before).stateText() == before)
        let nothing: [UInt8] = []
        #expect(failure { () throws(RatchetError) in _ = try bob.encrypt(nothing.span, ad: []) } == .readOnlyVersion)
        let box = [UInt8](repeating: 0, count: 40)
        let sealed = RatchetMessage(encryptedHeader: box, ciphertext: box)
        #expect(failure { () throws(RatchetError) in _ = try bob.decrypt(sealed, ad: [[]]) } == .otherVersion)
        for delivery in IndependentTranscripts.oldDeliveries.prefix(2) {
            let good = try message(delivery)
            for bit in stride(from: 0, to: good.ciphertext.count * 8, by: 7) {
                var body = good.ciphertext
                body[bit / 8] ^= 1 << (bit % 8)
                let changed = RatchetMessage(header: try #require(good.plainHeader), ciphertext: body)
                let error = failure { () throws(RatchetError) in _ = try bob.decrypt(changed, ad: [Parties.ad]) }
                #expect(error == .notAuthentic)
                #expect(try bob.stateText() == before)
            }
        }
        var parties = try Parties()
        let plain = try message(IndependentTranscripts.oldDeliveries[0])
        #expect(failure { () throws(RatchetError) in _ = try parties.bob.decrypt(plain, ad: [[]]) } == .otherVersion)
    }

    @Test("a thousand skipped keys and more are read; a list that is not pairs, or names a key twice, is refused")
    func importLimits() throws {
        var state = try #require(
            try JSONSerialization.jsonObject(with: Data(IndependentTranscripts.oldBobStart.utf8)) as? [String: Any])
        let key = Data(repeating: 7, count: 32).base64EncodedString()
        func error(_ pairs: Int, same: Bool = false, odd: Bool = false) throws -> RatchetStateError? {
            var flat: [Any] = []
            for number in 0..<pairs {
                flat.append(["ratchetKeyData": key, "messageNumber": same ? 5 : number])
                flat.append(["rawData": key])
            }
            if odd { flat.removeLast() }
            state["skippedMessageKeys"] = flat
            let text = try secret(Array(try JSONSerialization.data(withJSONObject: state)))
            return failure { () throws(RatchetStateError) in _ = try RatchetSession(state: text) }
        }
        #expect(try error(999) == nil)
        #expect(try error(1_000) == nil)
        #expect(try error(3_000) == nil)
        #expect(try error(2, same: true) == .format(.field("skippedMessageKeys", .repeated)))
        #expect(try error(2, odd: true) == .format(.field("skippedMessageKeys", .missing)))
    }

    private func changed(_ change: (inout [String: Any]) -> Void) throws -> [UInt8] {
        var state = try #require(
            try JSONSerialization.jsonObject(with: Data(IndependentTranscripts.oldBobStart.utf8)) as? [String: Any])
        change(&state)
        return Array(try JSONSerialization.data(withJSONObject: state))
    }

    @Test("keys of a chain that a state has before the chain begins are filed with those that the chain skips")
    func sameChainTwice() throws {
        let deliveries = IndependentTranscripts.oldDeliveries
        let next = try #require(deliveries.first { $0.messageNumber > 0 && $0.previousChainLength > 0 })
        var bob = try RatchetSession(
            stateText: changed { state in
                let key = Data(repeating: 7, count: 32).base64EncodedString()
                let flat = state["skippedMessageKeys"] as? [Any] ?? []
                state["skippedMessageKeys"] =
                    flat + [["ratchetKeyData": next.ratchetKey, "messageNumber": 50], ["rawData": key]]
            })
        _ = try bob.decrypt(message(next), ad: [[], Parties.ad])
        let text = try bob.stateText()
        #expect(bob.summary.skipped.last?.messageNumbers == Array(0..<next.messageNumber) + [50])
        #expect(try RatchetSession(stateText: text).stateText() == text)
    }

    @Test("a receiving chain without the key that tells it is refused")
    func chainWithoutKey() throws {
        let text = try secret(changed { $0["receivingRatchetPublicKey"] = nil })
        #expect(
            failure { () throws(RatchetStateError) in _ = try RatchetSession(state: text) }
                == .format(.field("receivingRatchetPublicKey", .missing)))
        let without = try secret(
            changed { state in
                state["receivingRatchetPublicKey"] = nil
                state["receivingChainKey"] = nil
            })
        #expect(failure { () throws(RatchetStateError) in _ = try RatchetSession(state: without) } == nil)
    }

    @Test("a body above 4 MiB is refused before any try to open it")
    func longBodies() throws {
        var bob = try start()
        let header = try #require(message(IndependentTranscripts.oldDeliveries[0]).plainHeader)
        for (length, expected) in [
            (RatchetMessage.longestPlainBody, RatchetError.notAuthentic),
            (RatchetMessage.longestPlainBody + 1, .malformedMessage),
        ] {
            let long = RatchetMessage(header: header, ciphertext: [UInt8](repeating: 1, count: length))
            #expect(failure { () throws(RatchetError) in _ = try bob.decrypt(long, ad: [Parties.ad]) } == expected)
        }
    }

    @Test("keys of more than 50 chains are kept: the limit of chains came with later versions")
    func manyChains() throws {
        let key = Data(repeating: 7, count: 32).base64EncodedString()
        var bob = try RatchetSession(
            stateText: changed { state in
                var flat = state["skippedMessageKeys"] as? [Any] ?? []
                for chain in UInt8(0)..<60 {
                    let label = Data([chain] + [UInt8](repeating: 9, count: 31)).base64EncodedString()
                    flat += [["ratchetKeyData": label, "messageNumber": 0], ["rawData": key]]
                }
                state["skippedMessageKeys"] = flat
            })
        #expect(bob.summary.skipped.count == 61)
        for delivery in IndependentTranscripts.oldDeliveries {
            _ = try bob.decrypt(message(delivery), ad: [[], Parties.ad])
        }
        #expect(bob.summary.skipped.count == 60)
    }
}
