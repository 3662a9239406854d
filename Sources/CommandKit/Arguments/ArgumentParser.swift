/// What a command line asks for.
package enum Request: Sendable {
    case programHelp(GlobalOptions)
    case nounHelp(NounSpecification, GlobalOptions)
    case commandHelp(CommandSpecification, GlobalOptions)
    case version(GlobalOptions)
    case command(ParsedArguments)
}

/// Reads the arguments after the program's name.
///
/// Options stand anywhere before a `--`: `--name`, `--name VALUE`, `--name=VALUE`, `-n`, `-n VALUE`, `-nVALUE`, and several
/// short flags in one word. `-` is an operand.
package struct ArgumentParser: Sendable {
    private let program: ProgramSpecification

    package init(_ program: ProgramSpecification) {
        self.program = program
    }

    package func parse(_ arguments: [[UInt8]]) throws(UsageError) -> Request {
        var words = arguments[...]
        var scan = OptionScan(options: GlobalOptions.specifications)
        var next = try nextWord(&words, &scan)
        while next == Array("help".utf8) {
            // `help store show` asks for what `store show --help` asks for.
            scan.addHelp()
            next = try nextWord(&words, &scan)
        }
        guard let first = next else { return try withoutNoun(scan) }
        guard let noun = program.nouns.first(where: { Array($0.name.utf8) == first }) else {
            throw UsageError(.unknownNoun(first, suggestion: nounSuggestion(first)))
        }
        if let command = noun.ownCommand, noun.verbs.isEmpty {
            return try commandRequest(command, words, scan)
        }
        guard let verb = try nextWord(&words, &scan) else {
            return try withoutVerb(noun, said: noun.name, verbs: noun.verbs, scan)
        }
        let candidates = noun.verbWords
        guard let found = candidates.first(where: { Array($0.first.utf8) == verb }) else {
            let suggestion = Suggestion.nearest(to: verb, among: candidates.map(\.first))
            throw UsageError(
                .unknownVerb(verb, noun: noun.name, suggestion: suggestion, verbs: noun.verbs), command: noun.name)
        }
        if !found.isGroup, let command = found.entries.first?.command {
            return try commandRequest(command, words, scan)
        }
        let said = "\(noun.name) \(found.first)"
        guard let second = try nextWord(&words, &scan) else {
            return try withoutVerb(noun, said: said, verbs: found.seconds, scan)
        }
        guard let entry = found.entries.first(where: { $0.second.map { Array($0.utf8) } == second }) else {
            let suggestion = Suggestion.nearest(to: second, among: found.seconds)
            throw UsageError(
                .unknownVerb(second, noun: said, suggestion: suggestion, verbs: found.seconds), command: noun.name)
        }
        return try commandRequest(entry.command, words, scan)
    }

    private func withoutVerb(
        _ noun: NounSpecification, said: String, verbs: [String], _ scan: OptionScan
    ) throws(UsageError) -> Request {
        if scan.isHelp { return .nounHelp(noun, scan.globals) }
        if scan.isVersion { return .version(scan.globals) }
        throw UsageError(.noVerb(noun: said, verbs: verbs), command: noun.name)
    }

    /// The next word that is no option; global options before it are taken.
    private func nextWord(
        _ words: inout ArraySlice<[UInt8]>, _ scan: inout OptionScan
    ) throws(UsageError) -> [UInt8]? {
        while let word = words.popFirst() {
            if try !scan.take(word, &words) { return word }
        }
        return nil
    }

    private func withoutNoun(_ scan: OptionScan) throws(UsageError) -> Request {
        if scan.isHelp { return .programHelp(scan.globals) }
        if scan.isVersion { return .version(scan.globals) }
        throw UsageError(.noCommand)
    }

    private func nounSuggestion(_ word: [UInt8]) -> String? {
        if let near = Suggestion.nearest(to: word, among: program.nouns.map(\.name)) { return near }
        // A verb without its noun.
        let fitting = program.nouns.first { noun in noun.verbWords.contains { Array($0.first.utf8) == word } }
        return fitting.map { "\($0.name) \(String(decoding: word, as: UTF8.self))" }
    }

    private func commandRequest(
        _ command: CommandSpecification, _ words: ArraySlice<[UInt8]>, _ before: OptionScan
    ) throws(UsageError) -> Request {
        var scan = before
        scan.options = command.allOptions
        scan.command = command.words
        var rest = words
        var operands: [[UInt8]] = []
        while let word = rest.popFirst() {
            if word == Array("--".utf8) {
                operands.append(contentsOf: rest)
                break
            }
            if try !scan.take(word, &rest) { operands.append(word) }
        }
        if scan.isHelp { return .commandHelp(command, scan.globals) }
        if scan.isVersion { return .version(scan.globals) }
        try checkOperands(operands, of: command)
        for option in command.options where option.isRequired && !scan.has(option.name) {
            throw UsageError(
                .noOption("--\(option.name)" + (option.valueName.map { " " + $0 } ?? "")), command: command.words)
        }
        let own = scan.found.filter { found in command.options.contains { $0.name == found.name } }
        return .command(
            ParsedArguments(specification: command, globals: scan.globals, occurrences: own, operands: operands))
    }

    private func checkOperands(_ operands: [[UInt8]], of command: CommandSpecification) throws(UsageError) {
        for (place, operand) in command.operands.enumerated() where operand.isRequired && place >= operands.count {
            throw UsageError(.noOperand(operand.name), command: command.words)
        }
        if operands.count > command.operands.count, command.operands.last?.takesMany != true {
            throw UsageError(.extraOperand(operands[command.operands.count]), command: command.words)
        }
        for (place, word) in operands.enumerated() {
            let operand = command.operands[min(place, command.operands.count - 1)]
            try OptionScan.check(word, operand.kind, name: operand.name, command: command.words)
        }
    }
}
