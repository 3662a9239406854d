import CryptoPrimitives
import Testing

@testable import SophaxCore

@Suite("A ratchet session refuses, and stays as it was,")
struct RatchetRefusalTests {
    /// Every bit of header, body and associated data, or each `step`th.
    private func expectEveryBitMatters(
        _ message: RatchetMessage, _ bob: inout RatchetSession, step: Int = 1
    ) throws {
        let before = try bob.stateText()
        func refuse(_ changed: RatchetMessage, _ ad: [UInt8], _ expected: RatchetError, _ place: String) throws {
            let error = failure { () throws(RatchetError) in _ = try bob.decrypt(changed, ad: [ad]) }
            #expect(error == expected, "\(place)")
            #expect(try bob.stateText() == before, "\(place)")
        }
        func flipped(_ bytes: [UInt8], _ bit: Int) -> [UInt8] {
            var bytes = bytes
            bytes[bit / 8] ^= 1 << (bit % 8)
            return bytes
        }
        for bit in stride(from: 0, to: message.encryptedHeader.count * 8, by: step) {
            let header = flipped(message.encryptedHeader, bit)
            try refuse(
                RatchetMessage(encryptedHeader: header, ciphertext: message.ciphertext), Parties.ad, .noHeaderKeyFits,
                "bit \(bit) of the header")
        }
        for bit in stride(from: 0, to: message.ciphertext.count * 8, by: step) {
            let body = flipped(message.ciphertext, bit)
            try refuse(
                RatchetMessage(encryptedHeader: message.encryptedHeader, ciphertext: body), Parties.ad, .notAuthentic,
                "bit \(bit) of the body")
        }
        for bit in stride(from: 0, to: Parties.ad.count * 8, by: step) {
            try refuse(message, flipped(Parties.ad, bit), .notAuthentic, "bit \(bit) of the associated data")
        }
        #expect(bob.fittedAssociatedData != 1)
        #expect(try bob.decrypt(message, ad: [Parties.ad]) == Array("right".utf8))
    }

    @Test("every flipped bit of the first message")
    func firstMessage() throws {
        var parties = try Parties()
        let message = try parties.aliceSends("right")
        try expectEveryBitMatters(message, &parties.bob)
    }

    @Test("every flipped bit of a message of the chain in use, and of one that was overtaken")
    func chainInUse() throws {
        var parties = try Parties()
        let overtaken = try parties.aliceSends("right", form: .unbound)
        #expect(try parties.bobReads(parties.aliceSends("before")) == "before")
        let message = try parties.aliceSends("right")
        try expectEveryBitMatters(message, &parties.bob, step: 3)
        try expectEveryBitMatters(overtaken, &parties.bob, step: 3)
    }

    @Test("every flipped bit of a message that begins a chain and skips messages of both")
    func newChain() throws {
        var parties = try Parties()
        #expect(try parties.bobReads(parties.aliceSends("one")) == "one")
        let lost = try parties.aliceSends("lost")
        #expect(try parties.aliceReads(parties.bobSends("two")) == "two")
        let alsoLost = try parties.aliceSends("also lost")
        let message = try parties.aliceSends("right")
        try expectEveryBitMatters(message, &parties.bob, step: 3)
        #expect(try parties.bobReads(lost) == "lost")
        #expect(try parties.bobReads(alsoLost) == "also lost")
        #expect(parties.bob.summary.skippedKeyCount == 0)
    }

