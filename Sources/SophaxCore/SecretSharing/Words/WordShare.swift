import CryptoPrimitives

/// One share of a master secret as SLIP-39 words.
///
/// The words are 10 bits each: identifier 15, extendable 1, iteration exponent 4, group index 4, group threshold - 1 4,
/// group count - 1 4, member index 4, member threshold - 1 4, zeros, the value, and a checksum of three words. Format: SLIP-39.
package final class WordShare: Sendable {
    /// What all shares of a set have in common.
    package struct Parameters: Hashable, Sendable {
        /// 15 bits, drawn once for a set.
        package let identifier: UInt16
        package let isExtendable: Bool
        /// 10,000 · 2^exponent iterations.
        package let iterationExponent: Int
        /// How many groups are needed, and how many there are: 1 to 16.
        package let groupThreshold: Int
        package let groupCount: Int
    }

    package let parameters: Parameters
    /// 0 to 15.
    package let group: Int
    /// 0 to 15; people count from 1.
    package let member: Int
    /// How many shares of the group are needed, 1 to 16.
    package let memberThreshold: Int
    /// As long as the secret.
    package let value: SecretBytes

    /// Four words say what the share is, three check it.
    static let otherWords = 7
    /// The shortest secret has 16 bytes, the longest that is taken 512.
    package static let secretLengths = 16...512
    /// 20 words for 16 bytes, 417 for 512.
    package static let wordCounts = 20...417
    /// The most shares of a group, and the most groups.
    package static let maximumShares = 16

    init(
        _ parameters: Parameters, group: Int, member: Int, memberThreshold: Int, value: consuming SecretBytes
    ) {
        self.parameters = parameters
        self.group = group
        self.member = member
        self.memberThreshold = memberThreshold
        self.value = value
    }

    /// How many words a share of a secret of `length` bytes has.
    package static func wordCount(ofLength length: Int) -> Int { otherWords + (length * 8 + 9) / 10 }
}

// MARK: - Reading

extension WordShare {
    /// Reads a share from its words: letters of either case, with anything between them that is no letter. A word may be cut
    /// to its first four letters.
    ///
    /// Where the words begin and end is no secret, which they are is: no branch and no address depends on it until the
    /// checksum has shown that the words are a share.
    package convenience init(_ text: borrowing SecretBytes) throws(WordShareError) {
        let packed = try text.withSpan { text throws(WordShareError) in try Self.packedWords(in: text) }
        try self.init(packed: packed)
    }

    /// How many words a text has.
    package static func countWords(in text: Span<UInt8>) -> Int {
        var (count, isInside) = (0, false)
        for index in 0..<text.count {
            let isLetter = isLetter(text[index])
            if isLetter, !isInside { count += 1 }
            isInside = isLetter
        }
        return count
    }

