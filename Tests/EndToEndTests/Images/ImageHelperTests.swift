import QRCodes
import SystemIO
import TestSupport
import Testing

@testable import SXKeyCommands

@Suite("the picture helper")
struct ImageHelperTests {
    private static let payload = Array("12559 02102 68762 54115 93340 48812".utf8)

    @Test("what it paints it reads again, whatever the bytes")
    func roundTrip() throws {
        let folder = TemporaryFolder()
        for bytes in [Self.payload, Array(0...255), Array("Zoë 山田 😀".utf8), [0x83, 0x65, 0x83, 0x58], [0]] {
            let png = try ImageHelper.start().png(of: QRCode(bytes, correction: .medium))
            let path = FilePath(folder.write(png, to: "code.png"))
            #expect(try ImageHelper.start().scan(path) == [bytes])
        }
    }

    @Test("an independent reader reads what it paints", .enabled(if: ChildProcess.has("zbarimg")))
    func independent() throws {
        let folder = TemporaryFolder()
        for correction in QRCode.ErrorCorrection.allCases {
            let png = try ImageHelper.start().png(of: QRCode(Self.payload, correction: correction))
            let path = folder.write(png, to: "code.png")
            let run = ChildProcess.run(["zbarimg", "--quiet", "--raw", "--oneshot", "-Sqrcode.binary", path])
            #expect(run.output == Self.payload)
        }
    }
}
