import CryptoPrimitives
import JSONCoding
import SophaxFiles
import SystemIO

/// `export.json` of a folder: what the export is, so that it can be checked and updated (sxkey-formats(5)).
///
/// It has no time and nothing of the machine in it: the same export gives the same bytes.
struct ExportManifest {
    static let fileName: FilePath = "export.json"
    static let format = "sxkey-export"
    static let version = 1

    /// In the order in which they are written; an update must be made with equal ones.
    let options: [ExportOption]
    var totals = ExportTotals()
    /// Written messages by conversation.
    var conversations: [(id: ConversationID, messages: Int)] = []
    var hashes = MessageHashes()
    var attachments: [(id: ByteText, file: ExportedFile)] = []
    /// All others.
    var files: [ExportFolder.File] = []

    var json: [UInt8] {
        var output: [UInt8] = Array("{\n".utf8)
        func text(_ bytes: [UInt8]) -> [UInt8] {
            var quoted: [UInt8] = []
            JSONText.appendQuoted(bytes, to: &quoted)
            return quoted
        }
        output += Array("\"format\":\"\(Self.format)\",\n\"version\":\(Self.version),\n\"options\":{".utf8)
        for (number, option) in options.enumerated() {
            if number > 0 { output.append(UInt8(ascii: ",")) }
            output += text(Array(option.name.utf8)) + [UInt8(ascii: ":")] + text(option.value)
        }
        output += Array("},\n\"read\":\(totals.read),\n\"written\":\(totals.written),\n\"conversations\":[".utf8)
        func list<T>(_ items: [T], _ object: (T) -> [UInt8]) {
            for (number, item) in items.enumerated() {
                output += Array((number > 0 ? ",\n{" : "\n{").utf8)
                output += object(item)
                output.append(UInt8(ascii: "}"))
            }
        }
        list(conversations) { one in
            Array("\"id\":".utf8) + text(one.id.text.bytes) + Array(",\"messages\":\(one.messages)".utf8)
                + Array(",\"hashes\":\"\(hashes.text(of: one.id))\"".utf8)
        }
        output += Array("],\n\"attachments\":[".utf8)
        list(attachments) { id, file in
            Array("\"id\":".utf8) + text(id.bytes) + Array(",\"file\":".utf8) + text(file.path.bytes)
                + Array(",\"bytes\":\(file.bytes),\"sha256\":\"\(file.sha256.hexDigits)\"".utf8)
                + Array(",\"type\":\"\(file.kind.mediaType)\"".utf8)
        }
        output += Array("],\n\"files\":[".utf8)
        list(files) { file in
            Array("\"file\":".utf8) + text(file.path.bytes) + Array(",\"bytes\":\(file.bytes)".utf8)
        }
        return output + Array("]\n}\n".utf8)
    }
}

/// An option that shapes an export, for `export.json`.
package struct ExportOption: Hashable, Sendable {
    package let name: String
    package let value: [UInt8]

    package init(_ name: String, _ value: [UInt8]) {
        self.name = name
        self.value = value
    }

    package init(_ name: String, _ value: String) {
        self.init(name, Array(value.utf8))
    }
}

extension [UInt8] {
    /// Lower-case hex digits.
    var hexDigits: String {
        let digits = Array<UInt8>("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// The bytes of lower-case hex digits; nil for anything else.
    init?(hexDigits text: [UInt8]) {
        guard text.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 2)
        func value(_ digit: UInt8) -> UInt8? {
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
            default: nil
            }
        }
        for index in stride(from: 0, to: text.count, by: 2) {
            guard let high = value(text[index]), let low = value(text[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        self = bytes
    }
}
