/// Breaks text into lines at spaces.
package enum Paragraph {
    /// Lines of at most `width` columns, `indent` spaces included; a longer word has a line of its own. Empty text is no line.
    package static func wrap(_ text: String, width: Int, indent: Int = 0) -> [String] {
        let margin = String(repeating: " ", count: indent)
        let room = max(1, width - indent)
        var lines: [String] = []
        var line = ""
        var columns = 0
        for word in text.utf8.split(separator: UInt8(ascii: " ")).map({ String(decoding: $0, as: UTF8.self) }) {
            let size = ColumnWidth.columns(of: word)
            if columns > 0, columns + 1 + size > room {
                lines.append(margin + line)
                line = ""
                columns = 0
            }
            line += columns > 0 ? " " + word : word
            columns += columns > 0 ? size + 1 : size
        }
        if columns > 0 { lines.append(margin + line) }
        return lines
    }
}