    @Test("a message that was opened before, with its number, and one of another session")
    func repeated() throws {
        var parties = try Parties()
        let first = try parties.aliceSends("first")
        let second = try parties.aliceSends("second")
        #expect(try parties.bobReads(second) == "second")
        #expect(try parties.bobReads(first) == "first")
        let before = try parties.bob.stateText()
        for (message, number) in [(first, UInt32(0)), (second, 1)] {
            let error = failure { () throws(RatchetError) in
                _ = try parties.bob.decrypt(message, ad: [Parties.ad])
            }
            #expect(error == .alreadyReceived(messageNumber: number))
        }
        var others = try Parties()
        let foreign = try others.aliceSends("foreign")
        _ = try others.bobReads(foreign)
        let later = try others.aliceReads(others.bobSends("later"))
        #expect(later == "later")
        let other = try others.aliceSends("other chain")
        #expect(
            failure { () throws(RatchetError) in _ = try parties.bob.decrypt(other, ad: [Parties.ad]) }
                == .noHeaderKeyFits)
        #expect(failure { () throws(RatchetError) in _ = try parties.bob.decrypt(other, ad: []) } == .noHeaderKeyFits)
        #expect(try parties.bob.stateText() == before)
    }

    @Test("no associated data at all, and boxes that are too short or too long")
    func malformed() throws {
        var parties = try Parties()
        let message = try parties.aliceSends("text")
        let before = try parties.bob.stateText()
        #expect(failure { () throws(RatchetError) in _ = try parties.bob.decrypt(message, ad: []) } == .notAuthentic)
        let body = message.ciphertext
        for length in [0, 27, RatchetHeader.longestText + 29] {
            let changed = RatchetMessage(encryptedHeader: [UInt8](repeating: 1, count: length), ciphertext: body)
            let error = failure { () throws(RatchetError) in _ = try parties.bob.decrypt(changed, ad: [Parties.ad]) }
            #expect(error == .malformedMessage)
        }
        for length in [0, 27, RatchetMessage.longestBody + 1] {
            let changed = RatchetMessage(
                encryptedHeader: message.encryptedHeader, ciphertext: [UInt8](repeating: 1, count: length))
            let error = failure { () throws(RatchetError) in _ = try parties.bob.decrypt(changed, ad: [Parties.ad]) }
            #expect(error == .malformedMessage)
        }
        for length in [28, RatchetHeader.longestText + 28] {
            let changed = RatchetMessage(encryptedHeader: [UInt8](repeating: 1, count: length), ciphertext: body)
            let error = failure { () throws(RatchetError) in _ = try parties.bob.decrypt(changed, ad: [Parties.ad]) }
            #expect(error == .noHeaderKeyFits)
        }
        let tooLong = [UInt8](repeating: 0, count: RatchetMessage.longestBody - 27)
        let aliceBefore = try parties.alice.stateText()
        let error = failure { () throws(RatchetError) in _ = try parties.alice.encrypt(tooLong.span, ad: []) }
        #expect(error == .malformedMessage)
        #expect(try parties.alice.stateText() == aliceBefore)
        #expect(try parties.bob.stateText() == before)
    }

    /// A message whose header a peer has sealed under the right key, with a text of the test's choice.
    private func sealed(_ header: String, _ parties: borrowing Parties) throws -> RatchetMessage {
        let key = try #require(AppState(parties.alice.stateText()).sendingHeaderKey?.rawData)
        var cipher = try ChaChaPoly(key: secret(Array(key)))
        let text = Array(header.utf8)
        let form = RatchetHeaderForm.bound.associatedData
        return RatchetMessage(
            encryptedHeader: try cipher.sealCombined(text.span, authenticating: form.span),
            ciphertext: [UInt8](repeating: 1, count: 28))
    }

    @Test("headers that the peer has sealed and that are no headers, name weak keys, or numbers beyond every limit")
    func hostileHeaders() throws {
        let parties = try Parties()
        var bob = try RatchetSession(stateText: parties.bob.stateText())
        let before = try bob.stateText()
        let good = String(repeating: "A", count: 42) + "E="
        let weak = String(repeating: "A", count: 43) + "="
        func header(_ key: String, _ previous: String, _ number: String) -> String {
            #"{"senderRatchetKey":"\#(key)","previousChainLength":\#(previous),"messageNumber":\#(number)}"#
        }
        for (text, expected) in [
            ("", RatchetError.malformedHeader), ("{}", .malformedHeader), ("[]", .malformedHeader),
            (header(good, "0", "-1"), .malformedHeader), (header(good, "0", "4294967296"), .malformedHeader),
            (header(good, "0", "1.5"), .malformedHeader), (header(good, "\"0\"", "0"), .malformedHeader),
            (header("AAAA", "0", "0"), .malformedHeader), (header("!", "0", "0"), .malformedHeader),
            (header(good, "0", "0") + "x", .malformedHeader),
            (header(good, "0", "4294967295"), .counterExhausted), (header(good, "0", "4294967294"), .counterExhausted),
            (header(good, "0", "4294967293"), .tooManySkippedKeys(limit: 1_000)),
            (header(good, "0", "1001"), .tooManySkippedKeys(limit: 1_000)),
            (header(good, "4294967295", "1000"), .notAuthentic), (header(weak, "0", "0"), .weakKey),
        ] {
            let message = try sealed(text, parties)
            let error = failure { () throws(RatchetError) in _ = try bob.decrypt(message, ad: [Parties.ad]) }
            #expect(error == expected, "\(text)")
            #expect(try bob.stateText() == before, "\(text)")
        }
    }
}
