import Archive
import CryptoPrimitives
import Glibc
import SQLiteDatabase
import SystemIO

// usage: search-bench make plain|sealed FILE MESSAGES
//        search-bench search PLAIN SEALED ROUNDS
//        search-bench stats plain|sealed FILE
//        search-bench tokenize FILE MESSAGES
// Makes an archive of messages that are the same each time, asks it the fixed queries, counts its statistics, and compares
// the tokenizer with SQLite's own; run by Benchmarks/search. Results are lines of numbers.
let arguments = ProcessSettings.arguments().map { String(decoding: $0, as: UTF8.self) }
guard arguments.count >= 3 else { fatalError("usage: search-bench make|search|stats|tokenize …") }

func open(_ kind: String, _ path: String) throws -> Archive {
    guard kind == "sealed" else { return try Archive(Database(opening: FilePath(path), .create)) }
    let secret = try UnlockSecret.key(SecretBytes(copying: [UInt8](repeating: 7, count: 32).span))
    if access(path, F_OK) == 0 { return try Archive(opening: FilePath(path), .readWrite, unlocking: secret) }
    return try Archive.make(at: FilePath(path), slots: [NewSlot(secret)])
}

func now(_ clock: clockid_t = CLOCK_MONOTONIC) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

func median(_ times: [Double]) -> Double { times.sorted()[times.count / 2] }

switch arguments[0] {
case "make":
    let archive = try open(arguments[1], arguments[2])
    let start = now()
    var corpus = Corpus()
    try corpus.fill(archive, messages: Int(arguments[3]) ?? 0)
    print(now() - start)
case "search":
    // In turn, so that what else happens on the machine happens to both.
    let archives = [try open("plain", arguments[1]), try open("sealed", arguments[2])]
    for query in fixedQueries {
        let request = SearchRequest(SearchQuery(Array(query.text.utf8)), order: query.order)
        var times: [[Double]] = [[], []]
        var processor: [[Double]] = [[], []]
        var hits = [0, 0]
        for round in 0...(Int(arguments[3]) ?? 1) {
            for (place, archive) in archives.enumerated() {
                let start = (now(), now(CLOCK_PROCESS_CPUTIME_ID))
                hits[place] = try archive.search(request).count
                guard round > 0 else { continue }
                times[place].append(now() - start.0)
                processor[place].append(now(CLOCK_PROCESS_CPUTIME_ID) - start.1)
            }
        }
        let totals = try archives.map { try $0.countMatches(of: request) ?? 0 }
        guard hits[0] == hits[1], totals[0] == totals[1] else { fatalError("plain and sealed find different messages") }
        print(
            median(times[0]) * 1000, median(processor[0]) * 1000, median(times[1]) * 1000, median(processor[1]) * 1000,
            totals[0])
    }
case "stats":
    let archive = try open(arguments[1], arguments[2])
    let start = (now(), now(CLOCK_PROCESS_CPUTIME_ID))
    let found = try archive.statistics(zone: LocalZone(), words: 20)
    print(now() - start.0, now(CLOCK_PROCESS_CPUTIME_ID) - start.1, found.count.total, found.wordTotal)
case "tokenize":
    try compareTokenizers(arguments[1], messages: Int(arguments[2]) ?? 0)
case "queries":
    for query in fixedQueries { print(query.title) }
default: fatalError("there is no \(arguments[0])")
}

/// Fills two indexes without content with the same English texts in turn, one with each tokenizer.
func compareTokenizers(_ path: String, messages: Int) throws {
    let database = try Database(opening: FilePath(path), .create)
    try FullTextTokenizer.register(on: database)
    var corpus = Corpus(isEnglish: true)
    let texts = (0..<messages).map { corpus.body($0) }
    var times: [String: [Double]] = [:]
    for round in 0..<7 {
        for tokenizer in ["unicode61", FullTextTokenizer.specification] {
            try database.execute("DROP TABLE IF EXISTS t")
            try database.execute("CREATE VIRTUAL TABLE t USING fts5(body, content='', tokenize='\(tokenizer)')")
            let insert = try database.prepare("INSERT INTO t (rowid, body) VALUES (?, ?)")
            let start = now(CLOCK_PROCESS_CPUTIME_ID)
            try database.transaction(.write) { () throws(DatabaseError) in
                var row: Int64 = 0
                for text in texts {
                    row += 1
                    try insert.run(.integer(row), .text(text))
                }
            }
            if round > 0 { times[tokenizer, default: []].append(now(CLOCK_PROCESS_CPUTIME_ID) - start) }
        }
    }
    for tokenizer in ["unicode61", FullTextTokenizer.specification] {
        print(median(times[tokenizer] ?? []))
    }
    // The cutting alone.
    var tokenizer = TextTokenizer()
    var words = 0
    let start = now(CLOCK_PROCESS_CPUTIME_ID)
    for text in texts {
        tokenizer.begin(.index)
        while tokenizer.step(text.span) { words += tokenizer.tokens.count }
    }
    print(now(CLOCK_PROCESS_CPUTIME_ID) - start, words, texts.reduce(0) { $0 + $1.count })
}
