import CryptoPrimitives
import JSONCoding
import PortableBundle
import SophaxFiles
import SystemIO

/// History of a file of JSON lines that sxkey wrote, or of the one JSON document with the same objects.
///
/// What an archive knows comes back: further sources, conflicts, removed messages. Attachments come from the files that the
/// lines name, beside the file. Memory holds some lines, and the names of the attachment files.
package struct JSONLinesHistory: HistorySource {
    package let origin: HistoryOrigin

    /// Looks at the first line. Errors: `.file`; `.line` where the file is none of these, or of a later version.
    package init(_ path: FilePath) throws(HistoryError) {
        let size: Int
        do throws(FileError) { size = try fileStatus(at: path).size } catch { throw .file(error) }
        origin = HistoryOrigin(.jsonl, path: path, bytes: size)
        var lines = try LineReader(path)
        try lines.readHeader()
    }

    package func send(_ request: HistoryRequest, to sink: any HistorySink) throws(HistoryError) {
        let pass = LinesPass(origin.path, request, sink)
        try pass.run()
    }
}

/// The lines of such a file, taken apart.
struct LineReader: ~Copyable {
    private var lines: FileLines
    /// One JSON array: brackets and commas stand around the objects.
    private var isArray = false
    /// The closing bracket of the array.
    private var hasClosed = false
    private var hasSaidCut = false

    init(_ path: FilePath) throws(HistoryError) {
        do throws(FileError) { lines = try FileLines(path) } catch { throw .file(error) }
    }

    var number: Int { lines.number }
    var bytes: Int { lines.bytes }

    /// The first line must be the header of a version that is known.
    mutating func readHeader() throws(HistoryError) {
        var first = try text()
        if case .text(let text)? = first, text.first == UInt8(ascii: "[") {
            isArray = true
            first = .text(Array(text.dropFirst()))
        }
        guard case .text(let text)? = first, case .header(let version) = try parse(text) else {
            throw .line(1, reason: "this is no first line of \(MessageLines.format)")
        }
        guard version <= MessageLines.version else {
            throw .line(1, reason: "version \(version) was made by a newer sxkey, which knows \(MessageLines.version)")
        }
    }

    /// The next line that holds something; nil at the end.
    mutating func next() throws(HistoryError) -> HistoryLine? {
        while let line = try text() {
            guard case .text(let text) = line else {
                return .bad("longer than \(FileLines.maximumLength) bytes")
            }
            if text.isEmpty { continue }
            if isArray, text == [UInt8(ascii: "]")] {
                hasClosed = true
                continue
            }
            let parsed = try parse(text)
            // A whole object may lack the line feed behind it; a part of one was cut.
            if case .bad = parsed, lines.isCut { return .bad("the file ends within this line") }
            return parsed
        }
        // Every object before the place where a file was cut is whole; that it was cut is told by the bracket alone.
        guard isArray, !hasClosed, !hasSaidCut else { return nil }
        hasSaidCut = true
        return .bad("the file ends before the closing bracket")
    }

    private mutating func text() throws(HistoryError) -> FileLines.Line? {
        do throws(FileError) { return try lines.next() } catch { throw .file(error) }
    }

    private func parse(_ text: [UInt8]) throws(HistoryError) -> HistoryLine {
        let isFollowed = isArray && text.last == UInt8(ascii: ",")
        do throws(OutOfMemory) {
            return try HistoryLine(isFollowed ? Array(text.dropLast()) : text)
        } catch {
            throw .outOfMemory(requested: error.requested)
        }
    }
}

/// One pass over the lines.
private final class LinesPass {
    /// Messages, and bytes of them, that go on together.
    private static let maximumMessages = 2_000
    private static let maximumBytes = 4 << 20

    private let path: FilePath
    private let request: HistoryRequest
    private let sink: any HistorySink

    private var conversation: ConversationID?
    private var isFirst = true
    private var gathered: [HistoryLine.Message] = []
    private var gatheredBytes = 0
    private var names = PeerNames()
    private var haveNamesGone = false
    private var removed: [RemovedMessage] = []
    private var unknown = 0
    private var files: [HistoryLine.AttachmentFile] = []
    private var known: Set<ByteText> = []

    init(_ path: FilePath, _ request: HistoryRequest, _ sink: any HistorySink) {
        self.path = path
        self.request = request
        self.sink = sink
    }

    func run() throws(HistoryError) {
        var lines = try LineReader(path)
        try lines.readHeader()
        var told = 0
        while let line = try lines.next() {
            request.progress(lines.bytes - told)
            told = lines.bytes
            try take(line, lines.number)
        }
        try flush(isLast: true)
        if !haveNamesGone, !names.isEmpty { try sink.take(names) }
        if !removed.isEmpty { try sink.take(removed) }
        if unknown > 0 { try sink.take(HistoryLoss(ByteText(path.bytes), .conversations, .unknownLines(unknown))) }
        if request.wantsAttachments { try sendAttachments() }
    }

