/// What every page begins and ends with.
enum PageFrame {
    /// Where a page is, as links from it need it.
    enum Depth {
        case top, below

        var base: StaticString { self == .top ? "" : "../" }
    }

    enum Script {
        case page, search
    }

    /// `file:` beside `'self'`: what a page from a disk may load differs between browsers. Nothing else is loaded, and no
    /// script or style that stands in a page is obeyed.
    static let policy: StaticString = """
        default-src 'none'; script-src 'self' file:; style-src 'self' file:; img-src 'self' file:; \
        media-src 'self' file:; base-uri 'none'; form-action 'none'
        """

    /// Up to and with `body`. `title` is of others and goes in escaped.
    static func begin(
        _ output: inout Markup, title: [[UInt8]], depth: Depth, script: Script = .page, kind: StaticString
    ) {
        output.add(
            """
            <!DOCTYPE html>
            <html lang="en" dir="ltr">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="
            """)
        output.add(policy)
        output.add(
            """
            ">
            <meta name="referrer" content="no-referrer">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="robots" content="noindex">
            <title>
            """)
        for (index, part) in title.enumerated() {
            if index > 0 { output.add(" \u{2013} ") }
            output.line(part)
        }
        output.add("</title>\n<link rel=\"stylesheet\" href=\"")
        output.add(depth.base)
        output.add("assets/style.css\">\n<script src=\"")
        output.add(depth.base)
        output.add(script == .page ? "assets/page.js" : "assets/search.js")
        output.add("\" defer></script>\n</head>\n<body class=\"")
        output.add(kind)
        output.add("\">\n<a class=\"skip\" href=\"#content\">Skip to content</a>\n")
    }

    /// The links between the parts of the export.
    static func parts(_ output: inout Markup, depth: Depth, current: StaticString) {
        output.add("<nav class=\"parts\" aria-label=\"Export\">")
        let all: [(file: StaticString, name: StaticString)] = [
            ("index.html", "Conversations"), ("search.html", "Search"), ("statistics.html", "Statistics"),
        ]
        for part in all {
            output.add("<a href=\"")
            output.add(depth.base)
            output.add(part.file)
            output.add("\"")
            if "\(part.file)" == "\(current)" { output.add(" aria-current=\"page\"") }
            output.add(">")
            output.add(part.name)
            output.add("</a>")
        }
        output.add("</nav>\n")
    }

    static func end(_ output: inout Markup) {
        output.add("</body>\n</html>\n")
    }
}

extension Markup {
    /// A name apart from its neighbours' direction.
    mutating func name(_ name: [UInt8]) {
        add("<bdi>")
        line(name)
        add("</bdi>")
    }

    mutating func avatar(_ initials: [UInt8], colour: Int) {
        add("<span class=\"av p")
        number(colour)
        add("\" aria-hidden=\"true\">")
        line(initials)
        add("</span>")
    }

    /// `1 message`, `2,345 messages`.
    mutating func count(_ count: Int, _ one: StaticString, _ many: StaticString) {
        grouped(count)
        add(" ")
        add(count == 1 ? one : many)
    }

    /// `3.4 MB`.
    mutating func size(_ bytes: Int) {
        let units: [StaticString] = ["bytes", "kB", "MB", "GB", "TB", "PB", "EB"]
        guard bytes >= 1_000 else { return count(bytes, "byte", "bytes") }
        var unit = 1
        var scale = 1_000
        while bytes / scale >= 1_000, unit + 1 < units.count {
            scale *= 1_000
            unit += 1
        }
        let tenths = bytes / (scale / 10)
        number(tenths / 10)
        if tenths < 100 {
            add(".")
            number(tenths % 10)
        }
        add(" ")
        add(units[unit])
    }
}
