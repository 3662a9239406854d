/// The parts of a Swift source text that a rule may look at, found on bytes without a parser.
enum SwiftText {
    /// The text with comments and the contents of string literals blanked; line breaks and interpolated code stay.
    static func code(of text: [UInt8]) -> [UInt8] {
        var scanner = CodeScanner(text: text)
        scanner.code(untilParenthesis: false)
        return scanner.output
    }

    /// Words of letters, digits and `_`, in order; keywords and identifiers alike.
    static func words(of code: some Sequence<UInt8>) -> [String] {
        var words: [String] = []
        var word: [UInt8] = []
        for byte in code {
            if isWordByte(byte) {
                word.append(byte)
            } else if !word.isEmpty {
                words.append(String(decoding: word, as: UTF8.self))
                word.removeAll()
            }
        }
        if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
        return words
    }

    /// Modules named by `import` declarations, with any attributes, access level or kind before the name.
    static func imports(of text: [UInt8]) -> [String] {
        let kinds: Set = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var"]
        let levels: Set = ["public", "package", "internal", "fileprivate", "private"]
        var modules: [String] = []
        for statement in code(of: text).split(whereSeparator: { $0 == 0x0A || $0 == 0x3B }) {
            // `@_spi(Name) import X` has one more word before; an attribute's word follows an @.
            let isAttributed = statement.first { $0 != 0x20 && $0 != 0x09 } == 0x40
            let words = words(of: statement)
            guard let keyword = words.firstIndex(of: "import") else { continue }
            guard isAttributed || words[..<keyword].allSatisfy(levels.contains) else { continue }
            let name = words[(keyword + 1)...].first { !kinds.contains($0) }
            if let name { modules.append(name) }
        }
        return modules
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x80...0xFF: true
        default: false
        }
    }
}

/// Walks a source text once and copies only its code.
private struct CodeScanner {
    let text: [UInt8]
    var position = 0
    var output: [UInt8] = []

    init(text: [UInt8]) {
        self.text = text
        output.reserveCapacity(text.count)
    }

    /// Copies code up to the end, or up to the parenthesis that ends an interpolation.
    mutating func code(untilParenthesis: Bool) {
        var depth = 0
        while position < text.count {
            if starts(with: "//") {
                while position < text.count, text[position] != 0x0A { blank(1) }
            } else if starts(with: "/*") {
                comment()
            } else if let hashes = stringStart() {
                string(hashes: hashes)
            } else {
                if starts(with: "(") { depth += 1 }
                if starts(with: ")") {
                    if untilParenthesis && depth == 0 { return }
                    depth -= 1
                }
                output.append(text[position])
                position += 1
            }
        }
    }

    private mutating func comment() {
        var depth = 0
        repeat {
            if starts(with: "/*") {
                depth += 1
                blank(2)
            } else if starts(with: "*/") {
                depth -= 1
                blank(2)
            } else {
                blank(1)
            }
        } while depth > 0 && position < text.count
    }

    /// The number of `#` before a quote, when a string literal starts here.
    private func stringStart() -> Int? {
        var index = position
        while index < text.count, text[index] == 0x23 { index += 1 }
        return index < text.count && text[index] == 0x22 ? index - position : nil
    }

    private mutating func string(hashes: Int) {
        let pounds = String(repeating: "#", count: hashes)
        blank(hashes)
        let quotes = starts(with: "\"\"\"") ? "\"\"\"" : "\""
        blank(quotes.utf8.count)
        while position < text.count {
            if starts(with: "\\" + pounds + "(") {
                blank(2 + hashes)
                code(untilParenthesis: true)
            } else if starts(with: "\\" + pounds) {
                blank(2 + hashes)
            } else if starts(with: quotes + pounds) {
                return blank(quotes.utf8.count + hashes)
            } else if quotes.utf8.count == 1 && text[position] == 0x0A {
                return  // not a literal after all, such as a lone quote in a regular expression
            } else {
                blank(1)
            }
        }
    }

    private func starts(with prefix: String) -> Bool {
        text[position...].starts(with: prefix.utf8)
    }

    private mutating func blank(_ count: Int) {
        let end = min(position + count, text.count)
        output += text[position..<end].map { $0 == 0x0A ? 0x0A : 0x20 }
        position = end
    }
}
