import CommandKit
import CryptoPrimitives
import SophaxFiles
import SystemIO

/// `sxkey store attachment`
struct StoreAttachment: Command {
    static let specification = CommandSpecification(
        noun: "store", verb: "attachment",
        summary: "decrypt one attachment of a store, or all of them",
        discussion: [
            "One attachment is named by its id, as \"sxkey store show\" prints it, and goes to a file or to standard output.",
            "With --all every attachment is written into a folder, under the name that its sender gave it where there is one. "
                + "Names are made safe: no folders, no control characters, nothing hidden, none twice.",
        ],
        operands: [
            StoreArguments.folderOperand, OperandSpecification("ID", .text, .optional, "the id of an attachment"),
        ],
        options: [
            KeyFileOption.specification(isRequired: true),
            .flag("all", "all attachments, into the folder of --out"),
            .value(
                "out", short: "o", "PATH", .file, "the file to write, \"-\" for standard output; with --all a folder",
                isRequired: true),
            .flag("force", short: "f", "overwrite an existing file"),
        ],
        examples: [
            Example(
                "sxkey store attachment phone --all --key-file storage.key --out pictures", "decrypt all attachments")
        ],
        exitStatuses: [
            StatusNote(.success),
            StatusNote(.someDamaged, "some attachments could not be opened; the others are written"),
            StatusNote(.wrongSecret, "the key opens not one of the files"), StatusNote(.wouldOverwrite),
            StatusNote(.notFound),
        ]
    )

    private let store: StoreArguments
    private let id: ByteText?
    private let out: FilePath
    private let force: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        store = StoreArguments(path: arguments.operandPath("DIR"), keyFile: arguments.path("key-file"), jobs: nil)
        id = arguments.operand("ID").map { ByteText($0) }
        out = arguments.path("out") ?? "-"
        force = arguments.flag("force")
        if (id == nil) != arguments.flag("all") {
            throw .other("either the ID of one attachment or --all is needed")
        }
        if id == nil, out == "-" { throw .other("--all needs a folder, not standard output") }
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        guard let keyFile = store.keyFile else { return .usage }
        let folder = try store.folder()
        guard folder.attachmentsPath != nil else { throw .noAttachmentFolder(store.path) }
        let key = try KeyFileOption.read(keyFile)
        if let id { return try writeOne(id, folder, key, context) }
        return try writeAll(folder, key, context)
    }

    private func writeOne(
        _ id: ByteText, _ folder: StoreFolder, _ key: borrowing SecretBytes, _ context: Context
    ) throws(CommandError) -> ExitStatus {
        let name = attachmentFileName(for: id)
        guard let file = folder.attachments.first(where: { $0.stem == name }) else { throw .noAttachment(id.bytes) }
        var target = try ExportTarget((out, force), inputs: folder.identities, context.console)
        var reader = try Self.reader(key)
        let content: [UInt8]
        do throws(StoreFileFailure) {
            content = try reader.bytes(of: file)
        } catch {
            throw .attachment(id, error)
        }
        try target.write(content)
        try target.commit()
        if out != "-" { context.console.note("wrote \(size: content.count) to \(out)") }
        return .success
    }

    private func writeAll(
        _ folder: StoreFolder, _ key: borrowing SecretBytes, _ context: Context
    ) throws(CommandError) -> ExitStatus {
        try checkFolder()
        let references = try references(folder, key)
        var reader = try Self.reader(key)
        var names = AttachmentNames()
        var written: [(id: ByteText, name: FilePath, bytes: Int)] = []
        var failures: [(id: ByteText, failure: StoreFileFailure)] = []
        context.progress.begin("Decrypting", total: folder.attachments.reduce(0) { $0 + $1.size }, unit: .bytes)
        // In the order of their names, so that equal names get the same numbers each time.
        for file in folder.attachments.sorted(by: { $0.stem < $1.stem }) {
            context.progress.advance(by: file.size)
            let content: [UInt8]
            do throws(StoreFileFailure) {
                content = try reader.bytes(of: file)
            } catch {
                failures.append((file.stem, error))
                continue
            }
            if written.isEmpty { try makeOut() }
            let name = names.name(for: file.stem, reference: references[file.stem])
            var target = try ExportTarget((out.appending(name), force), inputs: folder.identities, context.console)
            try target.write(content)
            try target.commit()
            written.append((file.stem, name, content.count))
        }
        context.progress.finish()
        if written.isEmpty, failures.contains(where: { $0.failure == .notAuthentic }) {
            throw .wrongStoreKey(store.path)
        }
        let missing = references.keys.filter { name in !folder.attachments.contains { $0.stem == name } }
        let report = AttachmentsReport(out: out, written: written, failures: failures, missing: missing.sorted())
        context.console.present(report)
        return report.status
    }

    /// Nothing that is there already is mixed with what is written.
    private func checkFolder() throws(CommandError) {
        guard !force, let entries = try? listFolder(out), !entries.isEmpty else { return }
        throw .output(FileError(.create, out, .exists))
    }

    private func makeOut() throws(CommandError) {
        do throws(FileError) {
            try makeFolder(out)
        } catch {
            guard error.kind == .exists else { throw .output(error) }
        }
    }

    /// What messages say of each attachment, by the name of its file; the first message counts.
    private func references(
        _ folder: StoreFolder, _ key: borrowing SecretBytes
    ) throws(CommandError) -> [ByteText: AttachmentReference] {
        var reader = try StoreShow.reader(key)
        var references: [ByteText: AttachmentReference] = [:]
        for group in ConversationFiles.grouping(folder.conversations) {
            for (conversation, messages) in reader.read(group).byConversation {
                for message in messages {
                    guard let reference = AttachmentReference(message, in: conversation) else { continue }
                    let name = attachmentFileName(for: reference.id)
                    if references[name] == nil { references[name] = reference }
                }
            }
        }
        return references
    }

    private static func reader(_ key: borrowing SecretBytes) throws(CommandError) -> StoreFileReader {
        do throws(StoreFileFailure) {
            return try StoreFileReader(key: key)
        } catch {
            throw .storeFile(error)
        }
    }
}

/// What `--all` wrote.
private struct AttachmentsReport: Report {
    let out: FilePath
    let written: [(id: ByteText, name: FilePath, bytes: Int)]
    let failures: [(id: ByteText, failure: StoreFileFailure)]
    /// Attachments that messages refer to and that are not there.
    let missing: [ByteText]

    var status: ExitStatus { failures.isEmpty && missing.isEmpty ? .success : .someDamaged }

    func writeText(to stream: TextStream) {
        for file in written { stream.line("  \(file.name)  \(trusted: Quantity.bytes(file.bytes), .dim)") }
        for (id, failure) in failures {
            stream.line("  \(trusted: "damaged", .red) \(id.bytes): \(trusted: failure.reason)")
        }
        for id in missing { stream.line("  \(trusted: "missing", .red) \(id.bytes)") }
        let rest: TerminalText = "failed \(failures.count) · missing \(missing.count)"
        stream.line("read \(written.count + failures.count) · written \(written.count) to \(out) · \(rest)")
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
                        json.member("id", failure.id.bytes)
                        json.member("reason", failure.failure.reason)
                    }
                }
            }
            json.member("missing") { json in json.array(missing) { json, id in json.value(id.bytes) } }
            json.member("exit", Int(status.rawValue))
        }
    }
}
