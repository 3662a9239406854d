import CryptoPrimitives
import JSONCoding
import SophaxFiles

/// Salvaged messages as JSON lines (`sxkey-formats(5)`, SALVAGED TEXT): the lines of an export, each with the mark that it
/// is not authenticated in front, and between them what is left of messages that are not whole.
package struct SalvageLines {
    package static let format = "sxkey-salvage"
    package static let version = 1

    private let salvaged: SalvagedText

    package init(_ salvaged: SalvagedText) {
        self.salvaged = salvaged
    }

    /// Gives all lines, some at a time.
    package func write<E: Error>(to sink: ([UInt8]) throws(E) -> Void) throws(E) {
        try sink(header)
        let guess = ConversationID(guessedFrom: salvaged.file.stem)
        var lines = MessageLines()
        var output: [UInt8] = []
        var fragments = salvaged.fragments[...]
        for message in salvaged.messages {
            let range = message.sourceRange
            while let next = fragments.first, next.lowerBound < range.lowerBound {
                output += line(of: next)
                fragments.removeFirst()
            }
            lines.append(message, in: guess, isStrict: salvaged.isStrict)
            // `{"type":"message",…`: the mark comes before everything else.
            output += mark(message: message) + lines.takeOutput().dropFirst()
            if output.count >= Self.pieceSize {
                try sink(output)
                output.removeAll(keepingCapacity: true)
            }
        }
        for fragment in fragments { output += line(of: fragment) }
        if !output.isEmpty { try sink(output) }
    }

    private static let pieceSize = 262_144

    private var header: [UInt8] {
        var line = Array(
            "{\"authenticated\":false,\"type\":\"header\",\"format\":\"\(Self.format)\",\"version\":1".utf8)
        line += Array(",\"file\":".utf8)
        JSONText.appendQuoted(salvaged.file.path.lastComponent.bytes, to: &line)
        line += Array(
            ",\"reason\":\"\(salvaged.damage.kind.rawValue)\",\"damageOffset\":\(damageOffset),\"textBytes\":\(salvaged.text.count)"
                .utf8)
        line += Array(",\"messages\":\(salvaged.messages.count),\"fragments\":\(salvaged.fragments.count)}\n".utf8)
        return line
    }

    private var damageOffset: String { salvaged.damage.offset.map { "\($0)" } ?? "null" }

    private func mark(message: StoredMessage) -> [UInt8] {
        Array(
            ("{\"authenticated\":false,\"reason\":\"\(salvaged.damage.kind.rawValue)\",\"damageOffset\":\(damageOffset),"
                + "\"offset\":\(message.sourceRange.lowerBound),\"broken\":\(message.isBroken),").utf8)
    }

    private func line(of fragment: Range<Int>) -> [UInt8] {
        let bytes = salvaged.buffer.bytes(in: fragment)
        var line = Array(
            ("{\"authenticated\":false,\"reason\":\"\(salvaged.damage.kind.rawValue)\",\"damageOffset\":\(damageOffset),"
                + "\"offset\":\(fragment.lowerBound),\"type\":\"fragment\",\"text\":").utf8)
        JSONText.appendQuoted(bytes, to: &line)
        if JSONText.firstInvalidUTF8(bytes.span) != nil {
            line += Array(",\"textBase64\":\"\(Base64.encode(bytes.span))\"".utf8)
        }
        return line + Array("}\n".utf8)
    }
}
