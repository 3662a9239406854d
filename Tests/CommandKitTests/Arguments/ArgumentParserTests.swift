import CommandKit
import SystemIO
import Testing

@Suite("Argument parser")
struct ArgumentParserTests {
    @Test("options stand before, between and after operands, in every spelling")
    func spellings() throws {
        let ways: [[String]] = [
            ["box", "show", "--format", "json", "--limit", "3", "--all", "dir", "x", "y"],
            ["box", "show", "dir", "x", "y", "--format=json", "--limit=3", "--all"],
            ["box", "show", "dir", "-f", "json", "x", "-n", "3", "-a", "y"],
            ["box", "show", "dir", "-fjson", "-n3", "-a", "x", "y"],
            ["box", "show", "dir", "-an3", "-f=json", "x", "--", "y"],
        ]
        for words in ways {
            guard case .command(let arguments) = try Samples.parse(words) else {
                Issue.record("\(words) is no command")
                continue
            }
            #expect(arguments.specification == Samples.show)
            #expect(arguments.choice("format") == "json")
            #expect(arguments.number("limit") == 3)
            #expect(arguments.flag("all") && !arguments.flag("long"))
            #expect(arguments.operandPath("DIR") == "dir")
            #expect(arguments.operands("ITEM") == [Array("x".utf8), Array("y".utf8)])
        }
    }

    @Test("after two dashes everything is an operand, and one dash is an operand")
    func dashes() throws {
        let arguments = try Samples.arguments("box", "info", "-", "--", "--json", "-x", "--")
        #expect(arguments.operands("FILE").map { String(decoding: $0, as: UTF8.self) } == ["-", "--json", "-x", "--"])
        #expect(!arguments.globals.json)
    }

    @Test("short flags go together in one word, and the last may take a value")
    func bundled() throws {
        let arguments = try Samples.arguments("box", "show", "-alqfjson", "d")
        #expect(arguments.flag("all") && arguments.flag("long") && arguments.globals.quiet)
        #expect(arguments.value("format") == Array("json".utf8))
    }

    @Test("a value may be empty, begin with a dash, or hold an equals sign")
    func oddValues() throws {
        #expect(try Samples.arguments("box", "show", "-fjson", "--since=", "d").value("since") == [])
        #expect(try Samples.arguments("box", "show", "-fjson", "--since", "-x", "d").value("since") == Array("-x".utf8))
        #expect(try Samples.arguments("box", "show", "-fjson", "--since=a=b", "d").value("since") == Array("a=b".utf8))
    }

    @Test("bytes that are not UTF-8 stay what they are")
    func rawBytes() throws {
        let words = ["box", "info"].map { Array($0.utf8) } + [[0x61, 0xff]]
        guard case .command(let arguments) = try ArgumentParser(Samples.program).parse(words) else {
            Issue.record("no command")
            return
        }
        #expect(arguments.operandPath("FILE") == FilePath(bytes: [0x61, 0xff]))
    }

    @Test("a repeatable option keeps its order, also among others")
    func repeated() throws {
        let arguments = try Samples.arguments("box", "show", "-k", "1", "-fjson", "--key-file=2", "-a", "-k3", "d")
        #expect(arguments.values("key-file").map { String(decoding: $0, as: UTF8.self) } == ["1", "2", "3"])
        #expect(
            arguments.occurrences(of: ["format", "key-file"]).map(\.name) == [
                "key-file", "format", "key-file", "key-file",
            ])
    }

    @Test("global options stand anywhere")
    func globals() throws {
        for words in [
            ["--json", "-q", "--color=never", "count"], ["count", "--json", "--quiet", "--color", "never"],
            ["--json", "count", "-q", "--no-color"],
        ] {
            guard case .command(let arguments) = try Samples.parse(words) else {
                Issue.record("\(words) is no command")
                continue
            }
            #expect(arguments.globals == GlobalOptions(json: true, quiet: true, color: .never))
        }
    }

    @Test("help is found at each level, before mistakes in what is not yet there")
    func help() throws {
        func topic(_ words: String...) throws -> String {
            switch try Samples.parse(words) {
            case .programHelp: "program"
            case .nounHelp(let noun, _): noun.name
            case .commandHelp(let command, _): command.words
            case .version: "version"
            case .command(let arguments): "run \(arguments.specification.words)"
            }
        }
        #expect(try topic("--help") == "program")
        #expect(try topic("-h") == "program")
        #expect(try topic("help") == "program")
        #expect(try topic("box", "--help") == "box")
        #expect(try topic("help", "box") == "box")
        #expect(try topic("box", "show", "-h") == "box show")
        #expect(try topic("help", "box", "show") == "box show")
        #expect(try topic("help", "help", "count") == "count")
        #expect(try topic("count", "--help") == "count")
        #expect(try topic("--version") == "version")
        #expect(try topic("box", "--version") == "version")
        #expect(try topic("count", "3") == "run count")
    }

    @Test("a verb may have two words, with options between, and help at each")
    func twoWords() throws {
        #expect(try Samples.arguments("box", "lid", "add", "d").specification == Samples.lidAdd)
        #expect(try Samples.arguments("box", "--json", "lid", "--quiet", "remove").specification == Samples.lidRemove)
        guard case .nounHelp(let noun, _) = try Samples.parse(["help", "box", "lid"]) else {
            Issue.record("no help")
            return
        }
        #expect(noun.name == "box")
        guard case .commandHelp(let command, _) = try Samples.parse(["box", "lid", "remove", "-h"]) else {
            Issue.record("no help")
            return
        }
        #expect(command == Samples.lidRemove)
    }

    @Test("a second word that is missing or wrong is told with what there is")
    func secondWord() {
        let mistakes: [(words: [String], message: String, hint: String)] = [
            (["box", "lid"], "\"box lid\" needs a verb", "one of add, remove"),
            (["box", "lid", "burn"], "\"box lid\" has no verb \"burn\"", "one of add, remove"),
            (["box", "lid", "remov"], "\"box lid\" has no verb \"remov\"", "did you mean \"remove\"?"),
            (["box", "lix", "add"], "\"box\" has no verb \"lix\"", "did you mean \"lid\"?"),
            (["lid", "add"], "unknown command \"lid\"", "did you mean \"box lid\"?"),
        ]
        for mistake in mistakes {
            do throws(UsageError) {
                _ = try Samples.parse(mistake.words)
                Issue.record("\(mistake.words) is taken")
            } catch {
                #expect(error.message.plain == mistake.message)
                #expect(error.hints(program: "box").first?.plain == mistake.hint)
            }
        }
    }

    @Test("a number may be written in any digits")
    func digits() throws {
        for text in ["123", "١٢٣", "۱۲۳", "１２３", "१२३"] {
            #expect(try Samples.arguments("box", "show", "-fjson", "-n", text, "d").number("limit") == 123)
        }
    }

    @Test("a very long command line is parsed without recursion")
    func long() throws {
        let words = Array(repeating: "help", count: 100_000) + ["box", "info"]
        guard case .commandHelp(let command, _) = try Samples.parse(words) else {
            Issue.record("no help")
            return
        }
        #expect(command == Samples.info)
    }
}
