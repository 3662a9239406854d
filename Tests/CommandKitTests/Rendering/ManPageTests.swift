import CommandKit
import TestSupport
import Testing

@Suite("Manual pages")
struct ManPageTests {
    private static let pages = ManPage.pages(of: Samples.program)

    private func page(_ name: String) throws -> String {
        try #require(Self.pages.first { $0.fileName == name }).text
    }

    @Test("there is one page for the program and one for each noun")
    func names() {
        #expect(Self.pages.map(\.fileName) == ["box.1", "box-box.1", "box-completions.1", "box-count.1"])
    }

    @Test(
        "mandoc finds nothing to warn of", .enabled(if: ChildProcess.has("mandoc"), "needs mandoc"),
        arguments: pages.indices)
    func lint(index: Int) {
        let folder = TemporaryFolder()
        let file = folder.write(Self.pages[index].text, to: Self.pages[index].fileName)
        let result = ChildProcess.run(["mandoc", "-T", "lint", "-W", "warning", file])
        #expect(result.outputText + result.errorText == "")
        #expect(result.status == 0)
    }

    @Test(
        "groff finds nothing to warn of", .enabled(if: ChildProcess.has("groff"), "needs groff"),
        arguments: pages.indices)
    func groff(index: Int) {
        let result = ChildProcess.run(
            ["groff", "-man", "-ww", "-z", "-Tutf8"], input: Array(Self.pages[index].text.utf8))
        #expect(result.outputText + result.errorText == "")
    }

    @Test("what is read is what was written", .enabled(if: ChildProcess.has("mandoc"), "needs mandoc"))
    func rendered() throws {
        let result = ChildProcess.run(
            ["mandoc", "-T", "utf8", "-O", "width=200"], input: Array(try page("box-box.1").utf8))
        // Overstriking for bold and underlined.
        let plain = result.output.indices.filter { index in
            result.output[index] != 8 && (index + 1 >= result.output.count || result.output[index + 1] != 8)
        }.map { result.output[$0] }
        let text = String(decoding: plain, as: UTF8.self)
        for part in [
            "Show what is in it: [all], 'each' or \"one\" \\ $HOME `date`.", "\\fBroff\\fR, a caf\u{e9}, and more.",
            ".dots at the start, and 'quotes' too", "-k, --key-file FILE", "everything, also what's hidden",
            "$ box box show -f text \"my box\" | less", "an item is odd", "box-formats(5)",
            "box box info [OPTION]... FILE...",
        ] {
            #expect(text.contains(part), "\(part)")
        }
    }

    @Test("a page is ASCII, so that no locale can spoil it")
    func ascii() {
        for page in Self.pages { #expect(page.text.utf8.allSatisfy { $0 < 0x80 }) }
    }
}
