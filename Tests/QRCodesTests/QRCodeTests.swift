import Testing

@testable import QRCodes

@Suite("QR codes")
struct QRCodeTests {
    @Test("two codes are equal when their modules are")
    func equality() {
        #expect(QRCode(width: 1, modules: [true]) != QRCode(width: 1, modules: [false]))
    }
}
