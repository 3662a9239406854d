import CryptoPrimitives
import Testing

@testable import SophaxCore

@Suite("Shares as words")
struct WordShareTests {
    private func combine(_ words: [String], passphrase: String = "") throws -> [UInt8] {
        let shares = try words.map { try WordShare(secret(text: $0)) }
        return try WordShareSet.combine(shares, passphrase: secret(text: passphrase)).exposed
    }

    private func read(_ text: String) -> WordShareError? {
        do {
            _ = try WordShare(secret(text: text))
            return nil
        } catch {
            return error as? WordShareError
        }
    }

    @Test("the list has 1,024 words, told apart by their first four letters, which are enough to find one")
    func list() throws {
        #expect(WordList.packed.count == 1024)
        #expect(Set(WordList.packed.map { $0 >> 32 }).count == 1024)
        #expect(WordList.packed == WordList.packed.sorted())
        for (place, word) in WordList.packed.enumerated() {
            #expect(WordList.place(ofPacked: word) == (UInt64(place), UInt64.max))
            #expect(WordList.place(ofPacked: word & ~0xFFFF_FFFF) == (UInt64(place), UInt64.max))
            #expect(WordList.packedWord(at: UInt64(place)) == word)
        }
        #expect(WordList.place(ofPacked: 0).isFound == 0)
    }

