import JSONCoding
import Testing

@testable import SophaxFiles

@Suite("Reading message lists")
struct MessageScannerTests {
    private let good = StoreMaker.message("A")

    @Test("a list as the app writes it is strict, and every field is where it says")
    func strict() throws {
        let text =
            #" [ {"peerID":"p","id":"A","direction":"received","body":"h\/i \u00e9","timestamp":795000013.25,"#
            + #""status":"read","isEdited":true,"editedAt":1e8,"reactions":{"q":"👍","r":"❤️"},"readBy":["x","y"],"#
            + #""hopCount":3,"audioDuration":4.5,"later":{"a":[1,null]} } , "# + good + " ]\n"
        let (messages, outcome) = try scan(text)
        #expect(outcome == .strict)
        #expect(messages.count == 2)
        let message = messages[0]
        #expect(message.id?.string == "A")
        #expect(message.body?.string == "h/i é")
        #expect(message.time?.unixSeconds == 795_000_013.25 + 978_307_200)
        #expect(message.time?.source == "795000013.25")
        #expect(message.isEdited)
        #expect(message.time(.editedAt)?.source == "1e8")
        #expect(message.reactions.map(\.sender.string) == ["q", "r"])
        #expect(message.reactions.map(\.emoji.string) == ["👍", "❤️"])
        #expect(message.list(.readBy).map(\.string) == ["x", "y"])
        #expect(message.number(.hopCount) == 3)
        #expect(message.unknownKeys == 1)
        let source = String(decoding: message.sourceJSON, as: UTF8.self)
        #expect(source.hasPrefix(#"{"peerID":"p""#) && source.hasSuffix(#"{"a":[1,null]} }"#))
        #expect(String(decoding: messages[1].sourceJSON, as: UTF8.self) == good)
    }

    @Test("only the word itself says that a message was sent")
    func sent() throws {
        let words = ["sent", "\\u0073ent", "soup", "received", "send", "s", ""]
        let text = words.map { "{\"direction\":\"\($0)\"}" }.joined(separator: ",")
        #expect(try scan("[\(text)]").messages.map(\.isSent) == [true, true, false, false, false, false, false])
    }

    @Test("an empty list is a list")
    func empty() throws {
        #expect(try scan("[]").outcome == .strict)
        #expect(try scan(" [ ] ").messages.isEmpty)
    }

    @Test("a leading U+FEFF, NUL and astral characters stay in a body")
    func exactBodies() throws {
        let body = "\u{FEFF}a\\u0000b\\ud83d\\ude00"
        let message = try scan("[\(StoreMaker.message("A", body: body))]").messages[0]
        #expect(message.body?.bytes == [0xEF, 0xBB, 0xBF, 0x61, 0, 0x62, 0xF0, 0x9F, 0x98, 0x80])
        #expect(message.body?.problem == nil)
    }

    @Test(
        "what on-demand parsing skips is checked all the same",
        arguments: [
            #"{"id":"A","isEdited":fal}"#, #"{"id":"A","x":{"a":tru}}"#, #"{"id":"A","x":[1,,2]}"#,
            #"{"id":"A","timestamp":1.}"#, #"{"id":"A","timestamp":01}"#, #"{"id":"A","x":"\q"}"#,
            #"{"id":"A","x":"\ud800"}"#, #"{"id":"A","x":{"a":1}"#, #"{"id":"A","timestamp":1e400}"#,
            #"{"i\u0064":"A"}"#,
        ])
    func strictness(element: String) throws {
        guard case .tolerant = try scan("[\(element)]").outcome else {
            Issue.record("read as strict: \(element)")
            return
        }
    }

