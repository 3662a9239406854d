import CommandKit
import SophaxFiles
import SystemIO

/// `sxkey store info`
struct StoreInfo: Command {
    static let specification = CommandSpecification(
        noun: "store", verb: "info",
        summary: "show what a message store holds",
        discussion: [
            "The key is storage.master of the current identity in the keyring, or --key-file. Without any: the files and their sizes, "
                + "told by their names. With it every conversation is opened, and its kind, "
                + "messages, first and last date are shown. Attachments are not opened; \"sxkey store verify\" does that."
        ],
        operands: [StoreArguments.folderOperand],
        options: StoreKeySource.options + [StoreArguments.jobs],
        examples: [
            Example("sxkey store info phone", "list the files of a store"),
            Example("sxkey store info phone --key-file storage.key", "list its conversations"),
            Example("sxkey store info phone --key-file storage.key --json", "the same for a script"),
        ],
        exitStatuses: [
            StatusNote(.success), StatusNote(.someDamaged, "some files could not be read"), StatusNote(.unreadable),
            StatusNote(.wrongSecret, "the key opens not one of the files"), StatusNote(.notFound),
        ],
        seeAlso: ["sxkey-formats(5)"]
    )

    private let store: StoreArguments

    init(_ arguments: ParsedArguments) throws(UsageError) {
        store = try StoreArguments(arguments)
    }

    func run(_ context: Context) throws(CommandError) -> ExitStatus {
        let folder = try store.folder()
        store.noteInterrupted(context)
        guard let opened = try key(folder, context) else {
            context.console.present(StoreListing(folder: folder, path: store.path))
            return .success
        }
        let report = try store.survey(folder, key: opened.key, includingAttachments: false, context)
        context.console.present(StoreOverview(report: report, path: store.path, zone: context.zone, opened: opened))
        let unread = report.allFiles.count { !$0.isAuthentic }
        if unread > 0 && unread == report.allFiles.count {
            throw .nothingReadable(store.path, report.allFiles.lazy.compactMap(\.failure).first ?? .cipher)
        }
        return report.damaged > 0 ? .someDamaged : .success
    }
}

extension StoreInfo {
    /// The key, nil where the files are listed without one: nothing names a key, and there is no keyring, or nobody to ask
    /// for its passphrase.
    private func key(_ folder: StoreFolder, _ context: Context) throws(CommandError) -> OpenedStoreKey? {
        if try store.source.isMissing(context) { return nil }
        do throws(CommandError) {
            return try store.source.read(context, opening: folder)
        } catch {
            guard !store.source.isGiven else { throw error }
            switch error {
            case .secret(.noTerminal, _, _), .sealedAccess(.onlyKeyFiles): return nil
            default: throw error
            }
        }
    }
}

/// A store as its file names show it.
private struct StoreListing: Report {
    let folder: StoreFolder
    let path: FilePath

    private var groups: [ConversationFiles] { ConversationFiles.grouping(folder.conversations) }
    private func size(_ files: [StoreFile]) -> Int { files.reduce(0) { $0 + $1.size } }

    func writeText(to stream: TextStream) {
        let messages: TerminalText = "\(count: groups.count, "conversation"), \(size: size(folder.conversations))"
        let attachments: TerminalText =
            "\(count: folder.attachments.count, "attachment"), \(size: size(folder.attachments))"
        stream.line("Store       \(path)   (\(messages); \(attachments))")
        stream.line("Key         none given: names and sizes only; --key-file shows messages and dates")
        stream.line()
        var table = Table([.init("FILE"), .init("KIND"), .init("SIZE", .right)])
        for file in folder.conversations + folder.blobs + folder.foreign {
            table.add([
                "\(file.path.lastComponent)", "\(trusted: Self.kind(file))", "\(size: file.size)",
            ])
        }
        table.write(to: stream)
        if folder.attachmentsPath == nil { stream.line("  no folder sophax_attachments beside the messages") }
    }

    func writeJSON(to json: inout JSONWriter) {
        json.object { json in
            json.member("path", path.bytes)
            json.member("conversations", groups.count)
            json.member("conversationBytes", size(folder.conversations))
            json.member("attachments", folder.attachments.count)
            json.member("attachmentBytes", size(folder.attachments))
            json.member("files") { json in
                json.array(folder.conversations + folder.blobs + folder.foreign) { json, file in
                    json.object { json in
                        json.member("name", file.path.lastComponent.bytes)
                        json.member("kind", Self.kind(file))
                        json.member("size", file.size)
                    }
                }
            }
        }
    }

    private static func kind(_ file: StoreFile) -> String {
        switch file.kind {
        case .conversation:
            let orphan = ConversationFiles.grouping([file]).contains { $0.orphan != nil }
            return orphan
                ? "group, older name"
                : file.stem.hasPrefix("group.")
                    ? "group"
                    : file.stem == StoreNameRule.v1.stem(for: .notesToSelf) ? "notes" : "direct"
        case .blob(let blob): return blob.meaning
        case .foreign: return "not made by the app"
        }
    }
}

extension BlobKind {
    /// What it holds, for people.
    var meaning: String {
        switch self {
        case .pendingQueue: "messages waiting to be sent"
        case .storedForwardItems: "messages held for others"
        case .dhtBuckets: "DHT contacts"
        case .refusedMessages: "messages that no app can read, kept by sxkey"
        }
    }
}
