import Glibc
import SQLiteDatabase
import SophaxFiles
import TestSupport

@testable import HistoryExport

/// A page on which the script of the search cuts texts with every kind of character, and compares with `TextTokenizer`.
enum WordCases {
    static var texts: [String] {
        // Every character between two letters, twice, where one in a range of thousands that are alike will do.
        var texts: [String] = []
        var text = ""
        for value in 0x20..<0x20010 as Range<UInt32> {
            guard let scalar = Unicode.Scalar(value), scalar.properties.generalCategory != .unassigned else { continue }
            if (0x4F00..<0x9F00).contains(value) || (0xAD00..<0xD700).contains(value) { continue }
            if (0xE010..<0xF8F0).contains(value) { continue }
            for one in ["x", scalar, scalar, "y", " "] as [Unicode.Scalar] { text.unicodeScalars.append(one) }
            if text.utf8.count > 4_000 {
                texts.append(text)
                text = ""
            }
        }
        return texts + [
            text, "ㅎㅏㄴ", "\u{1112}\u{1161}\u{11AB}글", "か\u{3099}き", "🇨🇭🇩🇪🇫", "e\u{301}e\u{301}",
            String(repeating: "é", count: 70) + "z", "$5½", "İıIi", "ΣΑΣ", "straße STRASSE", "ต้นไม้ใหญ่",
        ]
    }

    /// Makes an export of the texts at `path`, and the page in it, whose path it gives. The page says what differed before and
    /// after it had learned from the index.
    static func page(in path: String) throws -> String {
        let texts = texts
        var source = ListSource()
        let messages = texts.enumerated().map {
            MessageSpelling("\($0)", in: "__note_to_self__", $1, at: 800_000_000, isSent: true).json
        }
        source.conversations = [.init(id: .notesToSelf, messages: messages)]
        _ = try HTMLFolder(source, at: path)
        var tokenizer = TextTokenizer()
        var cases = Markup()
        cases.add("var cases=[")
        for text in texts {
            let bytes = Array(text.utf8)
            cases.add("[")
            cases.script(bytes)
            cases.add(",[")
            tokenizer.all(of: bytes.span, for: .marking) { _, word in
                cases.script(Array(word))
                cases.add(",")
            }
            cases.add("]],\n")
        }
        cases.add("];\n")
        cases.add(check)
        write(Array(SearchScript.words.utf8), to: path + "/words.js")
        write(cases.bytes, to: path + "/cases.js")
        write(
            Array(
                """
                <!DOCTYPE html><meta charset="utf-8"><body><script src="words.js"></script><script src="cases.js"></script>
                """.utf8), to: path + "/words.html")
        return path + "/words.html"
    }

    private static func write(_ bytes: [UInt8], to path: String) {
        guard let file = fopen(path, "w") else { return }
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }

    private static let check: StaticString = """
        var bad = [], index;
        window.sxkeyTake = function (name, value) { index = value; };
        function check() {
          bad = [];
          cases.forEach(function (one) {
            var words = sxkeyWords.cut(one[0]).map(function (word) { return word.t; });
            for (var i = 0; i < Math.max(words.length, one[1].length); i++) {
              if (words[i] === one[1][i]) continue;
              bad.push((words[i] || "") + "|" + (one[1][i] || ""));
              if (words.length !== one[1].length) break;
            }
          });
          return bad.length;
        }
        var untaught = check();
        var loading = document.createElement("script");
        loading.src = "search/index.js";
        loading.onload = function () {
          sxkeyWords.teach(index.fold);
          document.body.textContent = "untaught=" + untaught + " taught=" + check() + " of " + cases.length + " first: "
            + bad.slice(0, 20).join(" ");
        };
        document.head.append(loading);
        """
}
