import CZbar

/// The QR codes of a picture.
enum CodeScanner {
    /// A code with the place of one of its corners, in pixels of the whole picture.
    private struct Found {
        let row: Int
        let column: Int
        let bytes: [UInt8]
    }

    /// Pictures with a longer side below this are enlarged as well: a module of one pixel is too small for the reader.
    private static let smallSide = 640
    private static let enlargement = 3
    /// Halving ends when the longer side is below this.
    private static let smallestSide = 320
    /// A larger picture takes seconds, and is only looked at as it is when its smaller forms show nothing.
    private static let manyPixels = 1 << 24
    /// Of what is tried as a quiet zone.
    private static let border = 24

    /// The bytes of every code, from top to bottom and left to right, each once.
    ///
    /// A reader finds some codes only in a smaller or larger picture, and none that is light on dark: all of these are
    /// tried, and what any of them shows is there.
    static func scan(_ picture: consuming Picture) throws(PictureProblem) -> [[UInt8]] {
        let reader = try Reader()
        let isMended = picture.isMended
        let onWhite = picture.grey(ground: 255)
        let onBlack = picture.grey(ground: 0)
        // The decoded picture is four times as large as a grey one, and no longer needed.
        release(picture)
        var found = try codes(in: onWhite, reader)
        if onBlack.pixels != onWhite.pixels { found += try codes(in: onBlack, reader) }
        // A code that is read is right: it has its own checks. That there is none can only be said of a whole picture.
        if found.isEmpty, isMended { throw .damaged }

        var seen: Set<[UInt8]> = []
        found.sort { ($0.row, $0.column) < ($1.row, $1.column) }
        return found.map(\.bytes).filter { seen.insert($0).inserted }
    }

    private static func release(_ picture: consuming Picture) {}

    private static func codes(in picture: GreyPicture, _ reader: borrowing Reader) throws(PictureProblem) -> [Found] {
        var found: [Found] = []
        if max(picture.width, picture.height) < smallSide {
            for code in try read(picture.enlarged(by: enlargement), reader) {
                found.append(Found(row: code.row / enlargement, column: code.column / enlargement, bytes: code.bytes))
            }
        }
        var levels = [picture]
        while let last = levels.last, max(last.width, last.height) >= 2 * smallestSide,
            min(last.width, last.height) >= 2
        {
            levels.append(last.halved())
        }
        for (halvings, level) in levels.enumerated().reversed() {
            if level.pixels.count > manyPixels, !found.isEmpty { break }
            for code in try read(level, reader) {
                found.append(Found(row: code.row << halvings, column: code.column << halvings, bytes: code.bytes))
            }
        }
        return found
    }

    private static func read(_ picture: GreyPicture, _ reader: borrowing Reader) throws(PictureProblem) -> [Found] {
        var found: [Found] = []
        for inverted in [false, true] {
            for code in try reader.read(picture.framed(inverted: inverted, border: border)) {
                found.append(Found(row: code.row - border, column: code.column - border, bytes: code.bytes))
            }
        }
        return found
    }

    /// The reader of libzbar, set to QR codes and to giving their bytes as they are.
    @safe private struct Reader: ~Copyable {
        private let scanner: OpaquePointer

        init() throws(PictureProblem) {
            guard let scanner = unsafe zbar_image_scanner_create() else { throw .outOfMemory }
            unsafe zbar_image_scanner_set_config(scanner, ZBAR_NONE, ZBAR_CFG_ENABLE, 0)
            unsafe zbar_image_scanner_set_config(scanner, ZBAR_QRCODE, ZBAR_CFG_ENABLE, 1)
            unsafe zbar_image_scanner_set_config(scanner, ZBAR_QRCODE, ZBAR_CFG_BINARY, 1)
            unsafe self.scanner = unsafe scanner
        }

        deinit {
            unsafe zbar_image_scanner_destroy(scanner)
        }

        func read(_ picture: GreyPicture) throws(PictureProblem) -> [Found] {
            guard let image = unsafe zbar_image_create() else { throw .outOfMemory }
            defer { unsafe zbar_image_destroy(image) }
            unsafe zbar_image_set_format(image, Self.greyFormat)
            unsafe zbar_image_set_size(image, UInt32(picture.width), UInt32(picture.height))
            return unsafe picture.pixels.withUnsafeBytes { pixels -> [Found] in
                // Without a handler for the end the memory stays ours.
                unsafe zbar_image_set_data(image, pixels.baseAddress, UInt(pixels.count), nil)
                guard unsafe zbar_scan_image(scanner, image) > 0 else { return [] }
                var found: [Found] = []
                var symbol = unsafe zbar_image_first_symbol(image)
                while let current = unsafe symbol {
                    if let code = unsafe Self.code(current) { found.append(code) }
                    unsafe symbol = unsafe zbar_symbol_next(current)
                }
                return found
            }
        }

        private static func code(_ symbol: OpaquePointer) -> Found? {
            guard unsafe zbar_symbol_get_type(symbol) == ZBAR_QRCODE,
                let data = unsafe zbar_symbol_get_data(symbol)
            else { return nil }
            let count = Int(unsafe zbar_symbol_get_data_length(symbol))
            return Found(
                row: Int(unsafe zbar_symbol_get_loc_y(symbol, 0)), column: Int(unsafe zbar_symbol_get_loc_x(symbol, 0)),
                bytes: unsafe Array(UnsafeRawBufferPointer(start: data, count: count)))
        }

        /// The four characters "Y800", lowest byte first: eight bits of brightness.
        private static let greyFormat: UInt = 0x3030_3859
    }
}
