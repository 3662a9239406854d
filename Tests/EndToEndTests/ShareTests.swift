import Foundation
import TestSupport
import Testing

/// Recovery by friends with the built program: pages whose QR codes another reader reads, and words that are typed.
@Suite("recovery by friends")
struct ShareTests {
    private let phone: SamplePhone

    init() throws {
        phone = try SamplePhone()
        try phone.addKeyring()
    }

    private func run(_ line: String, keyring: String = SampleKeyring.fileName) -> ChildProcess {
        phone.shell(
            line.replacing("KEY", with: "--keyring-key-file \(SampleKeyring.keyFileName)"),
            environment: ["SXKEY_KEYRING": keyring])
    }

    private func fingerprint(_ keyring: String) -> String? {
        json(run("sxkey identity show --json KEY", keyring: keyring).output)?["fingerprint"] as? String
    }

    private func makeKeyring(_ name: String) {
        let made = run("sxkey keyring init --keyring \(name) --new-keyring-key-file \(SampleKeyring.keyFileName)")
        #expect(made.status == 0, "\(made.errorText)")
    }

    /// The dark squares of a picture in a page: rectangles of one path, as the page draws them.
    private func pictures(in page: String) -> [[[Bool]]] {
        page.components(separatedBy: "<svg ").dropFirst().map { svg in
            let side = Int(svg.components(separatedBy: "viewBox=\"0 0 ")[1].prefix { $0 != " " }) ?? 0
            var rows = [[Bool]](repeating: [Bool](repeating: false, count: side), count: side)
            let path = svg.components(separatedBy: " d=\"")[1].prefix { $0 != "\"" }
            for run in path.split(separator: "M") {
                let numbers = run.split { !$0.isNumber }.compactMap { Int($0) }
                for column in numbers[0]..<numbers[0] + numbers[2] { rows[numbers[1]][column] = true }
            }
            return rows
        }
    }

    private func scan(_ rows: [[Bool]], _ name: String) throws -> String {
        let scale = 4
        var file = Array("P5\n\(rows.count * scale) \(rows.count * scale)\n255\n".utf8)
        for row in rows {
            let line = row.flatMap { [UInt8](repeating: $0 ? 0 : 255, count: scale) }
            for _ in 0..<scale { file += line }
        }
        try phone.write(file, to: name)
        let scanned = ChildProcess.run(
            ["zbarimg", "--quiet", "--raw", "--oneshot", "-Sdisable", "-Sqrcode.enable", "-Sqrcode.binary", name],
            in: phone.sample)
        return scanned.outputText
    }

    @Test(
        "another reader reads the QR codes of the pages, and what it reads brings the identity back to a new keyring",
        .enabled(if: ChildProcess.has("zbarimg")), arguments: ["sxkey", "words", "sealed"])
    func pages(kind: String) throws {
        let how = kind == "sealed" ? "--for Bob --for Carla" : "-n 3 --format \(kind)"
        let made = run("sxkey identity split -m 2 \(how) --out made --quiet KEY")
        #expect(made.status == 0, "\(made.errorText)")
        let total = kind == "sealed" ? 2 : 3
        var scanned: [String] = []
        for index in [1, 2] {
            let page = String(
                decoding: fileBytes(phone.file("made/share-\(index)-of-\(total).html")) ?? [], as: UTF8.self)
            let pictures = pictures(in: page)
            #expect(kind == "sealed" ? pictures.count > 1 : pictures.count == 1)
            for (number, rows) in pictures.enumerated() {
                let text = try scan(rows, "code-\(index)-\(number).pgm")
                #expect(text.hasPrefix("SXKEY-SHARE \(number + 1)/\(pictures.count) "), "\(text)")
                scanned.append(text)
            }
        }
        try phone.write(Array(scanned.reversed().joined(separator: "\n").utf8), to: "scanned.txt")
        makeKeyring("fresh.sxdb")
        guard kind != "sealed" else {
            // Nobody but Bob and Carla opens these; that they are whole is seen all the same.
            let shown = run("sxkey identity share scanned.txt --json KEY")
            let shares = json(shown.output)?["shares"] as? [[String: Any]] ?? []
            #expect(shares.map { $0["form"] as? String } == ["sealed", "sealed"], "\(shown.errorText)")
            #expect(run("sxkey identity combine scanned.txt KEY", keyring: "fresh.sxdb").status == 5)
            return
        }
        let own = fingerprint(SampleKeyring.fileName) ?? ""
        let combined = run("sxkey identity combine scanned.txt --expect \(own.prefix(32)) KEY", keyring: "fresh.sxdb")
        #expect(combined.status == 0, "\(combined.errorText)")
        #expect(!own.isEmpty && fingerprint("fresh.sxdb") == own)
    }

    @Test(
        "words are typed on a terminal without echo, and a wrong one is told at once",
        .enabled(if: TerminalSession.isThere))
    func typed() throws {
        let shares = ["share-1-of-3.words", "share-3-of-3.words"].map { name in
            String(decoding: fileBytes(phone.file(name)) ?? [], as: UTF8.self).split(whereSeparator: \.isWhitespace)
        }
        let first = shares[0].prefix(20).joined(separator: " ")
        let rest = shares[0].dropFirst(20).joined(separator: " ")
        let second = shares[1].joined(separator: " ")
        let run = TerminalSession.run(
            [
                "env", "SXKEY_KEYRING=\(SampleKeyring.fileName)", SamplePhone.sxkey, "identity", "combine", "--dry-run",
                "--keyring-key-file", SampleKeyring.keyFileName,
            ], in: phone.sample,
            """
            wait_for(b'Share 1, from word 1 on: '); type_in(b'\(first) \\n')
            wait_for(b'Share 1, from word 21 on: '); type_in(b'\(rest) kitchensink\\n')
            wait_for(b'word 60 is not in the list'); wait_for(b'Share 1, from word 21 on: ', 2)
            type_in(b'\(rest)\\n')
            wait_for(b'1 of 2 shares are there'); wait_for(b'Share 2, from word 1 on: '); type_in(b'\(second)\\n')
            end()
            """)
        #expect(run.outputText.contains("2 shares give Ana"), "\(run.outputText)")
        #expect(run.outputText.hasSuffix("status 0 echo True\n"), "\(run.outputText)")
        #expect(!run.outputText.contains(shares[0][5...7].joined(separator: " ")))
    }

    @Test("of a share's page as text nothing needs to be taken out by hand")
    func textPages() throws {
        #expect(run("sxkey identity split -m 2 -n 3 --out made KEY").status == 0)
        makeKeyring("fresh.sxdb")
        let combined = run(
            "cat made/share-3-of-3.txt made/share-1-of-3.txt | sxkey identity combine - KEY", keyring: "fresh.sxdb")
        #expect(combined.status == 0, "\(combined.errorText)")
        #expect(fingerprint("fresh.sxdb") == fingerprint(SampleKeyring.fileName))
    }
}
