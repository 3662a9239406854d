/// A start tag of a document that a browser printed.
struct DocumentTag: CustomStringConvertible {
    let name: String
    let attributes: [(name: String, value: String)]

    var description: String { "<\(name) \(attributes.map { "\($0.name)=\($0.value)" }.joined(separator: " "))>" }

    /// Browsers print `<` of text and quotes of attributes escaped, so this is all there is to it.
    static func all(in document: String) -> [DocumentTag] {
        let bytes = Array(document.utf8)
        var tags: [DocumentTag] = []
        var index = 0
        while let open = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
            index = open + 1
            guard index < bytes.count, isLetter(bytes[index]) else { continue }
            var text: [UInt8] = []
            var isQuoted = false
            while index < bytes.count, isQuoted || bytes[index] != UInt8(ascii: ">") {
                if bytes[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
                text.append(bytes[index])
                index += 1
            }
            tags.append(DocumentTag(text))
        }
        return tags
    }

    private static func isLetter(_ byte: UInt8) -> Bool { byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A }

    private init(_ text: [UInt8]) {
        let space = text.firstIndex(of: 0x20) ?? text.endIndex
        name = String(decoding: text[..<space], as: UTF8.self)
        var attributes: [(name: String, value: String)] = []
        var rest = text[space...]
        while let start = rest.firstIndex(where: { $0 != 0x20 && $0 != 0x0A }) {
            rest = rest[start...]
            let equals = rest.firstIndex(where: { $0 == UInt8(ascii: "=") || $0 == 0x20 }) ?? rest.endIndex
            let name = String(decoding: rest[..<equals], as: UTF8.self)
            rest = rest[equals...]
            var value: ArraySlice<UInt8> = []
            if rest.starts(with: Array("=\"".utf8)) {
                rest = rest.dropFirst(2)
                let end = rest.firstIndex(of: UInt8(ascii: "\"")) ?? rest.endIndex
                value = rest[..<end]
                rest = rest[end...].dropFirst()
            }
            attributes.append((name, String(decoding: value, as: UTF8.self)))
        }
        self.attributes = attributes
    }

    private static let elements: Set = [
        "html", "head", "meta", "title", "link", "script", "body", "a", "header", "div", "span", "h1", "h2", "h3",
        "bdi", "nav",
        "svg", "circle", "path", "rect", "text", "g", "main", "article", "p", "time", "b", "img", "audio", "video",
        "details",
        "summary", "pre", "ul", "ol", "li", "footer", "kbd", "form", "label", "input", "button", "noscript", "select",
        "option",
        "mark", "section", "dl", "dt", "dd", "table", "thead", "tbody", "tr", "th", "td", "meter",
    ]

    /// Nothing but what the pages are made of; no attribute with script or style; no address but the export's own files, and
    /// in links those of the web.
    var isHarmless: Bool {
        guard Self.elements.contains(name) else { return false }
        return attributes.allSatisfy { attribute in
            switch attribute.name {
            case "src":
                ["assets/", "../assets/", "../attachments/", "search/"].contains { attribute.value.hasPrefix($0) }
            case "href" where name == "a":
                !attribute.value.contains(":")
                    || ["http://", "https://", "mailto:"].contains { attribute.value.lowercased().hasPrefix($0) }
            case "href": ["assets/", "../assets/"].contains { attribute.value.hasPrefix($0) }
            case "http-equiv": attribute.value == "Content-Security-Policy"
            case "style", "srcdoc", "action", "formaction", "xlink:href", "ping", "data-hit": false
            default: !attribute.name.hasPrefix("on")
            }
        }
    }
}
