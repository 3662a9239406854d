import CryptoPrimitives
import SystemIO

/// Writes the index that `search.html` looks into, as files of script that it loads when it needs them: a page from a disk
/// may load nothing else.
///
/// Messages are numbered through the export. Words are in segments of some ten thousand messages, each sorted and cut into
/// files; times are in one file a segment; texts in files of a page or more. So memory does not grow with the export, and a
/// search loads one file of words a segment for each word, and the texts of what it shows. `index.js` says what is where.
struct SearchIndexWriter {
    static let folderName: FilePath = "search"
    /// A segment ends with the page that brings it to so many messages, or so many bytes of memory.
    private static let segmentLength = 50_000
    private static let segmentMemory = 12 << 20
    /// A file of words ends with the word that goes beyond, one of texts with the page.
    private static let wordsFile = 48 << 10
    private static let textsFile = 48 << 10

    private struct Segment {
        /// Number of its first message.
        let first: Int
        /// The first word of each of its files.
        var keys: [[UInt8]] = []
    }

    /// Messages with numbers that follow each other, all of one conversation.
    private struct Run {
        let first: Int
        let conversation: Int
        let position: Int
        var count: Int
    }

    private let folder: ExportFolder
    private var messages = 0
    private var segments: [Segment] = []
    private var table = TokenTable()
    private var minutes: [Int32] = []
    private var offsets: [Int16] = []
    private var texts = Markup()
    /// Numbers of the first message of each file of texts.
    private var textStarts: [Int] = []
    private var runs: [Run] = []
    private var characters: Set<UInt32> = []
    private var output = Markup()

    init(in folder: ExportFolder) throws(FileError) {
        self.folder = folder
        try folder.makeFolder(Self.folderName)
    }

    /// The next page: `position` messages of its conversation come before it.
    mutating func add(_ words: PageWords, conversation: Int, position: Int) throws(FileError) {
        guard words.messages > 0 else { return }
        if minutes.isEmpty { segments.append(Segment(first: messages)) }
        table.add(words.table, base: UInt32(truncatingIfNeeded: minutes.count))
        minutes += words.minutes
        offsets += words.offsets
        if texts.bytes.isEmpty { textStarts.append(messages) } else { texts.add(",\n") }
        texts.add(words.texts)
        characters.formUnion(words.characters)
        if let last = runs.last, last.conversation == conversation, last.position + last.count == position {
            runs[runs.count - 1].count += words.messages
        } else {
            runs.append(
                Run(first: messages, conversation: conversation, position: position, count: words.messages))
        }
        messages += words.messages
        if texts.bytes.count >= Self.textsFile { try endTexts() }
        if minutes.count >= Self.segmentLength || table.bytes >= Self.segmentMemory { try endSegment() }
    }

    /// `conversations`: the titles by number, from 1 on.
    mutating func finish(_ conversations: [(number: Int, title: [UInt8], isGroup: Bool)]) throws(FileError) {
        if !texts.bytes.isEmpty { try endTexts() }
        if !minutes.isEmpty { try endSegment() }
        output.removeAll()
        output.add("sxkeyTake(\"index\",{\"messages\":")
        output.number(messages)
        output.add(",\"pageLength\":")
        output.number(ConversationPlace.pageLength)
        output.add(",\n\"conversations\":[")
        for (index, conversation) in conversations.enumerated() {
            output.add(index > 0 ? ",\n[" : "\n[")
            output.number(conversation.number)
            output.add(",")
            output.script(DisplayText.line(conversation.title))
            output.add(conversation.isGroup ? ",1]" : "]")
        }
        output.add("],\n\"runs\":[")
        for (index, run) in runs.enumerated() {
            output.add(index > 0 ? ",[" : "[")
            output.number(run.first)
            output.add(",")
            output.number(run.conversation)
            output.add(",")
            output.number(run.position)
            output.add("]")
        }
        output.add("],\n\"texts\":[")
        for (index, start) in textStarts.enumerated() {
            if index > 0 { output.add(",") }
            output.number(start)
        }
        output.add("],\n\"segments\":[")
        for (index, segment) in segments.enumerated() {
            output.add(index > 0 ? ",\n[" : "\n[")
            output.number(segment.first)
            output.add(",[")
            for (place, key) in segment.keys.enumerated() {
                if place > 0 { output.add(",") }
                output.script(key)
            }
            output.add("]]")
        }
        output.add("],\n\"fold\":")
        output.script(foldings)
        output.add("});\n")
        try folder.write(output.bytes, as: "index.js", in: Self.folderName)
    }

