import CommandKit
import SystemIO
import TestSupport

/// A small program whose texts hold what shells, roff and terminals trip over.
enum Samples {
    static let show = CommandSpecification(
        noun: "box", verb: "show", summary: "show what is in it: [all], 'each' or \"one\" \\ $HOME `date`",
        discussion: [
            "A paragraph that is long enough to be broken at eighty columns, and goes on with \\fBroff\\fR, a caf\u{e9}, and more.",
            ".dots at the start, and 'quotes' too",
        ],
        operands: [
            OperandSpecification("DIR", .folder, .one, "the folder of the box"),
            OperandSpecification("ITEM", .text, .any, "only these items"),
        ],
        options: [
            .value("key-file", short: "k", "FILE", .file, "the key: 32 bytes, hex [or base64]", isRepeatable: true),
            .value("format", short: "f", "FORMAT", .choice(["json", "text"]), "how to write it", isRequired: true),
            .value("limit", short: "n", "N", .number(1...500), "at most so many"),
            .value("since", "DATE", .date, "from this day on"),
            .flag("all", short: "a", "everything, also what's hidden"),
            .flag("long", short: "l", "with details"),
        ],
        examples: [
            Example("box box show -f text \"my box\" | less", "shows the box in a pager"),
            Example(
                "box box show -f json -n 3 /tmp/a-box-with-a-long-name and some more items to make the line long",
                "cuts"),
        ],
        exitStatuses: [StatusNote(.success), StatusNote(.finding, "an item is odd")], seeAlso: ["box-formats(5)"])

    static let info = CommandSpecification(
        noun: "box", verb: "info", summary: "say what can be seen from outside",
        operands: [OperandSpecification("FILE", .file, .oneOrMore, "files to look at")])

    static let lidAdd = CommandSpecification(
        noun: "box", verb: "lid add", summary: "put a lid on",
        operands: [OperandSpecification("DIR", .folder, .one, "the box")])
    static let lidRemove = CommandSpecification(noun: "box", verb: "lid remove", summary: "take the lid off")

    static let shell = CommandSpecification(
        noun: "completions", summary: "print a completion script",
        operands: [OperandSpecification("SHELL", .choice(["bash", "zsh", "fish"]), .one, "the shell")])

    static let count = CommandSpecification(
        noun: "count", summary: "count up",
        operands: [OperandSpecification("N", .number(0...Int.max), .optional, "to here")])

    static let program = ProgramSpecification(
        name: "box", version: "1.2", date: "2026-11-30", summary: "a program for tests",
        discussion: ["Boxes hold items."],
        nouns: [
            NounSpecification(
                name: "box", summary: "boxes and what's in them", discussion: ["A box is a folder."],
                commands: [show, info, lidAdd, lidRemove]),
            NounSpecification(name: "completions", summary: shell.summary, commands: [shell]),
            NounSpecification(name: "count", summary: count.summary, commands: [count]),
        ], environment: [(name: "NO_COLOR", use: "no styles when it is not empty")], seeAlso: ["box-formats(5)"])

    static func parse(_ words: [String]) throws(UsageError) -> Request {
        try ArgumentParser(program).parse(words.map { Array($0.utf8) })
    }

    /// The arguments of a command line that is right.
    static func arguments(_ words: String...) throws -> ParsedArguments {
        guard case .command(let arguments) = try parse(words) else { throw UsageError(.noCommand) }
        return arguments
    }
}

/// Keeps what is written to it.
final class Capture {
    private(set) var bytes: [UInt8] = []
    var limit = Int.max

    var text: String { String(decoding: bytes, as: UTF8.self) }

    func stream(styles: Bool = false, width: Int = 80, isTerminal: Bool = false) -> TextStream {
        TextStream(styles: styles, width: width, isTerminal: isTerminal) { (span) throws(FileError) in
            for index in span.indices {
                if self.bytes.count >= self.limit { throw FileError(.write, "capture", .noSpace) }
                self.bytes.append(span[index])
            }
        }
    }
}
