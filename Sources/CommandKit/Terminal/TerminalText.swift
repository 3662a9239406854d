import SystemIO

/// Text for a person: what the program says itself, with text from elsewhere escaped where it is put in, and styles that
/// only a terminal sees.
///
/// In an interpolation `\(value)` escapes, `\(quoted: value)` escapes and puts quotes round it, `\(block: value)` keeps line
/// feeds, `\(trusted: text)` takes the program's own text as it is, and `\(text, .bold)` gives a style.
package struct TerminalText: Hashable, Sendable, ExpressibleByStringInterpolation {
    package enum Style: Hashable, Sendable {
        case plain, bold, dim, red, green, yellow

        /// Parameters of "select graphic rendition" (ECMA-48, 8.3.117).
        var code: String? {
            switch self {
            case .plain: nil
            case .bold: "1"
            case .dim: "2"
            case .red: "31"
            case .green: "32"
            case .yellow: "33"
            }
        }
    }

    struct Run: Hashable, Sendable {
        let text: String
        let style: Style
    }

    private(set) var runs: [Run] = []

    package init() {}

    /// The program's own text.
    package init(trusted text: String, _ style: Style = .plain) {
        append(text, style)
    }

    package init(stringLiteral value: String) {
        append(value, .plain)
    }

    package init(stringInterpolation: StringInterpolation) {
        self = stringInterpolation.text
    }

    /// Without styles.
    package var plain: String {
        runs.reduce(into: "") { $0 += $1.text }
    }

    /// With the escape sequences of the styles, if wanted.
    package func rendered(styles: Bool) -> String {
        guard styles else { return plain }
        return runs.reduce(into: "") { result, run in
            guard let code = run.style.code else { return result += run.text }
            result += "\u{1b}[\(code)m\(run.text)\u{1b}[0m"
        }
    }

    package var isEmpty: Bool {
        runs.isEmpty
    }

    /// Columns on a terminal, for text without line feeds.
    package var columns: Int {
        runs.reduce(0) { $0 + ColumnWidth.columns(of: $1.text) }
    }

    package static func + (left: TerminalText, right: TerminalText) -> TerminalText {
        var sum = left
        sum.append(right)
        return sum
    }

    package static func += (left: inout TerminalText, right: TerminalText) {
        left.append(right)
    }

    /// Cut to at most `limit` columns, with an ellipsis at the cut.
    package func truncated(to limit: Int) -> TerminalText {
        guard columns > limit, limit > 0 else { return limit > 0 ? self : TerminalText() }
        var result = TerminalText()
        var room = limit - 1
        for run in runs {
            let piece = ColumnWidth.prefix(of: run.text, columns: room)
            result.append(piece, run.style)
            room -= ColumnWidth.columns(of: piece)
            if piece.utf8.count < run.text.utf8.count { break }
        }
        result.append("…", .plain)
        return result
    }

    private mutating func append(_ text: String, _ style: Style) {
        if !text.isEmpty { runs.append(Run(text: text, style: style)) }
    }

    private mutating func append(_ other: TerminalText) {
        runs.append(contentsOf: other.runs)
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = TerminalText()

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: String) {
            text.append(literal, .plain)
        }

        package mutating func appendInterpolation(_ value: TerminalText) {
            text.append(value)
        }

        package mutating func appendInterpolation(_ value: String, _ style: Style = .plain) {
            text.append(Escaping.escaped(value, .line), style)
        }

        package mutating func appendInterpolation(_ value: [UInt8], _ style: Style = .plain) {
            text.append(Escaping.escaped(value, .line), style)
        }

        package mutating func appendInterpolation(_ value: FilePath, _ style: Style = .plain) {
            text.append(Escaping.escaped(value.bytes, .line), style)
        }

        package mutating func appendInterpolation(_ value: some BinaryInteger, _ style: Style = .plain) {
            text.append(String(value), style)
        }

        package mutating func appendInterpolation(quoted value: String, _ style: Style = .plain) {
            text.append(Escaping.quoted(Array(value.utf8)), style)
        }

        package mutating func appendInterpolation(quoted value: [UInt8], _ style: Style = .plain) {
            text.append(Escaping.quoted(value), style)
        }

        package mutating func appendInterpolation(quoted value: FilePath, _ style: Style = .plain) {
            text.append(Escaping.quoted(value.bytes), style)
        }

        package mutating func appendInterpolation(block value: [UInt8], _ style: Style = .plain) {
            text.append(Escaping.escaped(value, .block), style)
        }

        package mutating func appendInterpolation(trusted value: String, _ style: Style = .plain) {
            text.append(value, style)
        }
    }
}
