import Testing

@testable import QRCodes

@Suite("QR codes")
struct QRCodeTests {
    @Test("two codes are equal when their modules are")
    func equality() {
        #expect(QRCode(width: 1, modules: [true]) != QRCode(width: 1, modules: [false]))
    }

    @Test(
        "an independent reader finds the bytes again, whatever they are", .enabled(if: Picture.canBeRead),
        arguments: [
            Array("12559 02102 68762 54115 93340 48812".utf8), Array("a".utf8), Array("Zoë 山田 😀".utf8),
            Array(0...255), [0], [0xEF, 0xBB, 0xBF], [0x83, 0x65, 0x83, 0x58, 0x83, 0x67],
        ], QRCode.ErrorCorrection.allCases
    )
    func roundTrip(bytes: [UInt8], correction: QRCode.ErrorCorrection) throws {
        let code = try QRCode(bytes, correction: correction)
        #expect(Picture(rows: rows(of: code)).read() == bytes)
    }

    @Test("the largest payload fits and is read, one byte more is refused", arguments: QRCode.ErrorCorrection.allCases)
    func bounds(correction: QRCode.ErrorCorrection) throws {
        let limit = correction.largestPayload
        let bytes = (0..<limit).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ $0 >> 8) }
        let code = try QRCode(bytes, correction: correction)
        #expect(code.width == 177)
        if Picture.canBeRead { #expect(Picture(rows: rows(of: code)).read() == bytes) }
        #expect(throws: QRCodeError.tooLong(found: limit + 1, limit: limit)) {
            try QRCode(bytes + [0], correction: correction)
        }
    }

    @Test("nothing is no code")
    func empty() {
        #expect(throws: QRCodeError.empty) { try QRCode([], correction: .low) }
    }

    @Test("a small payload makes the smallest code, with its three finder patterns and light outside")
    func shape() throws {
        let code = try QRCode(Array("sxkey".utf8), correction: .medium)
        #expect(code.width == 21)
        #expect(code.modules.count == 21 * 21)
        let finder = ["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"]
        for (top, left) in [(0, 0), (0, 14), (14, 0)] {
            let found = (0..<7).map { row in
                (0..<7).map { code.isDark(row: top + row, column: left + $0) ? "1" : "0" }.joined()
            }
            #expect(found == finder)
        }
        for (row, column) in [(-1, 0), (0, -1), (21, 0), (0, 21)] {
            #expect(!code.isDark(row: row, column: column))
        }
    }

    @Test("the matrix text is a line of digits for each row")
    func matrix() {
        let code = QRCode(width: 2, modules: [true, false, false, true])
        #expect(code.matrixText == Array("10\n01\n".utf8))
    }

    private func rows(of code: QRCode) -> [[Bool]] {
        (-4..<code.width + 4).map { row in
            (-4..<code.width + 4).map { code.isDark(row: row, column: $0) }
        }
    }
}
