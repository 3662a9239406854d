/// A QR code as an SVG 1.1 document.
extension QRCode {
    /// One black path on a white ground with the quiet zone; nothing in it loads anything.
    ///
    /// - Parameter title: what the picture is, for screen readers and as the name in a viewer. Escaped here.
    package func svg(title: String) -> String {
        let side = width + 2 * Self.quietZone
        let pixels = side * Self.pixelsPerModule
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(pixels)" height="\(pixels)" viewBox="0 0 \(side) \(side)" \
            shape-rendering="crispEdges" role="img">
            <title>\(Self.escaped(title))</title>
            <rect width="\(side)" height="\(side)" fill="#fff"/>
            <path fill="#000" d="\(path)"/>
            </svg>

            """
    }

    /// Size on the screen of a viewer that shows pixels.
    private static let pixelsPerModule = 8

    /// A rectangle for each run of dark modules in a row.
    private var path: String {
        var path = ""
        for row in 0..<width {
            var column = 0
            while column < width {
                guard isDark(row: row, column: column) else {
                    column += 1
                    continue
                }
                let start = column
                while isDark(row: row, column: column) { column += 1 }
                path += "M\(start + Self.quietZone) \(row + Self.quietZone)h\(column - start)v1h-\(column - start)z"
            }
        }
        return path
    }

    /// Text for the inside of an element. What XML 1.0 has no place for (control characters, U+FFFE and U+FFFF) becomes
    /// U+FFFD.
    private static func escaped(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x26: result.append(contentsOf: "&amp;".unicodeScalars)
            case 0x3C: result.append(contentsOf: "&lt;".unicodeScalars)
            case 0x3E: result.append(contentsOf: "&gt;".unicodeScalars)
            case 0..<0x20, 0x7F..<0xA0, 0xFFFE, 0xFFFF: result.append("\u{FFFD}")
            default: result.append(scalar)
            }
        }
        return String(result)
    }
}
