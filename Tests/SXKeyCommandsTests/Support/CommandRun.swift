import CommandKit
import SophaxFiles
import SystemIO

@testable import SXKeyCommands

/// The testing library has an ExitStatus too.
typealias CommandStatus = CommandKit.ExitStatus

/// A command that ran inside this process, with nothing asked and nothing shown.
struct CommandRun {
    let status: CommandStatus
    let output: String
    let errors: String
    let outputBytes: [UInt8]

    /// 2026-05-28, in seconds since 1970.
    static let now: Double = 1_780_000_000

    /// Runs the arguments after the program's name.
    static func run(_ arguments: [String], limits: BundleLimits = quick, styles: Bool = false) -> CommandRun {
        run(arguments.map { Array($0.utf8) }, limits: limits, styles: styles)
    }

    static func run(_ arguments: [[UInt8]], limits: BundleLimits = quick, styles: Bool = false) -> CommandRun {
        let (output, errors) = (Sink(), Sink())
        var globals = GlobalOptions(scanning: arguments)
        func console() -> Console {
            Console(output: output.stream(styles), error: errors.stream(styles), options: globals)
        }
        var status = CommandStatus.usage
        do throws(UsageError) {
            switch try ArgumentParser(Program.specification).parse(arguments) {
            case .command(let parsed):
                globals = parsed.globals
                let context = Context(
                    console: console(), now: now, zone: LocalZone(), workers: 2, bundleLimits: limits, mayAsk: false)
                status = Program.run(parsed, context)
            case .programHelp, .nounHelp, .commandHelp, .version: status = .success
            }
        } catch {
            let console = console()
            console.report(ErrorMessage(program: Program.name, error))
            console.output.flush()
        }
        return CommandRun(
            status: status, output: String(decoding: output.bytes, as: UTF8.self),
            errors: String(decoding: errors.bytes, as: UTF8.self), outputBytes: output.bytes)
    }

    /// The first line of the error without the program's name, and without the folder of the test.
    func error(in folder: String) -> String {
        let line = errors.split(separator: "\n").first.map(String.init) ?? ""
        return line.replacing("sxkey: error: ", with: "").replacing(folder + "/", with: "")
    }

    /// Key derivations that cost nothing and stay different from each other, and a ceiling near them.
    static let quick: BundleLimits = {
        var limits = BundleLimits()
        limits.olderBackupIterations = 6
        limits.backupIterations = 7
        limits.firstIdentityIterations = 5
        limits.androidIterations = 4
        limits.iterationCeiling = 1000
        return limits
    }()

    private final class Sink {
        private(set) var bytes: [UInt8] = []

        func stream(_ styles: Bool) -> TextStream {
            TextStream(styles: styles) { [self] (piece) throws(FileError) in
                for index in piece.indices { bytes.append(piece[index]) }
            }
        }
    }
}
