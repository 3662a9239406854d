import CommandKit
import SystemIO

/// Where an export goes: a new file, or standard output for `-`.
///
/// The file is opened with the first write, so that nothing is touched before something was proven.
struct ExportTarget: ~Copyable {
    static let options: [OptionSpecification] = [
        .value("out", short: "o", "PATH", .file, "the file to write; \"-\" is standard output", isRequired: true),
        .flag("force", short: "f", "overwrite an existing file"),
    ]

    /// With `--json` standard output has JSON and nothing else.
    static func check(_ arguments: ParsedArguments, writesJSON: Bool) throws(UsageError) {
        if arguments.globals.json, !writesJSON, arguments.path("out") == "-" {
            throw .other("--json and an output that is no JSON exclude each other on standard output")
        }
    }

    let path: FilePath
    private let replacing: Bool
    private let inputs: [FileIdentity]
    private let console: Console
    private var file: OutputFile?
    private(set) var bytesWritten = 0

    /// Checks that the target may be written, without opening it.
    init(
        _ arguments: (path: FilePath, force: Bool), inputs: [FileIdentity], _ console: Console
    ) throws(CommandError) {
        path = arguments.path
        replacing = arguments.force
        self.inputs = inputs
        self.console = console
        do throws(FileError) {
            if path != "-" {
                try OutputFile.check(path, replacing: replacing, notSameAs: inputs)
            } else if let own = StandardStream.output.identity, inputs.contains(own) {
                throw FileError(.write, StandardStream.output.path, .sameAsInput)
            }
        } catch {
            throw .output(error)
        }
    }

    var isStandardOutput: Bool { path == "-" }

    mutating func write(_ bytes: [UInt8]) throws(CommandError) {
        bytesWritten += bytes.count
        if isStandardOutput {
            console.output.write(bytes: bytes)
            if let failure = console.output.failure { throw .output(failure) }
            return
        }
        do throws(FileError) {
            if file == nil { file = try OutputFile(creatingAt: path, replacing: replacing, notSameAs: inputs) }
            try file?.write(bytes)
        } catch {
            throw .output(error)
        }
    }

    /// Makes the file appear.
    consuming func commit() throws(CommandError) {
        do throws(FileError) {
            if let file = consume file { try file.commit() }
        } catch {
            throw .output(error)
        }
    }
}
