import SystemIO

/// The arguments of one command, checked against its specification.
///
/// Options and operands are asked for by the names of the specification; another name is a fault of the program and stops it.
package struct ParsedArguments: Sendable {
    /// One use of an option on the command line.
    package struct Occurrence: Hashable, Sendable {
        /// Without dashes.
        package let name: String
        /// Nil for a flag.
        package let value: [UInt8]?
    }

    package let specification: CommandSpecification
    package let globals: GlobalOptions
    /// Uses of the command's own options, in their order.
    let occurrences: [Occurrence]
    let operands: [[UInt8]]

    /// True when the flag is given.
    package func flag(_ name: String) -> Bool {
        let option = option(name)
        precondition(!option.takesValue, "--\(name) is not a flag")
        return occurrences.contains { $0.name == name }
    }

    /// The value of an option, nil when it is not given.
    package func value(_ name: String) -> [UInt8]? {
        values(name).last
    }

    /// All values of a repeatable option, in their order.
    package func values(_ name: String) -> [[UInt8]] {
        let option = option(name)
        precondition(option.takesValue, "--\(name) is a flag")
        return occurrences.filter { $0.name == name }.compactMap(\.value)
    }

    /// The uses of several options in the order of the command line, where that order means something.
    package func occurrences(of names: [String]) -> [Occurrence] {
        for name in names { _ = option(name) }
        return occurrences.filter { names.contains($0.name) }
    }

    package func path(_ name: String) -> FilePath? {
        value(name).map { FilePath(bytes: $0) }
    }

    /// The value of an option that the specification requires; the parser made sure of it.
    package func requiredPath(_ name: String) -> FilePath {
        guard let path = path(name) else { preconditionFailure("--\(name) is not required by the specification") }
        return path
    }

    /// The value of an option of kind `.choice`.
    package func choice(_ name: String) -> String? {
        value(name).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The value of an option of kind `.number`; any Unicode digits.
    package func number(_ name: String) -> Int? {
        value(name).flatMap { Self.number($0) }
    }

    /// The values of a repeatable option of kind `.number`.
    package func numbers(_ name: String) -> [Int] {
        values(name).compactMap { Self.number($0) }
    }

    /// The value of an operand of kind `.number`.
    package func operandNumber(_ name: String) -> Int? {
        operand(name).flatMap { Self.number($0) }
    }

    /// The value of an option of kind `.date`. Without an offset it is meant in `zone`.
    package func date(_ name: String, zone: LocalZone) throws(UsageError) -> TypedDate? {
        guard let text = value(name) else { return nil }
        do throws(TypedDate.Problem) {
            return try TypedDate(parsing: asciiDigits(text), zone: zone)
        } catch {
            throw UsageError(.notADate(text, of: "--\(name)", error), command: specification.words)
        }
    }

    /// An operand of count `.one` or `.optional`.
    package func operand(_ name: String) -> [UInt8]? {
        guard let place = specification.operands.firstIndex(where: { $0.name == name }) else {
            preconditionFailure("\(specification.words) has no operand \(name)")
        }
        return place < operands.count ? operands[place] : nil
    }

    /// All words of an operand.
    package func operands(_ name: String) -> [[UInt8]] {
        guard let place = specification.operands.firstIndex(where: { $0.name == name }) else {
            preconditionFailure("\(specification.words) has no operand \(name)")
        }
        guard place < operands.count else { return [] }
        return specification.operands[place].takesMany ? Array(operands[place...]) : [operands[place]]
    }

    /// An operand that the parser made sure of, as a path.
    package func operandPath(_ name: String) -> FilePath {
        FilePath(bytes: operand(name) ?? [])
    }

    private func option(_ name: String) -> OptionSpecification {
        guard let option = specification.options.first(where: { $0.name == name }) else {
            preconditionFailure("\(specification.words) has no option --\(name)")
        }
        return option
    }

    /// A whole number written with any Unicode digits, perhaps after a minus.
    package static func number(_ text: [UInt8]) -> Int? {
        let digits = asciiDigits(text)
        let magnitude = digits.first == UInt8(ascii: "-") ? digits.dropFirst() : digits[...]
        // Int's own parser would take a plus as well.
        guard !magnitude.isEmpty, magnitude.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) else {
            return nil
        }
        return Int(String(decoding: digits, as: UTF8.self))
    }
}
