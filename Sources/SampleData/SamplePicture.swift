/// A small picture in the PNG format, drawn here: nobody else's work is in the sample.
enum SamplePicture {
    /// A sun over the sea, `side` × `side` pixels of 8-bit RGB.
    ///
    /// Format: PNG (RFC 2083); the pixels are in stored blocks of deflate (RFC 1951), since nothing has to be small.
    static func png(side: Int = 48) -> [UInt8] {
        var rows: [UInt8] = []
        for y in 0..<side {
            rows.append(0)
            for x in 0..<side { rows += color(x, y, side) }
        }
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        file += chunk("IHDR", word(UInt32(side)) + word(UInt32(side)) + [8, 2, 0, 0, 0])
        file += chunk("IDAT", zlib(rows))
        file += chunk("IEND", [])
        return file
    }

    private static func color(_ x: Int, _ y: Int, _ side: Int) -> [UInt8] {
        let (dx, dy) = (x - side * 2 / 3, y - side / 3)
        if dx * dx + dy * dy < side * side / 36 { return [255, 214, 92] }
        if y * 5 > side * 3 { return [UInt8(20 + (x + y) % 3 * 8), 110, 160] }
        return [UInt8(120 + y), UInt8(180 + y / 2), 235]
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let checked = Array(name.utf8) + content
        return word(UInt32(content.count)) + checked + word(crc32(checked))
    }

    private static func zlib(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        var start = 0
        repeat {
            let end = min(bytes.count, start + 0xFFFF)
            let length = UInt16(end - start)
            stream += [end == bytes.count ? 1 : 0]
            for value in [length, ~length] {
                stream += [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
            }
            stream += bytes[start..<end]
            start = end
        } while start < bytes.count
        return stream + word(adler32(bytes))
    }

    private static func word(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        var crc = UInt32.max
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0xEDB8_8320 }
        }
        return ~crc
    }

    private static func adler32(_ bytes: [UInt8]) -> UInt32 {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }
}
