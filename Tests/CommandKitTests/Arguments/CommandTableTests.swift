import CommandKit
import Testing

/// The testing library has an `ExitStatus` as well.
typealias Status = CommandKit.ExitStatus

@Suite("Command table")
struct CommandTableTests {
    struct Failed: Error, Equatable {}

    struct Show: Command {
        typealias Context = [Int]
        typealias Failure = Failed

        static let specification = Samples.show
        let count: Int

        init(_ arguments: ParsedArguments) throws(UsageError) {
            if arguments.flag("all"), arguments.number("limit") != nil { throw .conflict("all", "limit") }
            count = arguments.operands("ITEM").count
        }

        func run(_ context: [Int]) throws(Failed) -> Status {
            if context.isEmpty { throw Failed() }
            return count == 2 ? .finding : .success
        }
    }

    private let table = CommandTable<[Int], Failed>([.init("box", "boxes", [.init(Show.self)])])

    @Test("a command runs with its arguments and gives its status")
    func running() throws {
        let command = try table.prepare(try Samples.arguments("box", "show", "-fjson", "d", "x", "y"))
        #expect(try command.run([1]) == .finding)
        #expect(throws: Failed()) { try command.run([]) }
    }

    @Test("a mistake that only the command can see names the command")
    func conflict() throws {
        let arguments = try Samples.arguments("box", "show", "-fjson", "-a", "-n3", "d")
        do throws(UsageError) {
            _ = try table.prepare(arguments)
            Issue.record("taken")
        } catch {
            #expect(error.message.plain == "--all and --limit exclude each other")
            #expect(error.hints(program: "box").map(\.plain) == ["\"box box show --help\" shows how it is used"])
        }
    }

    @Test("the specification of the program comes from the commands themselves")
    func specifications() {
        #expect(table.specifications.map(\.name) == ["box"])
        #expect(table.specifications[0].commands == [Samples.show])
    }

    @Test("an example is split as a shell would, up to a pipe")
    func examples() {
        #expect(Samples.show.examples[0].arguments == ["box", "show", "-f", "text", "my box"])
        #expect(Example("p a 'b c' \"\" > out", "").arguments == ["a", "b c", ""])
        #expect(Example("p", "").arguments == [])
        #expect(Example("p a --fd 3 3<in.txt", "").arguments == ["a", "--fd", "3"])
        #expect(Example("p \"a|b\" c>out", "").arguments == ["a|b", "c"])
    }

    @Test(
        "each example of the samples is a right command line", arguments: Samples.program.commands.flatMap(\.examples))
    func examplesParse(example: Example) throws {
        #expect(throws: Never.self) { try Samples.parse(example.arguments) }
    }

    @Test("when several statuses apply the graver is given")
    func combined() {
        #expect(Status.success.combined(with: .finding) == .finding)
        #expect(Status.finding.combined(with: .someDamaged) == .someDamaged)
        #expect(Status.someDamaged.combined(with: .unreadable) == .unreadable)
        #expect(Status.wrongSecret.combined(with: .unreadable) == .wrongSecret)
        for status in Status.allCases { #expect(status.combined(with: .success) == status) }
    }

    @Test("the numbers are the promised ones")
    func numbers() {
        #expect(Status.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 130, 141, 143])
        #expect(Set(Status.allCases.map(\.name)).count == Status.allCases.count)
    }
}