    // MARK: Files

    private mutating func endTexts() throws(FileError) {
        output.removeAll()
        output.add("sxkeyTake(\"b")
        output.number(textStarts.count)
        output.add("\",[\n")
        output.add(texts)
        output.add("\n]);\n")
        texts.removeAll()
        try write("b", textStarts.count, nil)
    }

    private mutating func endSegment() throws(FileError) {
        let number = segments.count
        var keys: [[UInt8]] = []
        var isOpen = false
        let finished = table
        table = TokenTable()
        try finished.visit { (word, numbers) throws(FileError) in
            if !isOpen {
                keys.append(word.indices.map { word[$0] })
                output.removeAll()
                output.add("sxkeyTake(\"w")
                output.number(number)
                output.add("-")
                output.number(keys.count)
                output.add("\",[\n")
                isOpen = true
            } else {
                output.add(",\n")
            }
            output.script(word.indices.map { word[$0] })
            output.add(",\"")
            var next = 0
            for number in numbers {
                output.packed(Int(number) - next)
                next = Int(number) + 1
            }
            output.add("\"")
            guard output.bytes.count >= Self.wordsFile else { return }
            try endWords(number, keys.count)
            isOpen = false
        }
        if isOpen { try endWords(number, keys.count) }
        segments[number - 1].keys = keys
        try endTimes(number)
        minutes.removeAll(keepingCapacity: true)
        offsets.removeAll(keepingCapacity: true)
    }

    private mutating func endWords(_ segment: Int, _ number: Int) throws(FileError) {
        output.add("\n]);\n")
        try write("w", segment, number)
    }

    /// Differences of minutes, twice as large and one less where they are negative; then where the difference to local time
    /// changes: how many messages later, and the new one plus a day.
    private mutating func endTimes(_ segment: Int) throws(FileError) {
        output.removeAll()
        output.add("sxkeyTake(\"t")
        output.number(segment)
        output.add("\",[\"")
        var last = 0
        for minute in minutes {
            let difference = Int(minute) - last
            last = Int(minute)
            output.packed(difference < 0 ? -2 * difference - 1 : 2 * difference)
        }
        output.add("\",\"")
        var (offset, place) = (Int16.min, 0)
        for (number, next) in offsets.enumerated() where next != offset {
            output.packed(number - place)
            output.packed(Int(next) + 1_440)
            (offset, place) = (next, number)
        }
        output.add("\"]);\n")
        try write("t", segment, nil)
    }

    private func write(_ kind: String, _ number: Int, _ part: Int?) throws(FileError) {
        let name = "\(kind)\(number)" + (part.map { "-\($0)" } ?? "") + ".js"
        try folder.write(output.bytes, as: FilePath(name), in: Self.folderName)
    }

    // MARK: What characters are folded to

    /// A letter that every browser takes for one, and folds to nothing else.
    private func staysLetter(_ character: Unicode.Scalar) -> Bool {
        guard let age = character.properties.age, age.major <= 13 else { return false }
        switch character.properties.generalCategory {
        case .lowercaseLetter, .otherLetter, .modifierLetter: return true
        default: return false
        }
    }

    /// The characters of the export that a search folds to something else, each followed by pairs of a kind and a character;
    /// a line for each. The script folds all others by itself.
    private var foldings: [UInt8] {
        let folding = SearchFolding()
        var text = ""
        for scalar in characters.sorted() {
            guard let character = Unicode.Scalar(scalar) else { continue }
            let folded = folding.folded(scalar)
            if !folded.isSeveral, folded.kind == .letter, folded.scalar == scalar, staysLetter(character) { continue }
            // Han and Hangul: the script knows the ranges.
            if folded.kind == .unit, scalar &- 0x4E00 < 0x5200 || scalar &- 0xAC00 < 0x2BA4 { continue }
            if !text.isEmpty { text.unicodeScalars.append("\n") }
            text.unicodeScalars.append(character)
            for part in folding.sequence(of: folded) {
                text += String(part.kind.rawValue)
                let isNothing = part.kind == .separator || part.kind == .dropped
                text.unicodeScalars.append(isNothing ? "0" : Unicode.Scalar(part.scalar) ?? "0")
            }
        }
        return Array(text.utf8)
    }
}
