import SystemIO

/// What is asked for: the line `sxkey-image 1 scan COUNT` or `sxkey-image 1 png COUNT`, then COUNT bytes.
///
/// `scan` takes a PNG or JPEG file, `png` the matrix of a QR code as lines of 0 and 1.
struct Request {
    enum Action: String {
        case scan, png

        var limit: Int {
            switch self {
            case .scan: PictureLimits.fileSize
            case .png: PictureLimits.matrixText
            }
        }
    }

    let action: Action
    let bytes: [UInt8]

    /// The longest first line that is right has 31 bytes.
    private static let longestLine = 40

    init(reading input: inout InputFile) throws(PictureProblem) {
        let line = try Self.line(&input)
        let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard words.count == 4, words[0] == "sxkey-image", words[1] == "1", let action = Action(rawValue: words[2]),
            let count = Int(words[3]), count >= 0, count <= action.limit
        else { throw .badRequest }
        guard let bytes = try? input.read(upTo: count), bytes.count == count else { throw .badRequest }
        self.action = action
        self.bytes = bytes
    }

    private static func line(_ input: inout InputFile) throws(PictureProblem) -> [UInt8] {
        var line: [UInt8] = []
        while line.count < longestLine {
            guard let byte = try? input.read(upTo: 1), byte.count == 1 else { throw .badRequest }
            if byte[0] == UInt8(ascii: "\n") { return line }
            line += byte
        }
        throw .badRequest
    }
}

/// What is answered: `error WORD…`; or `ok`, a line for each result, and `end`.
///
/// Results are `code BASE64` for the bytes of each QR code, from top to bottom, and `png BASE64` for a picture.
enum Answer {
    case codes([[UInt8]])
    case png([UInt8])
    case refused(PictureProblem)

    func send() {
        var text: String
        switch self {
        case .codes(let codes):
            text = "ok\n"
            for code in codes { text += "code \(Base64Text.encode(code))\n" }
            text += "end\n"
        case .png(let bytes): text = "ok\npng \(Base64Text.encode(bytes))\nend\n"
        case .refused(let problem): text = "error \(problem.words)\n"
        }
        // Nobody is left to hear that nobody listens.
        try? StandardStream.output.write(Array(text.utf8).span)
    }
}

/// Base64 (RFC 4648, 4). Written out here because the module that has it for sxkey brings the ciphers along.
enum Base64Text {
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits: UInt32 = 0
            for offset in 0..<3 { bits = bits << 8 | (offset < group.count ? UInt32(group[start + offset]) : 0) }
            for letter in 0..<4 {
                let value = Int(bits >> UInt32(18 - 6 * letter) & 63)
                text.append(letter <= group.count ? letters[value] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
