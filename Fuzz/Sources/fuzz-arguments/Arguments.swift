// A command line of any bytes, its words separated by line breaks, against the real command table.

import CommandKit
import SXKeyCommands

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    // The kernel hands over no NUL inside of an argument.
    let words = input.filter { $0 != 0 }.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
    do throws(UsageError) {
        switch try ArgumentParser(Program.specification).parse(words) {
        case .programHelp: _ = HelpText(Program.specification).lines(width: 80)
        case .nounHelp(let noun, _): _ = HelpText(noun, of: Program.specification).lines(width: 40)
        case .commandHelp(let command, _): _ = HelpText(command, of: Program.specification).lines(width: 120)
        case .version: break
        case .command(let arguments): _ = try Program.table.prepare(arguments)
        }
    } catch {
        let message = ErrorMessage(program: Program.name, error)
        precondition(!message.message.plain.isEmpty && message.exit == .usage)
    }
    return 0
}
