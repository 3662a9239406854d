import TestSupport
import Testing

@testable import QRCodes

@Suite("QR codes as SVG")
struct VectorCodeTests {
    private static let payload = Array("sophaxchat://meet?pid=3619e750a2dd52ba&name=Qm9i".utf8)

    @Test("the path is read by an independent reader", .enabled(if: Picture.canBeRead))
    func readBack() throws {
        let code = try QRCode(Self.payload, correction: .medium)
        let svg = code.svg(title: "card")
        let side = code.width + 8
        #expect(svg.contains("viewBox=\"0 0 \(side) \(side)\""))
        #expect(Picture(rows: try pixels(svg, side: side)).read() == Self.payload)
    }

    @Test("it is well-formed XML with one path, crisp edges, and nothing that is loaded", .enabled(if: hasPython))
    func form() throws {
        let title = "</title><script href='x'>&\"\u{0}\u{1B}\u{FFFF}\u{9F} Zoë 山"
        let svg = try QRCode(Self.payload, correction: .low).svg(title: title)
        let run = ChildProcess.run(
            [
                "python3", "-c",
                """
                import sys, xml.etree.ElementTree as tree
                root = tree.fromstring(sys.stdin.buffer.read())
                for element in root.iter():
                    print(element.tag, *sorted(name for name in element.attrib if name != "d"))
                print(ascii(root[0].text), root.get("shape-rendering"), root[1].get("fill"), root[2].get("fill"))
                """,
            ], input: Array(svg.utf8))
        let space = "{http://www.w3.org/2000/svg}"
        #expect(run.errorText == "")
        #expect(
            run.outputText == """
                \(space)svg height role shape-rendering viewBox width
                \(space)title
                \(space)rect fill height width
                \(space)path fill
                '</title><script href=\\'x\\'>&"\\ufffd\\ufffd\\ufffd\\ufffd Zo\\xeb \\u5c71' crispEdges #fff #000

                """)
    }

    private static let hasPython = ChildProcess.has("python3")

    /// Draws the runs of the path: `Mx yhNv1h-Nz` each.
    private func pixels(_ svg: String, side: Int) throws -> [[Bool]] {
        var rows = [[Bool]](repeating: [Bool](repeating: false, count: side), count: side)
        let start = try #require(svg.firstRange(of: " d=\"M")).upperBound
        let path = svg[start...].prefix { $0 != "\"" }
        for run in path.split(separator: "M") {
            let numbers = run.split { !$0.isNumber }.compactMap { Int($0) }
            try #require(numbers.count == 5 && numbers[3] == 1 && numbers[2] == numbers[4] && run.hasSuffix("z"))
            for column in numbers[0]..<numbers[0] + numbers[2] { rows[numbers[1]][column] = true }
        }
        return rows
    }
}
