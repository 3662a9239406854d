import CommandKit
import History
import HistoryExport
import SophaxFiles
import SystemIO

/// `text`: the transcript of `show`, with the offset of every time.
struct TranscriptFormat: MessageFormat {
    let zone: LocalZone

    var needs: ExportNeeds { [.replied] }

    func opening(_ overview: ExportOverview) -> [UInt8] { [] }
    func closing(_ totals: ExportTotals) -> [UInt8] { [] }

    func append(_ part: ExportPart, to output: inout [UInt8]) {
        let text = GatheredText()
        let stream = TextStream { (bytes) throws(FileError) in text.add(bytes) }
        let transcript = Transcript(part, zone: zone)
        if part.beginsConversation {
            if !part.beginsExport { stream.line() }
            transcript.writeHeading(part.whole, to: stream)
        }
        for entry in part.messages {
            let file = entry.message.text(.attachmentID).flatMap { part.attachments.file(of: $0.byteText)?.path }
            transcript.write(entry.message, file: file, earlier: entry.earlier, to: stream)
        }
        stream.flush()
        output += text.bytes
    }
}

/// What a stream of text gives.
private final class GatheredText {
    private(set) var bytes: [UInt8] = []

    func add(_ piece: Span<UInt8>) {
        bytes.reserveCapacity(bytes.count + piece.count)
        for index in piece.indices { bytes.append(piece[index]) }
    }
}

extension Transcript {
    /// One line about a conversation, with its counts where they are known.
    func writeHeading(_ whole: ExportPart.Whole?, to stream: TextStream) {
        if let whole { return writeHeading(messages: whole.chosen, of: whole.read, to: stream) }
        stream.line("\(trusted: names.title(of: conversation).plain, .bold)   \(trusted: conversation.kind.rawValue)")
    }
}
