import CQRencode

/// The modules of a QR code (ISO/IEC 18004): a square of dark and light, without the quiet zone.
package struct QRCode: Equatable, Sendable {
    /// Modules along one side, 21 to 177.
    package let width: Int
    /// Row by row, true is dark.
    package let modules: [Bool]

    /// How much damage a reader can mend: about 7, 15, 25 and 30 percent.
    package enum ErrorCorrection: Sendable {
        case low, medium, quartile, high
    }
}
