import CQRencode

/// The modules of a QR code (ISO/IEC 18004): a square of dark and light, without the quiet zone.
package struct QRCode: Equatable, Sendable {
    /// Modules along one side, 21 to 177.
    package let width: Int
    /// Row by row, true is dark.
    package let modules: [Bool]

    /// Light modules that a reader needs on every side (ISO/IEC 18004, 6.3.8).
    package static let quietZone = 4

    /// How much damage a reader can mend: about 7, 15, 25 and 30 percent.
    package enum ErrorCorrection: Sendable, CaseIterable {
        case low, medium, quartile, high

        /// Bytes that the largest code (version 40) holds (ISO/IEC 18004, table 7).
        package var largestPayload: Int {
            switch self {
            case .low: 2953
            case .medium: 2331
            case .quartile: 1663
            case .high: 1273
            }
        }

        var level: QRecLevel {
            switch self {
            case .low: QR_ECLEVEL_L
            case .medium: QR_ECLEVEL_M
            case .quartile: QR_ECLEVEL_Q
            case .high: QR_ECLEVEL_H
            }
        }
    }

    init(width: Int, modules: [Bool]) {
        self.width = width
        self.modules = modules
    }

    /// The smallest code that holds `bytes`, in byte mode and without a character set: readers take such text for UTF-8.
    package init(_ bytes: [UInt8], correction: ErrorCorrection) throws(QRCodeError) {
        guard !bytes.isEmpty else { throw .empty }
        let limit = correction.largestPayload
        guard bytes.count <= limit else { throw .tooLong(found: bytes.count, limit: limit) }
        // Version 0 asks for the smallest. What is left to fail is memory: the length was looked at.
        guard let code = unsafe QRcode_encodeData(Int32(bytes.count), bytes, 0, correction.level) else {
            throw .outOfMemory
        }
        defer { unsafe QRcode_free(code) }
        let width = Int(unsafe code.pointee.width)
        guard width > 0, let data = unsafe code.pointee.data else { throw .outOfMemory }
        // The lowest bit of each byte is the module; the others say what it is for.
        let values = unsafe UnsafeBufferPointer(start: data, count: width * width)
        self.init(width: width, modules: unsafe values.map { $0 & 1 == 1 })
    }

    /// True for a dark module; everything outside of the code is light.
    package func isDark(row: Int, column: Int) -> Bool {
        guard row >= 0, row < width, column >= 0, column < width else { return false }
        return modules[row * width + column]
    }
}

/// Why no QR code was made.
package enum QRCodeError: Error, Equatable, Sendable {
    /// There is no byte to encode.
    case empty
    /// More bytes than the largest code holds with the wished error correction.
    case tooLong(found: Int, limit: Int)
    case outOfMemory
}
