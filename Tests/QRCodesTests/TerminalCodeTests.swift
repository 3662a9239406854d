import Testing

@testable import QRCodes

@Suite("QR codes on a terminal")
struct TerminalCodeTests {
    private static let payload = Array("sophaxchat://add?id=3619e750a2dd52ba&onion=Zoë".utf8)

    @Test(
        "what the terminal shows is read by an independent reader", .enabled(if: Picture.canBeRead),
        arguments: QRCode.TerminalGround.allCases)
    func readBack(ground: QRCode.TerminalGround) throws {
        let text = try QRCode(Self.payload, correction: .medium).terminalText(ground: ground)
        #expect(Picture(rows: try pixels(text, ground)).read() == Self.payload)
    }

    @Test("four light modules lie on every side", arguments: QRCode.TerminalGround.allCases)
    func quietZone(ground: QRCode.TerminalGround) throws {
        let code = try QRCode(Self.payload, correction: .medium)
        let rows = try pixels(code.terminalText(ground: ground), ground)
        let isDarkColumn = rows[0].indices.map { column in rows.prefix(code.width + 8).contains { $0[column] } }
        let isDarkRow = rows.prefix(code.width + 8).map { $0.contains(true) }
        for flags in [isDarkColumn, isDarkRow] {
            #expect(
                flags == [false, false, false, false] + Array(repeating: true, count: code.width)
                    + Array(repeating: false, count: 4))
        }
    }

    @Test("the text is plain: half blocks, spaces and line feeds, all lines of one width")
    func plain() throws {
        for ground in QRCode.TerminalGround.allCases {
            let code = try QRCode(Self.payload, correction: .high)
            let text = code.terminalText(ground: ground)
            #expect(text.unicodeScalars.allSatisfy { "█▀▄ \n".unicodeScalars.contains($0) })
            let lines = text.split(separator: "\n")
            #expect(lines.count == (code.width + 9) / 2)
            #expect(lines.allSatisfy { $0.unicodeScalars.count == code.width + 8 })
        }
    }

    /// The half blocks as pixels, true is black: drawn is light on a dark ground, dark on a light one.
    private func pixels(_ text: String, _ ground: QRCode.TerminalGround) throws -> [[Bool]] {
        var rows: [[Bool]] = []
        for line in text.split(separator: "\n") {
            var upper: [Bool] = []
            var lower: [Bool] = []
            for scalar in line.unicodeScalars {
                let drawn: (Bool, Bool) =
                    switch scalar {
                    case "█": (true, true)
                    case "▀": (true, false)
                    case "▄": (false, true)
                    default: (false, false)
                    }
                upper.append(drawn.0 == (ground == .light))
                lower.append(drawn.1 == (ground == .light))
            }
            rows += [upper, lower]
        }
        return rows
    }
}
