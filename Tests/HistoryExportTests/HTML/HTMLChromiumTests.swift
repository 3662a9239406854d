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
        var pages = ["index.html", "search.html#q=script", "pages/c0001-0001.html"]
        if LongTests.areWanted { pages += ["statistics.html"] + made.names(in: "pages").map { "pages/\($0)" } }
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

    /// What is looked for, and in how many messages of the sample it is.
    static let searches = [
        ("lighthouse", 2), ("LIGHTHOUSE", 2), ("lighth", 2), ("\"old lighthouse\"", 1), ("\"lighthouse old\"", 0),
        ("strasse", 1), ("zoe cafe", 1), ("天气", 1), ("天", 1), ("气天", 0), ("東京タワー", 1), ("يوسف", 0), ("الرابط", 1),
        ("tent.svg", 1), ("🧗", 1), ("내일", 1), ("nowhere", 0), ("packing list", 1), ("packing&in=2", 0),
        ("the&in=2", 2), ("the&order=old", 50), ("\" <>&'", 0), ("__proto__", 0),
    ]

    @Test("words, beginnings, phrases, other cases and accents, and pairs of characters are found")
    func search() throws {
        let folder = TemporaryFolder()
        let made = try HTMLFolder(HTMLSample().source, in: folder)
        // The page's own script, and behind it one that looks for one thing after the other.
        var script = Markup()
        script.add("\nvar searches=[")
        for (query, _) in Self.searches {
            script.script(Array(query.utf8))
            script.add(",")
        }
        script.add("];\n")
        script.add(Self.driver)
        folder.write(HTMLAssets.searchScript + script.bytes, to: "out/assets/search.js")
        let document = Chromium.document(made.path + "/search.html")
        let results = document.split(separator: "data-results=\"").last?.prefix { $0 != "\"" }.split(separator: " ")
        let expected = Self.searches.map { "\($0.1)/\($0.1)/\($0.1 > 0)/true" }
        #expect(results?.map(String.init) == expected)
    }

    /// For each: messages found, links to them, whether there are marks, and whether they are in order.
    private static let driver: StaticString = """
        (function () {
          var results = [];
          function next(number) {
            if (number === searches.length) { document.body.dataset.results = results.join(" "); return; }
            delete document.body.dataset.done;
            var parts = searches[number].split(/(?=&(?:in|order)=)/);
            location.hash = "#q=" + encodeURIComponent(parts[0]) + (parts[1] || "");
            (function wait() {
              var done = document.body.dataset.done;
              if (done === undefined) return setTimeout(wait, 5);
              var times = Array.from(document.querySelectorAll(".hits time")).map(function (one) { return one.dateTime; });
              var sorted = times.slice().sort();
              if (parts[1] !== "&order=old") sorted.reverse();
              results.push([done, document.querySelectorAll(".hits a[href^='pages/c0']").length,
                document.querySelector(".hits mark") !== null, sorted.join() === times.join()].join("/"));
              next(number + 1);
            })();
          }
          setTimeout(function () { next(0); }, 1000);
        })();
        """

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
}
