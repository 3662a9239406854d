import CommandKit
import Glibc
import QRCodes
import SystemIO
import TestSupport
import Testing

@testable import SXKeyCommands

@Suite("a picture helper that fails")
struct ImageHelperFailureTests {
    private let folder = TemporaryFolder()
    private let picture: FilePath = "/x/a.png"

    @Test("where it was looked for is said: beside the program, then in libexec")
    func missing() throws {
        let places = ImageHelper.places(of: FilePath(folder.file("bin/sxkey")))
        #expect(places.map(\.text) == ["bin/sxkey-image", "libexec/sxkey/sxkey-image"].map(folder.file))
        let message = try #require(Self.message { _ = try ImageHelper.start(lookingIn: places) })
        #expect(message.code == "no-image-helper")
        #expect(message.exit == .failure)
        #expect(message.hints.first?.plain == "looked for \"\(places[0].text)\", \"\(places[1].text)\"")
    }

    @Test("the one in libexec is found when there is none beside the program")
    func second() throws {
        let helper = try script("echo ok; echo end")
        #expect(try ImageHelper.start(lookingIn: ["/nonexistent/a", helper]).scan(picture: [], named: picture) == [])
    }

    @Test("one that may not be run is an error, and no other is looked for")
    func notExecutable() throws {
        let text = FilePath(folder.write("text", to: "text"))
        let helper = try script("echo ok; echo end")
        let message = try #require(Self.message { _ = try ImageHelper.start(lookingIn: [text, helper]) })
        #expect(message.message.plain == "cannot start \"\(text.text)\": permission denied")
    }

    @Test(
        "an answer that is not exactly one of the protocol is refused",
        arguments: [
            "", "ok", "ok\n", "ok\nend", "end\n", "ok\nend\nend\n", "ok\ncode\nend\n", "ok\ncode !\nend\n",
            "ok\ncode YQ==\n", "ok\npng YQ==\nend\n", "ok\n\nend\n", "ok\ncode YQ\nend\n", "OK\nend\n", "error\n",
            "error damaged\nok\n", "error what\n", "error too-large 1\n", "error too-large x y\n", "error damaged",
            "\u{0}ok\nend\n",
        ])
    func badAnswers(answer: String) {
        #expect(throws: ImageError.badAnswer) {
            _ = try ImageHelper.results(in: Array(answer.utf8), word: "code", picture)
        }
    }

    @Test("codes come in the order of the answer, with any bytes and none")
    func answers() throws {
        let answer = Array("ok\ncode AP8=\ncode \ncode YQ==\nend\n".utf8)
        #expect(try ImageHelper.results(in: answer, word: "code", picture) == [[0, 0xFF], [], [0x61]])
    }

    @Test(
        "each thing that it says of a picture is a message of its own, exit 4 unless memory is missing",
        arguments: [
            ("unknown-format", "it is neither PNG nor JPEG"), ("truncated", "the file ends before the picture does"),
            ("damaged", "it is damaged"), ("animated", "it is an animation, not one picture"),
            ("unsupported", "it is a rare kind of JPEG"),
            ("too-many-scans", "it is a JPEG in more passes than cameras write"),
            ("too-large 70000 2", "70000 × 2 pixels are too many"),
            ("out-of-memory", "it needs too much memory"),
        ])
    func problems(words: String, reason: String) throws {
        let helper = try script("echo 'error \(words)'")
        let message = try #require(
            Self.message { _ = try ImageHelper.start(lookingIn: [helper]).scan(picture: [1], named: picture) })
        #expect(message.message.plain == "cannot read \"/x/a.png\": \(reason)")
        #expect(message.code == words.prefix { $0 != " " })
        #expect(message.exit == (words == "out-of-memory" ? .failure : .unreadable))
        #expect(message.hints.count == 1)
    }

    @Test(
        "one that dies, fails, talks too much or cannot lock itself in is told from the others",
        arguments: [
            ("kill -SEGV $$", "image-helper", "sxkey-image died of signal 11 over \"/x/a.png\""),
            ("kill -XCPU $$", "image-helper", "sxkey-image took too long over \"/x/a.png\", and was stopped"),
            ("exit 1", "image-helper", "sxkey-image gave an answer that cannot be understood"),
            ("exec yes", "image-helper", "sxkey-image gave an answer that cannot be understood"),
            (
                "echo error no-sandbox", "no-sandbox",
                "sxkey-image cannot lock itself in on this system, and so reads no picture"
            ),
        ])
    func failures(text: String, code: String, expected: String) throws {
        let helper = try script(text)
        let message = try #require(
            Self.message { _ = try ImageHelper.start(lookingIn: [helper]).scan(picture: [1], named: picture) })
        #expect(message.message.plain == expected)
        #expect(message.code == code)
        #expect(message.exit == .failure)
    }

    @Test("a picture above the ceiling is refused before it is sent, one at the ceiling is sent")
    func ceiling() throws {
        let helper = try script("echo error damaged")
        let limit = ImageHelper.largestPicture
        let path = folder.file("large.png")
        for (size, code) in [(limit, "damaged"), (limit + 1, "unreadable")] {
            folder.write("", to: "large.png")
            try #require(truncate(path, off_t(size)) == 0)
            let message = try #require(
                Self.message { _ = try ImageHelper.start(lookingIn: [helper]).scan(FilePath(path)) })
            #expect(message.code == code)
        }
    }

    @Test("a picture that is to be made needs exactly one in the answer")
    func painting() throws {
        let code = try QRCode([1], correction: .low)
        let two = try script("echo ok; echo 'png YQ=='; echo 'png YQ=='; echo end")
        #expect(Self.message { _ = try ImageHelper.start(lookingIn: [two]).png(of: code) }?.code == "image-helper")
        let one = try script("echo ok; echo 'png YQ=='; echo end")
        #expect(try ImageHelper.start(lookingIn: [one]).png(of: code) == [0x61])
    }

    private static func message(_ body: () throws -> Void) -> ErrorMessage? {
        do {
            try body()
            return nil
        } catch {
            return (error as? CommandError)?.message
        }
    }

    private func script(_ text: String) throws -> FilePath {
        let path = folder.write("#!/bin/sh\n\(text)\n", to: "script")
        try #require(chmod(path, 0o700) == 0)
        return FilePath(path)
    }
}
