/// A QR code as lines of text: half blocks, two rows of modules to a line, without escape sequences.
extension QRCode {
    /// What a terminal shows where nothing is written. Readers want dark modules on light ground.
    package enum TerminalGround: Sendable, CaseIterable {
        /// Light letters on dark: the light modules and the quiet zone are drawn.
        case dark
        /// Dark letters on light: the dark modules are drawn.
        case light
    }

    /// The code with its quiet zone, each line ended by a line feed. `width + 8` columns.
    package func terminalText(ground: TerminalGround) -> String {
        let first = -Self.quietZone
        let end = width + Self.quietZone
        var text = ""
        for top in stride(from: first, to: end, by: 2) {
            for column in first..<end {
                let upper = isDrawn(top, column, ground)
                // The number of rows is odd: the lower half of the last line is left to the terminal.
                let lower = top + 1 < end && isDrawn(top + 1, column, ground)
                switch (upper, lower) {
                case (true, true): text += "█"
                case (true, false): text += "▀"
                case (false, true): text += "▄"
                case (false, false): text += " "
                }
            }
            text += "\n"
        }
        return text
    }

    private func isDrawn(_ row: Int, _ column: Int, _ ground: TerminalGround) -> Bool {
        isDark(row: row, column: column) == (ground == .light)
    }
}
