/// Rows under headings, in columns as wide as their widest cell.
package struct Table {
    package enum Alignment: Sendable {
        case left, right
    }

    package struct Column: Sendable {
        let heading: String
        let alignment: Alignment
        let limit: Int

        /// Cells wider than `limit` columns are cut.
        package init(_ heading: String, _ alignment: Alignment = .left, limit: Int = .max) {
            self.heading = heading
            self.alignment = alignment
            self.limit = limit
        }
    }

    private let columns: [Column]
    private let indent: Int
    private var rows: [[TerminalText]] = []

    package init(_ columns: [Column], indent: Int = 2) {
        self.columns = columns
        self.indent = indent
    }

    /// Adds a row; missing cells are empty, cells without a column are left out.
    package mutating func add(_ cells: [TerminalText]) {
        rows.append(
            columns.indices.map { index in
                index < cells.count ? cells[index].truncated(to: columns[index].limit) : ""
            })
    }

    package var isEmpty: Bool {
        rows.isEmpty
    }

    /// Writes headings, when there are any, and rows.
    package func write(to stream: TextStream) {
        let headings = columns.map { TerminalText(trusted: $0.heading, .dim) }
        var widths = headings.map(\.columns)
        for row in rows {
            for (index, cell) in row.enumerated() { widths[index] = max(widths[index], cell.columns) }
        }
        if headings.contains(where: { !$0.isEmpty }) { stream.line(line(headings, widths)) }
        for row in rows { stream.line(line(row, widths)) }
    }

    private func line(_ cells: [TerminalText], _ widths: [Int]) -> TerminalText {
        var text = TerminalText(trusted: String(repeating: " ", count: indent))
        let last = cells.lastIndex { !$0.isEmpty } ?? 0
        for index in cells.indices.prefix(last + 1) {
            let cell = cells[index]
            let padding = TerminalText(trusted: String(repeating: " ", count: max(0, widths[index] - cell.columns)))
            if index > 0 { text += "  " }
            if columns[index].alignment == .right { text += padding }
            text += cell
            if columns[index].alignment == .left, index < last { text += padding }
        }
        return text
    }
}
