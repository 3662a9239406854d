import CryptoPrimitives
import TestSupport
import Testing

@testable import SophaxCore

@Suite("Two ends of a session")
struct RatchetConversationTests {
    @Test("talk in turn and both at once; the responder has to wait for the first message")
    func talking() throws {
        var parties = try Parties()
        let nothing: [UInt8] = []
        let early = failure { () throws(RatchetError) in _ = try parties.bob.encrypt(nothing.span, ad: Parties.ad) }
        #expect(early == .noSendingChain)
        let first = try parties.aliceSends("one")
        let second = try parties.aliceSends("two")
        #expect(try parties.bobReads(first) == "one")
        let answer = try parties.bobSends("three")
        #expect(try parties.bobReads(second) == "two")
        let crossing = try parties.aliceSends("four")
        #expect(try parties.aliceReads(answer) == "three")
        #expect(try parties.bobReads(crossing) == "four")
        #expect(try parties.bobReads(parties.aliceSends("")) == "")
        #expect(try parties.bob.stateText() != parties.alice.stateText())
    }

    @Test("headers go in the form that the caller says, else as the peer's last, else bound")
    func headerForms() throws {
        var parties = try Parties()
        #expect(try parties.bobReads(parties.aliceSends("a")) == "a")
        #expect(parties.bob.lastSeenHeaderForm == .bound)
        #expect(try parties.bobReads(parties.aliceSends("b", form: .unbound)) == "b")
        #expect(parties.bob.lastSeenHeaderForm == .unbound)
        #expect(try parties.aliceReads(parties.bobSends("c")) == "c")
        #expect(parties.alice.lastSeenHeaderForm == .unbound)
        #expect(try parties.bobReads(parties.aliceSends("d", form: .bound)) == "d")
        #expect(parties.bob.lastSeenHeaderForm == .bound)
    }

    /// What is on its way: to whom, when, and what it says.
    private struct Flight {
        let toBob: Bool
        let arrival: Int
        let text: [UInt8]
        let message: RatchetMessage
    }

    @Test(
        "stay in step over 10,000 messages of which some are lost, late, doubled, or changed, and states are written and read",
        arguments: LongTests.areWanted ? [UInt64(1), 2, 3, 4, 5] : [1])
    func longConversation(seed: UInt64) throws {
        var numbers = SeededNumbers(state: seed)
        var parties = try Parties()
        let total = 10_000
        var flights: [Flight] = []
        var isBobKnown = false
        var (sent, opened, doubled, changed, lost) = (0, 0, 0, 0, 0)

        func deliver(_ flight: Flight, _ parties: inout Parties) throws {
            let plaintext =
                flight.toBob
                ? try parties.bob.decrypt(flight.message, ad: [Parties.ad])
                : try parties.alice.decrypt(flight.message, ad: [Parties.ad])
            #expect(plaintext == flight.text)
            opened += 1
        }

        func refuse(_ flight: Flight, _ message: RatchetMessage, _ parties: inout Parties) throws {
            let before = flight.toBob ? try parties.bob.stateText() : try parties.alice.stateText()
            let error = failure { () throws(RatchetError) in
                _ =
                    flight.toBob
                    ? try parties.bob.decrypt(message, ad: [Parties.ad])
                    : try parties.alice.decrypt(message, ad: [Parties.ad])
            }
            #expect(error != nil)
            #expect(try (flight.toBob ? parties.bob.stateText() : parties.alice.stateText()) == before)
        }

        for now in 0..<total + 40 {
            if now < total {
                // Bursts, so that both chains grow and turn.
                let fromAlice = !isBobKnown || (now / Int.random(in: 1...6, using: &numbers)).isMultiple(of: 2)
                let text = (0..<Int.random(in: 0...40, using: &numbers)).map { _ in
                    UInt8.random(in: 0...255, using: &numbers)
                }
                let form = [nil, RatchetHeaderForm.bound, .unbound].randomElement(using: &numbers) ?? nil
                let message =
                    fromAlice
                    ? try parties.alice.encrypt(text.span, ad: Parties.ad, headerForm: form)
                    : try parties.bob.encrypt(text.span, ad: Parties.ad, headerForm: form)
                sent += 1
                if Int.random(in: 0..<100, using: &numbers) < 3 {
                    lost += 1
                } else {
                    let delay =
                        Int.random(in: 0..<10, using: &numbers) == 0 ? Int.random(in: 1...30, using: &numbers) : 0
                    flights.append(Flight(toBob: fromAlice, arrival: now + delay, text: text, message: message))
                }
            }
            let arriving = flights.filter { $0.arrival <= now }.shuffled(using: &numbers)
            flights.removeAll { $0.arrival <= now }
            for flight in arriving {
                if Int.random(in: 0..<50, using: &numbers) == 0 {
                    var body = flight.message.ciphertext
                    body[Int.random(in: 0..<body.count, using: &numbers)] ^= 1
                    changed += 1
                    try refuse(
                        flight, RatchetMessage(encryptedHeader: flight.message.encryptedHeader, ciphertext: body),
                        &parties)
                }
                try deliver(flight, &parties)
                if flight.toBob { isBobKnown = true }
                if Int.random(in: 0..<50, using: &numbers) == 0 {
                    doubled += 1
                    try refuse(flight, flight.message, &parties)
                }
            }
            if Int.random(in: 0..<100, using: &numbers) == 0 {
                parties.alice = try RatchetSession(stateText: parties.alice.stateText())
                parties.bob = try RatchetSession(stateText: parties.bob.stateText())
            }
        }
        #expect(sent == total)
        #expect(opened == total - lost)
        #expect(lost > 50 && doubled > 50 && changed > 50)
        for session in [parties.alice.summary, parties.bob.summary] {
            #expect(session.skipped.count <= 50)
            #expect(session.skippedKeyCount <= 1_000)
        }
        #expect(try parties.bobReads(parties.aliceSends("still here")) == "still here")
        #expect(try parties.aliceReads(parties.bobSends("so am I")) == "so am I")
    }

    @Test("a text in guarded memory is sealed and opened there, and one that does not open changes nothing")
    func secretTexts() throws {
        var parties = try Parties()
        let text = try secret(Array("a key of a group".utf8))
        let message = try parties.alice.encrypt(text, ad: Parties.ad)
        let overtaken = try parties.alice.encrypt(text, ad: Parties.ad)
        let last = try parties.alice.encrypt(secret([]), ad: Parties.ad)
        let before = try parties.bob.stateText()
        let refused = failure { () throws(RatchetError) in
            _ = try parties.bob.decryptSecret(message, ad: [[1]])
        }
        #expect(refused == .notAuthentic)
        #expect(try parties.bob.stateText() == before)
        let empty = try parties.bob.decryptSecret(last, ad: [Parties.ad]).exposed
        #expect(empty == [])
        for message in [message, overtaken] {
            let opened = try parties.bob.decryptSecret(message, ad: [Parties.ad])
            #expect(opened.exposed == text.exposed)
        }
        let short = RatchetMessage(encryptedHeader: message.encryptedHeader, ciphertext: [1])
        let error = failure { () throws(RatchetError) in _ = try parties.bob.decryptSecret(short, ad: [Parties.ad]) }
        #expect(error == .malformedMessage)
    }
}
