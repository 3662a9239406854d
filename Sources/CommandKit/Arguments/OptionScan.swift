import SystemIO

/// Takes options off a command line and checks each as it comes.
struct OptionScan {
    var options: [OptionSpecification]
    var command = ""
    private(set) var found: [ParsedArguments.Occurrence] = []

    init(options: [OptionSpecification]) {
        self.options = options
    }

    var isHelp: Bool { has("help") }
    var isVersion: Bool { has("version") }

    var globals: GlobalOptions {
        var globals = GlobalOptions(json: has("json"), quiet: has("quiet"))
        if let when = found.last(where: { $0.name == "color" })?.value {
            globals.color = GlobalOptions.Color(rawValue: String(decoding: when, as: UTF8.self)) ?? .auto
        }
        if has("no-color") { globals.color = .never }
        return globals
    }

    /// As if `--help` were given.
    mutating func addHelp() {
        found.append(ParsedArguments.Occurrence(name: GlobalOptions.help.name, value: nil))
    }

    /// False when `word` is no option. Takes the option's value from `rest`.
    mutating func take(_ word: [UInt8], _ rest: inout ArraySlice<[UInt8]>) throws(UsageError) -> Bool {
        guard word.count > 1, word[0] == UInt8(ascii: "-"), word != Array("--".utf8) else { return false }
        if word[1] == UInt8(ascii: "-") {
            try takeLong(word, &rest)
        } else {
            try takeShort(word, &rest)
        }
        return true
    }

    private mutating func takeLong(_ word: [UInt8], _ rest: inout ArraySlice<[UInt8]>) throws(UsageError) {
        let equals = word.firstIndex(of: UInt8(ascii: "="))
        let name = Array(word[2..<(equals ?? word.count)])
        guard let option = options.first(where: { Array($0.name.utf8) == name }) else {
            let near = Suggestion.nearest(to: name, among: options.map(\.name))
            throw UsageError(
                .unknownOption(Array(word[..<(equals ?? word.count)]), suggestion: near.map { "--" + $0 }),
                command: command)
        }
        let attached = equals.map { Array(word[($0 + 1)...]) }
        try add(option, spelled: "--" + option.name, attached: attached, &rest)
    }

    private mutating func takeShort(_ word: [UInt8], _ rest: inout ArraySlice<[UInt8]>) throws(UsageError) {
        var letters = word[1...]
        while let letter = letters.popFirst() {
            let scalar = Unicode.Scalar(letter)
            guard letter < 0x80, let option = options.first(where: { $0.short == scalar }) else {
                // A long option with one dash is a usual slip.
                let name = Array(word[1...].prefix { $0 != UInt8(ascii: "=") })
                let slip = options.first { Array($0.name.utf8) == name }
                let wrong = slip == nil && letter < 0x80 ? [UInt8(ascii: "-"), letter] : word
                throw UsageError(.unknownOption(wrong, suggestion: slip.map { "--" + $0.name }), command: command)
            }
            if option.takesValue {
                if letters.first == UInt8(ascii: "=") { letters.removeFirst() }
                let attached = letters.isEmpty ? nil : Array(letters)
                return try add(option, spelled: "-\(scalar)", attached: attached, &rest)
            }
            if letters.first == UInt8(ascii: "=") {
                throw UsageError(.unwantedValue(option: "-\(scalar)"), command: command)
            }
            try add(option, spelled: "-\(scalar)", attached: nil, &rest)
        }
    }

    private mutating func add(
        _ option: OptionSpecification, spelled: String, attached: [UInt8]?, _ rest: inout ArraySlice<[UInt8]>
    ) throws(UsageError) {
        var value = attached
        if let valueName = option.valueName {
            if value == nil { value = rest.popFirst() }
            guard let value else { throw UsageError(.noValue(option: spelled, valueName: valueName), command: command) }
            try Self.check(value, option.kind, name: "--" + option.name, command: command)
            if !option.isRepeatable, has(option.name) {
                throw UsageError(.repeatedOption("--" + option.name), command: command)
            }
        } else if value != nil {
            throw UsageError(.unwantedValue(option: spelled), command: command)
        }
        found.append(ParsedArguments.Occurrence(name: option.name, value: value))
    }

    /// Checks what needs no more than the word itself. Dates also need a time zone: see `ParsedArguments.date`.
    static func check(_ value: [UInt8], _ kind: ValueKind, name: String, command: String) throws(UsageError) {
        switch kind {
        case .text, .date: return
        case .file, .folder:
            if value.isEmpty { throw UsageError(.other("\(name) is empty", hint: nil), command: command) }
        case .choice(let choices):
            if choices.contains(where: { Array($0.utf8) == value }) { return }
            let near = Suggestion.nearest(to: value, among: choices)
            throw UsageError(.notAChoice(value, of: name, choices: choices, suggestion: near), command: command)
        case .number(let range):
            if let number = ParsedArguments.number(value), range.contains(number) { return }
            throw UsageError(.notANumber(value, of: name, range: range), command: command)
        }
    }

    func has(_ name: String) -> Bool {
        found.contains { $0.name == name }
    }
}
