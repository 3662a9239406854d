import CommandKit
import SXKeyCommands
import Testing

@Suite("README")
struct ReadmeTests {
    /// Command lines of the examples, without what follows a `#`.
    private func commands(in text: String) -> [[String]] {
        var isExample = false
        var commands: [[String]] = []
        for line in text.split(separator: "\n") {
            if line.hasPrefix("```") { isExample = line == "```sh" }
            guard isExample, line.hasPrefix("sxkey ") else { continue }
            let command = line.split(separator: "#")[0]
            commands.append(command.split(separator: " ").dropFirst().map(String.init))
        }
        return commands
    }

    @Test("every command line of the examples is one that the program takes")
    func examples() throws {
        let commands = commands(in: String(decoding: try Repository.text(of: "README.md"), as: UTF8.self))
        #expect(commands.count >= 10)
        for command in commands {
            #expect(throws: Never.self, "sxkey \(command.joined(separator: " "))") {
                let request = try ArgumentParser(Program.specification).parse(command.map { Array($0.utf8) })
                guard case .command(let arguments) = request else { return }
                _ = try Program.table.prepare(arguments)
            }
        }
    }

    @Test("the table of exit codes is the program's")
    func exitCodes() throws {
        let text = String(decoding: try Repository.text(of: "README.md"), as: UTF8.self)
        let codes = text.split(separator: "\n").flatMap { line -> [Int32] in
            let cells = line.split(separator: "|")
            guard line.hasPrefix("| "), cells.count == 2 else { return [] }
            return cells[0].split(separator: ",").compactMap { Int32($0.filter { $0 != " " }) }
        }
        #expect(codes == ExitStatus.allCases.map(\.rawValue).sortedAsTold)
    }

    @Test("a command line that the program does not take is found")
    func wrongExample() {
        let commands = commands(in: "```sh\nsxkey store verfy phone # why\n```\nsxkey text\n")
        #expect(commands == [["store", "verfy", "phone"]])
        #expect(throws: UsageError.self) {
            try ArgumentParser(Program.specification).parse(commands[0].map { Array($0.utf8) })
        }
    }
}

extension [Int32] {
    /// Both ways to be interrupted stand in one row of the table.
    fileprivate var sortedAsTold: [Int32] {
        filter { $0 < 130 } + [130, 143, 141]
    }
}
