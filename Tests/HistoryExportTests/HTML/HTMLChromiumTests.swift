import SophaxFiles
import TestSupport
import Testing

@testable import HistoryExport

/// The pages in a real browser; skipped where Debian's package `chromium` is not installed.
@Suite(.enabled(if: Chromium.isThere, "chromium is not installed")) struct HTMLChromiumTests {
    private func count(_ part: String, in text: String) -> Int {
        text.split(separator: part, omittingEmptySubsequences: false).count - 1
    }

    @Test("nothing that an attacker wrote runs or loads, whatever the field")
    func hostile() throws {
        let folder = TemporaryFolder()
        let made = try HTMLFolder(HostileHTML.source, in: folder)
        let pages =
            ["index.html", "statistics.html", "search.html#q=needle", "search.html#q=script"]
            + made.names(in: "pages").prefix(3).map { "pages/\($0)" }
        for (index, page) in pages.enumerated() {
            let log = folder.file("net\(index).json")
            let document = Chromium.document(made.path + "/" + page, netLog: log)
            #expect(document.contains("</html>"), "\(page)")
            #expect(document.contains("<html lang=\"en\" dir=\"ltr\">"), "\(page): an attribute was set")
            let tags = DocumentTag.all(in: document)
            #expect(tags.count(where: { $0.name == "script" }) == 1, "\(page)")
            for tag in tags { #expect(tag.isHarmless, "\(page): \(tag)") }
            let asked = String(decoding: fileBytes(log) ?? [], as: UTF8.self)
            #expect(asked.contains("constants"))
            #expect(!asked.contains("hostile.test"), "\(page)")
        }
    }

    @Test(
        "a word, its beginning, a phrase, other cases and accents, and pairs of characters are found",
        arguments: [
            ("lighthouse", 2), ("LIGHTHOUSE", 2), ("lighth", 2), ("\"old lighthouse\"", 1), ("\"lighthouse old\"", 0),
            ("strasse", 1),
            ("zoe cafe", 1), ("天气", 1), ("天", 1), ("气天", 0), ("東京タワー", 1), ("يوسف", 0), ("الرابط", 1), ("tent.svg", 1),
            ("🧗", 1),
            ("내일", 1), ("nowhere", 0), ("packing list", 1),
        ])
    func search(query: String, expected: Int) throws {
        let document = Chromium.document(try Self.sample.path + "/search.html#q=" + Self.encoded(query))
        #expect(document.contains("data-done=\"\(expected)\""), "\(query)")
        #expect(count("<li><a href=\"pages/c", in: document) == expected)
        if expected > 0 { #expect(document.contains("<mark>")) }
    }

    @Test("what was found is in the conversation that was asked for, and in the order of time")
    func filters() throws {
        let all = Chromium.document(try Self.sample.path + "/search.html#q=the&order=old")
        let group = Chromium.document(try Self.sample.path + "/search.html#q=the&in=2")
        #expect(count("<li><a href=\"pages/c0002", in: group) == 2)
        #expect(count("<li><a href=\"pages/c000", in: group) == 2)
        #expect(count("<li><a", in: all) == 50)
        let times = all.split(separator: "datetime=\"").dropFirst().map { $0.prefix { $0 != "\"" } }
        #expect(times.count == 50 && times == times.sorted())
    }

    @Test("pictures of the export are shown")
    func pictures() throws {
        let folder = TemporaryFolder()
        let made = try HTMLFolder(HTMLSample().source, in: folder)
        // A page of the test's own asks the picture how wide it is.
        folder.write(
            "document.querySelector('img').loading='eager';onload=function(){document.title=document.querySelector('img').naturalWidth}",
            to: "out/assets/page.js")
        let document = Chromium.document(made.path + "/pages/c0001-0001.html")
        #expect(document.contains("<title>120</title>"))
    }

    @Test("the script cuts and folds every character as the index does")
    func words() throws {
        let folder = TemporaryFolder()
        let document = Chromium.document(try WordCases.page(in: folder.file("out")))
        #expect(document.contains(" taught=0 of "), "\(document.suffix(1_500))")
    }

    private static let kept = TemporaryFolder()
    private static let made = Result { try HTMLFolder(HTMLSample().source, in: kept) }
    private static var sample: HTMLFolder { get throws { try made.get() } }

    private static func encoded(_ text: String) -> String {
        var output = Markup()
        output.path(Array(text.utf8))
        return String(decoding: output.bytes, as: UTF8.self)
    }
}
