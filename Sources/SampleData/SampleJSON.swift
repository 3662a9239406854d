import JSONCoding
import SophaxFiles

/// A JSON value in the spelling of the app: no white space, `/` as `\/`, text that is not ASCII as it is.
indirect enum SampleJSON {
    case text(String)
    /// A number as it shall stand there.
    case number(String)
    case flag(Bool)
    case list([SampleJSON])
    case object([(String, SampleJSON)])
    /// JSON that is written already.
    case raw([UInt8])

    var bytes: [UInt8] {
        switch self {
        case .text(let text): Self.quoted(text)
        case .number(let number): Array(number.utf8)
        case .flag(let flag): Array((flag ? "true" : "false").utf8)
        case .list(let values): Self.joined(values.map(\.bytes), "[", "]")
        case .object(let members): Self.joined(members.map { Self.quoted($0) + [0x3A] + $1.bytes }, "{", "}")
        case .raw(let bytes): bytes
        }
    }

    private static func joined(_ parts: [[UInt8]], _ open: String, _ close: String) -> [UInt8] {
        Array(open.utf8) + parts.joined(separator: [UInt8(ascii: ",")]) + Array(close.utf8)
    }

    private static func quoted(_ text: String) -> [UInt8] {
        var plain: [UInt8] = []
        JSONText.appendQuoted(Array(text.utf8), to: &plain)
        return plain.flatMap { $0 == UInt8(ascii: "/") ? [UInt8(ascii: "\\"), $0] : [$0] }
    }
}
