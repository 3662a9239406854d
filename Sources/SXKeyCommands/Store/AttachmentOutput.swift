import CommandKit
import SophaxFiles
import SystemIO

/// The folder that `--all` writes into; made with the first file.
struct AttachmentFolder {
    let path: FilePath
    let replacing: Bool
    private(set) var written: [WrittenAttachment] = []
    private var isNew = false

    init(path: FilePath, replacing: Bool) {
        self.path = path
        self.replacing = replacing
    }

    mutating func write(
        _ content: [UInt8], of id: ByteText, as name: FilePath, notSameAs inputs: [FileIdentity], _ console: Console
    ) throws(CommandError) {
        if written.isEmpty { try make() }
        let file = path.appending(name)
        let replaces = (try? fileStatus(at: file, followingLinks: false)) != nil
        var target = try ExportTarget((file, replacing), inputs: inputs, console)
        try target.write(content)
        try target.commit()
        written.append(WrittenAttachment(id: id, name: name, bytes: content.count, replaces: replaces))
    }

    private mutating func make() throws(CommandError) {
        do throws(FileError) {
            try makeFolder(path)
            isNew = true
        } catch {
            guard error.kind == .exists else { throw .output(error) }
        }
    }

    /// Removes what was written, after a failure; what it replaced is gone.
    func takeBack() {
        for file in written where !file.replaces { try? removeFile(path.appending(file.name)) }
        if isNew { try? removeFolder(path) }
    }
}

struct WrittenAttachment {
    let id: ByteText
    let name: FilePath
    let bytes: Int
    let replaces: Bool
}

/// What one attachment came to.
struct AttachmentReport: Report {
    let id: ByteText
    let out: FilePath
    let bytes: Int

    func writeText(to stream: TextStream) {
        stream.line("Wrote attachment \(id.bytes) to \(out) (\(size: bytes))")
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("path", out.bytes)
            json.member("id", id.bytes)
            json.member("bytes", bytes)
            json.member("exit", Int(ExitStatus.success.rawValue))
        }
    }
}

/// What `--all` wrote.
struct AttachmentsReport: Report {
    let out: FilePath
    let written: [WrittenAttachment]
    let failures: [(file: StoreFile, failure: StoreFileFailure)]
    /// Attachments that messages refer to and that are not there.
    let missing: [ByteText]

    /// Message files and messages that could not be read: names and references may be missing.
    let unreadMessages: Int

    var status: ExitStatus {
        failures.isEmpty && missing.isEmpty && unreadMessages == 0 ? .success : .someDamaged
    }

    func writeText(to stream: TextStream) {
        for file in written { stream.line("  \(file.name)  \(trusted: Quantity.bytes(file.bytes), .dim)") }
        for (file, failure) in failures {
            stream.line("  \(trusted: "damaged", .red) \(file.stem.bytes): \(trusted: failure.reason)")
        }
        for id in missing { stream.line("  \(trusted: "missing", .red) \(id.bytes)") }
        let rest: TerminalText = "failed \(failures.count) · missing \(missing.count)"
        stream.line("read \(written.count + failures.count) · written \(written.count) to \(out) · \(rest)")
        if unreadMessages > 0 {
            stream.line(
                "\(count: unreadMessages, "file or message", "files or messages") could not be read: names may be missing above"
            )
        }
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("path", out.bytes)
            json.member("written") { json in
                json.array(written) { json, file in
                    json.object { json in
                        json.member("id", file.id.bytes)
                        json.member("name", file.name.bytes)
                        json.member("bytes", file.bytes)
                    }
                }
            }
            json.member("failed") { json in
                json.array(failures) { json, failure in
                    json.object { json in
                        json.member("id", failure.file.stem.bytes)
                        json.member("reason", failure.failure.reason)
                    }
                }
            }
            json.member("missing") { json in json.array(missing) { json, id in json.value(id.bytes) } }
            json.member("unreadMessages", unreadMessages)
            json.member("exit", Int(status.rawValue))
        }
    }
}
