import CommandKit
import CryptoPrimitives
import SophaxFiles
import SystemIO

/// Where the passphrase for one input comes from: a file, a descriptor, or the terminal.
struct PassphraseOption: Sendable {
    static let specifications: [OptionSpecification] = [
        .value(
            "passphrase-file", short: "p", "FILE", .file,
            "read the passphrase from a file; one line ending is taken off"),
        .value("passphrase-fd", "N", .number(0...65_535), "read the passphrase from this open descriptor"),
    ]

    let file: FilePath?
    private let descriptor: Int?

    init(_ arguments: ParsedArguments) throws(UsageError) {
        file = arguments.path("passphrase-file")
        descriptor = arguments.number("passphrase-fd")
        if file != nil, descriptor != nil { throw .conflict("passphrase-file", "passphrase-fd") }
    }

    /// Standard input is asked for twice when it is the input as well.
    func readsStandardInput() -> Bool { file == "-" || descriptor == 0 }

    /// Reads the passphrase that opens `input`, or asks for it.
    func read(for input: FilePath, _ context: Context) throws(CommandError) -> SecretBytes {
        let what: TerminalText = "passphrase for \(quoted: input)"
        do throws(SecretInputError) {
            if let descriptor, let number = Int32(exactly: descriptor) {
                var stream = try Self.open(descriptor: number)
                return try SecretInput.passphrase(from: &stream)
            }
            if let file {
                var stream = try Self.open(file)
                return try SecretInput.passphrase(from: &stream)
            }
            guard context.mayAsk else { throw .noTerminal }
            return try SecretInput.ask("Passphrase for \((("\(input)" as TerminalText)).plain): ")
        } catch {
            throw .secret(error, what: what.plain)
        }
    }

    private static func open(descriptor: Int32) throws(SecretInputError) -> InputFile {
        do throws(FileError) {
            return try InputFile(descriptor: descriptor, path: FilePath("descriptor \(descriptor)"))
        } catch {
            if error.kind == .notOpen { throw .notOpen(descriptor) }
            throw .file(error)
        }
    }

    private static func open(_ path: FilePath) throws(SecretInputError) -> InputFile {
        do throws(FileError) {
            return path == "-" ? try InputFile(standardInput: path) : try InputFile(opening: path)
        } catch {
            throw .file(error)
        }
    }
}
