import CryptoPrimitives
import SQLiteDatabase

/// What a page has for the search: the texts of its messages, their times, and the words in them.
struct PageWords: Sendable {
    /// Entries of a file of texts, with commas between them.
    private(set) var texts = Markup()
    /// Whole minutes since 1970 of each message; that of its predecessor where it has none.
    private(set) var minutes: [Int32] = []
    /// By how many minutes local time is ahead of UTC there.
    private(set) var offsets: [Int16] = []
    /// Messages are numbered from 0, the page's first.
    private(set) var table = TokenTable()
    /// Characters beyond ASCII that occur, each once.
    private(set) var characters: [UInt32] = []

    var messages: Int { minutes.count }

    /// Longer texts are searched as a whole, and shown only so far.
    static let longestText = 16_384

    /// Who sent a message, as results say it.
    enum Sender {
        case owner
        /// The one whom the conversation is named after.
        case other
        case named([UInt8])
    }

    /// `time`: minutes since 1970, and by how many local time is ahead of UTC.
    fileprivate mutating func begin(_ time: (minute: Int32, offset: Int16)?) -> UInt32 {
        let number = UInt32(truncatingIfNeeded: minutes.count)
        minutes.append(time?.minute ?? minutes.last ?? 0)
        offsets.append(time?.offset ?? offsets.last ?? 0)
        if number > 0 { texts.add(",\n") }
        return number
    }

    fileprivate mutating func add(_ sender: Sender, _ body: [UInt8], _ fileName: [UInt8]) {
        texts.add("[")
        switch sender {
        case .owner: texts.add("0")
        case .other: texts.add("1")
        case .named(let name): texts.script(name)
        }
        var end = body.count
        if end > Self.longestText {
            end = Self.longestText
            while end > 0, body[end] & 0xC0 == 0x80 { end -= 1 }
        }
        let isCut = end < body.count
        if !body.isEmpty || !fileName.isEmpty || isCut {
            texts.add(",")
            texts.script(isCut ? Array(body[..<end]) : body)
        }
        if !fileName.isEmpty || isCut {
            texts.add(",")
            texts.script(fileName)
        }
        if isCut { texts.add(",1") }
        texts.add("]")
    }

    fileprivate mutating func add(word: Span<UInt8>, _ number: UInt32) {
        table.add(word, number)
    }

    fileprivate mutating func add(character: UInt32) {
        characters.append(character)
    }
}

/// Cuts texts into words; one for each thread.
struct WordCutter {
    private var tokenizer = TextTokenizer()
    /// A bit for each character that was met.
    private var met = [UInt64](repeating: 0, count: 0x110000 / 64)

    /// Adds a message; gives how many words it has.
    mutating func add(
        _ sender: PageWords.Sender, body: [UInt8], fileName: [UInt8], time: (minute: Int32, offset: Int16)?,
        to words: inout PageWords
    ) -> Int {
        let number = words.begin(time)
        words.add(sender, body, fileName)
        var count = 0
        for (text, counts) in [(body, true), (fileName, false)] where !text.isEmpty {
            tokenizer.begin(.index)
            let span = text.span
            while tokenizer.step(span) {
                let folded = tokenizer.bytes
                let foldedSpan = folded.span
                for token in tokenizer.tokens { words.add(word: foldedSpan.extracting(token.bytes), number) }
                if counts { count += tokenizer.tokens.count }
            }
            note(span, in: &words)
        }
        return count
    }

    private mutating func note(_ text: Span<UInt8>, in words: inout PageWords) {
        var index = 0
        while index < text.count {
            let lead = text[index]
            guard lead >= 0xC2, lead < 0xF5 else {
                index += 1
                continue
            }
            let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
            guard text.count - index >= length else { return }
            var scalar = UInt32(lead) & (0xFF >> UInt32(length + 1))
            for offset in 1..<length { scalar = scalar << 6 | UInt32(text[index + offset]) & 0x3F }
            index += length
            let place = Int(scalar >> 6)
            guard place < met.count else { continue }
            let bit: UInt64 = 1 << UInt64(scalar & 63)
            if met[place] & bit == 0 {
                met[place] |= bit
                words.add(character: scalar)
            }
        }
    }
}
