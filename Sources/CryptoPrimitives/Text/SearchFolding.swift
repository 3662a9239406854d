import CUtf8proc

/// What a character is to somebody who searches.
package enum SearchKind: UInt8, Sendable {
    /// Ends a word and is itself nothing.
    case separator
    /// Goes into the word.
    case letter
    /// As if it were not there: accents, vowel points, what is invisible.
    case dropped
    /// A letter of a script that is written without spaces, or with words that grow at their ends.
    case unit
    /// Belongs to the unit before it: the sound marks of kana.
    case unitMark
    /// A word by itself: emoji, other symbols, currencies.
    case symbol
    /// One half of a flag.
    case flagHalf
}

/// A character as it is searched for: its kind and what it is folded to.
package struct FoldedCharacter: Equatable, Sendable {
    /// Bits 0–20 the character, or the place of several; 24–27 the kind; 31 several.
    let bits: UInt32

    init(_ kind: SearchKind, _ scalar: UInt32) {
        bits = UInt32(kind.rawValue) << 24 | scalar
    }

    /// One that stands for several, which the table keeps.
    init(several place: Int) {
        bits = 1 << 31 | UInt32(truncatingIfNeeded: place)
    }

    package var isSeveral: Bool { bits >> 31 != 0 }
    package var kind: SearchKind { SearchKind(rawValue: UInt8(truncatingIfNeeded: bits >> 24 & 0xf)) ?? .separator }
    package var scalar: UInt32 { bits & 0x1f_ffff }
    var place: Int { Int(bits & 0x1f_ffff) }
}

/// Folds characters for searching: case, accents and compatible forms, as sxkey-formats(5) says under "Words of the index".
///
/// Filled as characters are met, a block of 256 at a time, from the tables of libutf8proc. It is nobody else's while it is
/// used: not Sendable.
package final class SearchFolding {
    /// Place of each block of 256 characters in `entries`; -1 for one that was not met yet.
    private var blocks = [Int32](repeating: -1, count: 0x1100)
    private var entries: [FoldedCharacter] = []
    private var sequences: [[FoldedCharacter]] = []

    package init() {}

    /// `scalar` folded; U+110000 and above is a separator.
    package func folded(_ scalar: UInt32) -> FoldedCharacter {
        // What most text outside ASCII consists of where there are many characters.
        if scalar &- 0x4E00 < 0x5200 || scalar &- 0xAC00 < 0x2BA4 { return FoldedCharacter(.unit, scalar) }
        let block = Int(scalar >> 8)
        guard block < blocks.count else { return FoldedCharacter(.separator, 0) }
        if blocks[block] < 0 { fill(block) }
        return entries[Int(blocks[block]) + Int(scalar & 0xff)]
    }

    /// What a character that stands for several is folded to.
    package func sequence(of character: FoldedCharacter) -> [FoldedCharacter] {
        character.isSeveral ? sequences[character.place] : [character]
    }

    private func fill(_ block: Int) {
        blocks[block] = Int32(truncatingIfNeeded: entries.count)
        for low in 0..<256 {
            let folded = Self.fold(UInt32(block << 8 | low))
            if folded.count == 1 {
                entries.append(folded[0])
            } else if folded.isEmpty {
                entries.append(FoldedCharacter(.dropped, 0))
            } else {
                entries.append(FoldedCharacter(several: sequences.count))
                sequences.append(folded)
            }
        }
    }
}

// MARK: - The rules

extension SearchFolding {
    /// The most characters that one is folded to (U+FDFA has 18).
    package static let longestSequence = 18

    static func fold(_ scalar: UInt32) -> [FoldedCharacter] {
        let properties = unsafe utf8proc_get_property(Int32(scalar)).pointee
        let kind = kind(of: scalar, properties)
        // Symbols stay what they are: ™ is not "tm" at the end of a word. So do fractions: 5½ is not 51⁄2.
        guard kind == .letter || kind == .unit || kind == .unitMark || kind == .separator,
            properties.decomp_type != utf8proc_propval_t(UTF8PROC_DECOMP_TYPE_FRACTION.rawValue)
        else { return [FoldedCharacter(kind, scalar)] }
        // A syllable of Hangul is one unit, its letters are put together again by the tokenizer.
        var parts: [UInt32] = []
        if scalar &- 0xAC00 < 0x2BA4 { parts = [scalar] } else { decompose(scalar, into: &parts) }
        var result: [FoldedCharacter] = []
        for part in parts {
            if let others = other[part] {
                result += others.map { FoldedCharacter(.letter, $0) }
                continue
            }
            let properties = unsafe utf8proc_get_property(Int32(part)).pointee
            let kind = Self.kind(of: part, properties)
            guard kind != .dropped else { continue }
            let isDigit = properties.category == utf8proc_propval_t(UTF8PROC_CATEGORY_ND.rawValue)
            result.append(FoldedCharacter(kind, isDigit ? 0x30 + digitValue(of: part) : part))
        }
        return result
    }

