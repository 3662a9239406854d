import CGd

/// A decoded picture in true colour.
@safe struct Picture: ~Copyable {
    private let image: UnsafeMutablePointer<gdImage>
    let width: Int
    let height: Int
    /// The decoder made up for data that was wrong or missing. JPEG only: a PNG is refused then.
    let isMended: Bool

    /// Decodes a PNG or JPEG file after its size was read from its header.
    init(_ file: [UInt8]) throws(PictureProblem) {
        let decoded: UnsafeMutablePointer<gdImage>
        if file.starts(with: PNGFile.signature) {
            let png = try PNGFile(file)
            try Self.check(png.width, png.height)
            unsafe decoded = try Self.decode(png.essence) { unsafe gdImageCreateFromPngPtr($0, $1) }
        } else if file.starts(with: JPEGFile.signature) {
            let jpeg = try JPEGFile(file)
            try Self.check(jpeg.width, jpeg.height)
            // A decoder that goes on after an error says so here.
            DecoderComplaints.begin()
            unsafe decoded = try Self.decode(jpeg.essence) { unsafe gdImageCreateFromJpegPtrEx($0, $1, 0) }
        } else {
            // An empty file, or one that is too short to be either.
            throw .unknownFormat
        }
        guard unsafe gdImagePaletteToTrueColor(decoded) != 0 else {
            unsafe gdImageDestroy(decoded)
            throw .outOfMemory
        }
        unsafe image = unsafe decoded
        isMended = DecoderComplaints.areThere
        width = Int(unsafe decoded.pointee.sx)
        height = Int(unsafe decoded.pointee.sy)
    }

    deinit {
        unsafe gdImageDestroy(image)
    }

    /// Brightness, with what is transparent lying on a ground of that brightness.
    func grey(ground: UInt8) -> GreyPicture {
        var pixels: [UInt8] = []
        pixels.reserveCapacity(width * height)
        for row in 0..<height {
            guard let line = unsafe image.pointee.tpixels?[row] else { continue }
            for column in 0..<width {
                let value = UInt32(bitPattern: unsafe line[column])
                // ITU-R BT.601, in 256ths.
                let light = (77 * (value >> 16 & 255) + 150 * (value >> 8 & 255) + 29 * (value & 255)) >> 8
                // 0 is opaque, 127 transparent.
                let alpha = value >> 24 & 127
                pixels.append(UInt8(truncatingIfNeeded: (light * (127 - alpha) + UInt32(ground) * alpha) / 127))
            }
        }
        return GreyPicture(width: width, height: height, pixels: pixels)
    }

    private static func check(_ width: Int, _ height: Int) throws(PictureProblem) {
        guard width <= PictureLimits.side, height <= PictureLimits.side, width * height <= PictureLimits.pixels else {
            throw .tooLarge(width: width, height: height)
        }
    }

    private static func decode(
        _ bytes: [UInt8], _ decoder: (Int32, UnsafeMutableRawPointer) -> UnsafeMutablePointer<gdImage>?
    ) throws(PictureProblem) -> UnsafeMutablePointer<gdImage> {
        var bytes = bytes
        let image = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe buffer.baseAddress.flatMap { unsafe decoder(Int32(buffer.count), $0) }
        }
        guard let image = unsafe image else { throw .damaged }
        return unsafe image
    }
}

/// Whether libgd had something to say. One process reads one picture, so this is the state of the process.
private enum DecoderComplaints {
    private nonisolated(unsafe) static var count = 0

    static var areThere: Bool { unsafe count > 0 }

    static func begin() {
        unsafe gdSetErrorMethod { _, _, _ in unsafe DecoderComplaints.count += 1 }
    }
}