    private func take(_ line: HistoryLine, _ number: Int) throws(HistoryError) {
        switch line {
        case .header(let version):
            // Of another export that was appended.
            guard version <= MessageLines.version else {
                throw .line(
                    number, reason: "version \(version) was made by a newer sxkey, which knows \(MessageLines.version)")
            }
        case .person(let fingerprint, let name):
            if haveNamesGone {
                var late = PeerNames()
                late.add(name, of: fingerprint)
                try sink.take(late)
            } else {
                names.add(name, of: fingerprint)
            }
        case .message(let message):
            if !haveNamesGone {
                haveNamesGone = true
                if !names.isEmpty { try sink.take(names) }
            }
            guard request.conversations(message.conversation) else { break }
            try take(message)
        case .removed(let message):
            if request.conversations(message.conversation) { removed.append(message) }
        case .unknown: unknown += 1
        case .bad:
            let item = ByteText(path.bytes + Array(":\(number)".utf8))
            try sink.take(HistoryLoss(item, .conversations, .messages(1)))
        }
    }

    private func take(_ message: HistoryLine.Message) throws(HistoryError) {
        if message.conversation != conversation {
            try flush(isLast: true)
            conversation = message.conversation
            isFirst = true
        } else if gathered.count >= Self.maximumMessages || gatheredBytes >= Self.maximumBytes {
            try flush(isLast: false)
        }
        gathered.append(message)
        gatheredBytes += message.source.json.count
        if request.wantsAttachments, let file = message.attachment, known.insert(file.id).inserted {
            files.append(file)
        }
    }

    /// Sends what was gathered. A part is sent when its successor has begun, so that it is known to be the last or not.
    private func flush(isLast: Bool) throws(HistoryError) {
        guard let conversation, !gathered.isEmpty else { return }
        let some = gathered
        gathered.removeAll(keepingCapacity: true)
        let bytes = gatheredBytes
        gatheredBytes = 0
        var messages: [StoredMessage] = []
        var part = HistoryPart(conversation, [], isStrict: true, bytes: 0)
        var lost = 0
        var lostOthers = 0
        do throws(OutOfMemory) {
            var scanner = try SourceScanner()
            let read = try scanner.messages(some.map(\.source))
            var others: [Int: [StoredMessage]] = [:]
            var conflicting: Set<Int> = []
            for (line, message) in zip(some, read) {
                guard let message else {
                    lost += 1
                    continue
                }
                if line.isConflicting { conflicting.insert(messages.count) }
                for source in line.others {
                    guard let other = try scanner.message(source) else {
                        lostOthers += 1
                        continue
                    }
                    others[messages.count, default: []].append(other)
                }
                messages.append(message)
            }
            part = HistoryPart(
                conversation, messages, isStrict: some.allSatisfy(\.source.isStrict), bytes: bytes)
            part.others = others
            part.conflicting = conflicting
        } catch {
            throw .outOfMemory(requested: error.requested)
        }
        part.earlier = part.earlierBodies()
        part.isFirst = isFirst
        part.isLast = isLast
        isFirst = false
        if lost + lostOthers > 0 {
            try sink.take(HistoryLoss(conversation.text, .conversations, .messages(lost + lostOthers)))
        }
        try sink.take(part)
    }

    // MARK: Attachments

    private func sendAttachments() throws(HistoryError) {
        for file in files where request.takes(attachment: file.id) {
            guard let name = Self.safePath(file.file) else {
                try sink.take(HistoryLoss(file.id, .attachments, .notInSource))
                continue
            }
            if let reason = try send(file, name) {
                try sink.take(HistoryLoss(file.id, .attachments, reason))
            }
        }
    }

    /// What a line names must be below the folder of the lines.
    static func safePath(_ name: [UInt8]) -> FilePath? {
        let components = name.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let isSafe = components.allSatisfy { component in
            !component.isEmpty && !component.elementsEqual(".".utf8) && !component.elementsEqual("..".utf8)
                && !component.contains(0)
        }
        guard isSafe else { return nil }
        return FilePath(bytes: name)
    }

    /// Sends the bytes of a file; gives what is wrong with them.
    private func send(
        _ file: HistoryLine.AttachmentFile, _ name: FilePath
    ) throws(HistoryError) -> HistoryLoss.Reason? {
        var input: InputFile
        // No link on the way: whoever made the folder could point it at any file of the user's.
        do throws(FileError) { input = try InputFile(opening: name, below: path.parent) } catch {
            return .file(.file(error))
        }
        if let size = file.size, let found = input.size, size != found { return .wrongContent }
        guard try sink.begin(attachment: file.id, size: input.size ?? file.size ?? 0) else { return nil }
        var hash = SHA256()
        var piece = [UInt8](repeating: 0, count: EntryPiece.size)
        while true {
            let count: Int
            do throws(FileError) { count = try input.fill(&piece) } catch { return .file(.file(error)) }
            let bytes = piece.span.extracting(0..<count)
            hash.update(bytes)
            request.progress(count)
            if count > 0 { try sink.take(attachment: bytes) }
            if count < piece.count { break }
        }
        let found = hash.finish()
        if let sha256 = file.sha256, sha256 != found { return .wrongContent }
        try sink.endAttachment()
        return nil
    }
}