    /// Full case folding and compatibility decomposition, of each other's results too.
    private static func decompose(_ scalar: UInt32, into parts: inout [UInt32]) {
        let options = utf8proc_option_t(
            rawValue: UTF8PROC_STABLE.rawValue | UTF8PROC_DECOMPOSE.rawValue | UTF8PROC_COMPAT.rawValue
                | UTF8PROC_CASEFOLD.rawValue)
        var memory = [Int32](repeating: 0, count: 32)
        var ignored: Int32 = 0
        let count = unsafe memory.withUnsafeMutableBufferPointer { buffer in
            unsafe utf8proc_decompose_char(Int32(scalar), buffer.baseAddress, buffer.count, options, &ignored)
        }
        guard count > 0, count <= memory.count else {
            parts.append(scalar)
            return
        }
        for part in memory[..<count] { parts.append(UInt32(truncatingIfNeeded: part)) }
    }

    /// Letters that Unicode takes apart nowhere, but people do who have not got them on their keyboard; and letters that
    /// look alike to people and are typed with either keyboard.
    private static let other: [UInt32: [UInt32]] = [
        0xF8: [0x6F], 0x111: [0x64], 0xF0: [0x64], 0x142: [0x6C], 0x127: [0x68], 0x167: [0x74],
        0xE6: [0x61, 0x65], 0x153: [0x6F, 0x65], 0xFE: [0x74, 0x68],
        // Turkish ı: İ, I and i are all i without it.
        0x131: [0x69],
        // Arabic: alef wasla, alef maksura and Farsi yeh, keheh, teh marbuta and heh goal.
        0x671: [0x627], 0x649: [0x64A], 0x6CC: [0x64A], 0x6A9: [0x643], 0x629: [0x647], 0x6C1: [0x647],
    ]

    private static func kind(of scalar: UInt32, _ properties: utf8proc_property_t) -> SearchKind {
        // Tatweel only makes a word wider; a colour of skin is no emoji of its own.
        if scalar == 0x640 || scalar &- 0x1F3FB < 5 { return .dropped }
        if scalar &- 0x1F1E6 < 26 { return .flagHalf }
        let category = utf8proc_category_t(rawValue: UInt32(properties.category))
        if properties.ignorable != 0 || category == UTF8PROC_CATEGORY_CF { return .dropped }
        switch category {
        case UTF8PROC_CATEGORY_LU, UTF8PROC_CATEGORY_LL, UTF8PROC_CATEGORY_LT, UTF8PROC_CATEGORY_LM,
            UTF8PROC_CATEGORY_LO, UTF8PROC_CATEGORY_NL, UTF8PROC_CATEGORY_MC:
            return isUnit(scalar) ? .unit : .letter
        case UTF8PROC_CATEGORY_ND, UTF8PROC_CATEGORY_NO: return .letter
        case UTF8PROC_CATEGORY_MN: return kind(ofMark: scalar, class: properties.combining_class)
        case UTF8PROC_CATEGORY_ME: return .dropped
        case UTF8PROC_CATEGORY_SO, UTF8PROC_CATEGORY_SC, UTF8PROC_CATEGORY_CO: return .symbol
        default: break
        }
        if properties.boundclass == UTF8PROC_BOUNDCLASS_EXTENDED_PICTOGRAPHIC.rawValue { return .symbol }
        // A script that is newer than the tables still has words.
        return category == UTF8PROC_CATEGORY_CN && scalar < 0x110000 ? .letter : .separator
    }

    /// Accents, vowel points and cantillation are optional where they have a place of their own (classes 1, 7, 10–36 and
    /// from 200 on); vowel signs, viramas and the tones of Thai and its neighbours are letters.
    private static func kind(ofMark scalar: UInt32, class combiningClass: utf8proc_propval_t) -> SearchKind {
        switch combiningClass {
        case 8: .unitMark
        case 7 where scalar == 0x1037: .unit  // a tone of Myanmar
        case 1, 7, 10...36, 200...: .dropped
        default: isUnit(scalar) ? .unit : .letter
        }
    }

    /// The value of a decimal digit: they come in tens, in order.
    private static func digitValue(of scalar: UInt32) -> UInt32 {
        var value: UInt32 = 0
        while value < 9, scalar > value,
            utf8proc_category(Int32(scalar - value - 1)) == UTF8PROC_CATEGORY_ND
        {
            value += 1
        }
        return value
    }

    private static func isUnit(_ scalar: UInt32) -> Bool {
        guard scalar >= 0x0E00 else { return false }
        return unitRanges.contains { $0.contains(scalar) }
    }

    private static let unitRanges: [ClosedRange<UInt32>] = [
        0x0E00...0x0EFF,  // Thai, Lao
        0x1000...0x109F, 0xA9E0...0xA9FF, 0xAA60...0xAA7F,  // Myanmar
        0x1780...0x17FF,  // Khmer
        0x1100...0x11FF, 0x3130...0x318F, 0xA960...0xA97F, 0xAC00...0xD7FF,  // Hangul
        0x2E80...0x2FDF, 0x3005...0x3007, 0x3021...0x3029, 0x3038...0x303B,  // Han
        0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF,
        0x3041...0x30FF, 0x31F0...0x31FF, 0x1AFF0...0x1B16F, 0xFF66...0xFF9F,  // Hiragana, Katakana
        0x3100...0x312F, 0x31A0...0x31BF,  // Bopomofo
    ]
}
