import QRCodes
import SystemIO
import TestSupport
import Testing

@testable import SXKeyCommands

@Suite("pictures from strangers", .enabled(if: ChildProcess.has("python3")))
struct HostilePictureTests {
    static let payloads = ["sxkey", "a second code, larger than the first one is", "3"].map { Array($0.utf8) }

    @Test("every picture gives its codes or the one error that fits, and the helper lives")
    func cases() throws {
        let folder = TemporaryFolder()
        try Self.write(to: folder)
        let names = folder.names
        #expect(names.count > 150)
        for name in names {
            let path = FilePath(folder.file(name))
            let expected = try #require(name.firstRange(of: "--")).lowerBound
            let found: String
            do throws(CommandError) {
                let codes = try ImageHelper.start().scan(path)
                found = "ok-\(codes.count)"
                if codes.count == 1 { #expect(codes == [Self.payloads[0]], "\(name)") }
                if codes.count == 3 { #expect(codes == Self.payloads, "\(name)") }
            } catch {
                found = error.message.code
            }
            #expect(found == name[..<expected], "\(name)")
        }
    }

    static func write(to folder: TemporaryFolder) throws {
        let matrices = try payloads.map { try QRCode($0, correction: .medium).matrixText + [0x0A] }
        let run = ChildProcess.run(
            ["python3", "-c", PictureWriters.python + PictureCases.python, folder.path],
            input: Array(matrices.joined()), seconds: 300)
        #expect(run.errorText == "")
        #expect(run.status == 0)
    }
}
