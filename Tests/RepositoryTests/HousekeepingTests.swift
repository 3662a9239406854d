import SystemIO
import Testing

@Suite("housekeeping")
struct HousekeepingTests {
    @Test("no source file is longer than 600 lines")
    func length() throws {
        let sources = try Repository.allFiles().filter { file in
            [".swift", ".cpp", ".h", ".py"].contains { file.path.hasSuffix($0) }
        }
        #expect(sources.count > 20)
        #expect(sources.filter { Rule.isTooLong($0.text) }.map(\.path) == [])
    }

    @Test("nothing is marked as unfinished")
    func marks() throws {
        for file in try Repository.allFiles() {
            #expect(Rule.leftOverMarks(in: file.text) == [], "\(file.path)")
        }
    }

    @Test("no file names a folder of one machine")
    func paths() throws {
        let here = Repository.root.text + "/"
        for file in try Repository.allFiles() {
            #expect(Rule.machinePaths(in: file.text, alsoForeign: [here]) == [], "\(file.path)")
        }
    }

    @Test("no file has a CR, white space at the end of a line, or a tab for indentation unless the format asks for it")
    func whiteSpace() throws {
        for file in try Repository.allFiles() {
            #expect(!file.text.contains(0x0D), "\(file.path)")
            #expect(file.text.isEmpty || file.text.last == 0x0A, "\(file.path) does not end with a line break")
            for (number, line) in file.text.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
                #expect(line.last != 0x20 && line.last != 0x09, "\(file.path):\(number + 1)")
                #expect(line.first != 0x09 || file.path == "Makefile", "\(file.path):\(number + 1)")
            }
        }
    }

    @Test("the licence is MIT and names its holder")
    func licence() throws {
        let text = String(decoding: try Repository.text(of: "LICENSE"), as: UTF8.self)
        #expect(text.hasPrefix("MIT License\n"))
        #expect(text.contains(" the sxkey authors\n"))
    }

    @Test("the change log keeps its form")
    func changeLog() throws {
        let text = String(decoding: try Repository.text(of: "CHANGELOG.md"), as: UTF8.self)
        let headings = text.split(separator: "\n").filter { $0.hasPrefix("## ") }
        #expect(headings.first?.hasPrefix("## [") == true)
        let kinds: Set = ["### Added", "### Changed", "### Deprecated", "### Removed", "### Fixed", "### Security"]
        let sections = text.split(separator: "\n").filter { $0.hasPrefix("### ") }
        #expect(!sections.isEmpty)
        #expect(sections.allSatisfy { kinds.contains(String($0)) })
    }
}

@Suite("the housekeeping rules can fail")
struct HousekeepingRuleTests {
    @Test("a file of 601 lines is too long, one of 600 is not")
    func length() {
        #expect(Rule.isTooLong(Array(repeating: 0x0A, count: 601)))
        #expect(!Rule.isTooLong(Array(repeating: 0x0A, count: 600)))
    }

    @Test("marks are found as words only")
    func marks() {
        #expect(Rule.leftOverMarks(in: Array(("// TO" + "DO: later").utf8)) == ["TO" + "DO"])
        let call = "fatalError(\"not " + "implemented\")"
        #expect(Rule.leftOverMarks(in: Array(call.utf8)) == ["not " + "implemented"])
        #expect(Rule.leftOverMarks(in: Array("mktemp sxkey.XXXXXXXX toDOs".utf8)) == [])
    }

    @Test("folders of a machine are found, the example of the documentation is not one")
    func paths() {
        #expect(Rule.machinePaths(in: Array(("see /ho" + "me/joe/x").utf8)) == ["/ho" + "me/"])
        #expect(Rule.machinePaths(in: Array("in /srv/here/a".utf8), alsoForeign: ["/srv/here/"]) == ["/srv/here/"])
        #expect(Rule.machinePaths(in: Array("sxkey store info /home/ana/phone".utf8)) == [])
    }
}
