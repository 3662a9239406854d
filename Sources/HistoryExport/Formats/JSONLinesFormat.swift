import History
import SophaxCore
import SophaxFiles
import SystemIO

/// `jsonl` and `json`: canonical and complete (sxkey-formats(5), "Messages as JSON lines").
package struct JSONLinesFormat: MessageFormat {
    /// One array of all objects, the first line first.
    private let isArray: Bool
    /// Finished lines that belong behind the messages: what a store keeps aside.
    private let lastLines: [UInt8]

    package init(isArray: Bool = false, lastLines: [UInt8] = []) {
        self.isArray = isArray
        self.lastLines = lastLines
    }

    package var needs: ExportNeeds { [.listsPeople] }

    package func opening(_ overview: ExportOverview) -> [UInt8] {
        var lines = MessageLines()
        lines.appendHeader(source: Self.name(of: overview.origin.kind))
        return isArray ? Array("[".utf8) + lines.output.dropLast() : lines.output
    }

    /// As the header has always said it.
    private static func name(of kind: HistoryOrigin.Kind) -> String {
        switch kind {
        case .fullExport: BundleKind.fullExport.rawValue
        case .backup: BundleKind.backup.rawValue
        case .identity: BundleKind.identity.rawValue
        case .store, .sxb, .archive, .jsonl, .android, .btmessage, .lchat, .conet, .openpgp: kind.rawValue
        }
    }

    /// Only an archive has nothing else that says them: a bundle has contacts, and a store none.
    package func people(_ names: PeerNames, from origin: HistoryOrigin) -> [UInt8] {
        guard origin.kind == .archive || origin.kind == .jsonl else { return [] }
        var lines = MessageLines()
        for one in names.known { lines.appendPerson(name: one.name, fingerprint: one.fingerprint.hex) }
        return joined(lines.takeOutput())
    }

    package func append(_ part: ExportPart, to output: inout [UInt8]) {
        var lines = MessageLines()
        for message in part.messages {
            lines.append(
                message.message, in: part.conversation, isStrict: part.isStrict,
                knowing: Self.knowledge(of: message, part.attachments))
            if isArray {
                output += [UInt8(ascii: ","), UInt8(ascii: "\n")]
                output += lines.takeOutput().dropLast()
            }
        }
        if output.isEmpty { output = lines.takeOutput() } else { output += lines.takeOutput() }
    }

    private static func knowledge(
        of message: ExportMessage, _ attachments: ExportedAttachments
    ) -> MessageLines.Knowledge? {
        let file =
            attachments.areWritten
            ? message.message.text(.attachmentID).flatMap { attachments.file(of: $0.byteText) } : nil
        guard file != nil || message.isConflicting || !message.others.isEmpty else { return nil }
        var known = MessageLines.Knowledge()
        known.isConflicting = message.isConflicting
        known.others = message.others
        known.file = file.map {
            MessageLines.Knowledge.File(path: $0.path.bytes, bytes: $0.bytes, sha256: $0.sha256.hexDigits)
        }
        return known
    }

    package func removed(_ messages: [RemovedMessage]) -> [UInt8] {
        var lines = MessageLines()
        for message in messages {
            let (id, digest): ([UInt8]?, String?) =
                switch message.key {
                case .id(let id): (id.bytes, nil)
                case .nameless(let digest): (nil, digest.hexDigits)
                }
            let direction: String? =
                switch message.direction {
                case .sent: "sent"
                case .received: "received"
                case .unknown: nil
                }
            lines.appendRemoved(
                in: message.conversation, id: id, digest: digest, direction: direction, time: message.time,
                removedAt: message.removedAt)
        }
        return joined(lines.takeOutput())
    }

    package func closing(_ totals: ExportTotals) -> [UInt8] {
        joined(lastLines) + (isArray ? Array("\n]\n".utf8) : [])
    }

    /// Finished lines as they are, or as elements behind others.
    private func joined(_ lines: [UInt8]) -> [UInt8] {
        guard isArray else { return lines }
        return lines.split(separator: 0x0A).reduce(into: []) { $0 += [UInt8(ascii: ","), UInt8(ascii: "\n")] + $1 }
    }
}
