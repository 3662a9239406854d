/// A command: its specification, its arguments, and what it does.
///
/// `Context` holds what the commands of a program work with, `Failure` is their common error.
package protocol Command: Sendable {
    associatedtype Context
    associatedtype Failure: Error

    static var specification: CommandSpecification { get }

    /// Takes the arguments and checks what the parser cannot: options that exclude each other, counts that must fit.
    init(_ arguments: ParsedArguments) throws(UsageError)

    func run(_ context: Context) throws(Failure) -> ExitStatus
}

/// The nouns and verbs of a program and the code behind each.
package struct CommandTable<Context, Failure: Error>: Sendable {
    /// One row: a specification and how to make the command from its arguments.
    package struct Entry: Sendable {
        package let specification: CommandSpecification
        package let prepare: @Sendable (ParsedArguments) throws(UsageError) -> PreparedCommand

        package init<C: Command>(_ type: C.Type) where C.Context == Context, C.Failure == Failure {
            specification = C.specification
            prepare = { (arguments) throws(UsageError) in
                do throws(UsageError) {
                    let command = try C(arguments)
                    return PreparedCommand { (context) throws(Failure) in try command.run(context) }
                } catch {
                    throw error.of(C.specification)
                }
            }
        }
    }

    /// A command with its arguments checked, ready to run.
    package struct PreparedCommand: Sendable {
        package let run: @Sendable (Context) throws(Failure) -> ExitStatus
    }

    /// A noun, what it is about, and its commands in the order of help.
    package struct Noun: Sendable {
        let name: String
        let summary: String
        let discussion: [String]
        let entries: [Entry]

        package init(_ name: String, _ summary: String, discussion: [String] = [], _ entries: [Entry]) {
            self.name = name
            self.summary = summary
            self.discussion = discussion
            self.entries = entries
        }

        var specification: NounSpecification {
            NounSpecification(
                name: name, summary: summary, discussion: discussion, commands: entries.map(\.specification))
        }
    }

    package let nouns: [Noun]

    package init(_ nouns: [Noun]) {
        self.nouns = nouns
    }

    package var specifications: [NounSpecification] {
        nouns.map(\.specification)
    }

    /// Makes the command that `arguments` were parsed for.
    package func prepare(_ arguments: ParsedArguments) throws(UsageError) -> PreparedCommand {
        for noun in nouns {
            for entry in noun.entries where entry.specification.words == arguments.specification.words {
                return try entry.prepare(arguments)
            }
        }
        preconditionFailure("parsed for another table")
    }
}
