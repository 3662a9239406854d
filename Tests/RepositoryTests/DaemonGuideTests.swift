import Testing

/// The guide shows the code of the example, which is built with every test run, so what it shows compiles.
@Suite("the guide for daemons")
struct DaemonGuideTests {
    private static let guide = "Sources/SophaxCore/SophaxCore.docc/UsingSophaxCoreFromADaemon.md"
    private static let example = "Examples/two-parties"

    /// Parts of the example by name: the lines between `// guide: NAME` and `// guide: end`, moved to the left.
    private static func parts(of text: String) -> [String: [String]] {
        var parts: [String: [String]] = [:]
        var name: String?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            let words = line.split(separator: " ")
            if words.count == 3, words[0] == "//", words[1] == "guide:" {
                name = words[2] == "end" ? nil : String(words[2])
            } else if let name {
                parts[name, default: []].append(line)
            }
        }
        return parts.mapValues { lines in
            let indent = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
            return lines.map { String($0.dropFirst(indent)) }
        }
    }

    /// Blocks of the guide by the name in the comment before them.
    private static func blocks(of text: String) -> [(name: String?, lines: [String])] {
        var blocks: [(name: String?, lines: [String])] = []
        var name: String?
        var isInside = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if isInside {
                isInside = line != "```"
                if isInside { blocks[blocks.count - 1].lines.append(line) } else { name = nil }
            } else if line.hasPrefix("<!-- example: "), line.hasSuffix(" -->") {
                name = String(line.dropFirst("<!-- example: ".count).dropLast(" -->".count))
            } else if line == "```swift" {
                isInside = true
                blocks.append((name, []))
            }
        }
        return blocks
    }

    @Test("every piece of code in it is a part of the example, word for word, and every part is shown")
    func code() throws {
        var parts: [String: [String]] = [:]
        for file in try Repository.files(below: Self.example + "/Sources/two-parties") {
            parts.merge(Self.parts(of: String(decoding: file.text, as: UTF8.self))) { $0 + $1 }
        }
        let manifest = String(decoding: try Repository.text(of: Self.example + "/Package.swift"), as: UTF8.self)
        parts["package"] = manifest.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
        let blocks = Self.blocks(of: String(decoding: try Repository.text(of: Self.guide), as: UTF8.self))
        #expect(blocks.count > 10)
        for block in blocks {
            let name = try #require(block.name, "a piece of code without a name: \(block.lines.first ?? "")")
            #expect(block.lines == parts[name], "\(name)")
        }
        #expect(Set(blocks.compactMap(\.name)) == Set(parts.keys))
    }

    @Test("a part that differs in one word is found")
    func difference() {
        let text = "    // guide: a\n    let x = 1\n    // guide: end\n"
        #expect(Self.parts(of: text) == ["a": ["let x = 1"]])
        #expect(Self.blocks(of: "<!-- example: a -->\n\n```swift\nlet x = 2\n```\n").first?.lines == ["let x = 2"])
    }
}
