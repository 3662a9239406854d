/// What a value of an option or an operand is, for the parser, the help and the completions.
package enum ValueKind: Hashable, Sendable {
    case text
    case file
    case folder
    /// A whole number in this range.
    case number(ClosedRange<Int>)
    /// See `TypedDate`.
    case date
    /// One of these words.
    case choice([String])
}

/// An option of a command: `--name`, `--name VALUE`.
package struct OptionSpecification: Hashable, Sendable {
    /// The name without its two dashes.
    package let name: String
    /// One letter without its dash.
    package let short: Unicode.Scalar?
    /// How help calls the value, in capitals; nil for a flag.
    package let valueName: String?
    package let kind: ValueKind
    /// One sentence, lower case, no full stop.
    package let summary: String
    package let isRequired: Bool
    package let isRepeatable: Bool

    package var takesValue: Bool {
        valueName != nil
    }

    /// An option that is there or not.
    package static func flag(_ name: String, short: Unicode.Scalar? = nil, _ summary: String) -> OptionSpecification {
        OptionSpecification(
            name: name, short: short, valueName: nil, kind: .text, summary: summary, isRequired: false,
            isRepeatable: false)
    }

    /// An option with a value.
    package static func value(
        _ name: String, short: Unicode.Scalar? = nil, _ valueName: String, _ kind: ValueKind = .text,
        _ summary: String, isRequired: Bool = false, isRepeatable: Bool = false
    ) -> OptionSpecification {
        OptionSpecification(
            name: name, short: short, valueName: valueName, kind: kind, summary: summary, isRequired: isRequired,
            isRepeatable: isRepeatable)
    }
}

/// An operand of a command, in its place.
package struct OperandSpecification: Hashable, Sendable {
    package enum Count: Hashable, Sendable {
        case one
        case optional
        /// Any number, at least one; only for the last operand.
        case oneOrMore
        /// Any number; only for the last operand.
        case any
    }

    /// In capitals, as help shows it.
    package let name: String
    package let kind: ValueKind
    package let count: Count
    package let summary: String

    package init(_ name: String, _ kind: ValueKind = .text, _ count: Count = .one, _ summary: String) {
        self.name = name
        self.kind = kind
        self.count = count
        self.summary = summary
    }

    /// `FILE`, `[FILE]`, `FILE...`, `[FILE...]`.
    package var synopsis: String {
        switch count {
        case .one: name
        case .optional: "[\(name)]"
        case .oneOrMore: "\(name)..."
        case .any: "[\(name)...]"
        }
    }

    var isRequired: Bool {
        count == .one || count == .oneOrMore
    }

    var takesMany: Bool {
        count == .oneOrMore || count == .any
    }
}
