import SystemIO
import Testing

@testable import SophaxFiles

@Suite("Names of attachment files")
struct AttachmentNamesTests {
    private static let jpeg = AttachmentKind.of([0xFF, 0xD8, 0xFF, 0xE0])
    private static let program = AttachmentKind.of(Array("MZ".utf8) + [0x90, 0, 3])

    private func name(
        _ sent: String, _ kind: AttachmentKind? = nil, _ style: FileNameStyle = .windows
    ) -> String {
        var names = AttachmentNames(style)
        return names.name(for: ByteText("AB-12"), reference: Self.reference(sent), kind: kind).text
    }

    private static func reference(_ name: String) -> AttachmentReference {
        AttachmentReference(
            id: ByteText("AB-12"), mimeType: nil, fileName: ByteText(name), conversation: .notesToSelf, time: nil)
    }

    @Test(
        "the ending is one of the content, and nothing looks like a program that is none",
        arguments: [
            ("photo.jpg", jpeg, "photo.jpg"), ("photo.JPEG", jpeg, "photo.JPEG"), ("photo", jpeg, "photo.jpg"),
            ("photo\u{202E}gpj.exe", jpeg, "photogpj.jpg"), ("photo.png", jpeg, "photo.jpg"),
            ("v1.2", jpeg, "v1.2.jpg"),
            ("photo.jpg", program, "photo.jpg.bin"), ("setup.exe", program, "setup.exe"), ("", program, "AB-12.bin"),
            ("run.bat", .text, "run.bat.txt"), ("notes.org", .text, "notes.org"), ("a.csv", .text, "a.csv"),
            ("photo.xht", .text, "photo.xht.txt"), ("table.iqy", .text, "table.iqy.txt"),
            ("x.settingcontent-ms", .unknown, "x.settingcontent-ms.bin"), ("notes.md", .text, "notes.md"),
            ("x.sh", .unknown, "x.sh.bin"), ("x.dat", .unknown, "x.dat"), ("", .unknown, "AB-12.bin"),
            ("page.html", AttachmentKind.of(Array("<!DOCTYPE html>".utf8)), "page.html"),
            ("photo.jpg", AttachmentKind.of(Array("<html>".utf8)), "photo.jpg.txt"),
        ])
    func endings(sent: String, kind: AttachmentKind, expected: String) {
        #expect(name(sent, kind) == expected)
    }

    @Test("each style keeps what its system takes")
    func styles() {
        #expect(name("a:b?.txt", nil, .unix) == "a:b?.txt" && name("a:b?.txt") == "a_b_.txt")
        #expect(name("Ünïcödé – ß.txt", nil, .ascii) == "Unicode _ _.txt")
        #expect(name("日本.txt", nil, .ascii) == "__.txt")
        #expect(name("con.txt") == "_con.txt" && name("con.txt", nil, .unix) == "con.txt")
        #expect(name("COM1 .txt") == "_COM1 .txt" && name("a. . .") == "a" && name("a/b", nil, .unix) == "a_b")
        #expect(name("../../x") == "_.._x" && name("..") == "AB-12.bin" && name("-rf") == "rf")
    }

    @Test("names that differ in case or normal form only get a number")
    func unique() {
        var names = AttachmentNames()
        let sent = ["é.txt", "e\u{301}.txt", "É.TXT", "straße.txt", "STRASSE.txt"]
        let given = sent.map { names.name(for: ByteText("1"), reference: Self.reference($0)).text }
        #expect(Set(given.map { Array($0.utf8) }).count == 5)
        #expect(given[1].hasSuffix("(2).txt") && given[2] == "É (3).TXT" && given[4] == "STRASSE (2).txt")
        names.take("kept.txt")
        #expect(names.name(for: ByteText("1"), reference: Self.reference("KEPT.txt")).text == "KEPT (2).txt")
        names.give(back: "kept.txt")
        #expect(names.name(for: ByteText("1"), reference: Self.reference("Kept.txt")).text == "Kept.txt")
    }

    @Test("255 bytes at most, cut between scalars, the ending kept")
    func lengths() {
        let long = name(String(repeating: "😀", count: 300) + ".jpg", Self.jpeg)
        #expect(long.utf8.count <= 255 && long.hasSuffix("😀.jpg") && long.utf8.count > 248)
        #expect(name(String(repeating: "a", count: 255), Self.jpeg).utf8.count == 255)
        #expect(name(String(repeating: "a", count: 255), Self.jpeg).hasSuffix("a.jpg"))
    }

    @Test(
        "the kind is told by the first bytes",
        arguments: [
            ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "image/png"), (Array("GIF89a".utf8), "image/gif"),
            (Array("RIFF\0\0\0\0WEBPVP8 ".utf8), "image/webp"), (Array("\0\0\0\u{18}ftypheic".utf8), "image/heic"),
            (Array("\0\0\0\u{18}ftypmp42".utf8), "video/mp4"), (Array("\0\0\0\u{18}ftypM4A ".utf8), "audio/mp4"),
            (Array("\0\0\0\u{18}ftypqt  ".utf8), "video/quicktime"), (Array("%PDF-1.7".utf8), "application/pdf"),
            (Array("ID3\u{4}".utf8), "audio/mpeg"), ([0xFF, 0xFB, 0x90, 0x64], "audio/mpeg"),
            ([0xFF, 0xF1, 0x50, 0x80], "audio/aac"), (Array("OggS".utf8), "audio/ogg"),
            (Array("PK\u{3}\u{4}".utf8), "application/zip"), ([0x7F, 0x45, 0x4C, 0x46, 2], "application/x-elf"),
            (Array("hello".utf8), "text/plain"), (Array("<svg xmlns=".utf8), "image/svg+xml"),
            ([], "application/octet-stream"),
            ([0xFF, 0xFE], "application/octet-stream"), ([0], "application/octet-stream"),
        ] as [([UInt8], String)])
    func kinds(head: [UInt8], mediaType: String) {
        #expect(AttachmentKind.of(head).mediaType == mediaType)
    }

    @Test("a text whose head ends inside of a scalar is still text")
    func cutText() {
        let text = Array(String(repeating: "é", count: 300).utf8)
        #expect(AttachmentKind.of([0x41] + Array(text.prefix(511))) == .text)
        #expect(AttachmentKind.of(Array(text.prefix(101))) == .unknown)
    }
}
