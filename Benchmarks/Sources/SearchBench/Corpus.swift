import Archive
import SQLiteDatabase

/// The queries that are measured, and how often their words are.
let fixedQueries: [(title: String, text: String, order: SearchRequest.Order)] = [
    ("a rare word (20), newest", "xylophone", .newest), ("a rare word, best", "xylophone", .best),
    ("a word of 1 %, newest", "bicycle", .newest), ("a word of 1 %, best", "bicycle", .best),
    ("a word of 12 %, newest", "tomorrow", .newest), ("a word of 12 %, best", "tomorrow", .best),
    ("two words, newest", "bicycle tomorrow", .newest), ("two words, best", "bicycle tomorrow", .best),
    ("a phrase, newest", "\"red bicycle\"", .newest), ("a phrase, best", "\"red bicycle\"", .best),
    ("a prefix, newest", "bicy*", .newest), ("a prefix, best", "bicy*", .best),
    ("a pair of Chinese characters, newest", "天气", .newest), ("a pair of Chinese characters, best", "天气", .best),
    ("one Chinese character, newest", "天", .newest), ("words without another, newest", "bicycle -tomorrow", .newest),
]

/// Messages of ten years: English by Zipf's law, some Chinese, and words of known frequency.
struct Corpus {
    private var state: UInt64 = 42
    private let words: [[UInt8]]
    private let isEnglish: Bool

    init(isEnglish: Bool = false) {
        self.isEnglish = isEnglish
        var generator = Corpus(words: [], isEnglish: isEnglish)
        let letters = Array("etaoinshrdlucmfwypvbgk".utf8)
        words = (0..<50_000).map { _ in
            (0..<(2 + generator.number(below: 8))).map { _ in letters[generator.number(below: letters.count)] }
        }
    }

    private init(words: [[UInt8]], isEnglish: Bool) {
        self.words = words
        self.isEnglish = isEnglish
    }

    /// SplitMix64.
    private mutating func number(below limit: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return Int((value ^ value >> 31) % UInt64(limit))
    }

    /// Small numbers are more frequent, nearly by Zipf's law.
    private mutating func rank(below limit: Int) -> Int {
        var scale = limit
        for _ in 0..<6 where number(below: 2) == 0 { scale = max(1, scale / 6) }
        return number(below: scale)
    }

    mutating func body(_ place: Int) -> [UInt8] {
        var text: [UInt8] = []
        if !isEnglish, number(below: 20) == 0 {
            for _ in 0..<(4 + number(below: 24)) {
                text += String(UnicodeScalar(UInt32(0x4E00 + rank(below: 6000))) ?? "天").utf8
            }
            if number(below: 25) == 0 { text += "天气".utf8 }
            return text
        }
        for _ in 0..<(3 + number(below: 16)) {
            if !text.isEmpty { text.append(0x20) }
            text += words[rank(below: words.count)]
        }
        if number(below: 100) < 12 { text += " tomorrow".utf8 }
        if number(below: 100) == 0 { text += number(below: 2) == 0 ? " Red bicycle!".utf8 : " bicycle?".utf8 }
        if place % 50_000 == 7 { text += " xylophone".utf8 }
        return text
    }

    /// Twenty conversations; by SQL, as the time of importing is measured elsewhere.
    mutating func fill(_ archive: Archive, messages: Int) throws {
        let database = archive.database
        try database.run("INSERT INTO import (kind, path, begun_at) VALUES ('store', x'', 0)")
        try database.run("INSERT INTO origin (import, item) VALUES (1, x'')")
        for number in 0..<20 {
            let id = Array("00000000000000\(number + 10)".utf8)
            try database.run(
                "INSERT INTO person (key, peer_id, name) VALUES (?, ?, ?)", .blob(id), .blob(id), .text("P\(number)"))
            try database.run(
                "INSERT INTO conversation (key, peer_id, kind) VALUES (?, ?, 'direct')", .blob(id), .blob(id))
        }
        let insert = try database.prepare(
            """
            INSERT INTO message (id, conversation, app_id, direction, sender, time, time_unit, is_edited, body, source)
            VALUES (?1, ?2, ?3, ?4, CASE ?4 WHEN 1 THEN ?2 END, ?1 >> 20, 1, 0, ?5, ?6)
            """)
        let source = try database.prepare(
            "INSERT INTO source (id, origin, platform, is_strict, sha256, json) VALUES (?1, 1, 1, 1, zeroblob(32), ?2)")
        let index = try database.prepare("INSERT INTO message_text (rowid, body) VALUES (?, ?)")
        var time: Int64 = 1_451_606_400_000
        for part in 0..<20 {
            try database.execute("BEGIN")
            for place in part * messages / 20..<(part + 1) * messages / 20 {
                time += Int64(1 + number(below: 600_000))
                let text = body(place)
                let conversation = Int64(1 + rank(below: 20))
                let row = Int64(place + 1)
                try insert.run(
                    .integer(time << 20), .integer(conversation), .blob(Array("id\(place)".utf8)),
                    .integer(number(below: 2)), .text(text), .integer(row))
                let json =
                    Array("{\"id\":\"id\(place)\",\"body\":\"".utf8) + text + Array("\",\"status\":\"read\"}".utf8)
                try source.run(.integer(row), .blob(json))
                try index.run(.integer(time << 20), .text(text))
            }
            try database.execute("COMMIT")
        }
    }
}
