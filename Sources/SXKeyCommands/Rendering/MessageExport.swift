import CommandKit
import SophaxFiles
import SystemIO

/// The formats messages are exported to, and one conversation in each.
struct MessageExport: Sendable {
    enum Format: String, CaseIterable, Sendable {
        /// Canonical and complete: `sxkey-formats(5)`.
        case jsonl
        /// The same objects in one array, after the header.
        case json
        /// The transcript of `show`.
        case text
    }

    let format: Format
    let options: SelectionOptions
    let zone: LocalZone
    var names = ContactNames()

    /// One conversation, ready to be written, with its counts.
    struct Part: Sendable {
        /// The bytes in pieces: one array of all would have to be moved as it grows.
        let pieces: [[UInt8]]
        let read: Int
        let written: Int
    }

    private static let pieceSize = 262_144

    /// The bytes before the first conversation.
    func opening(source: String) -> [UInt8] {
        switch format {
        case .jsonl, .json:
            var lines = MessageLines()
            lines.appendHeader(source: source)
            return format == .json ? Array("[".utf8) + lines.output.dropLast() : lines.output
        case .text: return []
        }
    }

    /// The bytes after the last conversation.
    var closing: [UInt8] { format == .json ? Array("\n]\n".utf8) : [] }

    func part(_ messages: [StoredMessage], of conversation: ConversationID, isStrict: Bool) -> Part {
        let chosen = options.choose(messages, in: conversation)
        switch format {
        case .jsonl, .json:
            var lines = MessageLines()
            var pieces: [[UInt8]] = []
            var array: [UInt8] = []
            for message in chosen {
                lines.append(message, in: conversation, isStrict: isStrict)
                if format == .json {
                    array += [UInt8(ascii: ","), UInt8(ascii: "\n")]
                    array += lines.takeOutput().dropLast()
                }
                if lines.outputCount + array.count >= Self.pieceSize {
                    pieces.append(array + lines.takeOutput())
                    array = []
                }
            }
            return Part(
                pieces: pieces + [array + lines.takeOutput()], read: messages.count, written: chosen.count)
        case .text:
            guard !chosen.isEmpty else { return Part(pieces: [], read: messages.count, written: 0) }
            var pieces: [[UInt8]] = []
            let stream = TextStream { (bytes) throws(FileError) in
                var piece: [UInt8] = []
                piece.reserveCapacity(bytes.count)
                for index in bytes.indices { piece.append(bytes[index]) }
                pieces.append(piece)
            }
            let transcript = Transcript(conversation, all: messages, zone: zone, names: names)
            transcript.writeHeading(messages: chosen.count, of: messages.count, to: stream)
            for message in chosen { transcript.write(message, to: stream) }
            stream.line()
            stream.flush()
            return Part(pieces: pieces, read: messages.count, written: chosen.count)
        }
    }
}

/// Where an export goes: a new file, or standard output for `-`.
///
/// The file is opened with the first write, so that nothing is touched before something was proven.
struct ExportTarget: ~Copyable {
    static let options: [OptionSpecification] = [
        .value("out", short: "o", "PATH", .file, "the file to write; \"-\" is standard output", isRequired: true),
        .flag("force", short: "f", "overwrite an existing file"),
    ]

    /// With `--json` standard output has JSON and nothing else.
    static func check(_ arguments: ParsedArguments, writesJSON: Bool) throws(UsageError) {
        if arguments.globals.json, !writesJSON, arguments.path("out") == "-" {
            throw .other("--json and an output that is no JSON exclude each other on standard output")
        }
    }

    let path: FilePath
    private let replacing: Bool
    private let inputs: [FileIdentity]
    private let console: Console
    private var file: OutputFile?
    private(set) var bytesWritten = 0

    /// Checks that the target may be written, without opening it.
    init(
        _ arguments: (path: FilePath, force: Bool), inputs: [FileIdentity], _ console: Console
    ) throws(CommandError) {
        path = arguments.path
        replacing = arguments.force
        self.inputs = inputs
        self.console = console
        do throws(FileError) {
            if path != "-" {
                try OutputFile.check(path, replacing: replacing, notSameAs: inputs)
            } else if let own = StandardStream.output.identity, inputs.contains(own) {
                throw FileError(.write, StandardStream.output.path, .sameAsInput)
            }
        } catch {
            throw .output(error)
        }
    }

    var isStandardOutput: Bool { path == "-" }

    mutating func write(_ bytes: [UInt8]) throws(CommandError) {
        bytesWritten += bytes.count
        if isStandardOutput {
            console.output.write(bytes: bytes)
            if let failure = console.output.failure { throw .output(failure) }
            return
        }
        do throws(FileError) {
            if file == nil { file = try OutputFile(creatingAt: path, replacing: replacing, notSameAs: inputs) }
            try file?.write(bytes)
        } catch {
            throw .output(error)
        }
    }

    /// Makes the file appear.
    consuming func commit() throws(CommandError) {
        do throws(FileError) {
            if let file = consume file { try file.commit() }
        } catch {
            throw .output(error)
        }
    }
}

/// What an export did.
struct ExportReport: Report {
    let path: FilePath
    let format: String
    let conversations: Int
    let read: Int
    let written: Int
    /// Files or messages that could not be read.
    let failed: Int
    let bytes: Int
    let status: ExitStatus

    func writeText(to stream: TextStream) {
        stream.line(
            "Wrote \(count: written, "message") of \(count: conversations, "conversation") to \(path) (\(trusted: format), \(size: bytes))"
        )
        stream.line(
            "read \(count: read) · written \(count: written) · not selected \(count: read - written) · failed \(count: failed)"
        )
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("path", path.bytes)
            json.member("format", format)
            json.member("conversations", conversations)
            json.member("read", read)
            json.member("written", written)
            json.member("notSelected", read - written)
            json.member("failed", failed)
            json.member("bytes", bytes)
            json.member("exit", Int(status.rawValue))
        }
    }
}
