import CommandKit
import CryptoPrimitives
import QRCodes
import SophaxCore

/// The page of a share as HTML: nothing in it loads anything, and nothing runs.
extension SharePage {
    /// Error correction M: paper gets creased, and a page is scanned once in years.
    private static let correction = QRCode.ErrorCorrection.medium

    func html() throws(CommandError) -> SecretBytes {
        var codes: [String] = []
        for line in try Self.memory({ () throws(SecretMemoryError) in try SharePart.lines(of: share.text) }) {
            // A picture of a share is a share, and lies in plain memory until it is written, as it will on the disk.
            let bytes = line.text.withSpan { text in text.indices.map { text[$0] } }
            do throws(QRCodeError) {
                codes.append(
                    try QRCode(bytes, correction: Self.correction).svg(title: "QR code of " + title.lowercased()))
            } catch {
                throw .code(error)
            }
        }
        return try Self.memory { () throws(SecretMemoryError) in try html(codes) }
    }

    private func html(_ codes: [String]) throws(SecretMemoryError) -> SecretBytes {
        var page = try WipedText()
        try page.add(Self.head(title))
        try page.add("<h1>\(title)</h1>\n<table>\n")
        for (what, text) in facts {
            try page.add("<tr><th>\(what)</th><td dir=\"auto\">\(Self.escaped(text))</td></tr>\n")
        }
        try page.add(
            "</table>\n<h2>What this is</h2>\n<p>\(Self.escaped(meaning))</p>\n<h2>How to keep it</h2>\n<ul>\n")
        for line in keeping { try page.add("<li>\(Self.escaped(line))</li>\n") }
        try page.add("</ul>\n<h2>How to use it</h2>\n<ol>\n")
        for step in steps {
            let command = step.command.map { "<code>\(Self.escaped($0))</code>" } ?? ""
            try page.add("<li>\(Self.escaped(step.text))\(command)</li>\n")
        }
        try page.add("</ol>\n<section>\n<h1>\(title)</h1>\n")
        try page.add("<p class=\"whose\">\(Self.escaped(name)) · \(peerID)</p>\n")
        try addCodes(codes, to: &page)
        try addShare(to: &page)
        try page.add("</section>\n</body>\n</html>\n")
        return try page.finish()
    }

    private func addCodes(_ codes: [String], to page: inout WipedText) throws(SecretMemoryError) {
        try page.add("<div class=\"codes\">\n")
        for (number, code) in codes.enumerated() {
            let caption =
                codes.count == 1
                ? "QR code of the share" : "QR code \(number + 1) of \(codes.count): all of them are needed"
            try page.add("<figure>\(code)<figcaption>\(caption)</figcaption></figure>\n")
        }
        try page.add("</div>\n")
    }

    private func addShare(to page: inout WipedText) throws(SecretMemoryError) {
        guard share.isWords else {
            try page.add("<pre>\(String(decoding: ShareTextCollector.begin, as: UTF8.self))\n")
            for line in Self.folds(of: share.text) {
                try share.text.withSpan { (text) throws(SecretMemoryError) in
                    try page.addEscaped(text.extracting(line))
                }
                try page.add("\n")
            }
            return try page.add("\(String(decoding: ShareTextCollector.end, as: UTF8.self))</pre>\n")
        }
        try page.add("<ol class=\"words\">\n")
        for word in Self.words(of: share.text) {
            try page.add("<li>")
            try share.text.withSpan { (text) throws(SecretMemoryError) in try page.add(text.extracting(word)) }
            try page.add("</li>\n")
        }
        try page.add("</ol>\n")
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }

    private static func memory<R: ~Copyable>(
        _ make: () throws(SecretMemoryError) -> R
    ) throws(CommandError) -> R {
        do throws(SecretMemoryError) { return try make() } catch { throw .shares(.memory) }
    }

    private static func head(_ title: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
        <meta name="referrer" content="no-referrer">
        <meta name="viewport" content="width=device-width">
        <title>\(title)</title>
        <style>
        @page { size: A4; margin: 15mm 18mm }
        body { font: 10.5pt/1.4 sans-serif; color: #000; background: #fff; max-width: 174mm; margin: 8mm auto; padding: 0 4mm }
        h1 { font-size: 19pt; margin: 0 0 3mm; border-bottom: 0.6mm solid #000; padding-bottom: 2mm }
        h2 { font-size: 12pt; margin: 4.5mm 0 1mm; break-after: avoid }
        p, ul, ol { margin: 0 0 1mm }
        ul, ol { padding-left: 6mm }
        li { break-inside: avoid }
        table { border-collapse: collapse }
        th { text-align: left; font-weight: 600; padding: 0.3mm 6mm 0.3mm 0; vertical-align: top; white-space: nowrap }
        td { padding: 0.3mm 0; overflow-wrap: anywhere }
        code { display: block; font: 9pt/1.5 monospace; background: #eee; padding: 1mm 2mm; margin: 1mm 0; overflow-wrap: anywhere; \
        print-color-adjust: exact }
        section { break-before: page; margin-top: 10mm }
        .codes { display: flex; flex-wrap: wrap; gap: 4mm; justify-content: center }
        figure { margin: 0; text-align: center; break-inside: avoid }
        figure svg { display: block; width: 96mm; height: 96mm }
        .codes figure:not(:only-child) svg { width: 66mm; height: 66mm }
        .whose { text-align: center }
        figcaption { font-size: 9pt }
        pre { font: 8.5pt/1.3 monospace; break-inside: avoid; margin: 4mm auto 0; width: fit-content; white-space: pre }
        .words { columns: 4; column-gap: 4mm; font: 11.5pt/1.55 monospace; padding-left: 11mm; margin-top: 5mm }
        @media print { body { margin: 0; padding: 0; max-width: none } section { margin-top: 0 } }
        </style>
        </head>
        <body>

        """
    }
}
