/// Brightness, row by row; 0 is black.
struct GreyPicture {
    let width: Int
    let height: Int
    let pixels: [UInt8]

    /// Half the size, each pixel the mean of four; an odd last row or column is left out.
    func halved() -> GreyPicture {
        let newWidth = width / 2
        let newHeight = height / 2
        var result: [UInt8] = []
        result.reserveCapacity(newWidth * newHeight)
        for row in 0..<newHeight {
            let upper = 2 * row * width
            let lower = upper + width
            for column in stride(from: 0, to: 2 * newWidth, by: 2) {
                let sum =
                    UInt32(pixels[upper + column]) + UInt32(pixels[upper + column + 1])
                    + UInt32(pixels[lower + column]) + UInt32(pixels[lower + column + 1])
                result.append(UInt8(truncatingIfNeeded: sum / 4))
            }
        }
        return GreyPicture(width: newWidth, height: newHeight, pixels: result)
    }

    /// Each pixel becomes a square of `factor` times `factor`.
    func enlarged(by factor: Int) -> GreyPicture {
        var result: [UInt8] = []
        result.reserveCapacity(pixels.count * factor * factor)
        for row in 0..<height {
            var line: [UInt8] = []
            line.reserveCapacity(width * factor)
            for pixel in pixels[row * width..<(row + 1) * width] {
                for _ in 0..<factor { line.append(pixel) }
            }
            for _ in 0..<factor { result += line }
        }
        return GreyPicture(width: width * factor, height: height * factor, pixels: result)
    }

    /// Light and dark exchanged where wanted, and then a white border: a code that was cut out at its edge has no quiet zone.
    func framed(inverted: Bool, border: Int) -> GreyPicture {
        let newWidth = width + 2 * border
        let side = [UInt8](repeating: 255, count: border)
        let band = [UInt8](repeating: 255, count: newWidth * border)
        var result = band
        result.reserveCapacity(newWidth * (height + 2 * border))
        for row in 0..<height {
            result += side
            let line = pixels[row * width..<(row + 1) * width]
            if inverted { for pixel in line { result.append(255 - pixel) } } else { result += line }
            result += side
        }
        result += band
        return GreyPicture(width: newWidth, height: height + 2 * border, pixels: result)
    }
}
