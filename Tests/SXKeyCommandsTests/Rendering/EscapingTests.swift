import CommandKit
import Foundation
import SophaxFiles
import TestSupport
import Testing

@testable import SXKeyCommands

/// Text from elsewhere never steers a terminal, wherever it stands, and never gets lost in JSON.
@Suite("hostile text in what commands show")
struct EscapingTests {
    /// Clears the screen, sets the title, rings, turns the line round, hides; as JSON writes it.
    private static let hostile =
        #"\u001b[2J\u001b]0;title\u0007\u009b31m\u202egpj.exe\u2066\u200f\u2028\u0000\u007f\u0085end"#
    private static let raw =
        "\u{1b}[2J\u{1b}]0;title\u{7}\u{9b}31m\u{202e}gpj.exe\u{2066}\u{200f}\u{2028}\u{0}\u{7f}\u{85}end"
    private static let shown =
        #"\u{1b}[2J\u{1b}]0;title\u{7}\u{9b}31m\u{202e}gpj.exe\u{2066}\u{200f}\u{2028}\u{0}\u{7f}\u{85}end"#

    private let store = MadeStore()
    private let names = [
        "id", "senderID", "attachmentID", "attachmentFilename", "attachmentMimeType", "replyToID", "status",
    ]

    init() throws {
        let fields = Self.hostile
        let extra =
            ",\"senderID\":\"\(fields)\",\"attachmentID\":\"\(fields)\",\"attachmentFilename\":\"\(fields)\","
            + "\"attachmentMimeType\":\"\(fields)\",\"replyToID\":\"\(fields)\","
            + "\"reactions\":{\"\(fields)\":[\"\(fields)\"],\"\(fields)2\":\"\(fields)\"},\"\(fields)\":1"
        let message =
            "{\"id\":\"\(fields)\",\"peerID\":\"\(fields)\",\"direction\":\"sent\",\"body\":\"\(fields)\","
            + "\"timestamp\":795000001,\"status\":\"\(fields)\",\"isEdited\":false\(extra)}"
        let group = message.replacing("\"peerID\":\"", with: "\"peerID\":\"group.").replacing(
            "\"sent\"", with: "\"received\"")
        try store.write("[\(message),\(message),\(group)]", "a")
        try store.write("[\(group)]", "group.X")
    }

    private func expectHarmless(_ text: String, _ what: String) {
        for scalar in text.unicodeScalars where scalar != "\n" {
            let isControl = scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value)
            let isFormat = scalar.properties.generalCategory == .format || [0x2028, 0x2029].contains(scalar.value)
            #expect(
                !isControl && !isFormat, "\(what): U+\(String(scalar.value, radix: 16)) in \(text.debugDescription)")
            if isControl || isFormat { return }
        }
    }

    @Test("transcripts, overviews, findings and names are escaped", arguments: ["info", "verify", "show"])
    func stores(verb: String) {
        let run = store.run(verb)
        expectHarmless(run.output, verb)
        expectHarmless(run.errors, verb)
        #expect(run.output.contains(Self.shown), "\(run.output)")
    }

    @Test("the text export is as harmless as the transcript")
    func textExport() {
        let out = store.folder.file("out.txt")
        let run = store.run("export", ["--format", "text", "--out", out])
        #expect([.success, .someDamaged].contains(run.status))
        let text = String(decoding: fileBytes(out) ?? [], as: UTF8.self)
        expectHarmless(text, "export")
        #expect(text.contains(Self.shown))
    }

    @Test("JSON has every character as it was, and no raw control character", arguments: ["info", "verify"])
    func json(verb: String) throws {
        let run = store.run(verb, ["--json"])
        #expect(!run.output.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
        let value = try JSONSerialization.jsonObject(with: Data(run.outputBytes)) as? [String: Any]
        let conversations = value?["conversations"] as? [[String: Any]] ?? []
        #expect(conversations.contains { ($0["id"] as? String)?.contains(Self.raw) == true })
    }

    @Test("JSON lines give back every field")
    func jsonLines() throws {
        let run = store.run("show", ["--json"])
        #expect(!run.output.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
        let lines = run.output.split(separator: "\n")
        #expect(lines.count >= 3)
        for line in lines {
            let value = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            #expect(value?["body"] as? String == Self.raw)
            #expect(value?["id"] as? String == Self.raw)
            #expect((value?["attachment"] as? [String: Any])?["fileName"] as? String == Self.raw)
        }
    }

    @Test("what was typed and what files are called is escaped in errors, and quoted")
    func errors() {
        let word = Self.raw.replacing("\u{0}", with: "")
        let shown = Self.shown.replacing(#"\u{0}"#, with: "")
        for arguments in [
            [word], ["store", word], ["store", "--\(word)"], ["store", "show", store.path, word, "-k", store.keyFile],
            ["store", "info", word], ["bundle", "info", word], ["store", "info", store.path, "-k", word],
            ["store", "show", store.path, "-k", store.keyFile, "--since", word],
            ["store", "export", store.path, "-k", store.keyFile, "--format", word, "-o", "x"],
            ["store", "export", store.path, "-k", store.keyFile, "-o", store.folder.file(word) + "/x"],
            ["bundle", "verify", store.keyFile, "--kind", word], ["bundle", "show", word, "-p", word],
            ["store", "attachment", store.path, word, "-k", store.keyFile, "-o", "x"],
        ] {
            let run = CommandRun.run(arguments)
            expectHarmless(run.errors, "\(arguments)")
            expectHarmless(run.output, "\(arguments)")
            #expect(run.errors.contains(shown), "\(arguments) \(run.errors)")
            let json = CommandRun.run(arguments + ["--json"])
            #expect(!json.errors.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
        }
    }

    @Test("bytes that are no text are shown as bytes, and both commands agree on the names of what they take")
    func bytes() {
        let run = CommandRun.run([Array("bundle".utf8), Array("info".utf8), [0x61, 0xFF, 0xC0, 0x80]])
        #expect(run.errors.hasPrefix(#"sxkey: error: cannot open "a\xff\xc0\x80": no such file or folder"#))
    }

    @Test("styles are the only escape sequences, and only where they are wanted")
    func styles() {
        let plain = CommandRun.run(["store", "verify", store.path, "-k", store.keyFile])
        let styled = CommandRun.run(["store", "verify", store.path, "-k", store.keyFile], styles: true)
        #expect(styled.output.contains("\u{1b}["))
        let withoutStyles = styled.output.replacing(/\u{1b}\[[0-9;]*m/, with: "")
        let seconds = /in [0-9.]+ m?s/
        #expect(withoutStyles.replacing(seconds, with: "") == plain.output.replacing(seconds, with: ""))
    }
}