    /// The place, counted from 1, of the first word that is not in the list.
    package static func firstUnknownWord(in text: Span<UInt8>) -> Int? {
        var (number, word, letters) = (0, UInt64(0), 0)
        for index in 0...text.count {
            if index < text.count, isLetter(text[index]) {
                if letters < 8 { word |= UInt64(text[index] | 0x20) << UInt64(56 - letters * 8) }
                letters += 1
            } else if letters > 0 {
                number += 1
                if letters > WordList.maximumLetters || WordList.place(ofPacked: word).isFound == 0 { return number }
                (word, letters) = (0, 0)
            }
        }
        return nil
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    /// The words as numbers of their letters, eight bytes each in the order of this machine; a longer word is 0.
    private static func packedWords(in text: Span<UInt8>) throws(WordShareError) -> SecretBytes {
        let count = countWords(in: text)
        guard wordCounts.contains(count) else { throw .wordCount(found: count, allowed: wordCounts) }
        var packed: SecretBytes
        do throws(SecretMemoryError) { packed = try SecretBytes(count: count * 8) } catch { throw .memory(error) }
        packed.withMutableSpan { packed in
            var (place, letters) = (0, 0)
            for index in 0...text.count {
                if index < text.count, isLetter(text[index]) {
                    if letters < 8 { packed[place * 8 + letters] = text[index] | 0x20 }
                    letters += 1
                } else if letters > 0 {
                    if letters > WordList.maximumLetters {
                        for letter in 0..<8 { packed[place * 8 + letter] = 0 }
                    }
                    (place, letters) = (place + 1, 0)
                }
            }
        }
        return packed
    }

    private convenience init(packed: borrowing SecretBytes) throws(WordShareError) {
        let count = packed.count / 8
        let padding = (count - Self.otherWords) * 10 % 16
        guard padding <= 8 else { throw .noSuchLength(words: count) }
        // Two bytes for each word, which is its place in the list.
        var places: SecretBytes
        do throws(SecretMemoryError) { places = try SecretBytes(count: count * 2) } catch { throw .memory(error) }
        var unknown: Int?
        places.withMutableSpan { places in
            packed.withSpan { packed in
                for number in 0..<count {
                    var word: UInt64 = 0
                    for letter in 0..<8 { word = word << 8 | UInt64(packed[number * 8 + letter]) }
                    let (place, isFound) = WordList.place(ofPacked: word)
                    if isFound == 0, unknown == nil { unknown = number + 1 }
                    places[number * 2] = UInt8(truncatingIfNeeded: place >> 8)
                    places[number * 2 + 1] = UInt8(truncatingIfNeeded: place)
                }
            }
        }
        if let unknown { throw .unknownWord(place: unknown) }
        try self.init(places: places, padding: padding)
    }

    private convenience init(places: borrowing SecretBytes, padding: Int) throws(WordShareError) {
        let count = places.count / 2
        let head = places.withSpan { places in
            (0..<4).reduce(UInt64(0)) { $0 << 10 | Self.word($1, places) }
        }
        let isExtendable = head >> 24 & 1 == 1
        let sum = places.withSpan { places in
            (0..<count).reduce(WordChecksum.start(isExtendable: isExtendable)) { sum, number in
                WordChecksum.step(sum, Self.word(number, places))
            }
        }
        guard sum == WordChecksum.right else {
            throw .checksum(likely: WordChecksum.likelyPlace(sum: sum, count: count))
        }
        func four(_ shift: UInt64) -> Int { Int(head >> shift & 15) }
        let parameters = Parameters(
            identifier: UInt16(head >> 25), isExtendable: isExtendable, iterationExponent: four(20),
            groupThreshold: four(12) + 1, groupCount: four(8) + 1)
        guard parameters.groupThreshold <= parameters.groupCount else {
            throw .groupThresholdAboveCount(threshold: parameters.groupThreshold, count: parameters.groupCount)
        }
        guard parameters.iterationExponent <= WordCipher.maximumExponent else {
            throw .iterationExponent(found: parameters.iterationExponent, limit: WordCipher.maximumExponent)
        }
        let length = ((count - Self.otherWords) * 10 - padding) / 8
        var value: SecretBytes
        do throws(SecretMemoryError) { value = try SecretBytes(count: length) } catch { throw .memory(error) }
        var filling: UInt64 = 0
        value.withMutableSpan { value in
            places.withSpan { places in
                filling = Self.word(4, places) >> UInt64(10 - padding)
                var (bits, have, done) = (UInt64(0), -padding, 0)
                for number in 4..<count - WordChecksum.words {
                    bits = bits << 10 | Self.word(number, places)
                    have += 10
                    while have >= 8 {
                        have -= 8
                        value[done] = UInt8(truncatingIfNeeded: bits >> UInt64(have))
                        done += 1
                    }
                }
            }
        }
        guard filling == 0 else { throw .padding }
        self.init(
            parameters, group: four(16), member: four(4), memberThreshold: four(0) + 1, value: value)
    }

    private static func word(_ number: Int, _ places: Span<UInt8>) -> UInt64 {
        UInt64(places[number * 2]) << 8 | UInt64(places[number * 2 + 1])
    }
}

// MARK: - Writing

extension WordShare {
    package var wordCount: Int { Self.wordCount(ofLength: value.count) }

    /// The words, one space between them. How long each word is decides where the next begins, so it is told by the time.
    package func words() throws(WordShareError) -> SecretBytes {
        do throws(SecretMemoryError) {
            let places = try places()
            let count = places.count / 2
            var text = try SecretBytes(count: count * (WordList.maximumLetters + 1))
            var end = 0
            text.withMutableSpan { text in
                places.withSpan { places in
                    for number in 0..<count {
                        if number > 0 {
                            text[end] = UInt8(ascii: " ")
                            end += 1
                        }
                        let word = WordList.packedWord(at: Self.word(number, places))
                        for letter in 0..<WordList.maximumLetters {
                            let byte = UInt8(truncatingIfNeeded: word >> UInt64(56 - letter * 8))
                            guard byte != 0 else { break }
                            text[end] = byte
                            end += 1
                        }
                    }
                }
            }
            return try text.prefix(end)
        } catch {
            throw .memory(error)
        }
    }

    private func places() throws(SecretMemoryError) -> SecretBytes {
        let count = wordCount
        let padding = (count - Self.otherWords) * 10 - value.count * 8
        var head = UInt64(parameters.identifier) << 1 | (parameters.isExtendable ? 1 : 0)
        head = head << 4 | UInt64(parameters.iterationExponent)
        for four in [
            group, parameters.groupThreshold - 1, parameters.groupCount - 1, member, memberThreshold - 1,
        ] { head = head << 4 | UInt64(four) }
        var places = try SecretBytes(count: count * 2)
        places.withMutableSpan { places in
            var sum = WordChecksum.start(isExtendable: parameters.isExtendable)
            func put(_ word: UInt64, _ number: Int, _ places: inout MutableSpan<UInt8>) {
                places[number * 2] = UInt8(truncatingIfNeeded: word >> 8)
                places[number * 2 + 1] = UInt8(truncatingIfNeeded: word)
                sum = WordChecksum.step(sum, word)
            }
            for number in 0..<4 { put(head >> UInt64(30 - number * 10) & 1023, number, &places) }
            value.withSpan { value in
                var (bits, have, number) = (UInt64(0), padding, 4)
                for index in 0..<value.count {
                    bits = bits << 8 | UInt64(value[index])
                    have += 8
                    while have >= 10 {
                        have -= 10
                        put(bits >> UInt64(have) & 1023, number, &places)
                        number += 1
                    }
                }
            }
            // The words that make the sum 1.
            var end = sum
            for _ in 0..<WordChecksum.words { end = WordChecksum.step(end, 0) }
            end ^= WordChecksum.right
            for number in 0..<WordChecksum.words {
                put(end >> UInt64(20 - number * 10) & 1023, count - WordChecksum.words + number, &places)
            }
        }
        return places
    }
}
