import CGd

/// The matrix of a QR code as a PNG picture in two colours.
enum CodePainter {
    private static let pixelsPerModule: Int32 = 8
    /// Light modules on every side (ISO/IEC 18004, 6.3.8).
    private static let quietZone: Int32 = 4
    /// Versions 1 to 40.
    private static let widths = 21...177

    static func png(ofMatrix text: [UInt8]) throws(PictureProblem) -> [UInt8] {
        let rows = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
        let digits = [UInt8(ascii: "0"), UInt8(ascii: "1")]
        guard widths.contains(rows.count), text.last == UInt8(ascii: "\n"),
            rows.allSatisfy({ $0.count == rows.count && $0.allSatisfy(digits.contains) })
        else { throw .badRequest }

        let side = (Int32(rows.count) + 2 * quietZone) * pixelsPerModule
        guard let image = unsafe gdImageCreate(side, side) else { throw .outOfMemory }
        defer { unsafe gdImageDestroy(image) }
        // The first colour is the ground.
        _ = unsafe gdImageColorAllocate(image, 255, 255, 255)
        let black = unsafe gdImageColorAllocate(image, 0, 0, 0)
        for (row, line) in rows.enumerated() {
            let top = (Int32(row) + quietZone) * pixelsPerModule
            for (column, digit) in line.enumerated() where digit == digits[1] {
                let left = (Int32(column) + quietZone) * pixelsPerModule
                unsafe gdImageFilledRectangle(
                    image, left, top, left + pixelsPerModule - 1, top + pixelsPerModule - 1, black)
            }
        }
        var count: Int32 = 0
        guard let file = unsafe gdImagePngPtrEx(image, &count, 9) else { throw .outOfMemory }
        defer { unsafe gdFree(file) }
        return unsafe Array(UnsafeRawBufferPointer(start: file, count: Int(count)))
    }
}