    @Test("a damaged element is stepped over, and the others stay")
    func steppingOver() throws {
        let (messages, outcome) = try scan("[\(good),{\"id\":\"B\",\"body\":},\(StoreMaker.message("C")),5,null]")
        #expect(messages.map { $0.id?.string } == ["A", "C"])
        guard case .tolerant(let problems) = outcome else { return #expect(Bool(false), "strict") }
        #expect(problems.map(\.kind) == [.unreadable, .notAMessage, .notAMessage])
        #expect(problems[0].offset == 1 + good.utf8.count + 1)
    }

    @Test("a quote that is missing costs one message only")
    func missingQuote() throws {
        let broken = #"{"id":"B,"body":"x"}"#
        let (messages, outcome) = try scan("[\(good),\(broken),\(StoreMaker.message("C")),\(StoreMaker.message("D"))]")
        #expect(messages.map { $0.id?.string } == ["A", "C", "D"])
        guard case .tolerant(let problems) = outcome else { return #expect(Bool(false), "strict") }
        #expect(problems.map(\.kind) == [.unreadable])
    }

    @Test("two quotes that are missing cost their two messages, and nothing between them")
    func twoMissingQuotes() throws {
        let broken = #"{"id":"X,"body":"x"}"#
        let between = (0..<50).map { StoreMaker.message("M\($0)") }
        let text = "[\(([broken] + between + [broken, good]).joined(separator: ","))]"
        let (messages, outcome) = try scan(text)
        #expect(messages.map { $0.id?.string } == (0..<50).map { "M\($0)" } + ["A"])
        guard case .tolerant(let problems) = outcome else { return #expect(Bool(false), "strict") }
        #expect(problems.map(\.kind) == [.unreadable, .unreadable])
    }

    @Test("brackets in the text of a body do not end a broken message before them")
    func bracketsInBody() throws {
        let broken = #"{"id":"X,"body":"x"}"#
        let text = "[\(broken),\(good),\(StoreMaker.message("B", body: "a }, b ] },{ c")),\(StoreMaker.message("C"))]"
        let (messages, outcome) = try scan(text)
        #expect(messages.map { $0.id?.string } == ["A", "B", "C"])
        guard case .tolerant(let problems) = outcome else { return #expect(Bool(false), "strict") }
        #expect(problems.map(\.kind) == [.unreadable])
    }

    @Test("a closing bracket that is missing costs one message only")
    func missingBracket() throws {
        let (messages, outcome) = try scan("[\(good),\(StoreMaker.message("X").dropLast()),\(StoreMaker.message("B"))]")
        #expect(messages.map { $0.id?.string } == ["A", "B"])
        #expect(outcome == .tolerant([TextProblem(.unreadable, at: good.utf8.count + 2)]))
    }

    @Test("brackets in the body of a broken message make no noise")
    func bracketsInBrokenBody() throws {
        let broken = #"{"id":X","body":"a }, b","direction":"sent","status":"read"}"#
        let (messages, outcome) = try scan("[\(broken),\(good),\(StoreMaker.message("B"))]")
        #expect(messages.map { $0.id?.string } == ["A", "B"])
        guard case .tolerant(let problems) = outcome else { return #expect(Bool(false), "strict") }
        #expect(problems.losses <= 2)
    }

    @Test("objects inside of a broken message are not taken for messages")
    func objectsInside() throws {
        let broken = #"{"later":[{"a":1},{"b":2},{"c":3}],"isEdited":}"#
        let (messages, outcome) = try scan("[\(broken),\(good)]")
        #expect(messages.map { $0.id?.string } == ["A"])
        #expect(outcome == .tolerant([TextProblem(.unreadable, at: 1)]))
    }

    @Test("a bracket too many costs no message", arguments: ["}", "]"])
    func strayBracket(bracket: String) throws {
        let (messages, outcome) = try scan("[\(good)\(bracket),\(StoreMaker.message("B")),\(StoreMaker.message("C"))]")
        #expect(messages.map { $0.id?.string } == ["A", "B", "C"])
        guard case .tolerant(let problems) = outcome else { return #expect(Bool(false), "strict") }
        #expect(problems.first?.offset == good.utf8.count + 1)
    }

    @Test(
        "commas that are missing or too many lose nothing, and are said",
        arguments: ["[#1#2]", "[#1,,#2]", "[,#1,#2]", "[#1,#2,]"])
    func commas(form: String) throws {
        let second = StoreMaker.message("B")
        let text = form.replacing("#1", with: good).replacing("#2", with: second)
        let (messages, outcome) = try scan(text)
        #expect(messages.map { $0.id?.string } == ["A", "B"])
        guard case .tolerant(let problems) = outcome else { return #expect(Bool(false), "strict") }
        #expect(problems.map(\.kind) == [.badComma])
        #expect(!outcome.isSound)
    }

    @Test("problems behind the thousandth are counted")
    func manyProblems() throws {
        let (messages, outcome) = try scan("[" + String(repeating: "5,", count: 3_000) + good + "]")
        #expect(messages.count == 1)
        guard case .tolerant(let problems) = outcome else { return #expect(Bool(false), "strict") }
        #expect(problems.count == 1_000)
        #expect(problems.losses == 3_000)
    }

    @Test("of two timestamps the one of iOS counts, whatever their order", arguments: [false, true])
    func twoTimestamps(repaired: Bool) throws {
        let broken = repaired ? #","x":fal"# : ""
        for order in [#""timestamp":5,"timestampMs":7"#, #""timestampMs":7,"timestamp":5"#] {
            let (messages, _) = try scan("[{\(order)\(broken)}]")
            #expect(messages[0].time?.unixSeconds == 978_307_205)
        }
    }

    @Test("text where a number belongs is given without its quotes", arguments: [false, true])
    func textForNumber(repaired: Bool) throws {
        let (messages, _) = try scan(#"[{"timestamp":"5\n""# + (repaired ? #","x":fal}]"# : "}]"))
        #expect(messages[0].isWrong(.timestamp))
        #expect(messages[0].source(.timestamp) == Array(#"5\n"#.utf8))
    }

    @Test("what is wrong with an escape is found without unescaping, too")
    func escapeProblems() {
        for text in [
            "", "a", #"\n\/\""#, #"\u0041"#, #"\ud83d\ude00"#, #"\ud83d"#, #"\ud83dx"#, #"\ude00\q"#, #"\q\ud83d"#,
            #"\u12g4"#,
            #"\u12"#, #"\"#, "a\u{1}", #"\ud83d\u0041"#, #"\ud83d\ud83d\ude00"#,
        ] {
            let bytes = Array(text.utf8)
            #expect(JSONText.escapeProblem(bytes.span) == JSONText.unescape(bytes.span).problem, "\(text)")
        }
    }

    @Test("a list that is cut off keeps what came before")
    func cutOff() throws {
        let text = "[\(good),\(StoreMaker.message("B")),\(StoreMaker.message("C"))"
        for length in 1...text.utf8.count {
            let (messages, outcome) = try scan(Array(text.utf8.prefix(length)))
            let whole =
                (length >= good.utf8.count + 1 ? 1 : 0) + (length >= 2 * good.utf8.count + 2 ? 1 : 0)
                + (length >= 3 * good.utf8.count + 3 ? 1 : 0)
            #expect(messages.count == whole, "cut at \(length)")
            guard case .tolerant(let problems) = outcome else {
                Issue.record("strict at \(length)")
                continue
            }
            #expect(problems.last?.kind == .cutOff || problems.last?.kind == .notAMessage, "cut at \(length)")
        }
    }

    @Test("bytes that are not UTF-8 stay available, and the message is kept")
    func invalidUTF8() throws {
        for bad in [[0xFF, 0xFE], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF0, 0x9F, 0x98]]
            as [[UInt8]]
        {
            let text = Array("[{\"id\":\"A\",\"body\":\"x".utf8) + bad + Array("\"},\(good)]".utf8)
            let (messages, outcome) = try scan(text)
            #expect(messages.count == 2)
            #expect(messages[0].body?.bytes == Array("x".utf8) + bad)
            #expect(messages[0].body?.problem == .invalidUTF8)
            #expect(messages[1].body?.problem == nil)
            #expect(outcome == .tolerant([TextProblem(.invalidUTF8, at: 20)]))
        }
    }

    @Test("a key with escapes names its field")
    func escapedKey() throws {
        let (messages, outcome) = try scan(#"[{"\u0069d":"A","bod\u0079":"x","isEdited":false}]"#)
        #expect(outcome == .tolerant([]))
        #expect(outcome.isSound)
        #expect(messages[0].id?.string == "A")
        #expect(messages[0].body?.string == "x")
    }

    @Test("a broken value leaves the rest of its message")
    func brokenValue() throws {
        let (messages, outcome) = try scan(#"[{"id":"A","isEdited":fal,"body":"x","timestamp":1e400}]"#)
        #expect(messages[0].body?.string == "x")
        #expect(messages[0].isWrong(.isEdited))
        #expect(messages[0].time?.source == "1e400")
        #expect(messages[0].time?.unixSeconds.isNaN == true)
        #expect(outcome == .tolerant([TextProblem(.badValue, at: 22), TextProblem(.badNumber, at: 49)]))
    }

    @Test("bytes behind the list are reported")
    func trailing() throws {
        let (messages, outcome) = try scan("[\(good)] x")
        #expect(messages.count == 1)
        #expect(outcome == .tolerant([TextProblem(.trailingBytes, at: good.utf8.count + 3)]))
    }

    @Test("a byte order mark before the list is no damage")
    func byteOrderMark() throws {
        #expect(try scan("\u{FEFF}[\(good)]").messages.count == 1)
    }

    @Test("what is no list of messages is said to be none", arguments: ["{}", "5", "", "null", "\"x\"", "{\"a\":[]}"])
    func notMessages(text: String) throws {
        #expect(try scan(text).outcome == .notMessages)
    }

    @Test("deep nesting is refused without using the stack", arguments: [65, 1_000, 1_000_000])
    func deepNesting(depth: Int) throws {
        let deep =
            #"{"id":"A","x":"# + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "}"
        let (messages, outcome) = try scan("[\(deep),\(good)]")
        #expect(messages.count == 1)
        #expect(outcome == .tolerant([TextProblem(.unreadable, at: 1)]))
    }

    @Test("hostile texts are read in time linear in their size")
    func linear() throws {
        for piece in ["{!{},", "{\"a},", "{\"k\":[{},", "[[", "},{\"k\":[", "\"", "{"] {
            let text = "[" + String(repeating: piece, count: 200_000 / piece.utf8.count)
            _ = try scan(text)
        }
    }

    @Test("every single bit flipped and every byte cut gives an answer")
    func bitFlips() throws {
        let text = Array("[\(good),{\"id\":\"\\u00e9\",\"reactions\":{\"a\":\"b\"},\"x\":[1.5e3,true,null]}]".utf8)
        for index in text.indices {
            for bit in 0..<8 {
                var flipped = text
                flipped[index] ^= 1 << bit
                let (messages, _) = try scan(flipped)
                #expect(messages.count <= 3)
                for message in messages { #expect(message.sourceJSON.first == UInt8(ascii: "{")) }
            }
            _ = try scan(Array(text[..<index]))
        }
    }
}
