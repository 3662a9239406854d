import CryptoPrimitives
import Testing

@testable import SophaxCore

@Suite("Texts of shares")
struct ShareTextTests {
    private func collect(_ inputs: [String]) throws -> [ShareText] {
        var collector = ShareTextCollector()
        for (number, input) in inputs.enumerated() { try collector.add(secret(text: input), source: number) }
        return try collector.finish()
    }

    private func texts(_ inputs: String...) throws -> [String] {
        try collect(inputs).map { String(decoding: $0.text.exposed, as: UTF8.self) }
    }

    private func problem(_ inputs: String...) -> ShareTextError? {
        do {
            _ = try collect(inputs)
            return nil
        } catch {
            return error as? ShareTextError ?? (error as? ShareTextProblem)?.error
        }
    }

    private static let json = MadeShares.sxkey[0]
    private static let words = MadeShares.words

    // MARK: - QR codes

    @Test("a share as JSON is one QR code, and so are words; long texts are several, each of which fits")
    func parts() throws {
        for text in MadeShares.sxkey + MadeShares.words {
            #expect(try SharePart.lines(of: secret(text: text)).count == 1)
        }
        for length in [1, 532, 560, 1100, 5000, 50_000] {
            let text = String((0..<length).map { Character(UnicodeScalar(UInt8(ascii: "a") + UInt8($0 % 26))) })
            let lines = try SharePart.lines(of: secret(text: text)).map {
                String(decoding: $0.text.exposed, as: UTF8.self)
            }
            #expect(lines.allSatisfy { $0.utf8.count <= SharePart.longestLine })
            #expect(lines.count == (length + 516) / 517)
            #expect(try texts(lines.reversed().joined(separator: "\n")) == [text])
        }
    }