    @Test("the list is that of the specification")
    func listText() {
        // SHA-256 of slip-0039/wordlist.txt: a word a line.
        var text: [UInt8] = []
        for word in WordList.packed {
            text += (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(56 - $0 * 8)) }.filter { $0 != 0 }
            text.append(0x0A)
        }
        #expect(
            SHA256.hash(text.span)
                == bytes(hex: "bcc4555340332d169718aed8bf31dd9d5248cb7da6e5d355140ef4f1e601eec3"))
    }

    @Test("any three of five that another program made give the secret, and so do more")
    func otherProgram() throws {
        for count in 3...5 {
            for chosen in choices(of: 5, count: count) {
                #expect(try combine(chosen.map { MadeShares.words[$0] }) == MadeShares.secret)
            }
        }
        for chosen in choices(of: 5, count: 2) {
            #expect(throws: WordShareError.tooFewShares(group: 0, found: 2, needed: 3)) {
                _ = try combine(chosen.map { MadeShares.words[$0] })
            }
        }
    }

    @Test("a passphrase belongs to the secret: another one gives another secret")
    func passphrase() throws {
        #expect(try combine(MadeShares.lockedWords, passphrase: "TREZOR") == MadeShares.secret)
        #expect(try combine(MadeShares.lockedWords) != MadeShares.secret)
        #expect(throws: WordShareError.passphrase) { try combine(MadeShares.lockedWords, passphrase: "Käse") }
    }

    @Test("words are read however they are set: numbers, line ends, capitals, odd spaces, and cut to four letters")
    func tolerance() throws {
        let words = MadeShares.words[0].split(separator: " ").map(String.init)
        let numbered = words.enumerated().map { "\($0.offset + 1). \($0.element.uppercased())\r\n" }.joined()
        let spaced = words.joined(separator: "\u{A0} \t\u{200B}") + "\u{200B}\n"
        let cut = words.map { String($0.prefix(4)) }.joined(separator: ",")
        for text in [numbered, spaced, cut] {
            #expect(try combine([text, MadeShares.words[2], MadeShares.words[4]]) == MadeShares.secret)
        }
    }

    @Test("shares that are made here are 59 words long, and any three of five give the secret")
    func ownShares() throws {
        let shares = try WordShareSet.split(
            secret(MadeShares.secret), threshold: 3, total: 5, passphrase: secret([]), random: .system)
        let texts = try shares.map { String(decoding: try $0.words().exposed, as: UTF8.self) }
        for text in texts { #expect(text.split(separator: " ").count == 59) }
        #expect(Set(texts).count == 5)
        for chosen in choices(of: 5, count: 3) {
            #expect(try combine(chosen.map { texts[$0] }) == MadeShares.secret)
        }
    }

    @Test("secrets of other lengths come back", arguments: [16, 18, 32, 64, 512])
    func lengths(length: Int) throws {
        let wanted = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 200) }
        let shares = try WordShareSet.split(
            secret(wanted), threshold: 2, total: 2, passphrase: secret(text: "x"), random: .system)
        #expect(shares.allSatisfy { $0.wordCount == WordShare.wordCount(ofLength: length) })
        let texts = try shares.map { String(decoding: try $0.words().exposed, as: UTF8.self) }
        #expect(try combine(texts, passphrase: "x") == wanted)
    }

    @Test("at the ends of the numbers shares are made, one beyond none")
    func numbers() throws {
        func split(_ threshold: Int, _ total: Int, _ length: Int = 16) throws -> Int {
            try WordShareSet.split(
                secret([UInt8](repeating: 1, count: length)), threshold: threshold, total: total,
                passphrase: secret([]), random: .system
            ).count
        }
        #expect(try split(2, 2) == 2)
        #expect(try split(16, 16) == 16)
        #expect(throws: WordShareError.numbers(.tooManyShares(found: 17, limit: 16))) { _ = try split(2, 17) }
        #expect(throws: WordShareError.numbers(.thresholdTooSmall(found: 1))) { _ = try split(1, 1) }
        #expect(throws: WordShareError.numbers(.thresholdAboveTotal(threshold: 3, total: 2))) { _ = try split(3, 2) }
        for length in [0, 14, 17, 514] {
            #expect(throws: WordShareError.secretLength(found: length)) { _ = try split(2, 2, length) }
        }
    }

    @Test("every other word in every place is an error that names the place")
    func wrongWord() {
        let words = MadeShares.words[0].split(separator: " ").map(String.init)
        for place in words.indices {
            for other in ["academic", "zero", "kitchen"] where other != words[place] {
                var changed = words
                changed[place] = other
                let error = read(changed.joined(separator: " "))
                if place == 1, case .checksum = error { continue }
                #expect(error == .checksum(likely: place + 1))
            }
            var unknown = words
            unknown[place] = "sxkeyxyz"
            #expect(read(unknown.joined(separator: " ")) == .unknownWord(place: place + 1))
        }
    }

    @Test("two words that changed places, a missing and an added word are errors")
    func otherFaults() {
        var words = MadeShares.words[0].split(separator: " ").map(String.init)
        words.swapAt(10, 11)
        #expect(read(words.joined(separator: " ")) == .checksum(likely: nil))
        words.swapAt(10, 11)
        #expect(read(words.dropLast().joined(separator: " ")) == .noSuchLength(words: 58))
        #expect(read((words + ["academic"]).joined(separator: " ")) == .checksum(likely: nil))
        words[3] = "abcdefghi"
        #expect(read(words.joined(separator: " ")) == .unknownWord(place: 4))
        #expect(read("") == .wordCount(found: 0, allowed: 20...417))
        #expect(
            read([String](repeating: "academic", count: 418).joined(separator: " "))
                == .wordCount(found: 418, allowed: 20...417))
    }

    @Test("a share of another set, the same twice, and more rounds than are taken are refused")
    func sets() throws {
        #expect(throws: WordShareError.differentSets(.identifier)) {
            _ = try combine([MadeShares.words[0], MadeShares.lockedWords[0]])
        }
        #expect(throws: WordShareError.repeatedShare(group: 0, member: 2)) {
            _ = try combine([MadeShares.words[2], MadeShares.words[1], MadeShares.words[2]])
        }
        #expect(throws: WordShareError.noShares) { _ = try combine([]) }
        let parameters = WordShare.Parameters(
            identifier: 1, isExtendable: true, iterationExponent: WordCipher.maximumExponent + 1, groupThreshold: 1,
            groupCount: 1)
        let share = WordShare(parameters, group: 0, member: 0, memberThreshold: 1, value: try secret(MadeShares.secret))
        let text = String(decoding: try share.words().exposed, as: UTF8.self)
        #expect(read(text) == .iterationExponent(found: 11, limit: 10))
    }

    @Test("a share beyond what is needed that lies off the others' polynomial is named")
    func stray() throws {
        let parameters = try WordShare(secret(text: MadeShares.words[0])).parameters
        let odd = WordShare(
            parameters, group: 0, member: 9, memberThreshold: 3,
            value: try secret([UInt8](repeating: 7, count: 64)))
        let shares = try MadeShares.words[0..<3].map { try WordShare(secret(text: $0)) }
        #expect(throws: WordShareError.doesNotFit(group: 0, member: 9)) {
            _ = try WordShareSet.combine(shares + [odd], passphrase: secret([]))
        }
        for order in [[odd] + shares, [shares[0], odd] + shares[1...]] {
            #expect(throws: WordShareError.doesNotFit(group: 0, member: 9)) {
                _ = try WordShareSet.combine(order, passphrase: secret([]))
            }
        }
        #expect(throws: WordShareError.digest) {
            _ = try WordShareSet.combine([odd] + shares.prefix(2), passphrase: secret([]))
        }
    }

    @Test("the ceiling of the work counts what longer secrets cost")
    func work() throws {
        func words(_ length: Int, _ exponent: Int) throws -> WordShare {
            let parameters = WordShare.Parameters(
                identifier: 1, isExtendable: true, iterationExponent: exponent, groupThreshold: 1, groupCount: 1)
            let value = try secret([UInt8](repeating: 1, count: length))
            return WordShare(parameters, group: 0, member: 0, memberThreshold: 1, value: value)
        }
        #expect(throws: WordShareError.iterationExponent(found: 10, limit: 7)) {
            _ = try WordShareSet.combine([words(512, 10)], passphrase: secret(text: ""))
        }
        #expect(throws: WordShareError.iterationExponent(found: 10, limit: 9)) {
            _ = try WordShareSet.combine([words(66, 10)], passphrase: secret(text: ""))
        }
        for (length, exponent) in [(16, 10), (64, 10), (66, 9), (128, 9), (130, 8), (512, 7)] {
            let parameters = try words(length, exponent).parameters
            _ = try WordCipher(passphrase: secret(text: ""), parameters, length: length)
        }
    }
}
