/// A QR code as the picture helper takes it.
extension QRCode {
    /// A line of `1` (dark) and `0` for each row, without the quiet zone; each ends with a line feed.
    package var matrixText: [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(width * (width + 1))
        for row in 0..<width {
            for column in 0..<width {
                text.append(isDark(row: row, column: column) ? UInt8(ascii: "1") : UInt8(ascii: "0"))
            }
            text.append(UInt8(ascii: "\n"))
        }
        return text
    }
}
