/// A shell that completions are written for.
package enum Shell: String, Hashable, Sendable, CaseIterable {
    case bash, zsh, fish

    /// The name that the shell looks for: `sxkey`, `_sxkey`, `sxkey.fish`.
    package func fileName(of program: ProgramSpecification) -> String {
        switch self {
        case .bash: program.name
        case .zsh: "_" + program.name
        case .fish: program.name + ".fish"
        }
    }

    /// The completion script.
    package func completions(of program: ProgramSpecification) -> String {
        switch self {
        case .bash: BashCompletions(program).script
        case .zsh: ZshCompletions(program).script
        case .fish: FishCompletions(program).script
        }
    }

    /// A word that the shell takes as it is: single quotes round it, and the ones in it taken apart.
    static func singleQuoted(_ text: String) -> String {
        var result = "'"
        for scalar in text.unicodeScalars {
            if scalar == "'" { result += "'\\''" } else { result.unicodeScalars.append(scalar) }
        }
        return result + "'"
    }
}