    @Test("no piece begins or ends with a blank, whatever is cut")
    func blanks() throws {
        let text = String(repeating: "yy\(String(repeating: " ", count: 10))zz", count: 100)
        let lines = try SharePart.lines(of: secret(text: text)).map { String(decoding: $0.text.exposed, as: UTF8.self) }
        #expect(lines.count > 2)
        for line in lines {
            let piece = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)[3]
            #expect(piece.first != " " && piece.last != " ")
        }
        #expect(try texts(lines.map { "  \($0) \r\n" }.joined()) == [text])
    }

    @Test("parts come together from several inputs, in any order, and scanned twice")
    func scattered() throws {
        let long = String(repeating: Self.json, count: 4)
        let lines = try SharePart.lines(of: secret(text: long)).map { String(decoding: $0.text.exposed, as: UTF8.self) }
        try #require(lines.count == 3)
        let other = try SharePart.lines(of: secret(text: Self.json))[0]
        let single = String(decoding: other.text.exposed, as: UTF8.self)
        #expect(try texts(lines[2], "\(single)\n\(lines[0])\n", "\(lines[1])\n\(lines[2])") == [long, Self.json])
        let tag = Array(lines[0].split(separator: " ")[2].utf8)
        #expect(problem(lines[0], lines[2]) == .missingParts(tag: tag, missing: [2], of: 3))
        let changed = lines[1].replacing("index", with: "inbex", maxReplacements: 1)
        #expect(problem(lines[0], lines[1], changed, lines[2]) == .contradictoryParts(tag: tag, part: 2))
        #expect(problem(lines[0], changed, lines[2]) == .damagedParts(tag: tag))
    }

    @Test("what programs write that read codes is read: a word before the part, a mark at the beginning of the file")
    func scanned() throws {
        let line = String(decoding: try SharePart.lines(of: secret(text: Self.json))[0].text.exposed, as: UTF8.self)
        for text in ["QR-Code:\(line)", "\u{FEFF}\(line)", "  QR_CODE: x:\(line)\n", "\u{FEFF}\(Self.json)"] {
            #expect(try texts(text) == [Self.json], "\(text)")
        }
        #expect(try texts("\u{FEFF}" + Self.words[0]) == [Self.words[0]])
    }

    @Test("what is wrong with parts names the input that they are in")
    func source() throws {
        let long = String(repeating: Self.json, count: 4)
        let lines = try SharePart.lines(of: secret(text: long)).map { String(decoding: $0.text.exposed, as: UTF8.self) }
        #expect {
            _ = try collect([Self.json, lines[1]])
        } throws: { ($0 as? ShareTextProblem)?.source == 1 }
    }

    @Test("a line that begins as a part and is none is an error that names the line")
    func badParts() {
        for line in [
            "SXKEY-SHARE 1/1 0000000 x", "SXKEY-SHARE 2/1 00000000 x", "SXKEY-SHARE 0/1 00000000 x",
            "SXKEY-SHARE 1/100 00000000 x", "SXKEY-SHARE 1/1 0000000g x", "SXKEY-SHARE 1/1 00000000 ",
            "SXKEY-SHARE -1/1 00000000 x", "SXKEY-SHARE 1/99999999999999999999 00000000 x",
            "SXKEY-SHARE 1/1 00000000 " + String(repeating: "x", count: 536),
        ] {
            #expect(problem("\n" + line + "\n") == .badPart(line: 2), "\(line)")
        }
        #expect(
            problem("SXKEY-SHARE 1/1 00000000 " + String(repeating: "x", count: 535))
                == .damagedParts(tag: Array("00000000".utf8)))
    }

    // MARK: - Pages and files

    @Test("of a page that what stands between the marks counts")
    func blocks() throws {
        let folded = stride(from: 0, to: Self.json.utf8.count, by: 40).map { start in
            String(decoding: Array(Self.json.utf8)[start..<min(start + 40, Self.json.utf8.count)], as: UTF8.self)
        }
        let page =
            "Share 1 of 3\r\n{ not this }\r\n-----BEGIN SXKEY SHARE-----\r\n" + folded.joined(separator: "\r\n")
            + "\r\n-----END SXKEY SHARE-----\r\nSXKEY-SHARE 1/1\r\n"
        #expect(try texts(page) == [Self.json])
        let numbered = Self.words[0].split(separator: " ").enumerated().map { "\($0.offset + 1) \($0.element)" }
        let words = "-----BEGIN SXKEY SHARE-----\n\(numbered.joined(separator: "\n"))\n  -----END SXKEY SHARE-----"
        let found = try collect([words + "\n" + page])
        #expect(found.count == 2 && found[0].isWords && !found[1].isWords)
        #expect(try WordShare(found[0].text).member == 0)
        for open in ["-----BEGIN SXKEY SHARE-----\n{}", words + "\n" + words.replacing("END", with: "BEGIN")] {
            #expect(problem(open) == .openBlock)
        }
    }

    @Test("words are a share a line, a share a paragraph, or one share; lines with # are remarks")
    func wordTexts() throws {
        let wrapped = Self.words.prefix(2).map { words in
            let list = words.split(separator: " ")
            return stride(from: 0, to: list.count, by: 10).map {
                list[$0..<min($0 + 10, list.count)].joined(separator: " ")
            }
            .joined(separator: "\n")
        }
        for text in [
            "# two shares\n" + Self.words[0] + "\n\n" + Self.words[1] + "\n", wrapped.joined(separator: "\n\n\n"),
            wrapped[0] + "\n# and\n\n" + wrapped[1],
        ] {
            let shares = try collect([text]).map { try WordShare($0.text) }
            #expect(shares.map(\.member) == [0, 1], "\(text)")
        }
        #expect(try collect([wrapped[0].replacing("\n", with: "\r\n")]).map { try WordShare($0.text).member } == [0])
        #expect(problem(" \n\t\r\n") == .empty)
        #expect(problem("") == .empty)
    }

    @Test("a text above the ceiling is refused")
    func tooLarge() throws {
        let limit = ShareTextCollector.maximumInput
        #expect(problem(String(repeating: " ", count: limit + 1)) == .tooLarge(found: limit + 1, ceiling: limit))
        #expect(problem(String(repeating: " ", count: limit)) == .empty)
    }

    @Test("at its ceiling of lines a text is read, one line more is refused but in JSON")
    func manyLines() throws {
        let limit = ShareTextCollector.maximumLines
        // Empty lines in a page, words of a letter, and paragraphs: each line is looked at once.
        let page = String(repeating: "\n", count: limit - 3)
        #expect(try collect(["-----BEGIN SXKEY SHARE-----\n" + page + "-----END SXKEY SHARE-----\n"]).count == 1)
        #expect(try collect([String(repeating: "a\n", count: limit - 1)]).count == 1)
        #expect(try collect([String(repeating: "a\n\n", count: limit / 2 - 1)]).count == 1)
        for line in ["\n", "a\n", "-----BEGIN SXKEY SHARE-----\n"] {
            #expect(problem(String(repeating: line, count: limit)) == .tooManyLines(limit: limit))
        }
        let list = "[" + String(repeating: "\n", count: limit) + MadeShares.app[0] + "]"
        #expect(try texts(list) == [list])
    }

    @Test("so many parts and texts as the ceiling says are taken, one more is refused")
    func manyPieces() throws {
        let limit = ShareTextCollector.maximumPieces
        let line = try SharePart.lines(of: secret(text: "x"))[0]
        let part = String(decoding: line.text.exposed, as: UTF8.self) + "\n"
        #expect(try texts(String(repeating: part, count: limit)) == ["x"])
        #expect(problem(String(repeating: part, count: limit + 1)) == .tooManyPieces(limit: limit))
        #expect(problem(String(repeating: part, count: limit), "one") == .tooManyPieces(limit: limit))
        let words = String(repeating: "a ", count: 20) + "\n"
        #expect(problem(String(repeating: words, count: limit + 1)) == .tooManyPieces(limit: limit))
    }

    // MARK: - What a text holds

    @Test("a text is a share, a list of them, or keychain items with such a list")
    func given() throws {
        func read(_ text: String) throws -> [GivenShare] { try GivenShare.read(ShareText(secret(text: text))).shares }
        guard case .plain(let plain) = try read(" \n" + Self.json)[0] else { Issue.record("not plain"); return }
        #expect(plain.index == 1)
        guard case .sealed = try read(MadeShares.held)[0] else { Issue.record("not sealed"); return }
        guard case .words = try read(Self.words[0])[0] else { Issue.record("not words"); return }
        let list = "[\(MadeShares.app.joined(separator: ","))]"
        #expect(try read(list).count == 5)
        #expect(try GivenShare.read(ShareText(secret(text: "[\(MadeShares.app[0])]"))).isList)
        #expect(try !GivenShare.read(ShareText(secret(text: MadeShares.app[0]))).isList)
        let plainList = Array(list.utf8)
        let base64 = String(
            decoding: try SecretEncoding.encodeBase64(secret(plainList)).exposed, as: UTF8.self)
        #expect(try read(#"{"user.username":"QQ==","sss.shares":"\#(base64)"}"#).count == 5)
        for text in ["{}", #"{"user.username":"QQ=="}"#, #"{"shareID":"x"}"#] {
            #expect(throws: GivenShareError.notAShare) { _ = try read(text) }
        }
        for text in ["{", "[", "[1]", #"[{"data":1}]"#, #"{"data":"AA=="}"#, #"{"sss.shares":"AA=="}"#, "one word"] {
            #expect(throws: GivenShareError.self) { _ = try read(text) }
        }
    }
}
