import CommandKit
import Glibc
import SXKeyCommands
import SystemIO
import Testing

/// Manual pages and completions are written from the command specification and kept in the repository.
///
/// `make generate` runs this with `SXKEY_WRITE_GENERATED=1`, which writes the files before they are compared.
@Suite("generated files", .serialized)
struct GeneratedFilesTests {
    private static let expected: [String: [UInt8]] = {
        let program = Program.specification
        var files: [String: [UInt8]] = [:]
        for page in ManPage.pages(of: program) { files["man/" + page.fileName] = Array(page.text.utf8) }
        for shell in Shell.allCases {
            files["completions/" + shell.fileName(of: program)] = Array(shell.completions(of: program).utf8)
        }
        return files
    }()

    init() throws {
        guard getenv("SXKEY_WRITE_GENERATED") != nil else { return }
        for (path, text) in Self.expected {
            var file = try OutputFile(creatingAt: Repository.root.appending(FilePath(path)), replacing: true)
            try file.write(text)
            try file.commit()
            chmod(Repository.root.appending(FilePath(path)).text, 0o644)
        }
    }

    @Test("the file is what the command specification gives", arguments: expected.keys.sorted())
    func isFresh(path: String) throws {
        #expect(try Repository.text(of: path) == Self.expected[path], "\(path) is stale; run: make generate")
    }

    @Test("there is no page and no completion that nothing writes")
    func nothingElse() throws {
        let found =
            try Repository.names(in: "man").map { "man/" + $0 }
            + Repository.names(in: "completions").map { "completions/" + $0 }
        #expect(Set(found) == Set(Self.expected.keys).union(["man/sxkey-formats.5"]))
    }

    @Test("a page has every command of its noun with all options")
    func pagesAreWhole() throws {
        for noun in Program.specification.nouns {
            let page = String(decoding: try #require(Self.expected["man/sxkey-\(noun.name).1"]), as: UTF8.self)
            let plain = page.replacing("\\-", with: "-")
            for command in noun.commands {
                for option in command.options {
                    #expect(plain.contains("--" + option.name), "\(noun.name): --\(option.name)")
                }
            }
        }
    }
}
