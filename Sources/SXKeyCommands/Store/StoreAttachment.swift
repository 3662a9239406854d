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
        options: StoreKeySource.options + [
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
            StatusNote(.unreadable, "the attachment is damaged, or there is no store"),
            StatusNote(.wrongSecret, "the key opens not one of the files"),
            StatusNote(.wouldOverwrite, "the file exists, or the folder has something in it"),
            StatusNote(.notFound, "no such folder or attachment"),
        ]
    )

    private let store: StoreArguments
    private let id: ByteText?
    private let out: FilePath
    private let force: Bool

    init(_ arguments: ParsedArguments) throws(UsageError) {
        store = try StoreArguments(arguments)
        id = arguments.operand("ID").map { ByteText($0) }
        out = arguments.requiredPath("out")
        force = arguments.flag("force")
        if (id == nil) != arguments.flag("all") {
            throw .other("either the ID of one attachment or --all is needed")
        }
        try ExportTarget.check(arguments, writesJSON: false)
        if id == nil, out == "-" { throw .other("--all needs a folder, not standard output") }
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let folder = try store.folder()
        guard folder.attachmentsPath != nil else { throw .noAttachmentFolder(store.path) }
        let opened = try store.source.read(context, opening: folder)
        if let id { return try writeOne(id, folder, opened.key, context) }
        return try writeAll(folder, opened.key, context)
    }

    private func writeOne(
        _ id: ByteText, _ folder: StoreFolder, _ key: borrowing SecretBytes, _ context: Context
    ) throws(CommandError) -> ExitStatus {
        let name = attachmentFileName(for: id)
        guard let file = folder.attachments.first(where: { $0.stem == name }) else { throw .noAttachment(id.bytes) }
        var target = try ExportTarget((out, force), inputs: store.inputs(of: folder, context), context.console)
        var reader = try Self.reader(key)
        let content: [UInt8]
        do throws(StoreFileFailure) {
            content = try reader.bytes(of: file)
        } catch {
            if error == .notAuthentic, try !store.opensAnother(of: folder, than: [file], key: key) {
                throw .wrongStoreKey(store.path)
            }
            throw .attachment(id, error)
        }
        try target.write(content)
        try target.commit()
        if out != "-" { context.console.present(AttachmentReport(id: id, out: out, bytes: content.count)) }
        return .success
    }

    private func writeAll(
        _ folder: StoreFolder, _ key: borrowing SecretBytes, _ context: Context
    ) throws(CommandError) -> ExitStatus {
        try checkFolder(folder)
        let (references, tally) = try references(folder, key)
        var reader = try Self.reader(key)
        let inputs = store.inputs(of: folder, context)
        var names = AttachmentNames()
        var target = AttachmentFolder(path: out, replacing: force)
        var failures: [(file: StoreFile, failure: StoreFileFailure)] = []
        context.progress.begin("Decrypting", total: folder.attachments.reduce(0) { $0 + $1.size }, unit: .bytes)
        // In the order of their names, so that equal names get the same numbers each time.
        for file in folder.attachments.sorted(by: { $0.stem < $1.stem }) {
            context.progress.advance(by: file.size)
            let content: [UInt8]
            do throws(StoreFileFailure) {
                content = try reader.bytes(of: file)
            } catch {
                failures.append((file, error))
                continue
            }
            let name = names.name(for: file.stem, reference: references[file.stem])
            do throws(CommandError) {
                try target.write(content, of: file.stem, as: name, notSameAs: inputs, context.console)
            } catch {
                target.takeBack()
                throw error
            }
        }
        context.progress.finish()
        if target.written.isEmpty, !tally.hasOpened, !(failures + tally.failures).isEmpty {
            throw try store.nothingOpened(failures + tally.failures, of: folder, key: key)
        }
        let there = Set(folder.attachments.map(\.stem))
        let report = AttachmentsReport(
            out: out, written: target.written, failures: failures,
            missing: references.keys.filter { !there.contains($0) }.sorted(), unreadMessages: tally.failed)
        context.console.present(report)
        _ = tally.finish(context, reportsJSON: false)
        return report.status
    }

    /// Nothing that is there already is mixed with what is written, and nothing is written into the store.
    private func checkFolder(_ folder: StoreFolder) throws(CommandError) {
        guard let status = try? fileStatus(at: out) else { return }
        if status.kind != .folder { throw .output(FileError(.create, out, .notFolder)) }
        for own in [folder.messagesPath, folder.attachmentsPath] {
            if let own, let identity = try? fileStatus(at: own).identity, identity == status.identity {
                throw .output(FileError(.create, out, .sameAsInput))
            }
        }
        do throws(FileError) {
            let isEmpty = try listFolder(out).isEmpty
            if !isEmpty, !force { throw FileError(.create, out, .exists) }
        } catch {
            throw .output(error)
        }
    }

    /// What messages say of each attachment, by the name of its file; the first message counts.
    private func references(
        _ folder: StoreFolder, _ key: borrowing SecretBytes
    ) throws(CommandError) -> ([ByteText: AttachmentReference], ReadingTally) {
        var reader = try StoreShow.reader(key)
        var tally = ReadingTally()
        var references: [ByteText: AttachmentReference] = [:]
        for group in ConversationFiles.grouping(folder.conversations) {
            let content = reader.read(group)
            tally.add(content.summary)
            for (conversation, messages) in content.byConversation {
                for message in messages {
                    guard let reference = AttachmentReference(message, in: conversation) else { continue }
                    let name = attachmentFileName(for: reference.id)
                    if references[name] == nil { references[name] = reference }
                }
            }
        }
        return (references, tally)
    }

    private static func reader(_ key: borrowing SecretBytes) throws(CommandError) -> StoreFileReader {
        do throws(StoreFileFailure) {
            return try StoreFileReader(key: key)
        } catch {
            throw .storeFile(error)
        }
    }
}
